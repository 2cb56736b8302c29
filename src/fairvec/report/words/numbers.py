"""How a page writes numbers: as everywhere, and intervals in words."""

from fairvec.ground.numbers import (
    FROM_SUPERSCRIPTS,
    MINUS,
    USUAL_LEVEL,
    antilog,
    counted,
    number,
    p_bounds,
    p_value,
    percent,
    scientific,
    signed,
    whole,
)
from fairvec.results import Interval

__all__ = [
    "FROM_SUPERSCRIPTS",
    "MINUS",
    "USUAL_LEVEL",
    "antilog",
    "counted",
    "number",
    "p_bounds",
    "p_value",
    "percent",
    "scientific",
    "signed",
    "span",
    "whole",
]


def span(interval: Interval, digits: int = 2) -> str:
    """Return 0.61 to 1.84."""
    return f"{number(interval.low, digits)} to {number(interval.high, digits)}"
