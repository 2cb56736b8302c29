from fractions import Fraction
from math import inf, isinf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats.permutation.inversion import (
    Limits,
    inner_limit,
    limits_by_search,
    limits_from_all,
)
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import Regrouping, kept_shifts, regroupings

numbers = st.integers(-12, 12).map(Fraction)
lists = st.lists(numbers, min_size=1, max_size=5)
levels = st.sampled_from(("0.5", "0.2", "0.1", "0.05", "0.01")).map(Fraction)


def columns_of(every: list[Regrouping]) -> tuple[FloatArray, FloatArray]:
    statistics, weights = np.array(every, np.float64).T
    return statistics, weights


@law
@given(lists, lists, levels)
def test_the_ends_are_those_of_all_shifts_that_are_kept(
    x: list[Fraction], y: list[Fraction], alpha: Fraction
) -> None:
    every = regroupings(x, y)
    statistics, weights = (
        np.array([float(v) for v in column]) for column in zip(*every, strict=True)
    )
    ends = limits_from_all(statistics[0], statistics, weights, alpha=alpha, slack=1e-9)
    expected = kept_shifts(every, alpha) or (-inf, inf)
    assert (ends.low, ends.high) == pytest.approx(tuple(map(float, expected)), abs=1e-9)


@law
@given(lists, lists, levels, st.integers(1, 120), st.integers(0, 10**6))
def test_of_drawn_ones_what_was_observed_is_one_more(
    x: list[Fraction], y: list[Fraction], alpha: Fraction, draws: int, seed: int
) -> None:
    every = regroupings(x, y)
    drawn = [every[place] for place in np.random.default_rng(seed).integers(len(every), size=draws)]
    statistics, weights = (
        np.array([float(v) for v in column]) for column in zip(*drawn, strict=True)
    )
    observed = float(every[0][0])
    ends = limits_from_all(observed, statistics, weights, alpha=alpha, slack=1e-9, drawn=True)
    expected = kept_shifts([every[0], *drawn], alpha) or (-inf, inf)
    assert (ends.low, ends.high) == pytest.approx(tuple(map(float, expected)), abs=1e-9)


@pytest.mark.parametrize(("tail", "slack", "low"), [(1e-10, 1e-9, 0.0), (1e-8, 1e-9, 2e-8)])
def test_what_rounding_alone_tells_apart_is_equal(tail: float, slack: float, low: float) -> None:
    """A regrouping of weight 1/2 whose statistic is the observed one, but for its rounding."""
    statistics, weights = np.array([1.0, 1 - tail]), np.array([1.0, 0.5])
    ends = limits_from_all(1.0, statistics, weights, alpha=Fraction(1, 2), slack=slack)
    assert ends.low == pytest.approx(low, rel=1e-6)


@law
@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0.1, 3))
def test_ends_agree_with_the_p_of_zero(low: float, width: float, observed: float) -> None:
    ends = Limits(low, low + abs(width))
    kept = ends.agreeing(observed, rejected=False)
    assert (kept.low, kept.high) == (min(ends.low, 0.0), max(ends.high, 0.0))
    above, below = (ends.agreeing(one, rejected=True) for one in (observed, -observed))
    assert above.high == ends.high
    assert above.low == max(ends.low, 1e-9 * observed)
    assert below.low == ends.low
    assert below.high == min(ends.high, -1e-9 * observed)


shifts = st.floats(-20, 20).filter(lambda v: v == 0 or abs(v) > 1e-3)
steps = st.floats(0.05, 30)


@law
@given(shifts, steps, st.sampled_from((0.01, 0.05, 0.3)))
def test_the_ends_of_a_normal_p_are_its_quantiles(
    observed: float, step: float, alpha: float
) -> None:
    asked: list[float] = []

    def p(shift: float) -> float:
        asked.append(shift)
        return float(2 * norm.sf(abs(shift - observed)))

    ends = limits_by_search(p, observed, step=step, alpha=alpha)
    reach = float(norm.isf(alpha / 2))
    assert ends.low == pytest.approx(observed - reach, abs=2e-6 * step + 1e-9)
    assert ends.high == pytest.approx(observed + reach, abs=2e-6 * step + 1e-9)
    assert len(asked) <= len(set(asked)) + 1  # only what was observed is asked on both sides
    assert not is_significant(p(ends.low), alpha)
    assert not is_significant(p(ends.high), alpha)
    assert observed == 0 or 0.0 in asked


@law
@given(shifts, steps, st.sampled_from((2e-3, 0.1)))
def test_of_an_upper_bound_the_first_refused_shift_is_the_end(
    observed: float, step: float, rough: float
) -> None:
    def p(shift: float) -> float:
        return float(2 * norm.sf(abs(shift - observed)))

    ends = limits_by_search(p, observed, step=step, alpha=0.05, rough=rough)
    reach = float(norm.isf(0.025))
    assert is_significant(p(ends.low), 0.05)
    assert is_significant(p(ends.high), 0.05)
    for end, exact in ((ends.low, observed - reach), (ends.high, observed + reach)):
        assert abs(end - exact) <= 2 * rough * step + 1e-9
        assert (end > 0) == (exact > 0) or end == 0


@law
@given(shifts, steps)
def test_steps_of_p_are_found_too(observed: float, step: float) -> None:
    """A p that only ever takes a few values, as that of a permutation test does."""

    def p(shift: float) -> float:
        return max(0.01, 1 - int(4 * abs(shift - observed)) / 10)

    ends = limits_by_search(p, observed, step=step, alpha=0.05)
    assert not isinf(ends.low)
    assert ends.high - observed == pytest.approx(2.5, abs=2e-6 * step + 1e-9)
    assert observed - ends.low == pytest.approx(2.5, abs=2e-6 * step + 1e-9)


@law
@given(shifts, st.floats(-50, 50), steps, st.floats(0.1, 3))
def test_next_to_a_refused_shift_the_first_is_given_that_is_surely_kept(
    observed: float, refused: float, step: float, reach: float
) -> None:
    """Steps grow by half, from the refused shift towards what was observed and no farther."""

    def least_p(shift: float) -> float:
        return 1.0 if abs(shift - observed) <= reach else 0.001

    inwards = 1 if observed > refused else -1
    trials, far = [], step
    while far < abs(refused - observed):
        trials.append(refused + inwards * far)
        far *= 1.5
    expected = next((each for each in trials if abs(each - observed) <= reach), observed)
    assert inner_limit(least_p, observed, refused, step=step, alpha=0.05) == expected


@pytest.mark.parametrize("refused", [inf, -inf])
def test_next_to_no_refused_shift_what_was_observed_is_surely_kept(refused: float) -> None:
    def asked(shift: float) -> float:
        raise AssertionError(f"nothing was refused, and p is asked for at {shift}")

    assert inner_limit(asked, 0.3, refused, step=1.0, alpha=0.05) == 0.3
