"""Two lists whose sums are too many to list: counted on a coarse grid, between two bounds.

As in `two_lists`, but the sums of each size are counted by dynamic programming on rounded scores,
as in `certified`, once for all shifts. The remainders of the rounding say which regroupings may be
extreme, and the share of these is an upper bound of p.
"""

from math import ceil, comb, floor, sqrt

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.intervals.two_lists import Grid
from fairvec.stats.regrouping.certified import MOST_WORDS, CountedRow, reaching, rows_of

NARROW = 0.01
"""By so many standard errors the remainders may move an end: a few thousandths of d."""

MOST_CELLS = 2**23
"""Counts held of both lists at the most: 64 megabytes, and tenths of a second a shift."""


class CoarseLists:
    """Every regrouping of two lists of scores, rounded; the first is not the longer one."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._step = max(1, int(_coarsest(grid)))
        x, y = np.sort(grid.scores[: grid.nx]), np.sort(grid.scores[grid.nx :])
        self._first = _Rounded(x, self._step, grid.nx)
        self._second = _Rounded(y, self._step, grid.nx)

    @staticmethod
    def affordable(grid: Grid) -> bool:
        """Say whether the counts fit into floats, and into memory on a grid that is fine enough."""
        if len(grid.scores) > MOST_WORDS:
            return False
        x, y = np.sort(grid.scores[: grid.nx]), np.sort(grid.scores[grid.nx :])
        return _cells(x, grid.nx) + _cells(y, grid.nx) <= MOST_CELLS * max(1, _coarsest(grid))

    def p_of_shift(self, shift: float) -> float:
        """Return an upper bound of the two-sided p of the scores with X less by `shift`."""
        grid, possibly = self.grid, 0.0
        longest = 0
        for centre, extreme, stayed in grid.tails(shift):
            came = grid.nx - stayed
            first, second = self._first.rows[stayed], self._second.rows[came]
            longest = max(longest, len(first.counts) + len(second.counts))
            most = self._first.most(stayed) + self._second.most(came)
            least = self._first.least(stayed) + self._second.least(came)
            above = -((most - ceil(centre + extreme)) // self._step)
            below = -((floor(centre - extreme) - least) // self._step)
            possibly += reaching(first, second, [above])[0]
            possibly += reaching(first.negated(), second.negated(), [below])[0]
        # As in `certified`: only positive numbers are added and multiplied.
        slack = (longest + 2 * len(grid.scores) + 16) * float(np.finfo(np.float64).eps)
        return min(1.0, possibly / comb(len(grid.scores), grid.nx) * (1 + slack))


class _Rounded:
    """One list on the grid: subsets of each size by their sum, and what rounding hides."""

    def __init__(self, scores: IntArray, step: int, largest: int) -> None:
        cells = (scores + step // 2) // step
        remainders = np.sort(scores - cells * step)
        self.rows: list[CountedRow] = rows_of(cells, largest)
        self._sums = np.concatenate([[0], np.cumsum(remainders)])
        self._sums_from_above = np.concatenate([[0], np.cumsum(remainders[::-1])])

    def least(self, size: int) -> int:
        """Return the least that the remainders of so many words add up to."""
        return int(self._sums[size])

    def most(self, size: int) -> int:
        """Return the most that the remainders of so many words add up to."""
        return int(self._sums_from_above[size])


def _coarsest(grid: Grid) -> float:
    """Return the step of the coarsest grid on which rounding moves no end too far.

    Half a step each is the most that the remainders of the nx words of a list add up to.
    """
    spread = float(grid.scores.std()) * sqrt(grid.nx * grid.ny / len(grid.scores))
    return 2 * NARROW * spread / grid.nx


def _cells(scores: IntArray, largest: int) -> float:
    """Return how many counts the subsets of up to `largest` sorted scores need on the unit grid."""
    widths: FloatArray = np.cumsum((scores[::-1] - scores).astype(np.float64))[:largest]
    return float(widths.sum())
