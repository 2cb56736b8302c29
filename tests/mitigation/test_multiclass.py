import numpy as np
import pytest

from fairvec.core.errors import LexiconError, SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.lexicon import Concept, parse_concepts
from fairvec.mitigation import HardDebiasing, LinearProjection, MultiClassHard

SETS = [["creed-a", "creed-b", "creed-c"], ["house-a", "house-b", "house-c"], ["book-a", "book-b"]]
SHARING = [*SETS, ["creed-a", "book-c", "creed-c"]]
NEUTRAL = [f"neutral{number}" for number in range(25)]
CORNERS = {"a": (1.0, 0.0), "b": (-0.5, 0.9), "c": (-0.5, -0.9)}


def concept(sets: list[list[str]] = SHARING, equalise: list[list[str]] | None = None) -> Concept:
    (found,) = parse_concepts(
        f"""
version = "1"
language = "en"
[concepts.religion]
title = "Religion"
source = "Toy (2026)"
licence = "None needed."
default = "sets"
equalise = {equalise or []}
specific = ["prayer"]
[concepts.religion.variants.sets]
sets = {sets}
"""
    )
    return found


def model(space: Geometry | None = None) -> Embedding:
    """Three sides in a plane, and noise."""
    words = [*dict.fromkeys(word for each in SHARING for word in each)]
    noise = np.random.default_rng(11)
    vectors: FloatArray = noise.normal(size=(len(words) + 1 + len(NEUTRAL), 8)) * 0.4
    vectors[: len(words), :2] += [CORNERS[word[-1]] for word in words]
    keys = [*words, "prayer", *NEUTRAL]
    return Embedding(keys, vectors * (0.15 if space else 1), space or Euclidean(), "toy")


def units(of: Embedding, keys: list[str]) -> FloatArray:
    rows = of.rows(keys)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def test_both_steps_by_a_few_lines_of_numpy() -> None:
    plain = model()
    spread = sum(
        np.outer(row - units(plain, each).mean(axis=0), row - units(plain, each).mean(axis=0))
        for each in SHARING
        for row in units(plain, each)
    )
    axes = np.linalg.eigh(spread)[1][:, -2:]
    inside = axes @ axes.T
    after = MultiClassHard().fit(plain, concept()).transform(plain)
    left = units(plain, NEUTRAL) @ (np.eye(8) - inside)
    np.testing.assert_allclose(units(after, NEUTRAL), left / np.linalg.norm(left, axis=1)[:, None])
    for each in SETS:
        mean = units(plain, each).mean(axis=0)
        outside = mean - inside @ mean
        for key, row in zip(each, units(plain, each), strict=True):
            e = inside @ (row - mean)
            place = outside + np.sqrt(1 - outside @ outside) * e / np.linalg.norm(e)
            np.testing.assert_allclose(after.rows([key])[0], place, atol=1e-12)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.3)], ids=repr)
def test_every_word_of_a_set_is_as_far_from_a_neutral_word_as_the_others(space: Geometry) -> None:
    plain = model(space if space.curvature else None)
    transform = MultiClassHard().fit(plain, concept())
    after = transform.transform(plain)
    assert "pairs-equidistant" in transform.guarantees
    for each in SETS:
        was, now = (
            np.ptp(of.geometry.distances(of.rows(NEUTRAL), of.rows(each)), axis=1)
            for of in (plain, after)
        )
        assert was.min() > 1e-3
        assert now.max() < 1e-12


def test_a_word_has_one_place_and_a_set_with_a_missing_word_none() -> None:
    transform = MultiClassHard().fit(model(), concept())
    assert transform.remarks["pairs_not_equalised"] == ("creed-a-book-c-creed-c",)
    assert set(transform.fitted_on) >= {"book-c"}
    assert "book-c" in transform.unmoved
    missing = concept(equalise=[["creed-a", "creed-b", "nowhere"], ["house-a", "house-b"]])
    transform = MultiClassHard().fit(model(), missing)
    assert transform.remarks["pairs_not_equalised"] == ("creed-a-creed-b-nowhere",)
    assert set(transform.placed) == {"house-a", "house-b"}


def test_hard_debiasing_is_the_same_engine() -> None:
    one, other = (m.fit(model(), concept()) for m in (MultiClassHard(), HardDebiasing(k=2)))
    np.testing.assert_array_equal(one.transform(model()).vectors, other.transform(model()).vectors)


def test_linear_projection_takes_the_first_component_of_the_sets() -> None:
    first = LinearProjection().fit(model(), concept()).move.tensors()["basis"]
    both = MultiClassHard().fit(model(), concept()).move.tensors()["basis"]
    np.testing.assert_allclose(np.abs(first @ both.T), [[1, 0]], atol=1e-12)
    with pytest.raises(SettingError, match="is sets, not pairs, so two-means has nothing"):
        LinearProjection("two-means").fit(model(), concept())


def test_on_a_line_three_words_would_fall_together() -> None:
    with pytest.raises(SettingError, match=r"two of the words creed-a, creed-b, creed-c of en/rel"):
        MultiClassHard(k=1).fit(model(), concept())


def test_k_needs_as_many_words() -> None:
    with pytest.raises(SettingError, match=r"k is 0; it must be 1 or more"):
        MultiClassHard(k=0)
    with pytest.raises(SettingError, match=r"k is 8 and must lie between 1 and 7, .*\(creed-a"):
        MultiClassHard(k=8).fit(model(), concept())


def test_fewer_than_two_usable_sets_are_refused_by_name() -> None:
    sets = [SETS[0], ["somewhere", "nowhere"]]
    with pytest.raises(LexiconError, match=r"sets \(2\) 1 can .* lacks somewhere, nowhere;"):
        MultiClassHard().fit(model(), concept(sets))


def test_sets_that_do_not_differ_are_refused() -> None:
    plain = model()
    flat = Embedding(plain.keys, np.ones((len(plain), 8)))
    with pytest.raises(UndefinedError, match=r"en/religion:sets \(creed-a, .* 0 direction"):
        MultiClassHard().fit(flat, concept())
