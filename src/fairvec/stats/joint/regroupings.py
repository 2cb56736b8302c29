"""Joint regroupings: the d of every test under random labellings, or under all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import comb, exp, inf, log

import numpy as np
from scipy.special import gammaln

from fairvec.core.numeric import FloatArray, IntArray
from fairvec.stats.joint.units import (
    MOST_VECTORS,
    ScoredLists,
    UnitCell,
    cells_of,
    components_of,
    own_variance,
)

MOST_UNITS = 16
"""Of so many units every subset is listed: 65,536."""


class Subsets:
    """All subsets of the columns of an array, by size, with the sum of each row over them."""

    def __init__(self, columns: FloatArray) -> None:
        self.units = columns.shape[1]
        sums = np.zeros((len(columns), 1))
        for column in columns.T:
            sums = np.concatenate([sums, sums + column[:, None]], axis=1)
        self.sums: FloatArray = sums[:, _by_size(self.units)]

    @cached_property
    def of_size(self) -> IntArray:
        """How many subsets there are of each size."""
        return np.array([comb(self.units, size) for size in range(self.units + 1)])

    @cached_property
    def _first(self) -> IntArray:
        return np.cumsum(self.of_size) - self.of_size

    def drawn(self, sizes: IntArray, generator: np.random.Generator) -> IntArray:
        """Return one subset of each size, each as likely as any other."""
        # At the most 12,870 of one size: the steps of a random float do not matter.
        nth = (generator.random(len(sizes)) * self.of_size[sizes]).astype(np.int64)
        return self._first[sizes] + nth

    def every(self, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """Return all subsets of each size, and for which of them each is."""
        many = self.of_size[sizes]
        owners = np.repeat(np.arange(len(sizes)), many)
        nth = np.arange(len(owners)) - np.repeat(np.cumsum(many) - many, many)
        return self._first[sizes][owners] + nth, owners


@lru_cache(maxsize=MOST_UNITS + 1)
def _by_size(units: int) -> IntArray:
    """Return the subsets as bits of a number, small subsets first."""
    sizes = np.zeros(1, np.int8)
    for _ in range(units):
        sizes = np.concatenate([sizes, sizes + 1])
    return np.argsort(sizes, kind="stable")


LISTED = 2**18
"""So many labellings are looked at one by one, as those of a single test are."""

AT_A_TIME = 2**15
"""Labellings that are in memory together."""


@dataclass(frozen=True, eq=False)
class RegroupedEffects:
    """Each test's d (a row) in each labelling (a column), and the share of a shift it carries.

    A shift of X by delta standard deviations moves d by delta times that share: 1 where all words
    are on their side, -1 at the most where they all changed it.
    """

    effects: FloatArray
    carried: FloatArray


class JointRegroupings:
    """All labellings of several tests' words that keep the sizes of every list."""

    def __init__(self, tests: Sequence[ScoredLists], *, most: int = MOST_VECTORS) -> None:
        self._even = all(nx == ny for nx, ny in (test.sizes for test in tests))
        self.components = components_of(cells_of(tests), most)
        self.scales = np.array([test.scale for test in tests])
        self.variances_of_d = np.array([own_variance(*test.sizes) for test in tests])
        self.variances = self.scales**2 * self.variances_of_d
        self._log = sum(part.vectors.log_labellings for part in self.components)
        self._start = np.zeros(len(tests))
        for cell in self._cells:
            away = cell.signs < 0
            np.subtract.at(self._start, cell.tests[away], cell.coefficients[away].sum(axis=1))

    @property
    def _cells(self) -> Iterator[UnitCell]:
        return (cell for part in self.components for cell in part.cells)

    @property
    def labellings(self) -> int:
        """How many there are, exact to twelve digits."""
        if self._log < 36:
            return round(exp(self._log))
        bits = int(self._log / log(2)) - 53
        return round(exp(self._log - bits * log(2))) << bits if bits > 0 else round(exp(self._log))

    @property
    def coarse(self) -> int:
        """The number of cells whose counts move in steps, where too many had to be listed."""
        return sum(part.vectors.coarse for part in self.components)

    @property
    def listable(self) -> bool:
        """Whether all of them can be looked at."""
        few = self._log <= log(LISTED) + 1e-9
        return few and all(cell.units <= MOST_UNITS for cell in self._cells)

    @property
    def mirrored(self) -> bool:
        """Whether every list can take the place of the other one, all at the same time."""
        return not self.coarse and self._even

    def shared(self) -> IntArray:
        """Return how many units any two tests have in common."""
        both = np.zeros((len(self.variances),) * 2, np.int64)
        for cell in self._cells:
            both[np.ix_(cell.tests, cell.tests)] += cell.units
        return both

    def observed(self) -> FloatArray:
        """Return the tests' d as observed."""
        effects = self._start.copy()
        for cell in self._cells:
            np.add.at(effects, cell.tests, cell.coefficients[:, cell.marked].sum(axis=1))
        return effects

    def covariance(self) -> FloatArray:
        """Return the covariance of the tests' d over all labellings.

        Given the counts k of a cell of m units, sums over its subsets vary by k (m - k) / m times
        the covariance of its coefficients (ddof 1); beyond that the counts vary.
        """
        covariance = np.zeros((len(self.variances),) * 2)
        for part in self.components:
            means = np.zeros((len(self.variances), len(part.cells)))
            expected, varying = part.vectors.means, part.vectors.covariance
            for column, cell in enumerate(part.cells):
                means[cell.tests, column] = cell.coefficients.mean(axis=1)
                if cell.units > 1:
                    labels = expected[column]
                    ways = labels * (1 - labels / cell.units) - varying[column, column] / cell.units
                    within = np.atleast_2d(np.cov(cell.coefficients))
                    covariance[np.ix_(cell.tests, cell.tests)] += max(0.0, ways) * within
            covariance += means @ varying @ means.T
        return covariance

    def drawn(self, samples: int, seed: int) -> Iterator[RegroupedEffects]:
        """Yield independent random labellings, each as likely as any other."""
        generator = np.random.default_rng(seed)
        for start in range(0, samples, AT_A_TIME):
            size = min(AT_A_TIME, samples - start)
            found = self._empty(size)
            for part in self.components:
                vectors = part.vectors
                rows = np.searchsorted(vectors.borders[:-1], generator.random(size))
                for cell, counts in zip(part.cells, vectors.counts[rows].T, strict=True):
                    self._draw(cell, counts, found, generator)
            yield found

    def every(self) -> RegroupedEffects:
        """Return all labellings."""
        found = self._empty(1)
        for part in self.components:
            vectors, before = part.vectors.counts, found.effects.shape[1]
            rows = np.tile(np.arange(len(vectors)), before)
            found = _repeat_columns(found, np.repeat(np.arange(before), len(vectors)))
            for cell, counts in zip(part.cells, vectors.T, strict=True):
                subsets = Subsets(_coefficients_and_marks(cell, slice(None)))
                chosen, owners = subsets.every(counts[rows])
                found, rows = _repeat_columns(found, owners), rows[owners]
                self._add(cell, counts[rows], subsets.sums[:, chosen], found)
        return found

    def _empty(self, size: int) -> RegroupedEffects:
        shape = len(self.variances), size
        start = np.broadcast_to(self._start[:, None], shape).copy()
        return RegroupedEffects(start, np.ones(shape))

    def _draw(
        self,
        cell: UnitCell,
        counts: IntArray,
        found: RegroupedEffects,
        generator: np.random.Generator,
    ) -> None:
        """Draw subsets of a cell, some units at a time: first how many of these, then which."""
        few = max(6, min(MOST_UNITS, len(counts).bit_length() - 2))
        parts = -(-cell.units // few)
        borders = [cell.units * at // parts for at in range(parts + 1)]
        sums = np.zeros((len(cell.tests) + 1, len(counts)))
        left = counts
        for start, stop in pairwise(borders):
            taken = _draw_counts(left, stop - start, cell.units - start, generator)
            left = left - taken
            subsets = Subsets(_coefficients_and_marks(cell, slice(start, stop)))
            chosen = subsets.drawn(taken, generator)
            for total, own in zip(sums, subsets.sums, strict=True):
                total += own[chosen]
        self._add(cell, counts, sums, found)

    def _add(
        self, cell: UnitCell, counts: IntArray, sums: FloatArray, found: RegroupedEffects
    ) -> None:
        """Add what a cell's labels make of each test's d, and of the shift it carries."""
        stayed, labels = sums[-1], int(cell.marked.sum())
        for at, sign, own in zip(cell.tests, cell.signs, sums[:-1], strict=True):
            moved = (labels if sign > 0 else counts) - stayed
            found.effects[at] += own
            found.carried[at] -= self.variances_of_d[at] * moved


def _coefficients_and_marks(cell: UnitCell, some: slice) -> FloatArray:
    """Return the coefficients of some units, and below them which carry the label as observed."""
    return np.vstack([cell.coefficients[:, some], cell.marked[some]])


def _repeat_columns(found: RegroupedEffects, columns: IntArray) -> RegroupedEffects:
    return RegroupedEffects(found.effects[:, columns], found.carried[:, columns])


def _draw_counts(labels: IntArray, units: int, of: int, generator: np.random.Generator) -> IntArray:
    """Draw how many of so many labels, dealt to `of` units, fall to the first `units` of them."""
    if units == of:
        return labels
    least = int(labels.min())
    total, taken = np.arange(least, int(labels.max()) + 1)[:, None], np.arange(units + 1)
    logs = _log_comb(units, taken) + _log_comb(of - units, total - taken) - _log_comb(of, total)
    below = np.cumsum(np.exp(logs), axis=1)[:, :-1]
    chance = generator.random(len(labels))
    found: IntArray = (chance[:, None] >= below[labels - least]).sum(axis=1)
    # Rounding may leave a chance above the last border; nobody gets more than there is.
    return np.clip(found, np.maximum(0, labels - (of - units)), np.minimum(labels, units))


def _log_comb(units: int, chosen: IntArray) -> FloatArray:
    possible = (chosen >= 0) & (chosen <= units)
    safe = np.where(possible, chosen, 0)
    logs = gammaln(units + 1) - gammaln(safe + 1) - gammaln(units - safe + 1)
    return np.where(possible, logs, -inf)
