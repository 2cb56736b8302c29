"""Figures over items and trainings, and over combined items."""

from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray
from fairvec.geometry import FloatArray as base_FloatArray
from fairvec.stats import paired_test
from fairvec.stats.crossed import CrossedRatio, crossed_difference, crossed_estimate, dyadic_mean
from tests.toys import limits_of

# --- Figures over items and trainings, against definitions written out and against simulation ---


tables = st.tuples(st.integers(2, 9), st.integers(1, 4)).flatmap(
    lambda shape: st.tuples(*[arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0]))] * 2)
)


def ratio_by_hand(above: FloatArray, below: FloatArray) -> float:
    """The mean over passes of sums over items, 0 where nothing is below."""
    columns = range(above.shape[1])
    tops, bottoms = ([float(table[:, s].sum()) for s in columns] for table in (above, below))
    return sum(t / b if b else 0.0 for t, b in zip(tops, bottoms, strict=True)) / len(columns)


@given(tables)
def test_the_jackknife_is_that_of_leaving_items_out(pair: tuple[FloatArray, FloatArray]) -> None:
    above, below = pair
    found = crossed_estimate(CrossedRatio(above * below, below))
    assert found.estimate == pytest.approx(ratio_by_hand(above * below, below))
    items = len(above)
    left = [
        ratio_by_hand(np.delete(above * below, i, axis=0), np.delete(below, i, axis=0))
        for i in range(items)
    ]
    jackknife = (items - 1) / items * sum((one - sum(left) / items) ** 2 for one in left)
    assert found.of_items == pytest.approx(jackknife, abs=1e-12)


@given(tables)
def test_of_a_mean_it_is_the_variance_of_items_over_their_number(
    pair: tuple[FloatArray, FloatArray],
) -> None:
    correct, _ = pair
    found = crossed_estimate(CrossedRatio(correct, np.ones_like(correct)))
    assert found.of_items == pytest.approx(correct.mean(axis=1).var(ddof=1) / len(correct))
    passes = correct.shape[1]
    if passes == 1:
        assert found.of_passes is None
    else:
        assert found.of_passes == pytest.approx(correct.mean(axis=0).var(ddof=1) / passes)


@given(tables)
def test_a_difference_turns_with_its_sides_and_agrees_with_its_interval(
    pair: tuple[FloatArray, FloatArray],
) -> None:
    before, after = (CrossedRatio(each, np.ones_like(each)) for each in pair)
    there, back = crossed_difference(before, after), crossed_difference(after, before)
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.p == pytest.approx(back.p)
    ends = limits_of(there.interval("items"))
    assert ends.low <= there.estimate <= ends.high
    if abs(there.p - 0.05) > 1e-9:
        assert (ends.low <= 0 <= ends.high) == (there.p > 0.05)
    same = crossed_difference(before, before)
    assert (same.estimate, same.p, same.variance) == (0, 1, 0)


def test_with_one_pass_it_is_students_test_over_items() -> None:
    before, after = np.random.default_rng(0).random((2, 40, 1))
    found = crossed_difference(
        *(CrossedRatio(each, np.ones_like(each)) for each in (before, after))
    )
    assert found.p == pytest.approx(float(ttest_1samp((after - before)[:, 0], 0).pvalue))


def test_with_one_item_that_varies_it_is_students_test_over_passes() -> None:
    # All items alike: only the passes vary.
    shifts = np.random.default_rng(1).random((1, 6)).repeat(50, axis=0)
    zeros = CrossedRatio(np.zeros_like(shifts), np.ones_like(shifts))
    found = crossed_difference(zeros, CrossedRatio(shifts, np.ones_like(shifts)))
    assert found.freedom == pytest.approx(5)
    assert found.p == pytest.approx(float(ttest_1samp(shifts[0], 0).pvalue))


def test_where_all_change_alike_p_is_not_zero() -> None:
    worst, best = np.zeros((10, 3)), np.ones((10, 3))
    below = np.ones((10, 3))
    assert crossed_difference(CrossedRatio(worst, below), CrossedRatio(best, below)).p == 2**-9


def test_intervals_hold_the_truth_where_items_passes_and_both_vary() -> None:
    generator = np.random.default_rng(7)
    held, studies, items, passes = 0, 600, 60, 5
    for _ in range(studies):
        table = (
            0.5
            + generator.normal(size=(items, 1))
            + 0.2 * generator.normal(size=(1, passes))
            + generator.normal(size=(items, passes))
        )
        ends = limits_of(crossed_estimate(CrossedRatio(table, np.ones_like(table))).interval("all"))
        held += ends.low <= 0.5 <= ends.high
    share = held / studies
    assert 0.95 - 3 * sqrt(0.05 * 0.95 / studies) <= share <= 1


def test_a_test_over_items_alone_would_be_fooled_by_passes() -> None:
    """The null: no model is better, passes have luck of their own."""
    generator = np.random.default_rng(3)
    ours, naive, studies = 0, 0, 300
    for _ in range(studies):
        luck = 0.1 * generator.normal(size=(1, 5))
        table = luck + 0.3 * generator.normal(size=(400, 5))
        zeros, ones = np.zeros_like(table), np.ones_like(table)
        found = crossed_difference(CrossedRatio(zeros, ones), CrossedRatio(table, ones))
        ours += found.p <= 0.05
        naive += float(ttest_1samp(table.mean(axis=1), 0).pvalue) <= 0.05
    assert ours / studies <= 0.05 + 3 * sqrt(0.05 * 0.95 / studies)
    assert naive / studies > 0.4


def test_tables_of_other_shapes_are_refused() -> None:
    with pytest.raises(SettingError, match="two tables of one shape"):
        CrossedRatio(np.zeros((2, 3)), np.zeros((3, 2)))
    with pytest.raises(SettingError, match="same items and passes"):
        crossed_difference(*(CrossedRatio(np.ones((n, 2)), np.ones((n, 2))) for n in (3, 4)))


# --- Items that combine two things: what moves one thing moves all its items ---


NAMES = [(f"d{row}", f"s{column}") for row in range(11) for column in range(20)]


def answers(draw: np.random.Generator, common: base_FloatArray) -> base_FloatArray:
    """Which of 220 rows a model answers by the stereotype, with a luck of its own in each pair."""
    own = draw.normal(size=(11, 1)) + draw.normal(size=(1, 20)) + draw.normal(size=(11, 20))
    chosen: base_FloatArray = ((common + 0.7 * own) > 1.3).astype(np.float64).ravel()
    return chosen


def test_models_that_differ_by_luck_are_seldom_called_different() -> None:
    draw = np.random.default_rng(3)
    alone = together = 0
    for _ in range(200):
        common = draw.normal(size=(11, 1)) + draw.normal(size=(1, 20))
        before, after = answers(draw, common), answers(draw, common)
        together += dyadic_mean(after - before, NAMES).p <= 0.05
        alone += paired_test(before / 220, after / 220).value <= 0.05
    assert together / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert alone / 200 > 0.2  # the control: item by item chance is taken for a change


def test_a_change_of_most_pairs_is_found() -> None:
    draw = np.random.default_rng(4)
    common = draw.normal(size=(11, 1)) + draw.normal(size=(1, 20))
    before = answers(draw, common + 1.5)
    assert dyadic_mean(answers(draw, common - 1.5) - before, NAMES).p < 0.01


def test_the_figures_by_hand() -> None:
    values = np.array([1.0, 0.0, 2.0, 5.0, 3.0, 1.0])
    names = [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v"), ("c", "u"), ("c", "v")]
    found = dyadic_mean(values, names)
    by_first, by_second = np.array([0.5, 3.5, 2.0]), np.array([2.0, 2.0])
    variance = by_first.var(ddof=1) / 3 + by_second.var(ddof=1) / 2
    assert found.estimate == 2.0
    assert found.variance == pytest.approx(variance)
    assert found.p == pytest.approx(2 * student.sf(2 / np.sqrt(variance), found.freedom))
    turned = dyadic_mean(values, [(other, one) for one, other in names])
    assert (turned.p, turned.variance) == pytest.approx((found.p, found.variance))


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(SettingError, match="two names an item"):
        dyadic_mean(np.zeros(2), [("a", "b")])
    with pytest.raises(SettingError, match="two names an item"):
        dyadic_mean(np.zeros(0), [])
    same = dyadic_mean(np.zeros(3), [("a", "b"), ("a", "c"), ("b", "c")])
    assert (same.estimate, same.p) == (0.0, 1.0)


def test_things_of_one_kind_combined_with_one_another() -> None:
    """Analogies: each of 20 pairs is asked with each other one, first and second."""
    draw = np.random.default_rng(5)
    ones, others = np.where(~np.eye(20, dtype=bool))
    names = [(str(one), str(other)) for one, other in zip(ones, others, strict=True)]
    together = 0
    for _ in range(400):
        common = draw.normal(size=20)
        known = [common + 0.5 * draw.normal(size=20) for _ in range(2)]
        before, after = (
            (each[ones] + each[others] + 0.7 * draw.normal(size=len(ones)) > 0).astype(np.float64)
            for each in known
        )
        together += dyadic_mean(after - before, names).p <= 0.05
    assert together / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_one_kind_by_hand() -> None:
    values = np.array([1.0, 0.0, 2.0])
    found = dyadic_mean(values, [("a", "b"), ("b", "c"), ("c", "a")])
    sums = np.array([1 + 2 - 2, 1 + 0 - 2, 0 + 2 - 2]) / 3
    assert found.variance == pytest.approx(float(sums @ sums) * 3 / 2)
    assert found.freedom == pytest.approx(2)
    turned = dyadic_mean(values, [("b", "a"), ("b", "c"), ("c", "a")])
    assert turned.variance == pytest.approx(found.variance)


def test_equal_changes_are_so_many_equal_coins_however_their_mean_is_rounded() -> None:
    """Shares of 1/161 times 161 have a mean that is not quite one of them."""
    for items in range(35, 200):
        names = [(f"a{item % 5}", f"b{item % 7}") for item in range(items)]
        found = dyadic_mean(items * np.full(items, 1 / items), names)
        assert found.variance == 0
        assert found.p == 2.0**-4


@pytest.mark.parametrize(("things", "sure"), [(2, False), (5, False), (6, True)])
def test_few_things_that_change_alike_are_no_certainty(things: int, sure: bool) -> None:
    """Two analogies of two pairs, both wrong before and right after: p is 1/2."""
    names = [(str(one), str(other)) for one, other in permutations(range(things), 2)]
    found = dyadic_mean(np.ones(len(names)), names)
    assert found.p == 2.0 ** (1 - things)
    ends = limits_of(found.interval("things"))
    assert (ends.low > 0) == sure == (found.p <= 0.05)
    assert limits_of(dyadic_mean(np.zeros(len(names)), names).interval("things")) == (0, 0)
