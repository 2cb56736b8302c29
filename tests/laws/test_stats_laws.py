"""Laws of the permutation, sampled, adjusted and paired tests."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, isnan
from random import Random
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some
from hypothesis import strategies as st
from scipy.special import chdtr

from fairvec import stats
from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.core.numeric import FloatArray
from fairvec.stats import (
    ScoredLists,
    Sides,
    Ties,
    adjusted_difference,
    benjamini_hochberg,
    holm,
    paired_test,
    permutation_test,
)
from fairvec.stats.effect_interval import noncentral_limits, widen_by_error, widen_for_spread_error
from fairvec.stats.permutation import certified_bounds as certified
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation import meet_in_the_middle as meeting
from fairvec.stats.permutation import subset_sums as halves
from fairvec.stats.permutation import two_sample as sampled
from fairvec.stats.permutation.certified_bounds import count_sums
from fairvec.stats.permutation.inversion import Limits
from fairvec.stats.permutation.subset_sums import TailQuestion
from fairvec.stats.proportions import clustered_share_interval, two_way_share_interval
from tests.laws.helpers import anything, examples, law, lists, sixteenths
from tests.stats.brute_force import subsets_in_tails

# --- What must hold for every list of scores ---


SIDES: tuple[Sides, ...] = ("two", "greater", "less")
MIRRORED: dict[Sides, Sides] = {"two": "two", "greater": "less", "less": "greater"}


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


# --- Whatever the scores, their ties and sizes, every way to count the subsets counts the same


few = st.integers(-3, 3)
many = st.integers(-(2**56), 2**56)
scores = st.sampled_from((few, many)).flatmap(lambda v: st.lists(v, min_size=2, max_size=11))


@st.composite
def questions(draw: st.DrawFn) -> TailQuestion:
    """A question with one tail or two, whose thresholds are sums that there are, or beside one."""
    words = draw(scores)
    size = draw(st.integers(1, len(words) - 1))
    sums = [sum(draw(st.permutations(words))[:size]) + draw(st.integers(-1, 1)) for _ in range(2)]
    below, above = min(sums), max(sums) + 1
    tails = draw(st.sampled_from(("both", "above", "below")))
    return TailQuestion(
        np.array(words),
        size,
        None if tails == "below" else above,
        None if tails == "above" else below,
    )


@examples(150)
@given(questions(), st.integers(1, 40), st.booleans(), st.sampled_from((1, 2, 5, 2**17)))
def test_however_many_are_listed_looked_up_or_merged(
    question: TailQuestion, listed: int, merged: bool, at_a_time: int
) -> None:
    expected = subsets_in_tails(
        question.scores.tolist(), question.size, question.above, question.below
    )
    with (
        mock.patch.object(halves, "LISTED", listed),
        mock.patch.object(exact, "LOOKED_UP", -1 if merged else 2**24),
        mock.patch.object(meeting, "AT_A_TIME", at_a_time),
    ):
        cache: exact.SumCache = []
        assert exact.count(question, cache) == expected
        # What a question has left serves the next one.
        assert exact.count(question, cache) == expected


@given(
    st.integers(0, 2**31),
    st.integers(10, 15),
    st.integers(10, 15),
    st.sampled_from((0.0, 0.5, 2.0)),
    st.sampled_from((2, 2**20, 2**52)),
)
def test_longer_lists_are_counted_the_same_from_either_side_of_the_borders(
    seed: int, nx: int, ny: int, shift: float, fine: int
) -> None:
    drawn = np.random.default_rng(seed).normal(size=nx + ny)
    drawn[:nx] += shift
    scores = np.rint(drawn * fine / 8).astype(np.int64)
    question = TailQuestion(scores, nx, above=int(scores[:nx].sum()))
    found = set()
    for listed, look_ups in ((2**20, 2**24), (300, 2**24), (300, -1), (2**20, -1)):
        with (
            mock.patch.object(halves, "LISTED", listed),
            mock.patch.object(exact, "LOOKED_UP", look_ups),
        ):
            found.add(exact.count(question))
    assert len(found) == 1


# --- A sampled p counts what was observed among the draws: (c + 1)/(N + 1), and is never 0 ---


small_integers = st.lists(st.integers(-6, 6), min_size=1, max_size=7)
counts = st.integers(1, 60)
seeds = st.integers(0, 10**6)
# Scores that are all below 1e-150 cannot be squared and are refused (fairvec.core.numeric).
squared = st.floats(-5, 5).map(lambda score: score if abs(score) > 1e-100 else 0.0)


@law
@given(small_integers, small_integers, counts, seeds)
@example([1], [0, 0], 3, 0)
def test_the_permutation_test_counts_its_draws_and_one_more(
    x: list[int], y: list[int], samples: int, seed: int
) -> None:
    scores = np.array([*x, *y])
    words, size, total = len(scores), len(x), int(scores.sum())
    # The same seed draws the same places whatever the scores are.
    sums = sampled.draws(scores, size, samples, seed).sums
    as_extreme = np.abs(words * sums - size * total) >= abs(words * sum(x) - size * total)
    p = permutation_test(
        np.array(x, np.float64),
        np.array(y, np.float64),
        method="sampled",
        samples=samples,
        seed=seed,
    )
    if p.method == "sampled":
        # Few draws of few splits may miss the observed one, which is there all the same.
        smallest = (2 if len(x) == len(y) else 1) / comb(words, size)
        assert p.value == max((int(as_extreme.sum()) + 1) / (samples + 1), smallest)
        assert p.standard_error == np.sqrt(p.value * (1 - p.value) / samples)
        assert p.low <= as_extreme.mean() <= p.high
    else:
        assert p.value == 1
        assert as_extreme.all()


@law
@given(counts, seeds)
def test_no_p_that_was_drawn_is_zero(draws: int, seed: int) -> None:
    """So strong that no draw comes near: all that is left is what was observed."""
    high, low = np.arange(30.0) + 1000, np.arange(30.0)
    least = 1 / (draws + 1)
    assert permutation_test(high, low, method="sampled", samples=draws, seed=seed).value == least
    assert paired_test(low, high, method="sampled", samples=draws, seed=seed).value == least
    often = np.tile([1.0, -1.0], 15)
    found = adjusted_difference(high, low, often, often, draws=draws, seed=seed)
    assert found is not None
    assert found.p == least


@law
@given(
    st.lists(squared, min_size=6, max_size=14).map(np.array),
    st.integers(1, 5),
    counts,
    seeds,
)
@example(np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0]), 3, 10, 0)
def test_the_adjusted_p_is_an_integer_number_of_draws_plus_one(
    scores: FloatArray, nx: int, draws: int, seed: int
) -> None:
    often = np.random.default_rng(seed).normal(size=len(scores))
    found = adjusted_difference(
        scores[:nx], scores[nx:], often[:nx], often[nx:], draws=draws, seed=seed
    )
    if found is not None:
        among = found.p * (draws + 1)
        assert among == pytest.approx(round(among), abs=1e-9)
        assert 1 <= round(among) <= draws + 1


@pytest.mark.parametrize("seed", range(6))
def test_the_adjusted_p_is_the_share_of_all_permutations(seed: int) -> None:
    """Of four words every permutation can be fitted: 24, of which one is what was observed."""
    scores, often = np.random.default_rng(seed).normal(size=(2, 4))
    basics = np.column_stack([np.ones(4), often])
    fitted = basics @ np.linalg.lstsq(basics, scores, rcond=None)[0]
    full = np.column_stack([basics, [1.0, 1.0, 0.0, 0.0]])

    def t_squared(residuals: FloatArray) -> float:
        b, left, _, _ = np.linalg.lstsq(full, fitted + residuals, rcond=None)
        return float(b[2] ** 2 / left[0])

    observed = t_squared(scores - fitted)
    every = [t_squared(np.array(one)) for one in permutations(scores - fitted)]
    share = np.mean([t >= observed * (1 - 1e-9) for t in every])
    found = adjusted_difference(scores[:2], scores[2:], often[:2], often[2:])
    assert found is not None
    # Five standard errors of 9,999 draws; one permutation more or less is at least eight.
    assert abs(found.p - share) <= 5 * np.sqrt(share * (1 - share) / 9999) + 1e-4


# --- Whatever the scores, a row that is counted near its ends alone says there what the whole says


ascending = st.lists(st.integers(0, 30), min_size=1, max_size=12).map(sorted)


@law
@given(ascending, st.integers(1, 12), st.integers(0, 200))
def test_sums_within_reach_of_an_end_are_all_counted(
    cells: list[int], largest: int, reach: int
) -> None:
    counted = count_sums(np.array(cells), largest)
    near = count_sums(np.array(cells), largest, reach)
    for row, same in zip(counted, near, strict=True):
        assert (row.start, len(row.counts)) == (same.start, len(same.counts))
        ends = np.arange(len(row.counts))
        ends = ends[(ends <= reach) | (ends[::-1] <= reach)]
        assert row.counts[ends].tolist() == same.counts[ends].tolist()


@examples(150)
@given(
    st.lists(st.integers(-40, 40), min_size=2, max_size=11),
    st.data(),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_bounds_hold_for_every_question_of_the_same_rows(
    scores: list[int], data: st.DataObject, step: int, other_step: int
) -> None:
    """Near and far questions in any order: rows that were kept reach far enough or are renewed."""
    size = data.draw(st.integers(1, len(scores) // 2))
    cache: certified.RowCache = {}
    for _ in range(4):
        limits = sorted(data.draw(st.tuples(*[st.integers(-150, 150)] * 2)))
        above, below = limits[1] + 1, limits[0]
        tails = data.draw(st.sampled_from(((above, below), (above, None), (None, below))))
        question = TailQuestion(np.array(scores), size, *tails).in_lowest_terms()
        expected = subsets_in_tails(scores, size, *tails) / question.subsets
        for each in (step, other_step, 1):
            low, high = certified._bounds_on_grid(question, each, cache)
            assert low <= expected <= high
            if each == 1:
                assert low >= expected * (1 - 1e-9)
                assert high <= expected * (1 + 1e-9)


# --- What must hold for every figure before and after a change ---


# Sixteenths have exact sums and many ties.
sixteenths_paired = st.integers(-64, 64).map(lambda value: value / 16)


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


@given(pairs(sixteenths_paired))
def test_every_swap_is_counted(items: FloatArray) -> None:
    p = paired_test(*items)
    assert abs(p.value - float(by_trying_all(*items))) < 1e-12
    assert p.low == p.value == p.high
    assert 0 < p.smallest <= p.value <= 1


@given(pairs(sixteenths_paired | anything, 10), st.sampled_from((1, 3, 2**20)), st.booleans())
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


@given(pairs(sixteenths_paired), st.integers(-20, 20))
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


# --- Every public function of stats ends with an answer or one sentence, whatever its numbers are


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


def calls_of(x: FloatArray, y: FloatArray) -> dict[str, Callable[[], Any]]:
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
        return stats.difference_interval(x, y, p=p)

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
        "spearman_contributions": lambda: stats.spearman_contributions(two),
        "smallest_attainable_p": lambda: stats.smallest_attainable_p(len(x), len(y)),
        "smallest_detectable": lambda: stats.smallest_detectable(600, 600, alpha=level),
        "smallest_detectable_of_pairs": lambda: stats.smallest_detectable_of_pairs(
            1500, alpha=level
        ),
        "spearman": lambda: np.nan_to_num(stats.spearman(two)),
        "trend_test": lambda: stats.trend_test(before, after, samples=19),
        "widen_for_spread_error": lambda: widen_for_spread_error(x, y, ends.low, ends.high),
        "widen_by_error": lambda: widen_by_error(ends, float(x[-1]), small, 0.95),
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


def test_every_public_function_is_called() -> None:
    functions = {name for name in stats.__all__ if name.islower()}
    assert functions <= set(calls_of(np.ones(4), np.ones(4)))


def without_nan(answer: Any) -> bool:
    if isinstance(answer, np.ndarray):
        return not np.isnan(answer).any()
    if isinstance(answer, float):
        return not isnan(answer)
    if isinstance(answer, list | tuple):
        return all(map(without_nan, answer))
    return all(map(without_nan, vars(answer).values())) if hasattr(answer, "__dict__") else True


@given(some.tuples(*[some.integers(1, 7)] * 2).flatmap(lambda n: some.tuples(*map(numbers, n))))
@example((np.array([1, 1 + 1e-8, 1, 1]), np.array([-1, -1, -1, -1.0])))
@example((np.full(4, 1e-20), np.arange(4.0)))
def test_any_numbers_have_an_answer_or_one_sentence(lists: tuple[FloatArray, FloatArray]) -> None:
    for name, call in calls_of(*lists).items():
        with suppress(FairvecError):  # as the laws of their messages have it: one sentence
            assert without_nan(call()), name


@pytest.mark.parametrize("power", [-480, 480])
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
