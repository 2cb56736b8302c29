"""Analysis of variance, exchange tests, shares and trends."""

from itertools import permutations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import chndtrinc
from scipy.stats import ncx2

from fairvec.core.errors import SettingError
from fairvec.stats import (
    anova_table,
    factor_permutation_test,
    omega2_intervals,
    permutation_test,
    trend_test,
)
from fairvec.stats.anova import LARGE, _noncentrality, smallest_of_orders

# --- decomposition ---


TABLES = st.tuples(*[st.integers(2, 3)] * 3).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-2, 2, width=32))
)


def test_a_small_table_worked_by_hand() -> None:
    # Two corpora x two windows x two seeds. Cell means 1, 3, 5, 11; each seed 1 from its mean.
    table = np.array([[[0, 2], [2, 4]], [[4, 6], [10, 12]]], np.float64)
    found = anova_table(table)
    # Grand mean 5; corpora 2 and 8 (8 values at 3 from it); windows 3 and 7 (at 2 from it);
    # interaction 1 in every cell; residual 1 in every value.
    assert [(term.axes, term.df) for term in found.terms] == [((0,), 1), ((1,), 1), ((0, 1), 1)]
    assert [term.sum_of_squares for term in found.terms] == pytest.approx([72, 32, 8])
    assert found.residual_df == 4
    assert found.residual == pytest.approx(2)
    corpus, window, both = found.terms
    assert corpus.eta2 == pytest.approx(72 / 120)
    assert corpus.omega2 == pytest.approx((72 - 2) / 122)
    # E MS(both) = var(e) + 2 var(both), E MS(corpus) = var(e) + 2 var(both) + 4 var(corpus)
    assert both.component == pytest.approx((8 - 2) / 2)
    assert corpus.component == pytest.approx((72 - 8) / 4)
    assert window.component == pytest.approx((32 - 8) / 4)


def test_components_are_unbiased_in_a_design_whose_components_are_known() -> None:
    generator = np.random.default_rng(7)
    levels, seeds, repeats = (3, 2, 4), 3, 3_000
    true = {(0,): 1.0, (1,): 0.25, (2,): 0.0, (0, 1): 0.5, (0, 2): 0.1, (1, 2): 0.0, (0, 1, 2): 0.2}
    found: dict[tuple[int, ...], list[float]] = {term: [] for term in true}
    residuals = []
    for _ in range(repeats):
        table = 0.7 * generator.normal(size=(*levels, seeds))
        for term, variance in true.items():
            shape = [levels[axis] if axis in term else 1 for axis in range(3)]
            table = table + np.sqrt(variance) * generator.normal(size=(*shape, 1))
        taken = anova_table(table)
        residuals.append(taken.residual)
        for one in taken.terms:
            found[one.axes].append(one.component)
    for term, variance in true.items():
        error = np.std(found[term]) / np.sqrt(repeats)
        assert abs(np.mean(found[term]) - variance) < 4 * error, term
    assert np.mean(residuals) == pytest.approx(0.49, abs=4 * np.std(residuals) / repeats**0.5)


def test_omega2_is_unbiased_for_what_is_not_there() -> None:
    generator = np.random.default_rng(8)
    effects = np.array([-1.0, 1.0])[:, None, None]
    found = [anova_table(effects + generator.normal(size=(2, 3, 3))).terms for _ in range(3_000)]
    for place in (1, 2):  # the second factor and the interaction do nothing
        values = [terms[place].omega2 for terms in found]
        assert abs(np.mean(values)) < 4 * np.std(values) / len(values) ** 0.5
        assert np.mean([terms[place].eta2 for terms in found]) > 0.02  # which eta2 does not know


@given(TABLES)
def test_sums_of_squares_and_shares_add_up(table: np.ndarray) -> None:
    if np.ptp(table) < 1e-3:
        return
    found = anova_table(table)
    total = ((table - table.mean()) ** 2).sum()
    within = found.residual * found.residual_df
    assert sum(term.sum_of_squares for term in found.terms) + within == pytest.approx(total)
    assert sum(term.df for term in found.terms) + found.residual_df == table.size - 1
    assert sum(term.omega2 for term in found.terms) + found.residual_share == pytest.approx(1)


@given(TABLES, st.floats(0.1, 5), st.floats(-3, 3))
def test_shares_know_neither_unit_nor_order_of_levels(
    table: np.ndarray, scale: float, shift: float
) -> None:
    if np.ptp(table) < 1e-3:
        return
    changed = anova_table(shift + scale * table[::-1])
    for one, other in zip(anova_table(table).terms, changed.terms, strict=True):
        assert other.omega2 == pytest.approx(one.omega2, abs=1e-6)
        assert other.component == pytest.approx(scale**2 * one.component, abs=1e-6)


def test_terms_agree_with_least_squares_on_dummies() -> None:
    generator = np.random.default_rng(3)
    shape = (2, 3, 2, 3)
    table = generator.normal(size=shape)
    rows = list(product(*map(range, shape)))
    values = np.array([table[row] for row in rows])

    def unexplained(*terms: tuple[int, ...]) -> float:
        columns = [np.ones(len(rows))]
        for term in terms:
            for levels in product(*(range(shape[axis]) for axis in term)):
                is_here = [all(row[a] == x for a, x in zip(term, levels)) for row in rows]  # noqa: B905
                columns.append(np.array(is_here, float))
        design = np.stack(columns, axis=1)
        fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
        return float(((values - fitted) ** 2).sum())

    found = {term.axes: term for term in anova_table(table).terms}
    assert found[0,].sum_of_squares == pytest.approx(unexplained() - unexplained((0,)))
    both = unexplained((1,), (2,)) - unexplained((1,), (2,), (1, 2))
    assert found[1, 2].df == 2
    assert found[1, 2].sum_of_squares == pytest.approx(both)


def test_a_factor_of_one_level_takes_no_part() -> None:
    table = np.random.default_rng(1).normal(size=(2, 1, 3, 2))
    without = anova_table(table[:, 0])
    assert [term.axes for term in anova_table(table).terms] == [(0,), (2,), (0, 2)]
    assert [t.component for t in anova_table(table).terms] == pytest.approx(
        [t.component for t in without.terms]
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.ones((2, 3)), "nothing to explain"),
        (np.array([[1.0], [2.0]]), "two or more replicates"),
        (np.array([[1.0, np.nan], [2.0, 3.0]]), "finite number"),
        (np.array([[1.0, 2.0]]), "No factor has two levels"),
    ],
    ids=["all equal", "one replicate", "a hole", "one level"],
)
def test_what_cannot_be_taken_apart_is_refused(table: np.ndarray, message: str) -> None:
    assert prod(table.shape)
    with pytest.raises(SettingError, match=message):
        anova_table(table)


@pytest.mark.parametrize("value", [0.0, 0.1, 0.7, 1e-100, 2.3e50])
def test_equal_values_have_nothing_to_explain_however_their_mean_is_rounded(value: float) -> None:
    with pytest.raises(SettingError, match="All values are equal"):
        anova_table(np.full((2, 3, 2, 3), value))


# --- exchange ---


def listed(table: np.ndarray, levels: int, replicates: int) -> list[float]:
    """Return the main effect's sum of squares in every arrangement, one stratum or more."""
    strata = [table[:, stratum].ravel() for stratum in range(table.shape[1])]
    size = levels * replicates
    found = []
    for orders in product(permutations(range(size)), repeat=len(strata)):
        sums = np.zeros(levels)
        for values, order in zip(strata, orders, strict=True):
            sums += values[list(order)].reshape(levels, replicates).sum(axis=1)
        found.append(float(((sums - sums.mean()) ** 2).sum()))
    return found


def test_two_levels_are_counted_as_every_arrangement_would() -> None:
    table = np.random.default_rng(2).normal(size=(2, 2, 2)) + np.array([0, 0.8])[:, None, None]
    every = listed(table, 2, 2)
    found = factor_permutation_test(table, 0)
    assert found.exact
    assert found.value == pytest.approx(np.mean([one >= every[0] - 1e-9 for one in every]))
    assert found.smallest == pytest.approx(2 / 36)


def test_one_stratum_is_the_two_sample_test() -> None:
    table = np.random.default_rng(3).normal(size=(2, 5)) + np.array([[0.0], [1.0]])
    p = permutation_test(table[0], table[1])
    assert factor_permutation_test(table, 0).value == pytest.approx(p.value)


def test_three_levels_are_drawn_near_the_share_of_all_arrangements() -> None:
    table = np.random.default_rng(4).normal(size=(3, 1, 2)) + np.array([0, 0, 1.5])[:, None, None]
    every = listed(table, 3, 2)
    found = factor_permutation_test(table, 0, samples=20_000)
    assert not found.exact
    assert found.value == pytest.approx(
        np.mean([one >= every[0] - 1e-9 for one in every]), abs=0.02
    )


@pytest.mark.parametrize(
    "shape", [(10, 2, 2, 2, 5), (8, 12, 5), (3, 100, 3), (2, 40, 5), (3, 2, 3), (2, 2, 2)]
)
@pytest.mark.parametrize("samples", [1, 99])
def test_no_table_of_any_shape_gives_less_than_the_smallest_p(
    shape: tuple[int, ...], samples: int
) -> None:
    """Not even one whose levels lie as far apart as values can: it gives just that."""
    far = np.arange(shape[0], dtype=float).reshape(-1, *[1] * (len(shape) - 1))
    table = 1e3 * far + np.random.default_rng(7).random(shape)
    found = factor_permutation_test(table, 0, samples=samples)
    assert 0 < found.smallest <= found.value <= 1
    assert found.value == pytest.approx(found.smallest)
    assert found.exact or found.smallest == 1 / (samples + 1)


def test_the_axis_is_the_factor_that_is_asked_for() -> None:
    table = np.random.default_rng(5).normal(size=(2, 2, 3)) * 0.1
    table[:, 1] += 5.0  # only the second factor matters
    assert factor_permutation_test(table, 1).value == factor_permutation_test(table, 1).smallest
    assert factor_permutation_test(table, 0).value > 0.05


@pytest.mark.parametrize("shape", [(2, 3, 3), (3, 2, 3)], ids=["two levels", "three levels"])
def test_the_level_is_kept_where_a_factor_does_nothing(shape: tuple[int, ...]) -> None:
    generator = np.random.default_rng(6)
    strata = 2.0 * np.arange(shape[1])[None, :, None]  # the other factor matters much
    tables = (generator.standard_t(3, size=shape) + strata for _ in range(600))
    p = np.array([factor_permutation_test(table, 0, samples=199).value for table in tables])
    assert 0.025 < np.mean(p <= 0.05) < 0.08
    assert 0.15 < np.mean(p <= 0.2) < 0.25


def test_equal_values_give_no_evidence() -> None:
    assert factor_permutation_test(np.full((2, 2, 2), 0.3), 0).value == 1.0
    assert factor_permutation_test(np.full((3, 2, 2), 0.3), 0).value == 1.0


# --- shares ---


MEANS = (
    np.array([-0.5, 0.5])[:, None, None]
    + 0.5 * np.array([-0.6, 0.1, 0.5])[None, :, None]
    + 0.3 * np.array([-0.5, 0.5])[None, None, :]
)[..., None]


def true_shares(noise: float) -> dict[tuple[int, ...], float]:
    nearly = np.concatenate([MEANS - 1e-9, MEANS + 1e-9], axis=-1)
    whole = MEANS.var() + noise**2
    return {
        term.axes: term.sum_of_squares / nearly.size / whole for term in anova_table(nearly).terms
    }


@pytest.mark.parametrize("noise", [0.2, 0.5], ids=["little noise", "much noise"])
def test_intervals_cover_the_true_shares(noise: float) -> None:
    generator = np.random.default_rng(1)
    true, repeats = true_shares(noise), 300
    covered = dict.fromkeys(true, 0)
    for _ in range(repeats):
        table = MEANS + noise * generator.normal(size=(2, 3, 2, 3))
        for term, (low, high) in omega2_intervals(table, draws=300).items():
            covered[term] += low - 1e-9 <= true[term] <= high + 1e-9
    assert min(covered.values()) / repeats > 0.9
    assert np.mean(list(covered.values())) / repeats > 0.935


def test_the_same_seed_gives_the_same_ends_around_the_share() -> None:
    table = MEANS + 0.2 * np.random.default_rng(2).normal(size=(2, 3, 2, 3))
    first = omega2_intervals(table)
    assert first == omega2_intervals(table)
    for term in anova_table(table).terms:
        low, high = first[term.axes]
        assert 0 <= low <= max(term.omega2, 0) <= high + 0.02 <= 1.02


@pytest.mark.parametrize("df", [1, 3, 8])
@pytest.mark.parametrize("p", [0.025, 0.5, 0.975])
def test_far_out_a_noncentral_chi_square_is_as_near_as_no_matter(df: int, p: float) -> None:
    """Beyond `LARGE` a formula, below it scipy's: to a thousandth of the deviation a df is off."""
    (far,) = _noncentrality(np.array([LARGE * 1.001]), df, np.array([p]))
    assert far == pytest.approx(chndtrinc(LARGE * 1.001, df, p), abs=0.3)
    assert ncx2.cdf(LARGE * 1.001, df, far) == pytest.approx(p, abs=1e-3)


def test_little_noise_leaves_no_doubt_and_none_at_all_no_width() -> None:
    table = MEANS + 1e-4 * np.random.default_rng(3).normal(size=(2, 3, 2, 3))
    low, high = omega2_intervals(table)[0,]
    assert high - low < 1e-3
    low, high = omega2_intervals(np.repeat(MEANS, 2, axis=-1))[0,]
    assert low == high == pytest.approx(0.25 / MEANS.var())


# --- trend ---


numbers = st.floats(-5, 5).map(lambda number: round(number, 3))


@given(st.lists(st.tuples(numbers, st.integers(1900, 1906)), min_size=3, max_size=5))
def test_p_is_the_share_of_orders_with_as_steep_a_line(points: list[tuple[float, int]]) -> None:
    values, when = (np.array(column, float) for column in zip(*points, strict=True))
    if len(set(when)) < 2:
        return
    found = trend_test(values, when)
    slopes = [np.polyfit(when - 1900, order, 1)[0] for order in permutations(values)]
    steep = np.abs(slopes) >= abs(slopes[0]) - 1e-7
    assert found.slope == pytest.approx(slopes[0], abs=1e-6)
    assert found.value == pytest.approx(np.mean(steep))
    assert found.exact
    assert found.smallest <= found.value * (1 + 1e-12)


@given(st.lists(numbers, min_size=4, max_size=5, unique=True), st.floats(0.01, 0.99))
def test_under_the_null_p_is_no_smaller_than_it_says(values: list[float], alpha: float) -> None:
    """If every order is as likely, p <= alpha comes up in a share of alpha at the most."""
    when = np.array([1930, 1950, 1955, 1990, 2000][: len(values)], float)
    found = [trend_test(np.array(order), when).value for order in permutations(values)]
    assert np.mean(np.array(found) <= alpha) <= alpha + 1e-12


@pytest.mark.parametrize(
    ("when", "smallest"),
    [([1, 2, 3], 2 / 6), ([1, 2, 4], 1 / 6), ([1, 2, 3, 4, 5], 2 / 120), ([1, 1, 2, 2], 8 / 24)],
    ids=["three", "uneven", "five", "twice two"],
)
def test_the_smallest_p_comes_up_in_the_steepest_order(when: list[int], smallest: float) -> None:
    times = np.array(when, float)
    assert smallest_of_orders(times) == pytest.approx(smallest)
    assert trend_test(times**1.0, times).value == pytest.approx(smallest)


def test_many_values_are_drawn_and_agree_with_all_orders() -> None:
    generator = np.random.default_rng(0)
    values, when = generator.normal(size=8), np.arange(8.0)
    values += 0.2 * when
    exact = trend_test(values, when)
    more = trend_test(np.append(values, values.mean()), np.append(when, when.mean()), seed=3)
    assert exact.exact
    assert not more.exact
    # A ninth value in the middle of both changes little; three errors of 9,999 draws.
    assert more.value == pytest.approx(exact.value, abs=0.03)
    assert more.slope == pytest.approx(exact.slope)


@pytest.mark.parametrize(
    ("values", "when"),
    [
        ([1, 2], [1, 2]),
        ([1, 2, 3], [1, 1, 1]),
        ([1, 2, float("nan")], [1, 2, 3]),
        ([1, 2, 3], [1, 2]),
    ],
    ids=["two", "one time", "no number", "a time is missing"],
)
def test_what_is_no_trend_is_refused(values: list[float], when: list[float]) -> None:
    with pytest.raises(SettingError, match="A trend needs 3"):
        trend_test(np.array(values, float), np.array(when, float))


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_the_unit_of_time_and_of_values_does_not_matter(scale: float) -> None:
    values, when = np.array([0.3, -0.1, 0.4, 0.9, 0.2]), np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    usual = trend_test(values, when)
    for found, slope in (
        (trend_test(values * scale, when), usual.slope * scale),
        (trend_test(values, when * scale), usual.slope / scale),
    ):
        assert (found.value, found.smallest) == (usual.value, usual.smallest)
        assert found.slope == pytest.approx(slope)


def test_drawn_orders_give_no_smaller_p_than_they_can() -> None:
    when = np.arange(12.0)
    found = trend_test(when, when, samples=99)
    assert not found.exact
    assert found.smallest == 0.01 <= found.value


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1e200, 5e307], ids=["tiny", "small", "big", "huge"])
def test_the_unit_of_time_changes_the_slope_and_no_p(unit: float) -> None:
    values, when = np.array([1.0, 2.0, 4.0, 3.0]), np.array([-1.0, 0.0, 1.0, 1.5])
    found, usual = trend_test(values, when * unit), trend_test(values, when)
    assert found.value == usual.value
    assert found.slope * unit == pytest.approx(usual.slope, rel=1e-12)
