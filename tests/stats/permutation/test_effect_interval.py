"""Intervals of an effect size."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

from fairvec.core.numeric import FloatArray
from fairvec.stats.effect_interval import (
    noncentral_limits,
    widen_for_spread_error,
    widen_pairs_for_spread_error,
)
from tests.laws.helpers import law

normal = st.builds(
    lambda seed, nx, ny, apart: (
        np.random.default_rng(seed).normal(apart, size=nx),
        np.random.default_rng(seed + 1).normal(size=ny),
    ),
    st.integers(0, 10**6),
    st.integers(2, 12),
    st.integers(2, 12),
    st.floats(-3, 3),
)
Two = tuple[FloatArray, FloatArray]


def t_of(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """The t statistic and the standard error of the difference of means."""
    t = float(stats.ttest_ind(x, y).statistic)
    return t, float(x.mean() - y.mean()) / t


@law
@given(normal, st.floats(0.05, 4), st.floats(0.05, 4))
def test_each_end_is_the_noncentrality_with_the_same_chance(
    two: Two, below: float, above: float
) -> None:
    t, error = t_of(*two)
    freedom = len(two[0]) + len(two[1]) - 2
    assume(abs(t - below) > 1e-3 and abs(t + above) > 1e-3 and abs(t) < 20)
    low, high = widen_for_spread_error(*two, (t - below) * error, (t + above) * error)
    lower = stats.nct.cdf(-t, freedom, -low / error)
    upper = stats.nct.cdf(t, freedom, high / error)
    for end, chance, allowed in (
        (low, lower, stats.t.cdf(-below, freedom)),
        (high, upper, stats.t.cdf(-above, freedom)),
    ):
        if end == pytest.approx(t * error, rel=1e-12):  # it would pass what was observed
            assert chance <= allowed * (1 + 1e-5)
        else:
            assert chance == pytest.approx(allowed, rel=1e-5, abs=1e-9)
    assert (low > 0) == (t - below > 0)
    assert (high > 0) == (t + above > 0)


@law
@given(normal, st.floats(0.05, 4), st.floats(0.05, 4))
def test_so_it_is_for_pairs(two: Two, below: float, above: float) -> None:
    differences = np.concatenate(two)
    freedom = len(differences) - 1
    t = float(stats.ttest_1samp(differences, 0).statistic)
    error = float(differences.mean()) / t
    assume(abs(t - below) > 1e-3 and abs(t + above) > 1e-3 and abs(t) < 20)
    ends = (t - below) * error, (t + above) * error
    low, high = widen_pairs_for_spread_error(differences, *ends)
    expected = noncentral_limits(t, t - below, t + above, freedom)
    assert (low / error, high / error) == pytest.approx(expected, rel=1e-9)
    chance, allowed = stats.nct.cdf(-t, freedom, -low / error), stats.t.cdf(-below, freedom)
    if low == pytest.approx(t * error, rel=1e-12):  # it would pass what was observed
        assert chance <= allowed * (1 + 1e-5)
    else:
        assert chance == pytest.approx(allowed, rel=1e-5, abs=1e-9)
    same = np.full(5, 0.25)
    assert widen_pairs_for_spread_error(same, 0.25, 0.25) == (0.25, 0.25)


@law
@given(normal, st.floats(0.1, 2))
def test_swapping_the_lists_mirrors_it_and_scores_scale_it(two: Two, reach: float) -> None:
    x, y = two
    t, error = t_of(x, y)
    assume(abs(t) < 20)
    below, above = (t - reach) * error, (t + 2 * reach) * error
    low, high = widen_for_spread_error(x, y, below, above)
    swapped = widen_for_spread_error(y, x, -above, -below)
    assert swapped == pytest.approx((-high, -low), rel=1e-6, abs=1e-9)
    scaled = widen_for_spread_error(7 * x + 3, 7 * y + 3, 7 * below, 7 * above)
    assert scaled == pytest.approx((7 * low, 7 * high), rel=1e-6, abs=1e-9)


@law
@given(normal)
def test_zero_and_infinity_stay(two: Two) -> None:
    assert widen_for_spread_error(*two, 0.0, inf) == (0.0, inf)
    assert widen_for_spread_error(*two, -inf, 0.0) == (-inf, 0.0)


def test_without_a_difference_the_ends_are_those_of_a_normal_effect() -> None:
    """Of T = 0 the spread has no part in t', which is then as likely below zero as a normal is."""
    quantiles = stats.norm.ppf((np.arange(8) + 0.5) / 8)
    error = sqrt(float((quantiles**2).sum()) / 14 / 2)
    reach = float(stats.norm.ppf(stats.t.cdf(2.0, 14))) * error
    found = widen_for_spread_error(quantiles, quantiles.copy(), -2 * error, 2 * error)
    assert found == pytest.approx((-reach, reach))


def test_a_large_effect_gets_the_width_it_lacks() -> None:
    quantiles = stats.norm.ppf((np.arange(8) + 0.5) / 8)
    t, error = t_of(quantiles + 2, quantiles)
    reach = float(stats.t.ppf(0.975, 14)) * error
    low, high = widen_for_spread_error(quantiles + 2, quantiles, 2 - reach, 2 + reach)
    assert high - low > 1.1 * 2 * reach
    assert low < 2 < high
    assert t > 4


@pytest.mark.parametrize(
    ("x", "y"), [([1.0], [0.0]), ([1.0, 1.0], [0.0, 0.0]), ([2.0, 2.0], [2.0, 2.0])]
)
def test_scores_without_a_spread_have_no_error_of_it(x: list[float], y: list[float]) -> None:
    assert widen_for_spread_error(np.array(x), np.array(y), -0.5, 1.5) == (-0.5, 1.5)
    nearly = np.array(x) + 1e-12 * np.arange(len(x))
    if len(x) > 1 and x != y:
        assert widen_for_spread_error(nearly, np.array(y), -0.5, 1.5) == (-0.5, 1.5)


@law
@given(st.floats(-9, 9), st.floats(0, 5), st.floats(0, 5), st.floats(1, 60))
@example(-1.915, 0.319, 0.958, 1.14)
def test_noncentral_ends_hold_what_was_observed(
    t: float, below: float, above: float, freedom: float
) -> None:
    low, high = noncentral_limits(t, t - below, t + above, freedom)
    assert low <= t <= high


scores = st.lists(
    st.floats(-1e6, 1e6).map(lambda score: score if abs(score) >= 1e-150 else 0.0),
    min_size=2,
    max_size=9,
)
"""As far down as vectors are accepted."""


@law
@given(scores, scores, st.floats(0, 1e9), st.floats(0, 1e9))
@example([0.0, 0.0], [0.0, 1e-150], 0.0, 1.0)
def test_however_far_an_end_lies_it_stays_an_end(
    x: list[float], y: list[float], below: float, above: float
) -> None:
    one, other = np.array(x), np.array(y)
    observed = float(one.mean() - other.mean())
    low, high = widen_for_spread_error(one, other, observed - below, observed + above)
    assert np.isfinite([low, high]).all()
    assert (low <= 0) == (observed - below <= 0)
    assert (high >= 0) == (observed + above >= 0)
