"""The error of a difference that regrouping words cannot show."""

from math import hypot

from scipy.special import ndtri

from fairvec.stats.intervals.inversion import Ends


def with_other_error(ends: Ends, observed: float, error: float, level: float) -> Ends:
    """Return the ends of an interval, wider by an independent standard error of what was observed.

    Each end lies farther from what was observed, in quadrature:

        observed -+ sqrt((observed - end)^2 + (z error)^2),    z the normal quantile of the level

    Zero stays on its side of the ends, so that the interval still agrees with its p-value: a test
    that regroups words does not know this error either. No error changes nothing.

    Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    if error <= 0:
        return ends
    low, high = float(ends.low), float(ends.high)
    other = float(ndtri((1 + level) / 2)) * float(error)
    wider = Ends(observed - hypot(observed - low, other), observed + hypot(high - observed, other))
    return wider.agreeing(observed, rejected=not low <= 0 <= high)
