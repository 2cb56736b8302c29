"""How many units of each cell may carry the label, so that every test keeps its sizes.

Of a cell with m units, k carry the label in comb(m, k) ways. A test keeps its number of X where
the sum of sign * k over its cells stays what it is. Vectors k with that property are listed cell by
cell; what the cells to come cannot make good again is dropped at once, and a cell that only one sum
knows takes what the others leave.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.joint.units import UnitCell

MOST_VECTORS = 2**17
"""So many vectors are listed; where there are more, the numbers of large cells move in steps."""

CHOICES = 16
"""So many times more may be looked at in one step."""


@dataclass(frozen=True, eq=False)
class CountVectors:
    """Every vector of counts (a row), with the logarithm of how many labellings have it.

    `coarse` is the number of cells whose counts move in steps of two or more, because there are too
    many vectors otherwise. What a count leaves after division by its step is then given, and a
    test given that is as valid.
    """

    counts: IntArray
    logs: FloatArray
    coarse: int

    @cached_property
    def log_labellings(self) -> float:
        """The logarithm of the number of labellings."""
        return float(np.logaddexp.reduce(self.logs))

    @cached_property
    def borders(self) -> FloatArray:
        """The chances of all vectors up to each one, of labellings that are equally likely."""
        return np.cumsum(np.exp(self.logs - self.log_labellings))

    @cached_property
    def means(self) -> FloatArray:
        """The mean count of each cell."""
        return self._chances @ self.counts.astype(np.float64)

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of the cells' counts."""
        away = self.counts - self.means
        return (self._chances * away.T) @ away

    @property
    def _chances(self) -> FloatArray:
        chances: FloatArray = np.exp(self.logs - self.log_labellings)
        return np.asarray(chances / chances.sum(), np.float64)


@dataclass(frozen=True, eq=False)
class LinkedCells:
    """Cells that share a test, directly or through others; every other cell moves without them."""

    cells: tuple[UnitCell, ...]
    vectors: CountVectors


def components_of(cells: Sequence[UnitCell], most: int) -> list[LinkedCells]:
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
    sizes = tuple(cell.units for cell in cells)
    observed = tuple(int(cell.marked.sum()) for cell in cells)
    return LinkedCells(tuple(cells), _vectors(kept.tobytes(), sizes, observed, most))


# Every model and metric asks for the same lists again.
@lru_cache(maxsize=16)
def _vectors(
    signs: bytes, units: tuple[int, ...], marked: tuple[int, ...], most: int
) -> CountVectors:
    """List the vectors of counts, in steps where there are too many.

    Steps only ever double, and finer ones are tried first: so every labelling with the same rests
    finds the same steps.
    """
    kept = np.frombuffer(signs, np.int64).reshape(-1, len(units))
    sizes, observed = np.array(units), np.array(marked)
    shared = np.flatnonzero((kept != 0).sum(axis=0) > 1)
    # Large cells first: what small ones add to them is soon known.
    order = shared[np.argsort(-sizes[shared], kind="stable")].tolist()
    steps = np.ones(len(units), np.int64)
    while (counts := _listed(kept, sizes, observed, order, steps, most)) is None:
        steps[max(order, key=lambda at: sizes[at] // steps[at])] *= 2
    logs = (gammaln(sizes + 1) - gammaln(counts + 1) - gammaln(sizes - counts + 1)).sum(axis=1)
    return CountVectors(counts, logs, int((steps > 1).sum()))


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
    kept: IntArray,
    sizes: IntArray,
    observed: IntArray,
    order: list[int],
    steps: IntArray,
    most: int,
) -> IntArray | None:
    """Return every vector of counts, or None as soon as there are more than so many."""
    counts = np.zeros((1, len(sizes)), np.int64)
    # What is still to be reached by the cells that are not yet decided.
    wanted = (kept @ observed)[None, :]
    least, largest = np.minimum(kept * sizes, 0), np.maximum(kept * sizes, 0)
    low, high = least.sum(axis=1), largest.sum(axis=1)
    for at in order:
        choices = np.arange(observed[at] % steps[at], sizes[at] + 1, steps[at])
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
        counts, wanted = counts[rows], wanted[rows] - np.outer(choices[chosen], kept[:, at])
        counts[:, at] = choices[chosen]
    for row, cell in np.argwhere(kept).tolist():
        if cell not in order:  # known to this sum alone
            counts[:, cell] = wanted[:, row] * kept[row, cell]
    return counts
