"""Intervals of a difference by inverting the test."""

from fractions import Fraction
from math import comb, inf, isinf, sqrt
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import norm

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats import difference_interval, permutation_test
from fairvec.stats.permutation import difference_interval as coarse_lists
from fairvec.stats.permutation import difference_interval as difference
from fairvec.stats.permutation import difference_interval as two_lists
from fairvec.stats.permutation.difference_interval import (
    NARROW,
    CertifiedShiftTest,
    ExactShiftTest,
    IntegerScores,
    difference_limits,
)
from fairvec.stats.permutation.inversion import (
    Limits,
    inner_limit,
    limits_by_search,
    limits_from_all,
)
from tests.laws.helpers import examples, law
from tests.stats.brute_force import Regrouping, kept_shifts, p_of_shift, regroupings

# --- difference ---


numbers = st.integers(-24, 24).map(lambda v: Fraction(v, 16))
lists = st.lists(numbers, min_size=1, max_size=5)
levels = st.sampled_from(("0.5", "0.8", "0.9", "0.95", "0.99"))


@pytest.mark.parametrize("listed", [difference.LISTED, 0])
@given(lists, lists, levels)
def test_the_ends_are_those_of_all_shifts_that_are_kept(
    listed: int, x: list[Fraction], y: list[Fraction], level: str
) -> None:
    every = regroupings(x, y)
    expected = kept_shifts(every, 1 - Fraction(level)) or (-inf, inf)
    with mock.patch.object(difference, "LISTED", listed):
        found = difference_limits(
            np.array(x, np.float64),
            np.array(y, np.float64),
            p=float(p_of_shift(every, Fraction(0))),
            method="exact",
            level=float(level),
        )
    assert found.limits == pytest.approx(tuple(map(float, expected)), abs=1e-5)
    assert (found.method, found.surely) == ("exact", None)


@pytest.mark.parametrize(
    ("nx", "ny", "level"), [(3, 3, 0.9), (2, 3, 0.9), (1, 19, 0.95), (1, 9, 0.9), (2, 14, 0.99)]
)
def test_a_smallest_p_at_its_level_makes_an_end(nx: int, ny: int, level: float) -> None:
    x, y = np.linspace(100.5, 102.5, nx), np.linspace(0.0, 9.0, ny)
    p = permutation_test(x, y)
    found = difference_limits(x, y, p=p.value, method="exact", level=level)
    assert found.limits.low > 0
    assert found.limits.high < inf
    stricter = difference_limits(x, y, p=p.value, method="exact", level=level + 0.001)
    assert stricter.limits == (-inf, inf) or p.smallest < 0.9 * (1 - level)


def test_scores_that_are_all_alike_allow_one_difference() -> None:
    found = difference_limits(np.full(5, 0.3), np.full(6, 0.3), p=1.0, method="exact")
    assert found.limits == (0.0, 0.0)


def drawn(nx: int, ny: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    return generator.normal(0.8, size=nx), generator.normal(size=ny)


@pytest.mark.parametrize(("nx", "ny"), [(9, 6), (6, 9), (7, 7)])
def test_a_sampled_interval_is_near_the_exact_one(nx: int, ny: int) -> None:
    x, y = drawn(nx, ny)
    p = permutation_test(x, y)
    exact = difference_limits(x, y, p=p.value, method="exact")
    found = difference_limits(x, y, p=p.value, method="sampled", samples=20_000, seed=3)
    again = difference_limits(x, y, p=p.value, method="sampled", samples=20_000, seed=3)
    other = difference_limits(x, y, p=p.value, method="sampled", samples=20_000, seed=4)
    assert found == again != other
    assert found.method == "sampled"
    width = exact.limits.high - exact.limits.low
    assert found.limits == pytest.approx(exact.limits, abs=0.05 * width)


@pytest.mark.parametrize(("nx", "ny"), [(40, 45), (45, 40)])
def test_lists_too_long_to_list_are_certified_and_longer_ones_drawn(nx: int, ny: int) -> None:
    x, y = drawn(nx, ny)
    p = permutation_test(x, y)
    found = difference_limits(x, y, p=p.value, method="exact")
    assert found.method == "certified"
    assert (found.limits.low > 0) is is_significant(p.value, 0.05)
    mirrored = difference_limits(y, x, p=p.value, method="exact")
    assert mirrored.limits == pytest.approx((-found.limits.high, -found.limits.low), rel=1e-6)
    with mock.patch("fairvec.stats.permutation.difference_interval.MOST_WORDS", 80):
        rather = difference_limits(x, y, p=p.value, method="certified", samples=5000)
    assert rather.method == "sampled"


def test_an_interval_says_how_it_was_found_and_is_none_without_limits() -> None:
    x, y = drawn(7, 6)
    for method, draws in (("exact", (None, None)), ("sampled", (500, 3))):
        p = permutation_test(x, y, method=method, samples=500, seed=3)  # type: ignore[arg-type]
        found = difference_interval(x, y, p=p, level=0.9, samples=500, seed=3)
        limits = difference_limits(
            x, y, p=p.value, method=p.method, level=0.9, samples=500, seed=3
        ).limits
        assert found
        assert (found.low, found.high) == limits
        assert (found.level, found.method) == (0.9, f"inverted permutation test, {method}")
        assert (found.resamples, found.seed) == draws
    assert difference_interval(x[:2], y[:2], p=permutation_test(x[:2], y[:2])) is None


@pytest.mark.parametrize("rejected", [True, False])
def test_zero_is_where_the_p_that_was_given_has_it(rejected: bool) -> None:
    x, y = drawn(6, 6, seed=5)
    found = difference_limits(x, y, p=0.001 if rejected else 0.9, method="exact")
    assert (found.limits.low <= 0 <= found.limits.high) is not rejected


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 1.5])
def test_a_level_that_is_no_share_is_refused(level: float) -> None:
    with pytest.raises(SettingError, match="between 0 and 1"):
        difference_limits(np.zeros(3), np.ones(3), p=0.1, method="exact", level=level)


# --- Against every split in exact arithmetic; the scores are sixteenths, so that many of them tie


pairs_of_lists = st.tuples(
    st.lists(numbers, min_size=1, max_size=4), st.lists(numbers, min_size=4, max_size=6)
)
Lists = tuple[list[Fraction], list[Fraction]]


def grid_of(lists: Lists) -> IntegerScores:
    return IntegerScores(*(np.array(one, np.float64) for one in lists))


@law
@given(pairs_of_lists)
def test_every_regrouping_is_listed_once_with_its_weight(lists: Lists) -> None:
    statistics, weights = ExactShiftTest(grid_of(lists)).all_regroupings()
    found = sorted(zip(np.round(weights, 6), np.round(statistics, 6), strict=True))
    expected = sorted((round(float(w), 6), round(float(t), 6)) for t, w in regroupings(*lists))
    np.testing.assert_allclose(found, expected, atol=2e-6)


@examples(120)
@given(pairs_of_lists, st.integers(-40, 40).map(lambda v: Fraction(v, 16)))
def test_the_p_of_a_shift_is_that_of_every_split(lists: Lists, shift: Fraction) -> None:
    expected = p_of_shift(regroupings(*lists), shift)
    assert ExactShiftTest(grid_of(lists)).p_of_shift(float(shift)) == float(expected)


@law
@given(pairs_of_lists)
def test_the_grid_knows_the_difference_its_weight_and_its_rounding(lists: Lists) -> None:
    grid = grid_of(lists)
    nx, ny = len(lists[0]), len(lists[1])
    first = np.array([int(grid.scores[:nx].sum())])
    expected = float(regroupings(*lists)[0][0])
    assert grid.difference(first)[0] == pytest.approx(expected, abs=1e-12)
    assert grid.weight(np.array([nx, 0])).tolist() == pytest.approx([1.0, -nx / ny])
    largest = float(max(abs(v) for one in lists for v in one))
    assert grid.slack == pytest.approx((nx + ny) * largest * 2**-44 * (1 / nx + 1 / ny))
    assert grid.slack > 0 or largest == 0


@law
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=9).map(sorted),
    st.lists(st.integers(-9, 9), min_size=1, max_size=9).map(sorted),
    st.integers(-12, 12),
    st.integers(1, 12),
)
def test_pairs_outside_two_limits_are_counted(
    some: list[int], others: list[int], below: int, gap: int
) -> None:
    above = below + gap
    sums = [one + other for one in some for other in others]
    expected = sum(s >= above or s <= below for s in sums)
    assert two_lists._pairs_outside(np.array(some), np.array(others), above, below) == expected


@pytest.mark.parametrize(("nx", "ny"), [(1, 1), (2, 5), (4, 4)])
def test_what_can_be_held_is_affordable(nx: int, ny: int, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = IntegerScores(np.linspace(0.5, 1.5, nx), np.linspace(-0.5, 0.5, ny))
    held = sum(comb(nx, k) + comb(ny, k) for k in range(nx + 1))
    monkeypatch.setattr(two_lists, "LISTED_SPLITS", held)
    assert ExactShiftTest.affordable(grid)
    monkeypatch.setattr(two_lists, "LISTED_SPLITS", held - 1)
    assert not ExactShiftTest.affordable(grid)


def test_lists_of_zeros_have_a_grid() -> None:
    grid = IntegerScores(np.zeros(2), np.zeros(3))
    assert (grid.unit, grid.slack, ExactShiftTest(grid).p_of_shift(0.0)) == (1.0, 0.0, 1.0)


# --- coarse ---


numbers_coarse = st.integers(-(10**6), 10**6).map(lambda v: Fraction(v, 2**16))
few_numbers = st.integers(-3, 3).map(Fraction)
pairs_of_lists_coarse = st.sampled_from((numbers_coarse, few_numbers)).flatmap(
    lambda some: st.tuples(
        st.lists(some, min_size=1, max_size=4), st.lists(some, min_size=4, max_size=7)
    )
)
equal_lists = st.sampled_from((numbers_coarse, few_numbers)).flatmap(
    lambda some: st.integers(1, 5).flatmap(
        lambda n: st.tuples(*[st.lists(some, min_size=n, max_size=n)] * 2)
    )
)


def nearly(every: list[Regrouping], shift: Fraction, by: float) -> float:
    """The share of regroupings that are as extreme, or miss it by so little."""
    observed = abs(every[0][0] - shift)
    return float(np.mean([abs(t - shift * w) >= observed - Fraction(by) for t, w in every]))


@examples(120)
@given(
    pairs_of_lists_coarse | equal_lists,
    st.integers(-60, 60).map(lambda v: Fraction(v, 4)),
    st.sampled_from((1, 2**8, 2**16)),
)
@example(([Fraction(0)], [Fraction(0)] * 4), Fraction(0), 1)
def test_p_is_bounded_and_the_bounds_are_hardly_too_wide(
    lists: Lists, shift: Fraction, fine: int
) -> None:
    every = regroupings(*lists)
    with mock.patch.object(coarse_lists, "FINE_CELLS", fine):
        coarse = CertifiedShiftTest(grid_of(lists))
    found, least = coarse.p_of_shift(float(shift)), coarse.least_p_of_shift(float(shift))
    spread = float(np.array([*lists[0], *lists[1]], np.float64).std())
    nx, ny = len(lists[0]), len(lists[1])
    # Two remainders of half a step a word, twice: what is hidden moves T by this much at most.
    hidden = 2 * NARROW * spread * sqrt(1 / nx + 1 / ny)
    assert float(p_of_shift(every, shift)) <= found <= 1
    assert found <= nearly(every, shift, 1.01 * hidden + 1e-9) * (1 + 1e-9)
    assert 0 <= least <= float(p_of_shift(every, shift))
    assert least >= nearly(every, shift, -1.01 * hidden - 1e-9) * (1 - 1e-9)


def span(ordered: list[Fraction], size: int) -> Fraction:
    """How far apart the least and the largest sum of so many numbers are."""
    size = min(size, len(ordered))
    return sum(ordered[len(ordered) - size :], Fraction()) - sum(ordered[:size], Fraction())


@given(pairs_of_lists_coarse | equal_lists, st.sampled_from((1, 2**8, 2**12, 2**16)))
def test_the_grid_is_as_fine_as_the_counts_that_are_held_allow(lists: Lists, fine: int) -> None:
    """A step is that share of what the sums of both lists span, unless rounding would tell."""
    grid, nx, ny = grid_of(lists), len(lists[0]), len(lists[1])
    with mock.patch.object(coarse_lists, "FINE_CELLS", fine):
        step = CertifiedShiftTest(grid)._step
    spread = float(np.array([*lists[0], *lists[1]], np.float64).std())
    coarsest = 2 * NARROW * spread * sqrt(nx * ny / (nx + ny)) / nx
    spans = sum(span(sorted(one), size) for one in lists for size in range(1, nx + 1))
    expected = min(coarsest, float(spans) / fine) / grid.unit
    assert 0.999 * expected - 1 <= step <= max(1, 1.001 * expected)


@pytest.mark.parametrize(("x", "y"), [([1, 2, 4], [0, 1, 3, 8]), ([5], [1, 2, 4, 8, 9])])
def test_scores_on_a_grid_of_their_own_are_counted_exactly(x: list[int], y: list[int]) -> None:
    """Whole numbers a few steps apart: shifts between them leave no doubt."""
    lists = [Fraction(v) for v in x], [Fraction(v) for v in y]
    coarse, every = CertifiedShiftTest(grid_of(lists)), regroupings(*lists)
    for eighths in range(-60, 61):
        shift = Fraction(8 * eighths + 3, 64)
        exact = float(p_of_shift(every, shift))
        if nearly(every, shift, 0.2) == exact:
            assert coarse.p_of_shift(float(shift)) == pytest.approx(exact, rel=1e-9)


def test_more_words_than_a_float_can_count_are_not_affordable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = grid_of(([Fraction(1), Fraction(2)], [Fraction(v, 7) for v in range(5)]))
    for most, expected in ((7, True), (6, False)):
        monkeypatch.setattr(coarse_lists, "MOST_WORDS", most)
        assert CertifiedShiftTest.affordable(grid) is expected


def test_the_counts_that_are_held_decide_what_is_affordable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows of subsets of one list reach from the sum of the least to that of the most of them."""
    x, y = np.array([0.0, 1.0, 5.0, 6.0]), np.array([2.0, 3.0, 3.5, 9.0, 11.0])
    grid = IntegerScores(x, y)
    widths = 0.0
    for scores in (np.sort(x), np.sort(y)):
        for size in range(1, 5):
            widths += float(scores[len(scores) - size :].sum() - scores[:size].sum())
    step = 2 * NARROW * float(np.concatenate([x, y]).std()) * sqrt(4 * 5 / 9) / 4
    for share, expected in ((1.001, True), (0.999, False)):
        monkeypatch.setattr(coarse_lists, "MOST_CELLS", share * widths / step)
        assert CertifiedShiftTest.affordable(grid) is expected


# --- inversion ---


numbers_inversion = st.integers(-12, 12).map(Fraction)
lists_inversion = st.lists(numbers_inversion, min_size=1, max_size=5)
levels_inversion = st.sampled_from(("0.5", "0.2", "0.1", "0.05", "0.01")).map(Fraction)


def columns_of(every: list[Regrouping]) -> tuple[FloatArray, FloatArray]:
    statistics, weights = np.array(every, np.float64).T
    return statistics, weights


@law
@given(lists_inversion, lists_inversion, levels_inversion)
def test_the_ends_are_those_of_all_shifts_that_are_kept_inversion(
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
@given(
    lists_inversion, lists_inversion, levels_inversion, st.integers(1, 120), st.integers(0, 10**6)
)
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
