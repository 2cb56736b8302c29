"""How many units of each cell may carry the label, so that every test keeps its sizes.

Of a cell with m units, k carry the label in comb(m, k) ways. A test keeps its number of X where
the sum of sign * k over its cells stays what it is. Vectors k with that property are listed cell by
cell; what the cells to come cannot make good again is dropped at once, and a cell that only one sum
knows takes what the others leave.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.joint.units import UnitCell

MOST_VECTORS = 2**17
"""So many vectors are listed; where there are more, the smallest cells keep their number."""

CHOICES = 16
"""So many times more may be looked at in one step."""


@dataclass(frozen=True, eq=False)
class LinkedCells:
    """Cells that share a test, directly or through others; every other cell moves without them.

    Each row of `counts` says how many units of each cell carry the label, with probability
    `chances`; the logarithm of how many labellings there are is `log_labellings`. `held` is the
    number of cells whose count had to stay as it is.
    """

    cells: tuple[UnitCell, ...]
    counts: IntArray
    logs: FloatArray
    held: int

    @cached_property
    def log_labellings(self) -> float:
        """The logarithm of the number of labellings."""
        return float(np.logaddexp.reduce(self.logs))

    @cached_property
    def chances(self) -> FloatArray:
        """The probability of each row."""
        weights: FloatArray = np.exp(self.logs - self.log_labellings)
        return np.asarray(weights / weights.sum(), np.float64)

    @property
    def constraints(self) -> int:
        """How many different sums its tests keep."""
        return len(_sums_kept(self.cells))


def components_of(cells: Sequence[UnitCell], most: int = MOST_VECTORS) -> list[LinkedCells]:
    """Return the cells in components, each with its vectors of counts."""
    parts: list[tuple[set[int], list[UnitCell]]] = []
    for cell in cells:
        tests, own = {*cell.tests.tolist()}, [cell]
        for linked in [part for part in parts if part[0] & tests]:
            parts.remove(linked)
            tests, own = tests | linked[0], linked[1] + own
        parts.append((tests, own))
    return [_component(own, most) for _, own in sorted(parts, key=lambda part: min(part[0]))]


def _component(cells: list[UnitCell], most: int) -> LinkedCells:
    kept = _sums_kept(cells)
    sizes = np.array([cell.units for cell in cells])
    observed = np.array([int(cell.marked.sum()) for cell in cells])
    shared = np.flatnonzero((kept != 0).sum(axis=0) > 1)
    # Large cells first: what small ones add to them is soon known.
    order = shared[np.argsort(-sizes[shared], kind="stable")].tolist()
    listed = {len(order): observed[None, :]}

    def holding(few: int) -> bool:
        found = _listed(kept, sizes, observed, order, few, most)
        if found is not None:
            listed[few] = found
        return found is not None

    # The fewest that have to be held: what all labellings that are left have in common decides it.
    held = 0 if holding(0) else bisect_left(range(len(order)), True, key=holding)
    counts = listed[held]
    logs = (gammaln(sizes + 1) - gammaln(counts + 1) - gammaln(sizes - counts + 1)).sum(axis=1)
    return LinkedCells(tuple(cells), counts, logs, held)


def _sums_kept(cells: Sequence[UnitCell]) -> IntArray:
    """Return the different sums of counts that stay, one a row, by the sign of each cell in it.

    Tests of the same units keep the same sum, whichever of their lists is called X.
    """
    tests = sorted({at for cell in cells for at in cell.tests.tolist()})
    rows = np.zeros((len(tests), len(cells)), np.int64)
    for column, cell in enumerate(cells):
        rows[np.searchsorted(tests, cell.tests), column] = cell.signs
    first = rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)]
    return np.unique(rows * first[:, None], axis=0)


def _listed(
    kept: IntArray, sizes: IntArray, observed: IntArray, order: list[int], held: int, most: int
) -> IntArray | None:
    """Return every vector of counts, or None as soon as there are more than so many.

    The last `held` cells of the order keep their count.
    """
    fixed, free = order[len(order) - held :], order[: len(order) - held]
    counts = np.zeros((1, len(sizes)), np.int64)
    counts[0, fixed] = observed[fixed]
    # What is still to be reached by the cells that are not yet decided.
    wanted = (kept @ observed)[None, :] - counts @ kept.T
    least, largest = np.minimum(kept * sizes, 0), np.maximum(kept * sizes, 0)
    low = least.sum(axis=1) - least[:, fixed].sum(axis=1)
    high = largest.sum(axis=1) - largest[:, fixed].sum(axis=1)
    for at in free:
        choices = np.arange(sizes[at] + 1)
        low, high = low - least[:, at], high - largest[:, at]
        if len(counts) * len(choices) > CHOICES * most:
            return None
        possible: NDArray[np.bool_] = np.ones((len(counts), len(choices)), np.bool_)
        for row in np.flatnonzero(kept[:, at]).tolist():
            left = wanted[:, row, None] - choices * kept[row, at]
            possible &= (left >= low[row]) & (left <= high[row])
        rows, chosen = np.nonzero(possible)
        if len(rows) > most:
            return None
        counts, wanted = counts[rows], wanted[rows] - np.outer(chosen, kept[:, at])
        counts[:, at] = chosen
    for row, cell in np.argwhere(kept).tolist():
        if cell not in order:  # known to this sum alone
            counts[:, cell] = wanted[:, row] * kept[row, cell]
    return counts
