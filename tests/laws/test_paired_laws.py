"""What must hold for every figure before and after a change."""

from fractions import Fraction
from itertools import product
from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.numeric import FloatArray
from fairvec.stats import paired_test
from fairvec.stats.permutation import subset_sums as halves

# Sixteenths have exact sums and many ties.
sixteenths = st.integers(-64, 64).map(lambda value: value / 16)
anything = st.floats(-1e3, 1e3, allow_subnormal=False)


def pairs(numbers: st.SearchStrategy[float], most: int = 8) -> st.SearchStrategy[FloatArray]:
    """Lists of items with two numbers each."""
    item = st.tuples(numbers, numbers)
    return st.lists(item, min_size=1, max_size=most).map(lambda v: np.array(v, np.float64).T)


def by_trying_all(before: FloatArray, after: FloatArray) -> Fraction:
    """Swap before and after in every way, in exact arithmetic."""
    changes = [Fraction(b) - Fraction(a) for a, b in zip(before, after, strict=True)]
    sums = [
        abs(sum((s * c for s, c in zip(signs, changes, strict=True)), Fraction()))
        for signs in product((1, -1), repeat=len(changes))
    ]
    return Fraction(sum(one >= sums[0] for one in sums), len(sums))


@given(pairs(sixteenths))
def test_every_swap_is_counted(items: FloatArray) -> None:
    p = paired_test(*items)
    assert abs(p.value - float(by_trying_all(*items))) < 1e-12
    assert p.low == p.value == p.high
    assert 0 < p.smallest <= p.value <= 1


@settings(deadline=None, max_examples=80)
@given(pairs(sixteenths | anything, 10), st.sampled_from((1, 3, 2**20)), st.booleans())
def test_however_many_sums_are_listed_looked_up_or_merged(
    items: FloatArray, listed: int, merged: bool
) -> None:
    expected = by_trying_all(*(np.round(16 * one) / 16 for one in items))
    with (
        mock.patch.object(halves, "LISTED", listed),
        mock.patch("fairvec.stats.paired.LOOKED_UP", -1 if merged else 2**25),
    ):
        p = paired_test(*(np.round(16 * one) / 16 for one in items))
    assert abs(p.value - float(expected)) < 1e-12


@given(pairs(anything))
def test_before_and_after_are_symmetric_and_so_are_signs(items: FloatArray) -> None:
    before, after = items
    p = paired_test(before, after)
    assert paired_test(after, before) == p
    assert paired_test(-before, -after) == p


@given(pairs(anything), st.integers(0, 7))
def test_order_and_items_that_stay_are_irrelevant(items: FloatArray, start: int) -> None:
    p = paired_test(*items)
    turned = np.roll(items, start, axis=1)
    assert paired_test(*turned).value == p.value
    stayed = np.concatenate([items, items[:1].repeat(2, axis=0)], axis=1)
    assert abs(paired_test(*stayed).value - p.value) < 1e-12


@given(pairs(anything))
def test_no_change_is_no_evidence(items: FloatArray) -> None:
    assert paired_test(items[0], items[0]).value == 1.0


@given(pairs(sixteenths), st.integers(-20, 20))
def test_scale_is_irrelevant(items: FloatArray, power: int) -> None:
    before, after = items
    scaled = paired_test(before * 2.0**power, after * 2.0**power)
    assert scaled == paired_test(before, after)


@given(pairs(anything), st.integers(1, 5))
def test_sampling_encloses_the_truth_within_its_error(items: FloatArray, seed: int) -> None:
    exact = paired_test(*items).value
    sampled = paired_test(*items, method="sampled", samples=2000, seed=seed)
    # Far wider than the 99 % bounds, because a law is tried hundreds of times.
    assert abs(sampled.value - exact) < 6 * (0.25 / 2000) ** 0.5
