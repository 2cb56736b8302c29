from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairvec.core.errors import SettingError
from fairvec.stats import anova_table

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
    ("table", "said"),
    [
        (np.ones((2, 3)), "nothing to explain"),
        (np.array([[1.0], [2.0]]), "two or more replicates"),
        (np.array([[1.0, np.nan], [2.0, 3.0]]), "finite number"),
        (np.array([[1.0, 2.0]]), "No factor has two levels"),
    ],
    ids=["all equal", "one replicate", "a hole", "one level"],
)
def test_what_cannot_be_taken_apart_is_refused(table: np.ndarray, said: str) -> None:
    assert prod(table.shape)
    with pytest.raises(SettingError, match=said):
        anova_table(table)


@pytest.mark.parametrize("value", [0.0, 0.1, 0.7, 1e-100, 2.3e50])
def test_equal_values_have_nothing_to_explain_however_their_mean_is_rounded(value: float) -> None:
    with pytest.raises(SettingError, match="All values are equal"):
        anova_table(np.full((2, 3, 2, 3), value))
