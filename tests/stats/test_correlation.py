"""Correlations, adjusted differences, scores in one unit."""

from itertools import permutations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from fairvec.core.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.stats import Interval, adjusted_difference
from fairvec.stats.correlation import normal_scores, pearson, spearman, standard_scores

# --- correlation ---


def test_each_batch_has_its_own_correlation() -> None:
    pairs = np.random.default_rng(0).normal(size=(4, 12, 2))
    np.testing.assert_allclose(pearson(pairs), [pearsonr(*p.T).statistic for p in pairs])
    np.testing.assert_allclose(spearman(pairs), [spearmanr(*p.T).statistic for p in pairs])


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_its_interval_is_fishers(level: float) -> None:
    pairs = np.random.default_rng(1).normal(size=(30, 2)) @ np.array([[1.0, 0.8], [0.0, 1.0]])
    known = pearsonr(*pairs.T)
    found = Interval.of_correlation(known.statistic, len(pairs), level)
    assert found is not None
    expected = known.confidence_interval(level)
    np.testing.assert_allclose((found.low, found.high), (expected.low, expected.high))
    assert Interval.of_correlation(0.5, 3, level) is None
    exact = Interval.of_correlation(-1.0, 30, level)
    assert exact is not None
    assert (exact.low, exact.high) == (-1, -1)


def test_equal_values_share_their_rank() -> None:
    pairs = np.array([[1.0, 3.0], [1.0, 1.0], [2.0, 2.0], [4.0, 2.0], [5.0, 9.0]])
    np.testing.assert_allclose(spearman(pairs), spearmanr(*pairs.T).statistic)


def test_a_batch_without_spread_is_undefined_and_the_rest_is_not() -> None:
    pairs = np.array([[[0.1, 1], [0.1, 2], [0.1, 4]], [[1.0, 1], [2.0, 2], [3.0, 3]]])
    first, second = pearson(pairs)
    assert np.isnan(first)
    assert second == pytest.approx(1)


# --- covariate ---


Lists = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def drawn(gap: float, effect: float = 0.0, *, seed: int, words: int = 8) -> Lists:
    """Scores that follow the covariate with slope 1/2; the lists lie `gap` apart in it."""
    generator = np.random.default_rng(seed)
    often = [generator.normal(shift, size=words) for shift in (gap, 0.0)]
    scores = [0.5 * each + generator.normal(size=words) for each in often]
    return scores[0] + effect, scores[1], often[0], often[1]


def test_the_difference_is_that_of_least_squares() -> None:
    x, y, f, g = drawn(1.0, 2.0, seed=1)
    design = np.column_stack([np.ones(16), np.repeat([1, 0], 8), np.concatenate([f, g])])
    expected = np.linalg.lstsq(design, np.concatenate([x, y]), rcond=None)[0][1]
    found = adjusted_difference(x, y, f, g)
    assert found is not None
    assert found.difference == pytest.approx(expected, rel=1e-10)


def test_without_a_slope_it_is_the_plain_difference() -> None:
    x, y = np.array([3.0, 4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0, 4.0])
    balanced = np.array([1.0, -1.0, -1.0, 1.0])
    found = adjusted_difference(x, y, balanced, balanced)
    assert found is not None
    assert found.difference == pytest.approx(2.0)


@pytest.mark.parametrize("gap", [0.0, 1.0, 3.0])
def test_it_holds_its_level_however_far_apart_the_lists_are(gap: float) -> None:
    """400 studies in which the covariate is the only cause; 5 % +- 3.7 standard errors."""
    found = [adjusted_difference(*drawn(gap, seed=seed), draws=199) for seed in range(400)]
    alarms = np.mean([one is not None and one.p <= 0.05 for one in found])
    assert 0.01 <= alarms <= 0.09


def test_a_true_difference_is_still_found() -> None:
    found = [adjusted_difference(*drawn(1.0, 3.0, seed=seed), draws=199) for seed in range(50)]
    assert np.mean([one is not None and one.p <= 0.05 for one in found]) > 0.9


def test_the_same_seed_gives_the_same_p() -> None:
    assert adjusted_difference(*drawn(1.0, seed=2)) == adjusted_difference(*drawn(1.0, seed=2))


def test_a_covariate_that_is_the_grouping_leaves_nothing_to_see() -> None:
    x, y = np.array([1.0, 2.0, 4.0]), np.array([0.0, 1.0, 3.0])
    assert adjusted_difference(x, y, np.ones(3), np.zeros(3)) is None


def test_scores_that_the_covariate_explains_whole_leave_nothing_either() -> None:
    f, g = np.array([1.0, 2.0, 4.0]), np.array([0.0, 1.0, 3.0])
    assert adjusted_difference(2 * f, 2 * g, f, g) is None


def test_one_that_is_the_same_for_all_words_takes_nothing_away() -> None:
    x, y, *_ = drawn(0.0, 1.0, seed=3)
    for often in (0.0, 0.1, 7.3):
        same = np.full(8, often)
        found = adjusted_difference(x, y, same, same, draws=99)
        assert found is not None
        assert found.difference == pytest.approx(x.mean() - y.mean(), rel=1e-12)


# --- one unit ---


spread_out = st.lists(st.integers(-300, 300), min_size=2, max_size=40).map(
    lambda whole: np.array(whole) / 100
)


@given(spread_out, st.sampled_from([np.exp, np.cbrt, np.sinh, lambda s: 5 * s - 40]))
def test_ranks_do_not_see_an_increasing_function(scores: np.ndarray, function: object) -> None:
    assert callable(function)
    assert normal_scores(function(scores)).tolist() == normal_scores(scores).tolist()


@given(spread_out, st.floats(0.01, 100), st.floats(-10, 10))
def test_neither_unit_sees_scale_or_shift(scores: np.ndarray, scale: float, shift: float) -> None:
    for unit in (normal_scores, standard_scores):
        np.testing.assert_allclose(unit(scale * scores + shift), unit(scores), atol=1e-9)
        np.testing.assert_allclose(unit(-scores), -unit(scores), atol=1e-9)


@given(spread_out)
def test_scores_have_mean_0_and_deviation_1_or_none_at_all(scores: np.ndarray) -> None:
    for unit in (normal_scores, standard_scores):
        found = unit(scores)
        assert found.mean() == pytest.approx(0, abs=1e-9)
        if len({*scores.tolist()}) > 1:
            assert found.std(ddof=1) == pytest.approx(1)
        else:
            assert not found.any()


def test_normal_scores_are_the_deviates_of_ranks() -> None:
    deviate = NormalDist().inv_cdf
    by_hand = np.array([deviate(4 / 5), deviate(1 / 5), deviate(2.5 / 5), deviate(2.5 / 5)])
    found = normal_scores(np.array([9.0, -3.0, 0.5, 0.5 + 1e-15]))
    np.testing.assert_allclose(found, by_hand / by_hand.std(ddof=1), atol=1e-12)


def test_standard_scores_see_what_ranks_do_not() -> None:
    scores = np.linspace(-2, 2, 9)
    assert not np.allclose(standard_scores(np.exp(scores)), standard_scores(scores))


@pytest.mark.parametrize("scores", [[], [[1.0, 2.0]], [1.0, np.nan], [np.inf, 0.0]])
def test_what_is_no_list_of_numbers_is_refused(scores: list[float]) -> None:
    for unit in (normal_scores, standard_scores):
        with pytest.raises(SettingError, match="plain list of finite ones"):
            unit(np.array(scores))


@pytest.mark.parametrize("seed", range(4))
def test_an_adjusted_p_is_that_of_every_permutation_with_the_whole_model_fitted_again(
    seed: int,
) -> None:
    """Freedman and Lane by least squares: without refitting the slope p is too small."""
    generator = np.random.default_rng(seed)
    x, y = generator.normal(size=4) + 1, generator.normal(size=3)
    of_x, of_y = generator.normal(size=4) + 1, generator.normal(size=3)
    reduced = np.column_stack([np.ones(7), np.concatenate([of_x, of_y])])
    whole = np.column_stack([reduced, [1.0] * 4 + [0.0] * 3])

    def fitted(model: FloatArray, rows: FloatArray) -> FloatArray:
        return np.asarray(rows @ (model @ np.linalg.pinv(model)))

    def f_statistic(rows: FloatArray) -> FloatArray:
        left, explained = (((rows - fitted(m, rows)) ** 2).sum(-1) for m in (whole, reduced))
        return np.asarray((explained - left) / left)

    scores = np.concatenate([x, y])
    expected = fitted(reduced, scores)
    every = np.array([*permutations(scores - expected)]) + expected
    exact = float((f_statistic(every) >= f_statistic(scores) * (1 - 1e-9)).mean())
    found = adjusted_difference(x, y, of_x, of_y, draws=20_000)
    assert found is not None
    assert found.p == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 20_000) ** 0.5)
    difference = np.linalg.lstsq(whole, scores, rcond=None)[0][2]
    assert found.difference == pytest.approx(difference)
