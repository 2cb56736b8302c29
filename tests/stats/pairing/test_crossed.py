"""Figures over items and trainings, against definitions written out and against simulation."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_1samp

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray
from fairvec.stats.crossed import CrossedRatio, crossed_difference, crossed_estimate

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
    ends = there.interval()
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
        ends = crossed_estimate(CrossedRatio(table, np.ones_like(table))).interval()
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
