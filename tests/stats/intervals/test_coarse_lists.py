from fractions import Fraction
from math import sqrt
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairvec.stats.permutation import difference_interval as coarse_lists
from fairvec.stats.permutation.difference_interval import NARROW, CertifiedShiftTest, IntegerScores
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import Regrouping, p_of_shift, regroupings

numbers = st.integers(-(10**6), 10**6).map(lambda v: Fraction(v, 2**16))
few_numbers = st.integers(-3, 3).map(Fraction)
pairs_of_lists = st.sampled_from((numbers, few_numbers)).flatmap(
    lambda some: st.tuples(
        st.lists(some, min_size=1, max_size=4), st.lists(some, min_size=4, max_size=7)
    )
)
equal_lists = st.sampled_from((numbers, few_numbers)).flatmap(
    lambda some: st.integers(1, 5).flatmap(
        lambda n: st.tuples(*[st.lists(some, min_size=n, max_size=n)] * 2)
    )
)
Lists = tuple[list[Fraction], list[Fraction]]


def grid_of(lists: Lists) -> IntegerScores:
    return IntegerScores(*(np.array(one, np.float64) for one in lists))


def nearly(every: list[Regrouping], shift: Fraction, by: float) -> float:
    """The share of regroupings that are as extreme, or miss it by so little."""
    observed = abs(every[0][0] - shift)
    return float(np.mean([abs(t - shift * w) >= observed - Fraction(by) for t, w in every]))


@settings(law, max_examples=120)
@given(
    pairs_of_lists | equal_lists,
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


@settings(law, max_examples=40)
@given(pairs_of_lists | equal_lists, st.sampled_from((1, 2**8, 2**12, 2**16)))
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
