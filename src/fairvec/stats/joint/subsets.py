"""Sums over subsets of a few units: listed once, then looked up."""

from functools import cached_property, lru_cache
from math import comb

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray

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
        """Return one subset of each size that is asked for, each as likely as any other."""
        # At the most 12,870 of one size: the steps of a random float do not matter.
        nth = (generator.random(len(sizes)) * self.of_size[sizes]).astype(np.int64)
        return self._first[sizes] + nth

    def every(self, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """Return all subsets of each size that is asked for, and for which of them each is."""
        many = self.of_size[sizes]
        asked = np.repeat(np.arange(len(sizes)), many)
        nth = np.arange(len(asked)) - np.repeat(np.cumsum(many) - many, many)
        return self._first[sizes][asked] + nth, asked


@lru_cache(maxsize=MOST_UNITS + 1)
def _by_size(units: int) -> IntArray:
    """Return the subsets as bits of a number, small subsets first."""
    sizes = np.zeros(1, np.int8)
    for _ in range(units):
        sizes = np.concatenate([sizes, sizes + 1])
    return np.argsort(sizes, kind="stable")
