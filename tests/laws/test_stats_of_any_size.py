"""Every public function of stats ends with an answer or one sentence, whatever its numbers are."""

from collections.abc import Callable
from contextlib import suppress
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some
from scipy.special import chdtr

from fairvec import stats
from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.core.numeric import FloatArray
from fairvec.stats import Limits, ScoredLists
from fairvec.stats.effect_interval import noncentral_limits
from fairvec.stats.proportions import clustered_share_interval, two_way_share_interval

SIZES = [0.0, 5e-324, 1e-308, 1e-200, 1e-154, 1e-30, 1.0, 1e30, 1e154, 1e200, 1e308, 1.7e308]


@some.composite
def numbers(draw: some.DrawFn, count: int) -> FloatArray:
    """Draw ties, constants, mixtures of sizes, and numbers that differ by their rounding only."""
    size = draw(some.sampled_from(SIZES))
    kinds = {
        "of one size": some.floats(-1, 1).map(lambda share: share * size),
        "with ties": some.sampled_from([-size, 0.0, size]),
        "constant": some.just(size),
        "all but constant": some.sampled_from([size, size * (1 - 1e-15), size * (1 - 1e-8)]),
        "of all sizes": some.sampled_from([*SIZES, *(-each for each in SIZES)]),
    }
    kind = kinds[draw(some.sampled_from(sorted(kinds)))]
    return np.array(draw(some.lists(kind, min_size=count, max_size=count)))


def difference_of_means(x: FloatArray, y: FloatArray) -> FloatArray:
    found: FloatArray = (x[..., 0] / 16).mean(axis=-1) - (y[..., 0] / 16).mean(axis=-1)
    return found


def asked(x: FloatArray, y: FloatArray) -> dict[str, Callable[[], Any]]:
    """Return a call of every function that takes numbers or sizes."""
    fewer = min(len(x), len(y))
    before, after, two = x[:fewer], y[:fewer], np.column_stack([x[:fewer], y[:fewer]])
    table = np.resize(np.concatenate([x, y]), (2, 3, 2))
    words = [f"w{number}" for number in range(len(x) + len(y))]
    lists = ScoredLists(tuple(words[: len(x)]), tuple(words[len(x) :]), x, y)
    turned = ScoredLists(tuple(words[: len(y)]), tuple(words[len(y) :]), y, x)
    columns, small = [x[:, None], y[:, None]], float(np.abs(x).max())
    chances, ends = np.minimum(np.abs(x), 1), Limits(*sorted([float(x[0]), float(y[0])]))
    level = min(0.5, small) or 0.05

    def by_difference() -> Any:
        p = stats.permutation_test(x, y)
        return stats.difference_interval(x, y, p=p.value, method=p.method)

    def by_pairs() -> Any:
        p = stats.paired_test(before, after)
        return stats.paired_interval(before, after, np.full(fewer, 1 / fewer), p=p.value)

    calls = {
        "adjusted_difference": lambda: stats.adjusted_difference(x, y, y[::-1], x, draws=19),
        "attained_level": lambda: stats.attained_level(len(x), len(y), alpha=level),
        "attained_level_of_pairs": lambda: stats.attained_level_of_pairs(len(x), alpha=level),
        "benjamini_hochberg": lambda: stats.benjamini_hochberg(chances),
        "anova_table": lambda: stats.anova_table(table),
        "difference_interval": by_difference,
        "factor_permutation_test": lambda: [
            stats.factor_permutation_test(table, each, samples=19) for each in (0, 1)
        ],
        "holm": lambda: stats.holm(chances),
        "bootstrap_interval": lambda: stats.bootstrap_interval(
            columns, difference_of_means, resamples=50
        ),
        "joint_test": lambda: stats.joint_test([lists, turned], samples=50),
        "leave_one_out": lambda: stats.leave_one_out(columns, difference_of_means)[0][:-1],
        "paired_interval": by_pairs,
        "paired_test": lambda: stats.paired_test(before, after),
        "pearson": lambda: np.nan_to_num(stats.pearson(two)),
        "permutation_test": lambda: stats.permutation_test(x, y, method="certified"),
        "permutation_tests": lambda: stats.permutation_tests(x, y, [("less", ">")]),
        "omega2_intervals": lambda: list(stats.omega2_intervals(table, draws=20).values()),
        "expected_significant_share": lambda: stats.expected_significant_share(x, y, kept=(1, 1)),
        "mean_difference_contributions": lambda: stats.mean_difference_contributions(x, y),
        "spearman_contributions": lambda: stats.spearman_contributions(two),
        "smallest_attainable_p": lambda: stats.smallest_attainable_p(len(x), len(y)),
        "smallest_detectable": lambda: stats.smallest_detectable(600, 600, alpha=level),
        "smallest_detectable_of_pairs": lambda: stats.smallest_detectable_of_pairs(
            1500, alpha=level
        ),
        "spearman": lambda: np.nan_to_num(stats.spearman(two)),
        "trend_test": lambda: stats.trend_test(before, after, samples=19),
        "widen_for_spread_error": lambda: stats.widen_for_spread_error(x, y, ends.low, ends.high),
        "widen_by_error": lambda: stats.widen_by_error(ends, float(x[-1]), small, 0.95),
        "required_words": lambda: stats.required_words(small, alpha=level, most=600),
    }
    return calls | {
        "clustered_share_interval": lambda: clustered_share_interval(
            np.array([[1, 0], [0, 2], [1, 1]])
        ),
        "two_way_share_interval": lambda: two_way_share_interval(
            np.resize([0.0, 1.0, 1.0], 9), [(one, other) for one in "abc" for other in "def"]
        ),
    }


def test_every_public_function_is_asked() -> None:
    functions = {name for name in stats.__all__ if name.islower()}
    assert functions <= set(asked(np.ones(4), np.ones(4)))


def without_nan(answer: Any) -> bool:
    if isinstance(answer, np.ndarray):
        return not np.isnan(answer).any()
    if isinstance(answer, float):
        return not isnan(answer)
    if isinstance(answer, list | tuple):
        return all(map(without_nan, answer))
    return all(map(without_nan, vars(answer).values())) if hasattr(answer, "__dict__") else True


@settings(max_examples=40)
@given(some.tuples(*[some.integers(1, 7)] * 2).flatmap(lambda n: some.tuples(*map(numbers, n))))
@example((np.array([1, 1 + 1e-8, 1, 1]), np.array([-1, -1, -1, -1.0])))
@example((np.full(4, 1e-20), np.arange(4.0)))
def test_any_numbers_have_an_answer_or_one_sentence(lists: tuple[FloatArray, FloatArray]) -> None:
    for name, call in asked(*lists).items():
        with suppress(FairvecError):  # as the laws of their messages have it: one sentence
            assert without_nan(call()), name


@pytest.mark.parametrize("power", [-900, 900])
def test_a_correlation_is_the_same_in_every_unit(power: int) -> None:
    two = np.random.default_rng(0).normal(size=(9, 2))
    scaled = np.ldexp(two, [power, -power])
    assert stats.pearson(scaled) == pytest.approx(float(stats.pearson(two)), rel=1e-15)


def test_numbers_without_squares_are_refused_in_one_sentence() -> None:
    x, y = np.array([1e-160, 2e-160, 3e-160, 4e-160]), np.zeros(4)
    with pytest.raises(UndefinedError, match=r"4e-160, is so small .* one large number"):
        stats.expected_significant_share(x, y, kept=(3, 3))


@pytest.mark.parametrize("t", [9_000.0, 11_000.0, 1e5])
def test_ends_of_a_huge_effect_follow_the_error_of_its_spread(t: float) -> None:
    low, high = noncentral_limits(t, t - 2, t + 2, 14)
    # |t'| lies at the noncentrality over the root of chi-square / 14: solved by hand for both ends.
    from scipy.stats import t as student

    allowed = student.cdf(-2, 14)
    assert chdtr(14, 14 * (low / t) ** 2) == pytest.approx(allowed, rel=1e-4)
    assert 1 - chdtr(14, 14 * (high / t) ** 2) == pytest.approx(allowed, rel=1e-4)


def test_a_level_beyond_the_digits_of_one_has_a_smallest_effect() -> None:
    levels = (1e-10, 1e-16, 1e-30)
    found = [stats.smallest_detectable(100, 100, alpha=level) or 0.0 for level in levels]
    assert found == sorted(found)
    assert 0 < found[0] < found[-1] < 2
