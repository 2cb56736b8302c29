"""The paired test and its interval."""

from fractions import Fraction
from importlib import import_module
from itertools import product
from math import comb, inf, log10, sqrt
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, spearmanr, wilcoxon

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats import (
    paired_interval,
    paired_test,
    spearman_contributions,
)
from fairvec.stats.paired import sign_flip_test
from tests.laws.helpers import law
from tests.stats.brute_force import kept_shifts, p_of_shift, signed_sums
from tests.toys import limits_of

# --- paired ---


def test_three_words_by_hand() -> None:
    # T = 6 of the sums ±1 ±2 ±3: only all plus and all minus reach it.
    p = paired_test(np.zeros(3), np.array([1.0, 2.0, 3.0]))
    assert (p.value, p.method, p.partitions, p.smallest) == (2 / 8, "exact", 8, 2 / 8)
    # T = 4: also 3 + 2 - 1, and its mirror image.
    assert paired_test(np.zeros(3), np.array([-1.0, 2.0, 3.0])).value == 4 / 8


def test_on_ranks_it_is_wilcoxons_signed_rank_test() -> None:
    ranks = np.array([1, -2, 3, 4, -5, 6, 7, 8, 9, 10.0])
    expected = wilcoxon(ranks, method="exact").pvalue
    assert paired_test(np.zeros(10), ranks).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("gained", "lost", "same"), [(9, 2, 30), (0, 1, 4), (700, 600, 9000)])
def test_on_right_and_wrong_answers_it_is_mcnemars_exact_test(
    gained: int, lost: int, same: int
) -> None:
    before = np.repeat([0.0, 1.0, 1.0], [gained, lost, same]) / (gained + lost + same)
    after = np.repeat([1.0, 0.0, 1.0], [gained, lost, same]) / (gained + lost + same)
    p = paired_test(before, after)
    assert p.value == pytest.approx(binomtest(gained, gained + lost).pvalue, rel=1e-9)
    assert p.method == "exact"
    assert p.log10_partitions == pytest.approx((gained + lost) * log10(2))


def test_where_every_swap_is_as_extreme_p_is_one() -> None:
    for items in range(1, 400, 2):
        after = np.where(np.arange(items) % 2, -1.0, 1.0)
        p = paired_test(np.zeros(items), after)
        assert (p.value, p.low, p.high) == (1.0, 1.0, 1.0)
    # One more on a side is no longer the least that can be.
    assert paired_test(np.zeros(4), np.array([1.0, 1.0, 1.0, -1.0])).value == 10 / 16


def test_fifty_items_are_exact_and_more_are_sampled() -> None:
    generator = np.random.default_rng(1)
    before, after = generator.normal(size=(2, 34))
    exact, sampled = (paired_test(before, after, method=m) for m in ("exact", "sampled"))
    assert sampled.low <= exact.value <= sampled.high
    assert sampled.standard_error is not None
    assert abs(sampled.value - exact.value) < 4 * sampled.standard_error
    more = generator.normal(size=51)
    assert paired_test(np.zeros(51), more).method == "sampled"
    assert paired_test(np.zeros(51), more) == paired_test(np.zeros(51), more)
    with pytest.raises(SettingError, match="51 items changed"):
        paired_test(np.zeros(51), more, method="exact")


def test_all_of_many_changes_to_one_side_is_never_zero() -> None:
    sampled = paired_test(np.zeros(80), np.linspace(1, 2, 80))
    assert sampled.value == 1 / 100_001
    exact = paired_test(np.zeros(40), np.linspace(1, 2, 40))
    assert exact.value == exact.smallest == 2 / 2**40


def test_rounding_is_no_change() -> None:
    before = np.array([0.1, 0.2, 0.3])
    p = paired_test(before, before * (1 + 1e-15))
    assert (p.value, p.partitions) == (1.0, 1)


def test_ties_blurred_by_rounding_tie() -> None:
    changes = np.array([0.1, 0.2, -0.3, 0.1 + 0.2])
    # |T| = 0.3 with 0.1, 0.2, 0.3, 0.3: counted in tenths.
    sums = [a + 2 * b + 3 * c + 3 * d for a, b, c, d in np.ndindex(2, 2, 2, 2)]
    expected = sum(abs(2 * s - 9) >= 3 for s in sums) / 16
    assert paired_test(np.zeros(4), changes).value == expected


def test_shares_of_pairs_sum_to_spearmans_correlation() -> None:
    pairs = np.random.default_rng(0).integers(0, 9, size=(40, 2)).astype(np.float64)
    expected = spearmanr(*pairs.T).statistic
    assert spearman_contributions(pairs).sum() == pytest.approx(expected)
    assert not spearman_contributions(np.ones((5, 2))).any()


def test_chance_alone_convinces_as_often_as_it_may() -> None:
    generator = np.random.default_rng(3)
    p = [paired_test(np.zeros(12), generator.laplace(size=12)).value for _ in range(400)]
    # 400 fair tests at 5 %: 20 expected, 35 is past 3.4 standard deviations.
    assert 7 <= sum(value <= 0.05 for value in p) <= 35


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ([], [], "one number per item"),
        ([1.0, 2.0], [1.0], "one number per item"),
        ([1.0, np.nan], [1.0, 2.0], "finite"),
    ],
)
def test_what_cannot_be_paired_is_refused(
    before: list[float], after: list[float], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        paired_test(np.array(before), np.array(after))


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="exact"):
        paired_test(np.zeros(2), np.ones(2), method="exct")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="at least one sample"):
        paired_test(np.zeros(2), np.array([1.0, 2.0]), method="sampled", samples=0)


def test_the_binomial_and_the_halves_agree() -> None:
    changes = np.array([1.0] * 13 + [-1.0] * 5)
    counted = sum(comb(18, k) for k in range(13, 19)) * 2 / 2**18
    assert paired_test(np.zeros(18), changes).value == pytest.approx(counted, rel=1e-12)


# --- interval ---


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


@given(items, levels)
def test_the_ends_are_those_of_all_changes_that_are_kept(of: Items, level: str) -> None:
    before, after, parts = of
    weights = weights_of(parts)
    every = signed_sums([Fraction(b - a) for a, b in zip(before, after, strict=True)], weights)
    alpha = 1 - Fraction(level)
    expected = kept_shifts(every, alpha) or (-inf, inf)
    old, new = np.array(before, np.float64), np.array(after, np.float64)
    p = float(p_of_shift(every, Fraction(0)))
    found = paired_interval(old, new, np.array(weights, np.float64), p=p, level=float(level))
    ends = limits_of(found)
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
        return limits_of(paired_interval(before, after, weights, p=p))


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
    found = paired_interval(
        np.zeros(count), change, np.full(count, 1 / count), p=p.value, level=float(level)
    )
    ends = limits_of(found)
    possible = is_significant(p.smallest, 1 - float(level))
    assert (ends.low > 0, ends.high < inf) == (possible, possible)


@pytest.mark.parametrize("weights", [[0.5, 0.5, 0.5], [0.5, 0.5], [0.3, 0.3, 0.3]])
def test_weights_that_are_no_shares_are_refused(weights: list[float]) -> None:
    with pytest.raises(SettingError, match="weights that sum to 1"):
        paired_interval(np.zeros(3), np.ones(3), np.array(weights), p=0.25)


# --- Random signs of whole numbers: the paired test, for any number of items ---


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=10))
def test_it_counts_every_choice_of_signs(differences: list[int]) -> None:
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    expected = sum(one >= abs(sum(differences)) for one in sums) / len(sums)
    p, smallest = sign_flip_test(np.array(differences))
    assert p == pytest.approx(expected, abs=1e-12)
    assert p >= smallest


@given(st.lists(st.integers(-30, 40), min_size=1, max_size=45))
def test_it_is_the_paired_test(differences: list[int]) -> None:
    after = np.array(differences, np.float64)
    assert sign_flip_test(np.array(differences))[0] == pytest.approx(
        paired_test(np.zeros(len(after)), after).value, abs=1e-12
    )


def test_many_items_are_no_trouble_and_no_p_is_nought() -> None:
    assert 0 < sign_flip_test(np.ones(3000, np.int64))[0] < 1e-11
    balanced = np.tile([3, -3, 1, -1], 5000)
    assert sign_flip_test(balanced)[0] == 1.0
    with pytest.raises(SettingError, match="whole numbers"):
        sign_flip_test(np.array([0.5]))


@given(st.integers(1, 60), st.integers(1, 5))
def test_a_sum_that_none_is_smaller_than_is_certain(pairs: int, size: int) -> None:
    """Of an odd number of equal differences no choice of signs has a sum nearer to 0."""
    differences = size * np.array([1, -1] * pairs + [1])
    assert sign_flip_test(differences)[0] == 1.0
    assert sign_flip_test(np.array([3, *differences * 2]))[0] < 1


def test_under_the_null_it_seldom_errs() -> None:
    generator = np.random.default_rng(1)
    drawn = [sign_flip_test(generator.integers(-3, 4, 20))[0] for _ in range(2000)]
    assert np.mean(np.array(drawn) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
