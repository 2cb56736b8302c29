"""Intervals of shares and means whose items come in clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student

from fairvec.core.errors import SettingError
from fairvec.stats.proportions import clustered_mean_interval, clustered_share_interval

COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


@given(COUNTS)
def test_the_share_lies_inside_and_sides_are_a_mirror(counts: list[tuple[int, int]]) -> None:
    rows = np.array(counts)
    ends = clustered_share_interval(rows)
    if (rows.sum(axis=1) > 0).sum() < 3:
        assert ends is None
        return
    assert ends is not None
    share = rows[:, 1].sum() / rows.sum()
    assert 0 <= ends[0] <= share <= ends[1] <= 1
    turned = clustered_share_interval(rows[:, ::-1])
    assert turned == pytest.approx((1 - ends[1], 1 - ends[0]), abs=1e-9)


def test_one_item_a_cluster_is_nearly_clopper_and_pearson() -> None:
    rows = np.array([[1, 0]] * 40 + [[0, 1]] * 20)
    exact = binomtest(20, 60).proportion_ci(0.95, method="exact")
    assert clustered_share_interval(rows) == pytest.approx((exact.low, exact.high), abs=0.01)
    none = binomtest(0, 12).proportion_ci(0.95, method="exact")
    assert clustered_share_interval(np.array([[5, 0]] * 12)) == pytest.approx((0, none.high))


def test_repeating_what_a_paragraph_says_adds_nothing() -> None:
    rows = np.array([[1, 0]] * 9 + [[0, 1]] * 6)
    once, thrice = clustered_share_interval(rows), clustered_share_interval(3 * rows)
    assert once is not None
    assert thrice is not None
    assert thrice[1] - thrice[0] > 0.9 * (once[1] - once[0])


@pytest.mark.parametrize("share", [0.5, 0.15])
@pytest.mark.parametrize("clusters", [6, 12, 40])
def test_it_covers_the_share_of_texts_whose_paragraphs_agree(share: float, clusters: int) -> None:
    generator = np.random.default_rng(0)
    studies, within = 600, (1 - 0.3) / 0.3
    covered = 0
    for _ in range(studies):
        totals = generator.integers(1, 7, clusters)
        chances = generator.beta(share * within, (1 - share) * within, clusters)
        found = generator.binomial(totals, chances)
        ends = clustered_share_interval(np.column_stack([totals - found, found]))
        assert ends is not None
        covered += ends[0] <= share <= ends[1]
    assert covered / studies >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / studies)


def test_a_mean_of_single_items_is_students() -> None:
    values = np.random.default_rng(3).normal(size=15)
    low, high = student.interval(
        0.95, 14, loc=values.mean(), scale=values.std(ddof=1) / np.sqrt(15)
    )
    assert clustered_mean_interval(values, np.ones(15, np.int64)) == pytest.approx((low, high))
    assert clustered_mean_interval(values[:2], np.ones(2, np.int64)) is None


def test_other_shapes_are_refused() -> None:
    with pytest.raises(SettingError, match="two counts"):
        clustered_share_interval(np.array([1, 2]))
    with pytest.raises(SettingError, match="one sum"):
        clustered_mean_interval(np.zeros(2), np.zeros(3, np.int64))
