"""Two lists whose sums are too many to list: counted on a coarse grid, between two bounds.

As in `two_lists`, but the sums of each size are counted by dynamic programming on rounded scores,
as in `certified`, once for all shifts. The remainders of the rounding say which regroupings may be
extreme, and which surely are: the shares of these are bounds of p.
"""

from math import ceil, comb, floor, sqrt

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.intervals.two_lists import Grid
from fairvec.stats.regrouping.certified import (
    MOST_WORDS,
    Bounds,
    CountedRow,
    reaching_again,
    rows_of,
)

NARROW = 0.01
"""By so many standard errors at most the remainders may move an end: a few thousandths of d."""

FINE_CELLS = 2**22
"""The grid is so much finer that so many counts are held: 50 megabytes with their running sums."""

MOST_CELLS = 2**23
"""Counts held of both lists at the most: 64 megabytes, and tenths of a second a shift."""


class CoarseLists:
    """Every regrouping of two lists of scores, rounded; the first is not the longer one."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._step = max(1, int(min(_coarsest(grid), _all_cells(grid) / FINE_CELLS)))
        x, y = np.sort(grid.scores[: grid.nx]), np.sort(grid.scores[grid.nx :])
        self._first = _Rounded(x, self._step, grid.nx)
        self._second = _Rounded(y, self._step, grid.nx)

    @staticmethod
    def affordable(grid: Grid) -> bool:
        """Say whether the counts fit into floats, and into memory on a grid that is fine enough."""
        if len(grid.scores) > MOST_WORDS:
            return False
        return _all_cells(grid) <= MOST_CELLS * max(1, _coarsest(grid))

    def p_of_shift(self, shift: float) -> float:
        """Return an upper bound of the two-sided p of the scores with X less by `shift`."""
        return self.bounds_of_shift(shift).high

    def least_p_of_shift(self, shift: float) -> float:
        """Return a lower bound of the two-sided p of the scores with X less by `shift`."""
        return self.bounds_of_shift(shift).low

    def bounds_of_shift(self, shift: float) -> Bounds:
        """Return bounds of the two-sided p of the scores with X less by `shift`."""
        grid, surely, possibly = self.grid, 0.0, 0.0
        longest = 0
        mirrored = grid.nx == grid.ny
        for centre, extreme, stayed in grid.tails(shift):
            if extreme <= 0:
                return Bounds(1.0, 1.0)
            came = grid.nx - stayed
            first, second = self._first, self._second
            rests = [
                first.most(stayed) + second.most(came),
                first.least(stayed) + second.least(came),
            ]
            limits = [-((rest - ceil(centre + extreme)) // self._step) for rest in rests]
            tails = [(first.rows[stayed], second.rows[came], limits)]
            # In lists of one length the other tail is this one of what is left out.
            if not mirrored:
                limits = [-((floor(centre - extreme) - rest) // self._step) for rest in rests[::-1]]
                tails.append((first.negated[stayed], second.negated[came], limits))
            for one, other, asked in tails:
                longest = max(longest, len(one.counts) + len(other.counts))
                possible, sure = reaching_again(one, other, asked)
                possibly, surely = possibly + possible, surely + sure
        # As in `certified`: only positive numbers are added and multiplied.
        slack = (longest + 2 * len(grid.scores) + 16) * float(np.finfo(np.float64).eps)
        every = comb(len(grid.scores), grid.nx) / (2 if mirrored else 1)
        return Bounds(surely / every * (1 - slack), min(1.0, possibly / every * (1 + slack)))


class _Rounded:
    """One list on the grid: subsets of each size by their sum, and what rounding hides."""

    def __init__(self, scores: IntArray, step: int, largest: int) -> None:
        cells = (scores + step // 2) // step
        remainders = np.sort(scores - cells * step)
        self.rows: list[CountedRow] = rows_of(cells, largest)
        self.negated = [row.negated() for row in self.rows]
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


def _all_cells(grid: Grid) -> float:
    """Return how many counts both lists would need on the unit grid."""
    x, y = np.sort(grid.scores[: grid.nx]), np.sort(grid.scores[grid.nx :])
    return _cells(x, grid.nx) + _cells(y, grid.nx)


def _cells(scores: IntArray, largest: int) -> float:
    """Return how many counts the subsets of up to `largest` sorted scores need on the unit grid."""
    widths: FloatArray = np.cumsum((scores[::-1] - scores).astype(np.float64))[:largest]
    return float(widths.sum())
