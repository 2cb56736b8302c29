"""Against every split in exact arithmetic; the scores are sixteenths, so that many of them tie."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.stats.permutation import difference_interval as two_lists
from fairvec.stats.permutation.difference_interval import ExactShiftTest, IntegerScores
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import p_of_shift, regroupings

numbers = st.integers(-24, 24).map(lambda v: Fraction(v, 16))
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


@settings(law, max_examples=120)
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
