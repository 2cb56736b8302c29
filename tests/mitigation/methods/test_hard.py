"""Hard debiasing, of two classes and of several."""

import numpy as np
import pytest

from fairvec.core.errors import LexiconError, SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import NEGATIVE_DISTANCE, Euclidean, FloatArray, Geometry, Poincare
from fairvec.lexicon import Concept, parse_concepts, parse_suite, resolve
from fairvec.metrics.bias.pairs import PairBias
from fairvec.mitigation.methods.hard import HardDebiasing, MultiClassHard
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.testing.planted import NEUTRAL, PAIRS
from tests.mitigation.toys import concept, embedding, row

# --- hard ---


SUITE = parse_suite(
    f"""
id = "toy"
version = "1"
language = "en"
title = "Toy"
source = "Toy (2026)"
licence = "None needed."
[sets.words]
title = "words"
words = {NEUTRAL}
[sets.a]
title = "male words"
words = ["uncle", "man"]
[sets.b]
title = "female words"
words = ["aunt", "woman"]
[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "bias"
words = "words"
a = "a"
b = "b"
paired = true
"""
)


def unit(model: Embedding, key: str) -> FloatArray:
    w = row(model, key)
    return np.asarray(w / np.sqrt(w @ w))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_both_steps_by_a_few_lines_of_numpy(k: int) -> None:
    model = embedding()
    centred = []
    for m, f in PAIRS:
        mean = (unit(model, m) + unit(model, f)) / 2
        centred += [unit(model, m) - mean, unit(model, f) - mean]
    axes = np.linalg.eigh(sum(np.outer(each, each) for each in centred))[1][:, -k:]
    inside = axes @ axes.T
    after = HardDebiasing(k=k).fit(model, concept()).transform(model)
    for key in NEUTRAL:
        w = unit(model, key) - inside @ unit(model, key)
        np.testing.assert_allclose(row(after, key), w / np.sqrt(w @ w), atol=1e-9)
    for pair in (("uncle", "aunt"), ("man", "woman")):
        mean = (unit(model, pair[0]) + unit(model, pair[1])) / 2
        outside = mean - inside @ mean
        for key in pair:
            e = inside @ (unit(model, key) - mean)
            place = outside + np.sqrt(1 - outside @ outside) * e / np.sqrt(e @ e)
            np.testing.assert_allclose(row(after, key), place, atol=1e-9)
    np.testing.assert_allclose(row(after, "beard"), unit(model, "beard"), atol=1e-12)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.5)], ids=repr)
def test_pair_bias_is_zero_after_and_not_before(space: Euclidean | Poincare) -> None:
    model = embedding(space)
    after = HardDebiasing(k=2).fit(model, concept()).transform(model)
    (test,) = SUITE.tests
    for metric in (PairBias(), PairBias(NEGATIVE_DISTANCE)):
        bias = [metric.measure(resolve(test, each), space).value for each in (model, after)]
        assert bias[0] > 0.01
        assert bias[1] < 1e-12


def test_single_floats_keep_pairs_equidistant_to_a_millionth() -> None:
    model = embedding(dtype="float32")
    after = HardDebiasing().fit(model, concept()).transform(model)
    neutral = after.rows(NEUTRAL)
    a, b = after.rows(["uncle", "man"]), after.rows(["aunt", "woman"])
    space = Euclidean()
    assert np.abs(space.distances(neutral, a) - space.distances(neutral, b)).max() < 1e-6


def test_a_pair_with_a_missing_word_is_left_out_and_reported() -> None:
    model = embedding()
    transform = HardDebiasing().fit(model, concept())
    assert set(transform.placed) == {"uncle", "aunt", "man", "woman"}
    step = transform.transform(model).history[-1]
    assert step.details["pairs_not_equalised"] == ["nephew-nowhere"]


def test_without_equality_pairs_the_defining_ones_are_equalised() -> None:
    plain = concept().model_copy(update={"equalise": ()})
    transform = HardDebiasing().fit(embedding(), plain)
    assert set(transform.placed) == {word for pair in PAIRS for word in pair}


def test_a_list_can_define_the_subspace() -> None:
    model = embedding()
    plain = concept("list").model_copy(update={"equalise": ()})
    transform = HardDebiasing(k=2).fit(model, plain)
    assert transform.placed == {}
    assert "pairs-equidistant" not in transform.guarantees
    rows = np.array([unit(model, key) for pair in PAIRS for key in pair])
    axes = np.linalg.eigh(np.cov(rows.T))[1][:, -2:]
    basis = transform.move.tensors()["basis"]
    np.testing.assert_allclose(basis.T @ basis, axes @ axes.T, atol=1e-9)


def test_lengths_are_unit_in_flat_space_and_kept_in_the_ball() -> None:
    model = embedding()
    after = HardDebiasing().fit(model, concept()).transform(model)
    np.testing.assert_allclose(np.linalg.norm(after.vectors, axis=1), 1, rtol=1e-12)
    model = embedding(Poincare())
    after = HardDebiasing().fit(model, concept()).transform(model)
    for key in (*NEUTRAL, "beard", "boy"):
        lengths = [np.linalg.norm(row(each, key)) for each in (model, after)]
        assert lengths[1] == pytest.approx(lengths[0], rel=1e-12)
    assert np.linalg.norm(row(after, "man")) == pytest.approx(np.linalg.norm(row(after, "woman")))


def test_k_needs_as_many_pairs() -> None:
    with pytest.raises(SettingError, match=r"k is 0; it must be 1 or more"):
        HardDebiasing(k=0)
    with pytest.raises(SettingError, match=r"k is 6 and must lie between 1 and 5.*\(man, woman"):
        HardDebiasing(k=6).fit(embedding(), concept())


def test_pairs_that_vary_in_too_few_directions_are_refused_by_name() -> None:
    model = embedding(columns=3)
    vectors = np.tile([1.0, 0.0, 0.0], (len(model), 1))
    with pytest.raises(UndefinedError, match=r"pairs \(man, woman, .* 0 direction"):
        HardDebiasing().fit(Embedding(model.keys, vectors), concept())


# --- multiclass ---


SETS = [["creed-a", "creed-b", "creed-c"], ["house-a", "house-b", "house-c"], ["book-a", "book-b"]]
SHARING = [*SETS, ["creed-a", "book-c", "creed-c"]]
NEUTRAL_MULTICLASS = [f"neutral{number}" for number in range(25)]
CORNERS = {"a": (1.0, 0.0), "b": (-0.5, 0.9), "c": (-0.5, -0.9)}


def concept_multiclass(
    sets: list[list[str]] = SHARING, equalise: list[list[str]] | None = None
) -> Concept:
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
    vectors: FloatArray = noise.normal(size=(len(words) + 1 + len(NEUTRAL_MULTICLASS), 8)) * 0.4
    vectors[: len(words), :2] += [CORNERS[word[-1]] for word in words]
    keys = [*words, "prayer", *NEUTRAL_MULTICLASS]
    return Embedding(keys, vectors * (0.15 if space else 1), space or Euclidean(), "toy")


def units(of: Embedding, keys: list[str]) -> FloatArray:
    rows = of.rows(keys)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def test_both_steps_by_a_few_lines_of_numpy_multiclass() -> None:
    plain = model()
    spread = sum(
        np.outer(
            one_row - units(plain, each).mean(axis=0), one_row - units(plain, each).mean(axis=0)
        )
        for each in SHARING
        for one_row in units(plain, each)
    )
    axes = np.linalg.eigh(spread)[1][:, -2:]
    inside = axes @ axes.T
    after = MultiClassHard().fit(plain, concept_multiclass()).transform(plain)
    left = units(plain, NEUTRAL_MULTICLASS) @ (np.eye(8) - inside)
    np.testing.assert_allclose(
        units(after, NEUTRAL_MULTICLASS), left / np.linalg.norm(left, axis=1)[:, None]
    )
    for each in SETS:
        mean = units(plain, each).mean(axis=0)
        outside = mean - inside @ mean
        for key, one_row in zip(each, units(plain, each), strict=True):
            e = inside @ (one_row - mean)
            place = outside + np.sqrt(1 - outside @ outside) * e / np.linalg.norm(e)
            np.testing.assert_allclose(after.rows([key])[0], place, atol=1e-12)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.3)], ids=repr)
def test_every_word_of_a_set_is_as_far_from_a_neutral_word_as_the_others(space: Geometry) -> None:
    plain = model(space if space.curvature else None)
    transform = MultiClassHard().fit(plain, concept_multiclass())
    after = transform.transform(plain)
    assert "pairs-equidistant" in transform.guarantees
    for each in SETS:
        was, now = (
            np.ptp(of.geometry.distances(of.rows(NEUTRAL_MULTICLASS), of.rows(each)), axis=1)
            for of in (plain, after)
        )
        assert was.min() > 1e-3
        assert now.max() < 1e-12


def test_a_word_has_one_place_and_a_set_with_a_missing_word_none() -> None:
    transform = MultiClassHard().fit(model(), concept_multiclass())
    assert transform.remarks["pairs_not_equalised"] == ("creed-a-book-c-creed-c",)
    assert set(transform.fitted_on) >= {"book-c"}
    assert "book-c" in transform.unmoved
    missing = concept_multiclass(
        equalise=[["creed-a", "creed-b", "nowhere"], ["house-a", "house-b"]]
    )
    transform = MultiClassHard().fit(model(), missing)
    assert transform.remarks["pairs_not_equalised"] == ("creed-a-creed-b-nowhere",)
    assert set(transform.placed) == {"house-a", "house-b"}


def test_hard_debiasing_is_the_same_engine() -> None:
    """Of sets of one size; of others each set counts alike in one, and each word in the other."""

    def debiased(method: HardDebiasing, sets: list[list[str]]) -> FloatArray:
        moved = method.fit(model(), concept_multiclass(sets)).transform(model()).vectors
        return moved.astype(np.float64)

    of_three = [each for each in SHARING if len(each) == 3]
    one, other = (debiased(method, of_three) for method in (MultiClassHard(), HardDebiasing(k=2)))
    np.testing.assert_allclose(one, other, atol=1e-12)
    one, other = (debiased(method, SHARING) for method in (MultiClassHard(), HardDebiasing(k=2)))
    assert np.abs(one - other).max() > 0.01


def test_linear_projection_takes_the_first_component_of_the_sets() -> None:
    first = LinearProjection().fit(model(), concept_multiclass()).move.tensors()["basis"]
    both = HardDebiasing(k=2).fit(model(), concept_multiclass()).move.tensors()["basis"]
    np.testing.assert_allclose(np.abs(first @ both.T), [[1, 0]], atol=1e-12)
    with pytest.raises(SettingError, match="is sets, not pairs, so two-means has nothing"):
        LinearProjection("two-means").fit(model(), concept_multiclass())


def test_on_a_line_three_words_would_fall_together() -> None:
    with pytest.raises(SettingError, match=r"two of the words creed-a, creed-b, creed-c of en/rel"):
        MultiClassHard(k=1).fit(model(), concept_multiclass())


def test_k_needs_as_many_words() -> None:
    with pytest.raises(SettingError, match=r"k is 0; it must be 1 or more"):
        MultiClassHard(k=0)
    with pytest.raises(SettingError, match=r"k is 8 and must lie between 1 and 7, .*\(creed-a"):
        MultiClassHard(k=8).fit(model(), concept_multiclass())


def test_fewer_than_two_usable_sets_are_refused_by_name() -> None:
    sets = [SETS[0], ["somewhere", "nowhere"]]
    with pytest.raises(LexiconError, match=r"sets \(2\) 1 can .* lacks somewhere, nowhere;"):
        MultiClassHard().fit(model(), concept_multiclass(sets))


def test_sets_that_do_not_differ_are_refused() -> None:
    plain = model()
    flat = Embedding(plain.keys, np.ones((len(plain), 8)))
    with pytest.raises(UndefinedError, match=r"en/religion:sets \(creed-a, .* 0 direction"):
        MultiClassHard().fit(flat, concept_multiclass())
