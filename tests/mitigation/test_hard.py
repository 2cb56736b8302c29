import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import NEGATIVE_DISTANCE, Euclidean, FloatArray, Poincare
from fairvec.lexicon import parse_suite, resolve
from fairvec.metrics.bias import PairBias
from fairvec.mitigation import HardDebiasing
from tests.mitigation.toys import NEUTRAL, PAIRS, concept, embedding, row

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


def test_a_pair_with_a_missing_word_is_left_out_and_said() -> None:
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
