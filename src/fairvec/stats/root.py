"""Where a function is zero."""

from collections.abc import Callable
from math import copysign

_MOST = 200
"""So many halvings take any two floats together."""


def root_of(
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
