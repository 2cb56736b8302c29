"""How often each word stands near each other one, in whole numbers."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

LARGEST_UNIT = 2**32

ByDistance = Literal["harmonic", "linear", "equal"]
"""What a neighbour counts: 1/distance, or less with each step to nothing, or always 1."""


@dataclass(frozen=True)
class Weighting:
    """What a neighbour at distance k of a window L counts.

    1/k if harmonic, as in GloVe; (L + 1 - k)/L if linear, which is what word2vec's windows of a
    random width come to; 1 if equal. In whole numbers, so that sums do not depend on their order:
    `unit` is what a neighbour at distance 1 counts. Harmonic weights have the least common multiple
    of all distances, and every one is exact, up to a window of 22; beyond it is 2^32 and weights
    are rounded to a part in four billion.
    """

    window: int
    by_distance: ByDistance = "harmonic"

    @property
    def unit(self) -> int:
        """The whole number that stands for 1."""
        match self.by_distance:
            case "harmonic":
                return min(lcm(*range(1, self.window + 1)), LARGEST_UNIT)
            case "linear":
                return self.window
            case "equal":
                return 1

    @property
    def weights(self) -> NDArray[np.int64]:
        """What a neighbour at distance 1, 2, ... counts."""
        distances = np.arange(1, self.window + 1)
        match self.by_distance:
            case "harmonic":
                shares = (Fraction(self.unit, int(distance)) for distance in distances)
                return np.array([round(share) for share in shares], np.int64)
            case "linear":
                return self.window + 1 - distances
            case "equal":
                return np.ones(self.window, np.int64)


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
