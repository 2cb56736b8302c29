"""The analysis of variance of a balanced crossed table with replicates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import FloatArray
from fairvec.stats.squares import check_squares

ROUNDING = 1e-13
"""A share of the largest value: values that differ by no more are equal."""

FEWEST_REPLICATES = 2
"""With one value a cell nothing tells chance from the interaction of all factors."""


@dataclass(frozen=True)
class CrossedTerm:
    """What some factors together explain, beyond what fewer of them do.

    `omega2` and `component` are unbiased before they are cut off, and so may be below zero.
    """

    axes: tuple[int, ...]
    df: int
    sum_of_squares: float
    eta2: float
    omega2: float
    component: float


@dataclass(frozen=True)
class Decomposition:
    """All terms of a table, and what is left to the replicates within a cell."""

    terms: tuple[CrossedTerm, ...]
    residual_df: int
    residual: float
    residual_share: float


def decomposed(table: FloatArray) -> Decomposition:
    """Take a table apart: an axis for each factor, the last one for replicates.

    With SS(S) the sum of squares of the factors S (N values, N/L(S) at each of their L(S) joint
    levels), df(S) = prod (L - 1), and MSE the mean square of replicates around their cells,

        eta2(S) = SS(S) / SS(total),    omega2(S) = (SS(S) - df(S) MSE) / (SS(total) + MSE)

    and the variance component, were the levels of all factors drawn at random from many, from
    the expected mean squares E MS(S) = var(e) + sum over T containing S of N/L(T) var(T):

        var(S) = L(S)/N sum over T containing S of (-1)^|T - S| (MS(T) - MSE).

    omega2 and the residual share add up to 1. A share near 1 says that a factor decides, 0 that it
    does nothing, below 0 that it does less than chance gives. Hays (1963), Statistics for
    Psychologists; Searle, Casella and McCulloch (1992), Variance Components, chapter 4.
    """
    shape = _checked(table).shape
    if np.ptp(table) <= ROUNDING * np.abs(table).max():
        raise SettingError("All values are equal, so that there is nothing to explain.")
    total = float(((table - table.mean()) ** 2).sum())
    residual_df = prod(shape) - prod(shape[:-1])
    residual = float(((table - table.mean(axis=-1, keepdims=True)) ** 2).sum()) / residual_df
    found = {term: _sum_of_squares(table, term) for term in terms_of(varied(table))}
    freedom = {term: prod(shape[axis] - 1 for axis in term) for term in found}
    excess = {term: sums / freedom[term] - residual for term, sums in found.items()}
    return Decomposition(
        terms=tuple(
            CrossedTerm(
                axes=term,
                df=freedom[term],
                sum_of_squares=sums,
                eta2=sums / total,
                omega2=(sums - freedom[term] * residual) / (total + residual),
                component=_component(term, excess, prod(shape), shape),
            )
            for term, sums in found.items()
        ),
        residual_df=residual_df,
        residual=residual,
        residual_share=residual * table.size / (total + residual),
    )


def varied(table: FloatArray) -> tuple[int, ...]:
    """Return the axes of the factors that have two levels or more."""
    return tuple(axis for axis in range(table.ndim - 1) if table.shape[axis] > 1)


def terms_of(axes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return every set of factors: single ones first, then pairs, and so on."""
    return [term for size in range(1, len(axes) + 1) for term in combinations(axes, size)]


def _sum_of_squares(table: FloatArray, term: tuple[int, ...]) -> float:
    others = tuple(axis for axis in range(table.ndim) if axis not in term)
    effects = table.mean(axis=others, keepdims=True)
    for axis in term:
        effects = effects - effects.mean(axis=axis, keepdims=True)
    return float((effects**2).sum() * (table.size // effects.size))


def _component(
    term: tuple[int, ...],
    excess: dict[tuple[int, ...], float],
    size: int,
    shape: Sequence[int],
) -> float:
    above = (other for other in excess if set(term) <= set(other))
    signed = sum((-1.0) ** (len(other) - len(term)) * excess[other] for other in above)
    return float(signed * prod(shape[axis] for axis in term) / size)


def _checked(table: FloatArray) -> FloatArray:
    if table.ndim < 2 or table.shape[-1] < FEWEST_REPLICATES or not np.isfinite(table).all():
        raise SettingError(
            "A crossed table needs a finite number in every cell, and two or more replicates."
        )
    check_squares(table)
    if not varied(table):
        raise SettingError("No factor has two levels, so that there is nothing to compare.")
    return table
