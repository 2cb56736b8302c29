"""Whether a factor matters at all: its levels exchanged within the strata of the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial

import numpy as np

from fairvec.ground.settings import Count, Seed
from fairvec.stats.arrays import FloatArray
from fairvec.stats.squares import check_squares

MOST_SUMS = 2**20
"""So many sums of half the strata are listed; with more, arrangements are drawn."""

ROUNDING = 1e-9
"""Statistics that differ by less of their own size tie: rounding alone may tell them apart."""


@dataclass(frozen=True)
class ExchangeP:
    """The share of arrangements in which the levels differ as much as they do.

    `smallest` is the smallest share that a table of this shape can give.
    """

    value: float
    exact: bool
    arrangements: float
    smallest: float


def exchange_test(
    table: FloatArray, axis: int, *, samples: Count = 9_999, seed: Seed = 0
) -> ExchangeP:
    """Return how often exchanging the levels of a factor gives as large a main effect.

    Under the null that the factor changes nothing, in no stratum of the other factors, the L n
    values of a stratum may change places; the statistic is the sum of squares of the main effect.
    Two levels are counted exactly (the sum over strata of one level's values, all sums of one half
    of the strata held against those of the other); otherwise arrangements are drawn and
    p = (c + 1) / (N + 1). A small p says that the levels differ by more than seeds do. It says
    nothing of levels that are not in the table, and is no test of the main effect alone where the
    factor matters in interactions.

    Edgington and Onghena (2007), Randomization Tests, chapter 6.
    """
    check_squares(table)
    strata = np.moveaxis(table, axis, 0).reshape(table.shape[axis], -1, table.shape[-1])
    levels, count, replicates = strata.shape
    values = np.moveaxis(strata, 1, 0).reshape(count, levels * replicates)
    # Around the mean of each stratum, which no exchange changes: so sums lose no digits.
    values = values - values.mean(axis=1, keepdims=True)
    ways = factorial(levels * replicates) // factorial(replicates) ** levels
    arrangements = float(ways) ** count
    # The levels may change names in every stratum at once, and the statistic stays.
    smallest = min(1.0, factorial(levels) / arrangements)
    if levels == 2 and comb(2 * replicates, replicates) ** -(-count // 2) <= MOST_SUMS:
        share = _exact(values, replicates)
        return ExchangeP(share, True, arrangements, smallest)
    observed = _statistic(values.reshape(1, count, levels, replicates))[0]
    generator = np.random.default_rng(seed)
    as_large, block = 0, max(1, MOST_SUMS // values.size)
    for start in range(0, samples, block):
        cases = min(block, samples - start)
        drawn = generator.permuted(np.broadcast_to(values, (cases, *values.shape)), axis=2)
        found = _statistic(drawn.reshape(cases, count, levels, replicates))
        as_large += int((found >= observed * (1 - ROUNDING)).sum())
    return ExchangeP((as_large + 1) / (samples + 1), False, arrangements, smallest)


def _statistic(tables: FloatArray) -> FloatArray:
    """Return the sum over levels of the squared sum of their values, all strata together."""
    found: FloatArray = (tables.sum(axis=(1, 3)) ** 2).sum(axis=1)
    return found


def _exact(values: FloatArray, replicates: int) -> float:
    """Return the share of arrangements whose first level's sum is as far from zero."""
    observed = abs(float(values[:, :replicates].sum()))
    scale = float(np.abs(values).sum())
    half = len(values) // 2
    left = np.sort(_all_sums(values[:half], replicates))
    right = _all_sums(values[half:], replicates)
    edge = observed - ROUNDING * scale
    if edge <= 0:
        return 1.0
    above = len(left) - np.searchsorted(left, edge - right, side="left")
    below = np.searchsorted(left, -edge - right, side="right")
    return int(above.sum() + below.sum()) / (len(left) * len(right))


def _all_sums(strata: Sequence[FloatArray] | FloatArray, replicates: int) -> FloatArray:
    """Return the sums over strata of every choice of a level's values in each."""
    sums = np.zeros(1)
    for values in strata:
        chosen = np.array([*combinations(range(len(values)), replicates)])
        sums = (sums[:, None] + values[chosen].sum(axis=1)[None, :]).ravel()
    return sums
