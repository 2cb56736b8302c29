from fractions import Fraction
from importlib import import_module
from math import inf, sqrt
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats import paired_interval, paired_test
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import kept_shifts, p_of_shift, signed_sums

# A function of the package hides the module of its name.
module = import_module("fairvec.stats.paired")

Items = tuple[list[int], list[int], list[int]]
items: st.SearchStrategy[Items] = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(-9, 9), min_size=n, max_size=n)] * 2,
        st.lists(st.integers(1, 4), min_size=n, max_size=n),
    )
)
levels = st.sampled_from(("0.5", "0.75", "0.875", "0.9", "0.9375", "0.95"))


def weights_of(parts: list[int]) -> list[Fraction]:
    return [Fraction(part, sum(parts)) for part in parts]


@settings(law, max_examples=40)
@given(items, levels)
def test_the_ends_are_those_of_all_changes_that_are_kept(of: Items, level: str) -> None:
    before, after, parts = of
    weights = weights_of(parts)
    every = signed_sums([Fraction(b - a) for a, b in zip(before, after, strict=True)], weights)
    alpha = 1 - Fraction(level)
    expected = kept_shifts(every, alpha) or (-inf, inf)
    old, new = np.array(before, np.float64), np.array(after, np.float64)
    p = float(p_of_shift(every, Fraction(0)))
    ends = paired_interval(old, new, np.array(weights, np.float64), p=p, level=float(level))
    assert (ends.low, ends.high) == pytest.approx(tuple(map(float, expected)), abs=1e-9)


def normal_items(count: int, seed: int = 3) -> tuple[FloatArray, FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    before, after = generator.normal(size=(2, count)) / count
    weights = generator.uniform(0.5, 1.5, size=count)
    return before, after + 0.3 / count, weights / weights.sum()


def ends_of(count: int, **limits: int) -> tuple[float, float]:
    before, after, weights = normal_items(count)
    p = paired_test(before, after).value
    with mock.patch.multiple(module, **{"LISTED": module.LISTED, **limits}):
        ends = paired_interval(before, after, weights, p=p)
    return ends.low, ends.high


@pytest.mark.parametrize("count", [6, 11, 15])
def test_counting_finds_what_listing_does(count: int) -> None:
    assert ends_of(count, LISTED=count - 1) == pytest.approx(ends_of(count), abs=1e-5)


@pytest.mark.parametrize("count", [12, 20])
def test_rounding_reaches_as_far_and_hardly_farther(count: int) -> None:
    before, after, _ = normal_items(count)
    error = float(np.linalg.norm(after - before))
    exact, rounded = ends_of(count), ends_of(count, LISTED=0, COUNTED=count - 1)
    assert rounded[0] <= exact[0]
    assert rounded[1] >= exact[1]
    assert rounded == pytest.approx(exact, abs=0.05 * error)


def test_of_very_many_items_the_sum_is_as_good_as_normal() -> None:
    before, after, weights = normal_items(60)
    changes = after - before
    total = float(changes.sum())
    error = sqrt(sum((c - total * w) ** 2 for c, w in zip(changes, weights, strict=True)))
    reach = float(norm.ppf(0.975)) * error
    summed, rounded = ends_of(60, ROUNDED=59), ends_of(60, ROUNDED=60)
    assert summed == pytest.approx((total - reach, total + reach))
    assert rounded == pytest.approx(summed, abs=0.15 * error)
    assert rounded != summed


@settings(law, max_examples=60)
@given(items, st.integers(-30, 30).map(lambda v: Fraction(v, 4)))
def test_a_rounded_p_is_an_upper_bound_and_a_close_one(of: Items, shift: Fraction) -> None:
    before, after, parts = of
    weights = weights_of(parts)
    changes = [Fraction(b - a) for a, b in zip(before, after, strict=True)]
    every = signed_sums([c - shift * w for c, w in zip(changes, weights, strict=True)], weights)
    found = module._rounded_p(
        np.array(changes, np.float64), np.array(weights, np.float64), float(shift)
    )
    left = [float(c - shift * w) for c, w in zip(changes, weights, strict=True)]
    spread = float(np.linalg.norm(left))
    observed = abs(float(every[0][0]))
    close = [abs(float(t)) >= observed - 0.04 * spread - 1e-9 for t, _ in every]
    assert float(p_of_shift(every, Fraction(0))) <= found <= 1
    assert found <= np.mean(close) * (1 + 1e-6)


@law
@given(st.integers(1, 12), levels)
def test_there_are_ends_just_where_so_few_items_can_reject(count: int, level: str) -> None:
    change = np.arange(1.0, count + 1)
    p = paired_test(np.zeros(count), change)
    ends = paired_interval(
        np.zeros(count), change, np.full(count, 1 / count), p=p.value, level=float(level)
    )
    possible = is_significant(p.smallest, 1 - float(level))
    assert (ends.low > 0, ends.high < inf) == (possible, possible)


@pytest.mark.parametrize("weights", [[0.5, 0.5, 0.5], [0.5, 0.5], [0.3, 0.3, 0.3]])
def test_weights_that_are_no_shares_are_refused(weights: list[float]) -> None:
    with pytest.raises(SettingError, match="weights that sum to 1"):
        paired_interval(np.zeros(3), np.ones(3), np.array(weights), p=0.25)
