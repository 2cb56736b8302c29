"""What must hold for every list of scores."""

from itertools import combinations
from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.numeric import FloatArray
from fairvec.stats import Sides, Ties, benjamini_hochberg, holm, permutation_test

SIDES: tuple[Sides, ...] = ("two", "greater", "less")
MIRRORED: dict[Sides, Sides] = {"two": "two", "greater": "less", "less": "greater"}

# Sixteenths have exact sums and many ties, so shifts and scales cannot blur them.
sixteenths = st.integers(-64, 64).map(lambda v: v / 16)
anything = st.floats(-1e3, 1e3, allow_subnormal=False)


def lists(numbers: st.SearchStrategy[float], most: int = 6) -> st.SearchStrategy[FloatArray]:
    return st.lists(numbers, min_size=1, max_size=most).map(lambda v: np.array(v, np.float64))


# How long an example takes says nothing on a shared machine.
law = settings(deadline=None)

sides = st.sampled_from(SIDES)
ties: st.SearchStrategy[Ties] = st.sampled_from((">=", ">"))


@law
@given(lists(anything), lists(anything), sides, ties)
def test_swapping_the_lists_mirrors_the_sides(
    x: FloatArray, y: FloatArray, sides: Sides, ties: Ties
) -> None:
    p = permutation_test(x, y, sides=sides, ties=ties)
    assert permutation_test(y, x, sides=MIRRORED[sides], ties=ties).value == p.value
    assert permutation_test(-x, -y, sides=MIRRORED[sides], ties=ties).value == p.value


@law
@given(lists(anything), lists(anything), sides, ties, st.randoms(use_true_random=False))
def test_order_is_irrelevant(
    x: FloatArray, y: FloatArray, sides: Sides, ties: Ties, random: Random
) -> None:
    shuffled = [np.array(random.sample(v.tolist(), len(v))) for v in (x, y)]
    p = permutation_test(x, y, sides=sides, ties=ties)
    assert permutation_test(*shuffled, sides=sides, ties=ties) == p


@law
@given(
    lists(sixteenths),
    lists(sixteenths),
    sides,
    ties,
    st.integers(-1000, 1000),
    st.floats(1e-6, 1e6),
)
def test_shift_and_positive_scale_are_irrelevant(
    x: FloatArray, y: FloatArray, sides: Sides, ties: Ties, shift: int, scale: float
) -> None:
    p = permutation_test(x, y, sides=sides, ties=ties)
    assert permutation_test(x + shift, y + shift, sides=sides, ties=ties) == p
    assert permutation_test(x * scale, y * scale, sides=sides, ties=ties) == p


@law
@given(lists(anything), lists(anything))
def test_a_split_counts_itself_and_no_more_than_all(x: FloatArray, y: FloatArray) -> None:
    for side in SIDES:
        p = permutation_test(x, y, sides=side)
        assert 0 < p.smallest <= p.value <= 1
        assert permutation_test(x, y, sides=side, ties=">").value <= p.value


@law
@given(lists(anything), lists(anything))
def test_the_two_tails_overlap_only_in_ties(x: FloatArray, y: FloatArray) -> None:
    greater = permutation_test(x, y, sides="greater")
    less = permutation_test(x, y, sides="less", ties=">")
    if len({*x.tolist(), *y.tolist()}) > 1 and less.value < 1:
        assert greater.value + less.value == pytest.approx(1)


@settings(law, max_examples=25)
@given(st.lists(st.one_of(sixteenths, anything), min_size=2, max_size=7), st.data())
def test_p_is_uniform_or_larger_under_the_null(pooled: list[float], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(pooled) - 1))
    side = data.draw(sides)
    values = []
    for chosen in combinations(range(len(pooled)), size):
        x = np.array([pooled[i] for i in chosen])
        y = np.array([v for i, v in enumerate(pooled) if i not in chosen])
        values.append(permutation_test(x, y, sides=side).value)
    p = np.array(values)
    for alpha in p:
        assert (p <= alpha).mean() <= alpha + 1e-12


@law
@given(lists(sixteenths | anything, 9), lists(sixteenths | anything, 9), sides, ties)
def test_certified_bounds_contain_the_exact_p(
    x: FloatArray, y: FloatArray, sides: Sides, ties: Ties
) -> None:
    exact = permutation_test(x, y, sides=sides, ties=ties, method="exact").value
    with mock.patch("fairvec.stats.permutation.certified_bounds.MOST_CELLS", 2**12):
        certified = permutation_test(x, y, sides=sides, ties=ties, method="certified")
    assert certified.low <= exact <= certified.high


p_values = st.lists(st.floats(0, 1), max_size=12)


@law
@given(p_values)
def test_holm_by_its_definition(p: list[float]) -> None:
    m = len(p)
    ordered = sorted(p)
    expected = [
        min(1.0, max((m - j) * q for j, q in enumerate(ordered) if q <= value)) for value in p
    ]
    np.testing.assert_allclose(holm(np.array(p)), expected)


@law
@given(p_values)
def test_benjamini_hochberg_by_its_definition(p: list[float]) -> None:
    m = len(p)
    ordered = sorted(p)
    expected = [
        min(1.0, *(m / (j + 1) * q for j, q in enumerate(ordered) if q >= value)) for value in p
    ]
    np.testing.assert_allclose(benjamini_hochberg(np.array(p)), expected)


@law
@given(p_values)
def test_corrections_only_raise_and_keep_the_order(p: list[float]) -> None:
    raw = np.array(p)
    for adjusted in (holm(raw), benjamini_hochberg(raw)):
        assert ((adjusted >= raw - 1e-15) & (adjusted <= 1)).all()
        assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= 0).all()
    assert (benjamini_hochberg(raw) <= holm(raw) + 1e-15).all()
