"""Numbers so small that their squares vanish, or so large that those have no end.

A power of two takes them to a usual size and back, which is exact.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Between:
    """The sizes between which the largest of some numbers is to lie, both included."""

    smallest: float
    largest: float

    def broken_by(self, *arrays: Array) -> float | None:
        """Return the largest number of all if it lies elsewhere; zeros alone have every size."""
        largest = max(float(np.abs(each).max(initial=0)) for each in arrays)
        return None if largest == 0 or self.smallest <= largest <= self.largest else largest

    def in_range(self, *arrays: Array) -> tuple[tuple[Array, ...], int]:
        """Return arrays whose largest number lies between, and the power of two that led away.

        All are multiplied by the same one. It is 0, and they are as they were, if they lay there,
        or if no power would help because one of them is no finite number.
        """
        largest = self.broken_by(*arrays)
        if largest is None or not np.isfinite(largest):
            return arrays, 0
        exponent = int(np.frexp(largest)[1])
        return tuple(np.ldexp(each, -exponent) for each in arrays), exponent


def size_and_remedy(largest: float) -> tuple[str, str]:
    """Return what numbers out of range are, and by what one multiplies them."""
    return ("small", "large") if largest < 1 else ("large", "small")
