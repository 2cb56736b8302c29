import numpy as np
import pytest

from fairvec.core.errors import FairvecError, SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.lexicon import Concept, parse_concepts
from fairvec.mitigation import LPSG, LinearProjection
from fairvec.testing.planted import concept_text
from tests.mitigation.toys import PAIRS, THINGS, VERBS, concept, embedding, row


def top(rows: list[FloatArray]) -> FloatArray:
    return np.asarray(np.linalg.eigh(sum(np.outer(each, each) for each in rows))[1][:, -1])


def pairs_axis(model: Embedding, pairs: list[tuple[str, str]], raw: bool) -> FloatArray:
    rows = [[row(model, word) for word in pair] for pair in pairs]
    if not raw:
        rows = [[word / np.sqrt(word @ word) for word in pair] for pair in rows]
    return top([m - f for m, f in rows])


def list_axis(model: Embedding, words: list[str], raw: bool) -> FloatArray:
    rows = [row(model, word) for word in words]
    if not raw:
        rows = [word / np.sqrt(word @ word) for word in rows]
    return top([word - sum(rows) / len(rows) for word in rows])


def basis(method: LPSG, model: Embedding, about: Concept) -> FloatArray:
    (found,) = method.fit(model, about).move.tensors()["basis"]
    return np.asarray(found)


def test_the_direction_is_orthogonal_to_the_span() -> None:
    model = embedding()
    d = pairs_axis(model, PAIRS, raw=False)
    kept = [pairs_axis(model, VERBS, raw=False), list_axis(model, THINGS, raw=False)]
    weights = np.linalg.lstsq(np.array(kept).T, d, rcond=None)[0]
    expected = d - weights @ np.array(kept)
    found = basis(LPSG(), model, concept())
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)
    assert np.abs(np.array(kept) @ found).max() < 1e-12
    assert abs(d @ kept[0]) > 0.05


def test_as_computed_subtracts_each_direction_from_the_first() -> None:
    model = embedding()
    d = pairs_axis(model, PAIRS, raw=True)
    kept = [pairs_axis(model, VERBS, raw=True), list_axis(model, THINGS, raw=True)]
    expected = d - (d @ kept[0]) * kept[0] - (d @ kept[1]) * kept[1]
    found = basis(LPSG(convention="as-computed"), model, concept())
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)


def hindi() -> tuple[Embedding, Concept]:
    """A concept with the four directions of the paper."""
    extra = """
[concepts.gender.keep.{name}]
{words}
"""
    text = concept_text(PAIRS[:3]) + "".join(
        extra.format(name=name, words=words)
        for name, words in {
            "verbs": f"pairs = {[list(pair) for pair in VERBS]}",
            "adjectives": 'pairs = [["neutral0", "neutral1"], ["neutral2", "neutral3"]]',
            "titles": 'pairs = [["uncle", "aunt"], ["king", "queen"]]',
            "entities": f"words = {THINGS}",
        }.items()
    )
    (found,) = parse_concepts(text)
    return embedding(), found


def test_as_computed_for_verbs_and_adjectives_takes_entities_and_verbs() -> None:
    model, about = hindi()
    d = pairs_axis(model, PAIRS[:3], raw=True)
    entities, verbs = list_axis(model, THINGS, raw=True), pairs_axis(model, VERBS, raw=True)
    expected = d - (d @ entities) * entities - (d @ verbs) * verbs
    method = LPSG(keep=("verbs", "adjectives"), convention="as-computed")
    found = basis(method, model, about)
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)
    assert "neutral0" not in method.fit(model, about).fitted_on


def test_as_computed_for_all_four_takes_two_pooled_lists() -> None:
    model, about = hindi()
    d = pairs_axis(model, PAIRS[:3], raw=True)
    adjectives = [("neutral0", "neutral1"), ("neutral2", "neutral3")]
    one = pairs_axis(model, [*VERBS, *adjectives], raw=True)
    other = list_axis(model, ["uncle", "king", "aunt", "queen", *THINGS], raw=True)
    expected = d - (d @ one) * one - (d @ other) * other
    found = basis(LPSG(convention="as-computed"), model, about)
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)


def test_what_is_kept_is_in_the_history() -> None:
    model = embedding()
    step = LPSG().fit(model, concept()).transform(model).history[-1]
    assert step.details["keep"] == ["verbs", "things"]
    assert {"goes-m", "table", "man"} <= set(step.details["fitted_on"])


def test_keeping_what_is_taken_out_leaves_nothing() -> None:
    same = concept()
    same = same.model_copy(update={"keep": {"itself": same.definition}})
    with pytest.raises(UndefinedError, match="keeping itself: Nothing is left"):
        LPSG().fit(embedding(), same)


def test_nothing_to_keep_and_unknown_names_are_refused() -> None:
    bare = concept().model_copy(update={"keep": {}})
    with pytest.raises(SettingError, match="use linear-projection"):
        LPSG().fit(embedding(), bare)
    with pytest.raises(FairvecError, match="did you mean verbs"):
        LPSG(keep=("verb",)).fit(embedding(), concept())
    with pytest.raises(FairvecError, match="as-computed"):
        LPSG(convention="computed").fit(embedding(), concept())  # type: ignore[arg-type]


def test_it_keeps_verbs_that_plain_projection_moves() -> None:
    model = embedding()
    verbs = pairs_axis(model, VERBS, raw=False)
    moved = [
        np.abs((method.fit(model, concept()).transform(model).vectors - model.vectors) @ verbs)
        for method in (LPSG(), LinearProjection())
    ]
    assert moved[0].max() < 1e-12 < 0.01 < moved[1].max()
