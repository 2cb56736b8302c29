"""How a page writes an interval: in words; single numbers are written as everywhere."""

from fairvec.ground.numbers import number
from fairvec.results import Interval


def span(interval: Interval, digits: int = 2) -> str:
    """Return 0.61 to 1.84."""
    return f"{number(interval.low, digits)} to {number(interval.high, digits)}"
