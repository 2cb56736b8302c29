"""How often each word stands near each other one, in whole numbers."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

LARGEST_UNIT = 2**32


@dataclass(frozen=True)
class Weighting:
    """What a neighbour counts: 1/distance up to a window, as in GloVe.

    In whole numbers, so that sums do not depend on their order: `unit` is what a neighbour at
    distance 1 counts. It is the least common multiple of all distances, and every weight is exact,
    up to a window of 22; beyond it is 2^32 and weights are rounded to a part in four billion.
    """

    window: int

    @property
    def unit(self) -> int:
        """The whole number that stands for 1."""
        return min(lcm(*range(1, self.window + 1)), LARGEST_UNIT)

    @property
    def weights(self) -> NDArray[np.int64]:
        """What a neighbour at distance 1, 2, ... counts."""
        shares = (Fraction(self.unit, distance) for distance in range(1, self.window + 1))
        return np.array([round(share) for share in shares], np.int64)


@dataclass(frozen=True, eq=False)
class Cooccurrences:
    """X, row by row: those of word i lie from starts[i] to starts[i + 1], by rising columns.

    X[i, columns[k]] = counts[k] / unit. Symmetric; what lies in a file is mapped.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    counts: NDArray[np.int64]
    unit: int

    def __len__(self) -> int:
        """How many words there are."""
        return len(self.starts) - 1

    @property
    def pairs(self) -> int:
        """How many pairs of words stand near one another."""
        return len(self.columns)
