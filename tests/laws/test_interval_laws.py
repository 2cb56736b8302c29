"""What must hold for the interval of every two lists, whatever their sizes, ties and overlaps."""

from fractions import Fraction
from importlib import import_module
from math import isfinite
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats import (
    difference_interval,
    paired_interval,
    paired_test,
    permutation_test,
)
from fairvec.stats.effect_interval import widen_by_error, widen_for_spread_error
from fairvec.stats.permutation import difference_interval as by_difference
from fairvec.stats.permutation.difference_interval import difference_limits
from fairvec.stats.permutation.inversion import Limits, limits_by_search
from tests.laws.helpers import anything, law, lists, sixteenths
from tests.toys import limits_of

# A function of the package hides the module of its name.
by_pairs = import_module("fairvec.stats.paired")

# Scores that are all below 1e-150 cannot be squared and are refused (fairvec.core.numeric).
squarable = anything.map(lambda score: score if abs(score) >= 1e-150 else 0.0)
scores = lists(sixteenths | squarable, 8)
levels = st.sampled_from((0.5, 0.8, 0.9, 0.95, 0.99))


def interval(x: FloatArray, y: FloatArray, level: float = 0.95) -> tuple[float, float]:
    p = permutation_test(x, y)
    found = difference_limits(x, y, p=p.value, method=p.method, level=level)
    assert found.method == "exact"
    return found.limits


@law
@given(scores, scores, levels)
def test_zero_is_inside_exactly_when_the_test_does_not_reject(
    x: FloatArray, y: FloatArray, level: float
) -> None:
    low, high = interval(x, y, level)
    p = permutation_test(x, y).value
    rejected = is_significant(p, float(1 - Fraction(str(level))))
    assert (low <= 0 <= high) is not rejected
    corrected = widen_for_spread_error(x, y, low, high)
    assert (corrected[0] <= 0 <= corrected[1]) is not rejected


@law
@given(scores, scores, levels, st.floats(0, 10), st.floats(0, 10))
def test_another_error_widens_it_and_zero_stays_where_its_test_has_it(
    x: FloatArray, y: FloatArray, level: float, error: float, more: float
) -> None:
    ends, observed = Limits(*interval(x, y, level)), float(x.mean() - y.mean())
    some, larger = (widen_by_error(ends, observed, e, level) for e in (error, error + more))
    rejected = not ends.low <= 0 <= ends.high
    rounding = 1e-9 * (1 + float(np.abs(np.concatenate([x, y])).max()))
    for wide, narrow in ((some, ends), (larger, some)):
        assert wide.low <= narrow.low + rounding
        assert wide.high >= narrow.high - rounding
        assert (wide.low <= 0 <= wide.high) is not rejected
        corrected = widen_for_spread_error(x, y, wide.low, wide.high)
        assert (corrected[0] <= 0 <= corrected[1]) is not rejected
    assert widen_by_error(ends, observed, 0.0, level) == ends
    mirrored = widen_by_error(ends.mirrored(), -observed, error, level)
    assert mirrored == some.mirrored()


@law
@given(scores, scores, levels, st.floats(-3, 3))
def test_a_shift_is_inside_exactly_when_its_own_test_does_not_reject(
    x: FloatArray, y: FloatArray, level: float, where: float
) -> None:
    low, high = interval(x, y, level)
    spread = float(np.ptp(np.concatenate([x, y]))) or 1.0
    shift = float(x.mean() - y.mean()) + where * spread
    if min(abs(shift - low), abs(shift - high)) < 1e-6 * spread:
        return
    rejected = is_significant(permutation_test(x - shift, y).value, float(1 - Fraction(str(level))))
    assert (low <= shift <= high) is not rejected


@law
@given(scores, scores)
def test_swapping_the_lists_mirrors_it(x: FloatArray, y: FloatArray) -> None:
    low, high = interval(x, y)
    assert interval(y, x) == pytest.approx((-high, -low), abs=1e-9, rel=1e-9)


@law
@given(scores, scores, st.floats(-100, 100), st.floats(0.01, 100))
def test_it_moves_and_grows_with_the_scores(
    x: FloatArray, y: FloatArray, shift: float, scale: float
) -> None:
    size = float(np.abs(np.concatenate([x, y])).max()) + abs(shift)
    low, high = interval(x, y)
    moved = interval(scale * (x + shift), scale * y)
    for end, other in zip((low, high), moved, strict=True):
        if isfinite(end) and abs(end) > 1e-6 * size and abs(end + shift) > 1e-6 * size:
            assert other == pytest.approx(scale * (end + shift), rel=1e-6, abs=1e-6 * size * scale)
        else:
            assert isfinite(end) == isfinite(other)


@law
@given(scores, scores)
def test_a_higher_level_is_wider_and_the_observed_difference_inside(
    x: FloatArray, y: FloatArray
) -> None:
    nested = [interval(x, y, level) for level in (0.5, 0.9, 0.99)]
    lows, highs = zip(*nested, strict=True)
    observed = float(x.mean() - y.mean())
    rounding = 1e-9 * float(np.abs(np.concatenate([x, y])).max())
    assert list(lows) == sorted(lows, reverse=True)
    assert list(highs) == sorted(highs)
    assert lows[0] - rounding <= observed <= highs[0] + rounding


normal = st.builds(
    lambda seed, nx, ny: (
        np.random.default_rng(seed).normal(0.5, size=nx),
        np.random.default_rng(seed + 1).normal(size=ny),
    ),
    st.integers(0, 10**6),
    st.integers(4, 12),
    st.integers(4, 12),
)


@given(normal)
def test_searching_finds_what_listing_does(two: tuple[FloatArray, FloatArray]) -> None:
    listed = interval(*two)
    with mock.patch.object(by_difference, "LISTED", 0):
        assert interval(*two) == pytest.approx(listed, abs=1e-5)


@settings(law, max_examples=25)
@given(normal)
def test_coarse_counts_reach_as_far_and_hardly_farther(
    two: tuple[FloatArray, FloatArray],
) -> None:
    low, high = interval(*two)
    p = permutation_test(*two, method="certified")
    found = difference_limits(*two, p=p.value, method=p.method)
    assert found.method == "certified"
    coarse, surely = found.limits, found.surely
    error = np.concatenate(two).std() * (1 / len(two[0]) + 1 / len(two[1])) ** 0.5
    assert coarse.low <= low
    assert coarse.high >= high
    # Between what is surely kept and what is given lies the exact end, searched to a millionth.
    assert surely is not None
    assert low <= surely.low + 1e-5 * error
    assert high >= surely.high - 1e-5 * error
    if min(map(len, two)) > 6:  # of fewer words p falls in wide steps
        assert max(low - coarse.low, coarse.high - high) <= 0.1 * error


longer = st.builds(
    lambda seed, nx, ny, shift: (
        np.random.default_rng(seed).normal(shift, size=nx),
        np.random.default_rng(seed + 1).normal(size=ny),
    ),
    st.integers(0, 10**6),
    st.integers(15, 40),
    st.integers(20, 40),
    st.sampled_from((0.0, 0.6, 2.0)),
)


@settings(law, max_examples=12)
@given(longer, levels)
def test_certified_ends_are_near_agree_with_p_and_are_refused(
    two: tuple[FloatArray, FloatArray], level: float
) -> None:
    p = permutation_test(*two)
    found = difference_limits(*two, p=p.value, method=p.method, level=level)
    ends, surely = found.limits, found.surely
    alpha = float(1 - Fraction(str(level)))
    assert found.method == "certified"
    assert (ends.low <= 0 <= ends.high) is not is_significant(p.value, alpha)
    assert surely is not None
    assert ends.low <= surely.low <= surely.high <= ends.high
    spread = float(np.concatenate(two).std())
    assert max(surely.low - ends.low, ends.high - surely.high) <= 2e-3 * spread
    # Ends next to zero may have been put on their side of it.
    if abs(ends.low) > 1e-6:
        assert permutation_test(two[0] - ends.low, two[1]).low <= alpha
    if abs(surely.high) > 1e-6:
        assert permutation_test(two[0] - surely.high, two[1]).high >= alpha


@settings(law, max_examples=20)
@given(normal)
def test_a_sampled_interval_agrees_with_its_own_p(two: tuple[FloatArray, FloatArray]) -> None:
    p = permutation_test(*two, method="sampled", samples=999, seed=5)
    found = difference_interval(*two, p=p, samples=999, seed=5)
    assert found
    assert found.method == "inverted permutation test, sampled"
    assert (found.resamples, found.seed) == (999, 5)
    assert (found.low <= 0 <= found.high) is not is_significant(p.value, 0.05)


paired_items = st.integers(1, 20).flatmap(
    lambda n: st.tuples(*[st.lists(sixteenths, min_size=n, max_size=n).map(np.array)] * 2)
)


@given(paired_items, st.floats(-2, 2))
def test_a_change_is_inside_exactly_when_its_paired_test_does_not_reject(
    items: tuple[FloatArray, FloatArray], where: float
) -> None:
    before, after = items
    weights = np.full(len(before), 1 / len(before))
    p = paired_test(before, after)
    ends = limits_of(paired_interval(before, after, weights, p=p.value))
    assert (ends.low <= 0 <= ends.high) is not is_significant(p.value, 0.05)
    mirrored = limits_of(paired_interval(after, before, weights, p=p.value))
    assert (mirrored.low, mirrored.high) == pytest.approx((-ends.high, -ends.low), abs=1e-3)
    changes = after - before
    shift = float(changes.sum()) + where * (float(np.abs(changes).sum()) + 1)
    if min(abs(shift - ends.low), abs(shift - ends.high)) > 1e-4:
        rejected = is_significant(paired_test(shift * weights, changes).value, 0.05)
        assert (ends.low <= shift <= ends.high) is not rejected


@pytest.mark.parametrize("most", ["LISTED", "COUNTED"])
def test_every_way_to_find_the_ends_of_a_change_finds_the_same(
    most: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(4)
    before, after = generator.normal(size=(2, 14)) / 14
    weights = np.full(14, 1 / 14)
    p = paired_test(before, after)
    listed = limits_of(paired_interval(before, after, weights, p=p.value))
    for limit in ("LISTED", "COUNTED")[: 1 + (most == "COUNTED")]:
        monkeypatch.setattr(by_pairs, limit, 0)
    found = limits_of(paired_interval(before, after, weights, p=p.value))
    error = float(np.linalg.norm(after - before))
    assert found.low <= listed.low + 1e-6
    assert found.high >= listed.high - 1e-6
    assert (found.low, found.high) == pytest.approx((listed.low, listed.high), abs=0.03 * error)


@pytest.mark.parametrize(("observed", "rejected"), [(0.3, True), (-0.3, True), (0.3, False)])
def test_ends_that_rounding_put_on_the_wrong_side_of_zero_are_put_right(
    observed: float, rejected: bool
) -> None:
    wrong = Limits(*sorted((-observed / 3, 2 * observed))) if rejected else Limits(0.1, 0.5)
    ends = wrong.agreeing(observed, rejected=rejected)
    assert (ends.low <= 0 <= ends.high) is not rejected
    x, y = np.array([0.1, 0.9, 0.4]) + observed, np.array([0.2, 0.8, 0.4])
    low, high = widen_for_spread_error(x, y, ends.low, ends.high)
    assert (low <= 0 <= high) is not rejected


@pytest.mark.parametrize("items", [6, 20, 40, 500])
def test_no_change_at_all_allows_none(items: int) -> None:
    for shares in (np.zeros(items), np.arange(items) / items):
        p = paired_test(shares, shares).value
        weights = np.full(items, 1 / items)
        assert limits_of(paired_interval(shares, shares, weights, p=p)) == (0.0, 0.0)


def test_a_p_that_never_falls_has_no_ends() -> None:
    ends = limits_by_search(lambda shift: 1.0, 0.3, step=0.1, alpha=0.05)
    assert (ends.low, ends.high) == (-np.inf, np.inf)
