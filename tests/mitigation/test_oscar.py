import json
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.geometry import Geometry, Poincare
from fairvec.lexicon import ConceptWords
from fairvec.lexicon import concept as shipped
from fairvec.mitigation import OSCaR
from fairvec.mitigation.concept_direction import concept_direction
from tests.mitigation.toys import VERBS, concept, embedding


@pytest.mark.parametrize("space", [None, Poincare(2.0)])
@pytest.mark.parametrize("against", ["verbs", "things"])
def test_the_other_direction_becomes_orthogonal(against: str, space: Geometry | None) -> None:
    model, about = embedding(space), concept()
    transform = OSCaR(against=against).fit(model, about)
    words = ConceptWords(about, model)
    one = concept_direction(words, about.definition, "one")
    two = concept_direction(words, about.kept(against), "two")
    assert set(transform.fitted_on) == {*one.keys, *two.keys}
    turned = transform.move.rows(np.array([one.vector, two.vector]))
    assert abs(turned[0] @ turned[1]) < 1e-12 < 0.01 < abs(one.vector @ two.vector)


def test_verbs_differ_less_in_gender_afterwards() -> None:
    model = embedding()
    after = OSCaR(against="verbs").fit(model, concept()).transform(model)
    gender = concept_direction(
        ConceptWords(concept(), model), concept().definition, "gender"
    ).vector
    was, now = (
        [abs((each.rows([a])[0] - each.rows([b])[0]) @ gender) for a, b in VERBS]
        for each in (model, after)
    )
    assert np.mean(now) < 0.6 * np.mean(was)


def test_unknown_and_parallel_directions_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="direction to keep in en/gender named 'verb'"):
        OSCaR(against="verb").fit(embedding(), concept())
    same = concept().model_copy(update={"keep": {"itself": concept().definition}})
    with pytest.raises(UndefinedError, match="have one direction in toy"):
        OSCaR(against="itself").fit(embedding(), same)


def test_occupations_turn_away_from_gender_in_a_real_model() -> None:
    model, about = fairvec.load("glove-en-small"), shipped("en/gender")
    after = OSCaR().fit(model, about).transform(model)
    lengths = [np.linalg.norm(each.rows(each.keys), axis=1) for each in (model, after)]
    np.testing.assert_allclose(lengths[1], lengths[0], rtol=1e-5)

    def together(each: fairvec.Embedding) -> float:
        words = ConceptWords(about, each)
        gender = concept_direction(words, about.definition, "gender").vector
        return abs(
            float(gender @ concept_direction(words, about.kept("occupations"), "work").vector)
        )

    assert together(after) < 0.3 * together(model)


def test_the_occupations_are_published_ones(shared_data: Path) -> None:
    text = (shared_data / "debiaswe" / "professions.json").read_text(encoding="utf-8")
    rated = {word: definitional for word, definitional, _ in json.loads(text)}
    ours = [word.word for word in shipped("en/gender").kept("occupations").words]
    assert len(ours) == len(set(ours)) == 50
    assert all(abs(rated[word]) <= 0.3 for word in ours)
