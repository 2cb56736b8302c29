"""Array types, checks of magnitudes that cannot be squared, and a root finder.

A power of two takes them to a usual size and back, which is exact.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import UndefinedError

Array = NDArray[Any]


@dataclass(frozen=True)
class NumericRange:
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


# The two kinds of array that the statistics pass around.


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


# Numbers that cannot be squared have no spread that could be told.


SQUARED = NumericRange(1e-150, 1e150)
"""Here the largest of some numbers lies if their squares can be summed."""


def check_squares(*lists: FloatArray) -> None:
    """Refuse numbers that are all so small, or some so large, that their squares say nothing."""
    largest = SQUARED.broken_by(*lists)
    if largest is None:
        return
    size, remedy = size_and_remedy(largest)
    raise UndefinedError(
        f"The largest of these numbers, {largest:.1g}, is so {size} that its square cannot be "
        f"computed; multiply all of them by one {remedy} number."
    )


# Where a function is zero.


_MOST = 200
"""So many halvings take any two floats together."""


def find_root(
    function: Callable[[float], float], low: float, high: float, *, tolerance: float
) -> float:
    """Return a zero between two points at which a function has different signs.

    Chandrupatla's rule: inverse quadratic interpolation through the last three points where these
    lie so that it can be trusted, else the middle. The answer is within `tolerance` of a change of
    sign, jumps included, as one cannot ask for less than the function's own rounding.

    (scipy.optimize has the same; importing it takes longer than all roots of an audit.)

    Chandrupatla (1997), Advances in Engineering Software 28, 145-149.
    """
    a, b, share = low, high, 0.5
    at_a, at_b = function(a), function(b)
    if at_a == 0 or at_b == 0:
        return a if at_a == 0 else b
    if copysign(1.0, at_a) == copysign(1.0, at_b):
        raise ValueError(f"the function has one sign at {low} and at {high}")
    for _ in range(_MOST):
        x = a + share * (b - a)
        at_x = function(x)
        if at_x == 0:
            return x
        if copysign(1.0, at_x) == copysign(1.0, at_a):
            c, at_c = a, at_a
        else:
            c, b, at_c, at_b = b, a, at_b, at_a
        a, at_a = x, at_x
        best = a if abs(at_a) < abs(at_b) else b
        width = abs(b - a)
        least = (2e-16 * abs(best) + tolerance / 2) / width if width else 1.0
        if least > 0.5:
            return best
        share = max(least, min(1 - least, _share(a, b, c, at_a, at_b, at_c)))
    return best


def _share(a: float, b: float, c: float, at_a: float, at_b: float, at_c: float) -> float:
    """Return how far from a to b the next point lies."""
    across, up = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    if not (1 - (1 - across) ** 0.5 < up < across**0.5):
        return 0.5
    first = at_a / (at_b - at_a) * at_c / (at_b - at_c)
    second = (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
    return first + second
