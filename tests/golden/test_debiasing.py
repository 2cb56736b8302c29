"""Debiasing real models: what the methods promise, and effects that change as they should."""

import json
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding
from fairvec.geometry import COSINE
from fairvec.lexicon import ConceptWords, concept
from fairvec.mitigation import Debiaser
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.projection import LPSG, LinearProjection
from fairvec.results import Result


def effects(model: Embedding, *tests: str) -> list[float]:
    outcomes = fairvec.audit(model, suites=tests, resamples=100)
    return [outcome.effect for outcome in outcomes if isinstance(outcome, Result)]


def leaning(model: Embedding) -> float:
    """How much nearer to he than to she, or the reverse, some professions and places are."""
    words = model.rows(["nurse", "doctor", "science", "kitchen", "engineer", "poet", "army"])
    he, she = (COSINE.between(words, model.rows([key]), model.geometry) for key in ("he", "she"))
    return float(np.abs(he - she).mean())


@pytest.mark.parametrize(
    ("name", "method", "share"),
    [
        ("glove-en-small", LinearProjection(), 0.7),
        ("glove-en-small", HardDebiasing(), 1e-5),
        # What he and she differ in here is hardly what the ten pairs have in common.
        ("poincare-glove-en-small", LinearProjection(), 1.1),
        ("poincare-glove-en-small", HardDebiasing(), 1e-5),
    ],
)
def test_english_gender(name: str, method: Debiaser, share: float) -> None:
    model = fairvec.load(name)
    after = method.fit(model, concept("en/gender")).transform(model)
    assert after.geometry == model.geometry
    # Flowers and insects have nothing to do with gender.
    (was,), (now,) = (effects(each, "caliskan2017/weat-1") for each in (model, after))
    assert now == pytest.approx(was, abs=0.1)
    assert leaning(after) < share * leaning(model)


def test_career_and_family_in_english() -> None:
    model = fairvec.load("glove-en-small")
    (was,) = effects(model, "caliskan2017/weat-6")
    for method in (LinearProjection(), HardDebiasing()):
        after = method.fit(model, concept("en/gender")).transform(model)
        (now,) = effects(after, "caliskan2017/weat-6")
        assert 0 < now < was - 0.3


def test_every_equality_pair_of_a_real_model_is_equidistant() -> None:
    model = fairvec.load("glove-en-small")
    about = concept("en/gender")
    transform = HardDebiasing(k=2).fit(model, about)
    after = transform.transform(model)
    pairs = ConceptWords(about, model).pairs(about.equalise).pairs
    assert len(pairs) > 20
    assert {key for pair in pairs for key in pair} == set(transform.placed)
    still = transform.unmoved | set(transform.placed)
    neutral = [key for key in model.keys if key not in still][2000:2200]
    a, b = ([pair[side] for pair in pairs] for side in (0, 1))

    def apart(each: Embedding) -> float:
        words, distances = each.rows(neutral), each.geometry.distances
        return float(np.abs(distances(words, each.rows(a)) - distances(words, each.rows(b))).max())

    assert apart(after) < 1e-6 < 0.1 < apart(model)


def test_hindi_keeps_its_grammar() -> None:
    model = fairvec.load("glove-hi-small")
    grammar = ("malik2022/me-verbs", "malik2022/me-adjectives", "malik2022/me-titles")
    was = effects(model, *grammar)
    for method in (LPSG(), LPSG(convention="as-computed"), LPSG(keep=("verbs", "adjectives"))):
        after = method.fit(model, concept("hi/gender")).transform(model)
        assert effects(after, *grammar) == pytest.approx(was, abs=0.15)


def test_english_lists_are_the_published_ones(shared_data: Path) -> None:
    def published(name: str) -> object:
        return json.loads((shared_data / "debiaswe" / name).read_text(encoding="utf-8"))

    about = concept("en/gender")
    defining = [[female.word, male.word] for male, female in about.definition.pairs]
    assert defining == published("definitional_pairs.json")
    assert [[a.word, b.word] for a, b in about.equalise] == published("equalize_pairs.json")
    assert [word.word for word in about.specific] == published("gender_specific_seed.json")


def test_hindi_lists_are_the_published_ones(shared_data: Path) -> None:
    file = shared_data / "sochindi_weat_seat" / "sochindi.json"
    lists = json.loads(file.read_text(encoding="utf-8"))["debias_lists"]
    gender, caste, religion = (concept(f"hi/{name}") for name in ("gender", "caste", "religion"))
    for definition, name in (
        (gender.choosing("pairs").definition, "gendered"),
        (gender.direction_to_keep("verbs"), "verbsan"),
        (gender.direction_to_keep("adjectives"), "adjsan"),
        (gender.direction_to_keep("titles"), "titlessan"),
    ):
        for side in (0, 1):
            ours = [pair[side].word for pair in definition.pairs]
            assert ours == lists[f"pairwise_{name}_PCA_l{side + 1}"]
    for definition, name in (
        (gender.choosing("list").definition, "gendered"),
        (gender.direction_to_keep("entities"), "entsan"),
        (caste.definition, "caste"),
        (religion.definition, "religion_lastnames"),
        (religion.direction_to_keep("entities"), "religion"),
    ):
        assert [word.word for word in definition.words] == lists[f"listwise_{name}_PCA"]
