"""Intervals of shares, and Fisher's exact test."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis import strategies as st
from scipy.stats import beta, binomtest, fisher_exact, hypergeom
from scipy.stats import t as student

from fairvec.core.errors import SettingError
from fairvec.stats.proportions import (
    clustered_mean_interval,
    clustered_share_interval,
    fisher_table,
    ranked_share,
    two_way_share_interval,
)
from tests.toys import limits_of

# --- Fisher's exact test against scipy's, and by hand ---


CELL = st.integers(0, 30)


@given(CELL, CELL, CELL, CELL)
def test_it_is_fishers(a: int, b: int, c: int, d: int) -> None:
    tables = fisher_table(a + b, c + d, a + c)
    assert tables.p(a) == pytest.approx(fisher_exact(np.array([[a, b], [c, d]]))[1], rel=1e-9)
    assert tables.smallest == pytest.approx(min(map(tables.p, tables.counts)), rel=1e-12)
    if not a + b + c + d:
        return
    chances = hypergeom(a + b + c + d, a + b, a + c).pmf(tables.counts)
    np.testing.assert_allclose(tables.chances, chances, rtol=1e-8, atol=1e-300)


def test_a_tea_tasting() -> None:
    assert fisher_table(4, 4, 4).p(4) == pytest.approx(2 / 70)
    assert fisher_table(4, 4, 4).smallest == pytest.approx(2 / 70)
    with pytest.raises(SettingError, match="cannot be drawn"):
        fisher_table(1, 1, 3)
    with pytest.raises(SettingError, match="cannot hold 5"):
        fisher_table(4, 4, 4).p(5)


@given(CELL, CELL, st.data())
def test_the_likeliest_table_is_no_surprise_at_all(
    first: int, second: int, data: st.DataObject
) -> None:
    tables = fisher_table(first, second, data.draw(st.integers(0, first + second)))
    assert tables.p(int(tables.counts[tables.chances.argmax()])) == 1.0


# --- Intervals of shares and means whose items come in clusters ---


COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


@given(COUNTS)
def test_the_share_lies_inside_and_sides_are_a_mirror(counts: list[tuple[int, int]]) -> None:
    rows = np.array(counts)
    if (rows.sum(axis=1) > 0).sum() < 3:
        assert clustered_share_interval(rows) is None
        return
    ends = limits_of(clustered_share_interval(rows))
    share = rows[:, 1].sum() / rows.sum()
    assert 0 <= ends[0] <= share <= ends[1] <= 1
    turned = limits_of(clustered_share_interval(rows[:, ::-1]))
    assert turned == pytest.approx((1 - ends[1], 1 - ends[0]), abs=1e-9)


def test_one_item_a_cluster_is_nearly_clopper_and_pearson() -> None:
    rows = np.array([[1, 0]] * 40 + [[0, 1]] * 20)
    exact = binomtest(20, 60).proportion_ci(0.95, method="exact")
    assert limits_of(clustered_share_interval(rows)) == pytest.approx(
        (exact.low, exact.high), abs=0.01
    )
    none = binomtest(0, 12).proportion_ci(0.95, method="exact")
    assert limits_of(clustered_share_interval(np.array([[5, 0]] * 12))) == pytest.approx(
        (0, none.high)
    )


def korn_graubard(share: float, effective: float) -> tuple[float, float]:
    """Clopper and Pearson's ends with a number of items that need not be whole."""
    right, wrong = share * effective, (1 - share) * effective
    return (
        float(beta.ppf(0.025, right, wrong + 1)),
        float(beta.ppf(0.975, right + 1, wrong)),
    )


@given(some.integers(2, 9), some.integers(1, 5), some.integers(1, 5))
def test_clusters_of_one_kind_count_as_one_item_less_the_doubt_of_few(
    size: int, first: int, second: int
) -> None:
    """Each cluster of one side only: p (1 - p) / v = m - 1 items, times the squared ratio of t."""
    clusters = first + second
    if clusters < 3:
        return
    rows = np.array([[size, 0]] * first + [[0, size]] * second)
    ratio = student.ppf(0.975, clusters * size - 1) / student.ppf(0.975, clusters - 1)
    expected = korn_graubard(second / clusters, (clusters - 1) * ratio**2)
    assert limits_of(clustered_share_interval(rows)) == pytest.approx(expected, rel=1e-9)


def test_repeating_what_a_paragraph_says_adds_nothing() -> None:
    rows = np.array([[1, 0]] * 9 + [[0, 1]] * 6)
    once, thrice = (limits_of(clustered_share_interval(each)) for each in (rows, 3 * rows))
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
        interval = clustered_share_interval(np.column_stack([totals - found, found]))
        assert interval is not None
        covered += interval.contains(share)
    assert covered / studies >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / studies)


def test_a_mean_of_single_items_is_students() -> None:
    values = np.random.default_rng(3).normal(size=15)
    low, high = student.interval(
        0.95, 14, loc=values.mean(), scale=values.std(ddof=1) / np.sqrt(15)
    )
    found = clustered_mean_interval(values, np.ones(15, np.int64))
    assert limits_of(found) == pytest.approx((low, high))
    assert clustered_mean_interval(values[:2], np.ones(2, np.int64)) is None


def test_other_shapes_are_refused() -> None:
    with pytest.raises(SettingError, match="two counts"):
        clustered_share_interval(np.array([1, 2]))
    with pytest.raises(SettingError, match="one sum"):
        clustered_mean_interval(np.zeros(2), np.zeros(3, np.int64))


# --- combined ---


TABLE = [(f"d{i}", f"s{j}") for i, j in product(range(5), range(7))]
AMONG = [(f"p{i}", f"p{j}") for i, j in permutations(range(6), 2)]


@given(
    some.sampled_from([TABLE, AMONG]),
    some.integers(0, 2**32),
    some.floats(0, 1),
    some.floats(0.5, 0.99),
)
def test_the_share_lies_between_the_ends(
    names: list[tuple[str, str]], seed: int, chance: float, level: float
) -> None:
    right = (np.random.default_rng(seed).random(len(names)) < chance).astype(float)
    ends = limits_of(two_way_share_interval(right, names, level=level))
    assert 0 <= ends[0] <= right.mean() <= ends[1] <= 1
    wrong = limits_of(two_way_share_interval(1 - right, names, level=level))
    assert wrong == pytest.approx((1 - ends[1], 1 - ends[0]), abs=1e-9)


def test_one_thing_that_is_known_makes_its_items_one_witness() -> None:
    """The same number of right answers, of five things at once or spread over all."""
    first = np.array([float(one == "d0" or one == "d1") for one, _ in TABLE])
    draw = np.random.default_rng(0)
    spread = draw.permutation(first)
    together, apart = (limits_of(two_way_share_interval(each, TABLE)) for each in (first, spread))
    assert together[1] - together[0] > 1.5 * (apart[1] - apart[0])


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_where_all_answers_agree_the_scarcer_things_count(right: float) -> None:
    expected = binomtest(int(5 * right), 5).proportion_ci(method="exact")
    found = two_way_share_interval(np.full(len(TABLE), right), TABLE)
    assert limits_of(found) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("items", [3, 5, 12])
def test_items_that_share_nothing_have_no_more_freedom_than_items(items: int) -> None:
    """Each thing in one item: both kinds have the variance of the items, v = 2 p (1 - p)/(n - 1).

    Satterthwaite's degrees of freedom are then 2 (n - 1), of which n - 1 are there.
    """
    right = np.arange(items) < 2
    found = two_way_share_interval(right.astype(float), [(f"d{i}", f"s{i}") for i in range(items)])
    assert limits_of(found) == pytest.approx(korn_graubard(2 / items, (items - 1) / 2), rel=1e-9)


def test_two_things_say_nothing_of_others() -> None:
    names = [(f"d{i}", f"s{j}") for i, j in product(range(2), range(30))]
    assert two_way_share_interval(np.ones(60), names) is None


# --- couples: how well numbers tell two lists apart ---


@given(*2 * [st.lists(st.integers(-3, 3), min_size=1, max_size=8)])
def test_the_share_is_that_of_all_couples(a: list[int], b: list[int]) -> None:
    found = ranked_share(np.array(a, float), np.array(b, float))
    wins = [(x > y) + (x == y) / 2 for x in a for y in b]
    assert found.value == pytest.approx(np.mean(wins))
    mirrored = ranked_share(np.array(b, float), np.array(a, float))
    assert mirrored.value == pytest.approx(1 - found.value)
    if found.interval and mirrored.interval:
        assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
        assert found.interval.low == pytest.approx(1 - mirrored.interval.high)


def test_its_variance_is_that_of_delong() -> None:
    """By its definition, couple by couple."""
    random = np.random.default_rng(3)
    a, b = random.normal(1, 1, 7), random.normal(0, 1, 12)
    wins = (a[:, None] > b).astype(float)
    variance = wins.mean(axis=1).var(ddof=1) / 7 + wins.mean(axis=0).var(ddof=1) / 12
    value = wins.mean()
    found = ranked_share(a, b)
    assert found.interval is not None
    reach = student.ppf(0.975, 6) * np.sqrt(variance) / (value * (1 - value))
    for end, sign in ((found.interval.low, -1), (found.interval.high, 1)):
        assert np.log(end / (1 - end)) == pytest.approx(np.log(value / (1 - value)) + sign * reach)


def test_it_holds_the_true_share_as_often_as_it_says() -> None:
    random, true = np.random.default_rng(0), 0.7602499
    held = 0
    for _ in range(400):
        found = ranked_share(random.normal(1, 1, 20), random.normal(0, 1, 100))
        assert found.interval is not None
        held += found.interval.low <= true <= found.interval.high
    assert held >= 369  # the lower 1 % of Binomial(400, 0.95)


def test_where_no_spread_is_seen_there_is_no_interval() -> None:
    assert ranked_share(np.array([2.0, 3, 4]), np.array([1.0, 0, 1])).interval is None
    assert ranked_share(np.array([2.0, 0]), np.array([1.0, 0, 1])).interval is None
    with pytest.raises(SettingError):
        ranked_share(np.array([]), np.array([1.0]))
