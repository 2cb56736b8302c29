"""Numbers that cannot be squared have no spread that could be told."""

from fairvec.ground.errors import UndefinedError
from fairvec.ground.magnitudes import Between, size_and_remedy
from fairvec.stats.arrays import FloatArray

SQUARED = Between(1e-150, 1e150)
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
