"""Every way to exchange words between two lists, by how many of the first list stay in it.

A regrouping takes k words of X and a - k words of Y (a words in X) into the first list. The sums
of both are listed once, by size; which pairs of them are extreme is then counted for any shift of
X, because the shift of such a sum depends on k alone.
"""

from collections.abc import Iterator
from math import ceil, comb, floor, ldexp

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.regrouping.halves import Half
from fairvec.stats.regrouping.permutation import ROUNDING_BITS
from fairvec.stats.regrouping.subset_sums import on_a_fine_grid

LISTED = 2**20
"""Sums of both lists, those of 19 + 19 words: counted anew for each shift, in a fifth of a second.

Of more the ends are certified instead: to ten thousandths of the spread, in less time.
"""


class Grid:
    """Two lists of scores in whole numbers, and what regrouping them makes of a shift of X."""

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        self.nx, self.ny = len(x), len(y)
        pooled = np.concatenate([x, y])
        self.scores = on_a_fine_grid(pooled)
        largest = int(np.abs(self.scores).max())
        self.unit = float(np.abs(pooled).max()) / largest if largest else 1.0
        self.total = int(self.scores.sum())
        self.rounding = ldexp(len(pooled) * largest, -ROUNDING_BITS)
        self.both = 1 / self.nx + 1 / self.ny

    @property
    def slack(self) -> float:
        """How far apart two differences of means may be by rounding alone."""
        return self.rounding * self.unit * self.both

    def difference(self, sums: IntArray) -> FloatArray:
        """Return the difference of means of regroupings with these sums of their first lists."""
        return np.asarray((sums * self.both - self.total / self.ny) * self.unit, np.float64)

    def weight(self, stayed: IntArray) -> FloatArray:
        """Return the share of a shift of X in that difference, if so many of its words stayed."""
        weights: FloatArray = stayed / self.nx - (self.nx - stayed) / self.ny
        return weights

    def tails(self, shift: float) -> Iterator[tuple[float, float, int]]:
        """Yield, for each number of words of X that stay, which sums are as extreme as observed.

        Those at least `extreme` from a centre, when X is less by `shift`.
        """
        moved, mean = shift / self.unit, self.total / self.ny
        observed = int(self.scores[: self.nx].sum())
        extreme = abs(observed * self.both - mean - moved) / self.both - self.rounding
        weights = self.weight(np.arange(self.nx + 1)).tolist()
        for stayed, weight in enumerate(weights):
            yield (moved * weight + mean) / self.both, extreme, stayed


class TwoLists:
    """Every regrouping of two lists of scores, of which the first is not the longer one."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._first = Half(grid.scores[: grid.nx], grid.nx)
        self._second = Half(grid.scores[grid.nx :], grid.nx)

    @staticmethod
    def affordable(grid: Grid) -> bool:
        """Say whether the sums of both lists are few enough to be counted again and again."""
        sums = 0
        for taken in range(grid.nx + 1):
            sums += comb(grid.nx, taken) + comb(grid.ny, taken)
            if sums > LISTED:
                return False
        return True

    def all_regroupings(self) -> tuple[FloatArray, FloatArray]:
        """Return the difference of means of every regrouping, and its weight."""
        sums, stayed = [], []
        for kept, some, others in self._pairs():
            sums.append((some[:, None] + others[None, :]).ravel())
            stayed.append(np.full(len(some) * len(others), kept))
        grid = self.grid
        return grid.difference(np.concatenate(sums)), grid.weight(np.concatenate(stayed))

    def p_of_shift(self, shift: float) -> float:
        """Return the two-sided p of the scores with X less by `shift`."""
        grid = self.grid
        found = 0
        for (centre, extreme, _), (_, some, others) in zip(
            grid.tails(shift), self._pairs(), strict=True
        ):
            found += _pairs_outside(some, others, ceil(centre + extreme), floor(centre - extreme))
        # Where nothing is left of the difference, both tails hold every regrouping.
        return min(1.0, found / comb(len(grid.scores), grid.nx))

    def _pairs(self) -> Iterator[tuple[int, IntArray, IntArray]]:
        """Yield how many words of X stay, and the sums of those and of the words of Y that come."""
        for stayed in range(self.grid.nx + 1):
            yield stayed, self._first.sums(stayed), self._second.sums(self.grid.nx - stayed)


def _pairs_outside(some: IntArray, others: IntArray, above: int, below: int) -> int:
    """Count the pairs, one of each sorted list, whose sum is not between the two limits."""
    needles = others[::-1]
    high = len(some) * len(others) - int(np.searchsorted(some, above - needles).sum())
    return high + int(np.searchsorted(some, below - needles, side="right").sum())
