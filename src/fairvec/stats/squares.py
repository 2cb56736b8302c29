"""Numbers that cannot be squared have no spread that could be told."""

import numpy as np

from fairvec.ground.errors import UndefinedError
from fairvec.stats.arrays import FloatArray

SMALLEST, LARGEST = 1e-150, 1e150
"""Between these the largest of some numbers lies if their squares can be summed."""


def check_squares(*lists: FloatArray) -> None:
    """Refuse numbers that are all so small, or some so large, that their squares say nothing."""
    largest = max(float(np.abs(numbers).max(initial=0)) for numbers in lists)
    if largest == 0 or SMALLEST <= largest <= LARGEST:
        return
    size, remedy = ("small", "large") if largest < 1 else ("large", "small")
    raise UndefinedError(
        f"The largest of these numbers, {largest:.1g}, is so {size} that its square cannot be "
        f"computed; multiply all of them by one {remedy} number."
    )


def in_unit(*lists: FloatArray) -> tuple[tuple[FloatArray, ...], int]:
    """Return numbers of which squares can be summed, and the power of two that takes them back.

    It is 0, and they are as they were, if their largest is of a usual size.
    """
    largest = max(float(np.abs(numbers).max(initial=0)) for numbers in lists)
    if largest == 0 or SMALLEST <= largest <= LARGEST:
        return lists, 0
    exponent = int(np.frexp(largest)[1])
    return tuple(np.ldexp(numbers, -exponent) for numbers in lists), exponent
