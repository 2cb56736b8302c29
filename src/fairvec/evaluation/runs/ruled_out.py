"""Which effects an interval rules out, in words."""

from decimal import ROUND_CEILING, Decimal
from math import inf

from fairvec.results import Interval

DIGITS = Decimal("0.01")
WORTH = 0.95
"""An end beyond this share of what is possible rules out next to nothing."""

MINUS = "\N{MINUS SIGN}"


def ruled_out(interval: Interval | None, reach: tuple[float, float] = (-inf, inf)) -> str:
    """Return "effects above +0.63 and below −0.41 are ruled out (95 %)"; nothing if none is.

    Each end is rounded away from zero, so that no effect inside the interval is said to be out of
    it. Nothing is said of a side whose end is about as far out as an effect can be (`reach`: so few
    words reject nothing there), nor of effects between zero and an end of the other sign: that
    would claim an effect where the verdict claims none.
    """
    if interval is None:
        return ""
    above, below = _outwards(interval.high), _outwards(-interval.low)
    sides = [
        f"above +{above}" if interval.high > 0 and float(above) < WORTH * reach[1] else "",
        f"below {MINUS}{below}" if interval.low < 0 and float(below) < -WORTH * reach[0] else "",
    ]
    named = " and ".join(side for side in sides if side)
    return f"effects {named} are ruled out ({100 * interval.level:.4g} %)" if named else ""


def _outwards(end: float) -> Decimal:
    # By its shortest digits: 0.63 is no exact binary number, and would become 0.64.
    return Decimal(repr(end)).quantize(DIGITS, ROUND_CEILING)
