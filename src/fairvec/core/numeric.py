"""Array types, the range of floats that can be squared, and a root finder.

The square of a very small float is zero and that of a very large one infinite: vectors and scores
with such numbers, which no model has, are refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import UndefinedError

Array = NDArray[Any]


FloatArray = NDArray[np.float64]


IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class NumericRange:
    """The bounds, both included, within which the largest absolute value of arrays must lie."""

    smallest: float
    largest: float

    def outlier_in(self, *arrays: Array) -> float | None:
        """Return the largest absolute value if out of range, else None; zeros are in range."""
        largest = max(float(np.abs(array).max(initial=0)) for array in arrays)
        return None if largest == 0 or self.smallest <= largest <= self.largest else largest


def size_and_remedy(largest: float) -> tuple[str, str]:
    """Return the words for numbers out of range: what they are, and what to multiply them by."""
    return ("small", "large") if largest < 1 else ("large", "small")


SQUARED = NumericRange(1e-150, 1e150)
"""Numbers whose squares can be summed."""


def check_squares(*lists: FloatArray) -> None:
    """Raise if the squares of these numbers would vanish or overflow."""
    largest = SQUARED.outlier_in(*lists)
    if largest is None:
        return
    size, remedy = size_and_remedy(largest)
    raise UndefinedError(
        f"The largest of these numbers, {largest:.1g}, is so {size} that its square cannot be "
        f"computed; multiply all of them by one {remedy} number."
    )


_MAX_ITERATIONS = 200
"""More than enough halvings to bring any two floats together."""


def find_root(
    function: Callable[[float], float], low: float, high: float, *, tolerance: float
) -> float:
    """Return a zero between two points at which a function has different signs.

    Chandrupatla's rule: inverse quadratic interpolation through the last three points where these
    make that safe, else bisection. The result is within `tolerance` of a change of sign, be it a
    zero or a jump.

    (scipy.optimize has the same; importing it takes longer than all roots of an audit.)

    Chandrupatla (1997), Advances in Engineering Software 28, 145-149.
    """
    a, b, fraction = low, high, 0.5
    at_a, at_b = function(a), function(b)
    if at_a == 0 or at_b == 0:
        return a if at_a == 0 else b
    if copysign(1.0, at_a) == copysign(1.0, at_b):
        raise ValueError(f"the function has one sign at {low} and at {high}")
    for _ in range(_MAX_ITERATIONS):
        x = a + fraction * (b - a)
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
        smallest = (2e-16 * abs(best) + tolerance / 2) / width if width else 1.0
        if smallest > 0.5:
            return best
        fraction = max(smallest, min(1 - smallest, _next_fraction(a, b, c, at_a, at_b, at_c)))
    return best


def _next_fraction(a: float, b: float, c: float, at_a: float, at_b: float, at_c: float) -> float:
    """Return how far from a to b the next point lies: interpolated if safe, else the middle."""
    xi, phi = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    if not (1 - (1 - xi) ** 0.5 < phi < xi**0.5):
        return 0.5
    first = at_a / (at_b - at_a) * at_c / (at_b - at_c)
    second = (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
    return first + second
