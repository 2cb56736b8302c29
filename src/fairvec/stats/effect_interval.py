"""Intervals of an effect size, widened by errors that regrouping words cannot show."""

from math import hypot, isinf, isnan, sqrt

import numpy as np
from scipy.special import chdtr, chdtrc, nctdtr, ndtri, stdtr

from fairvec.core.numeric import SQUARED, FloatArray, find_root
from fairvec.stats.permutation.inversion import Limits

FAR = 1e4
"""Beyond so many standard errors scipy has fewer digits than the limit of its distribution."""


def widen_for_spread_error(
    x: FloatArray, y: FloatArray, low: float, high: float
) -> tuple[float, float]:
    """Return the ends of an interval of mean(x) - mean(y), wider by the error of their spread.

    With the standard error e of the difference T, an end lies u = (T - end)/e from T. That is what
    a t distribution allows whose spread is known no better than e says; the effect T/e itself has a
    noncentral t distribution. The new end is lambda e, where

        P(t' <= -T/e | -lambda) = P(t <= -u),    n - 2 degrees of freedom,

    the noncentrality with the same chance of what was observed. Zero stays zero, so the interval
    still agrees with its p-value; near zero nothing changes, and large effects get the width that
    they lack otherwise. Steiger and Fouladi (1997), Noncentrality interval estimation.
    """
    (x, y), exponent = SQUARED.in_range(x, y)
    if exponent:  # of no usual size: the same in a unit in which squares are numbers
        with np.errstate(over="ignore"):
            found = widen_for_spread_error(x, y, *np.ldexp([low, high], -exponent).tolist())
            new_low, new_high = np.ldexp(found, exponent).tolist()
        return new_low, new_high
    nx, ny = len(x), len(y)
    freedom = nx + ny - 2
    within = float(((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum())
    observed = float(x.mean() - y.mean())
    error = sqrt(within / freedom * (1 / nx + 1 / ny)) if freedom else 0.0
    if error <= 1e-9 * abs(observed) or error == 0 or not low <= observed <= high:
        return low, high  # without a spread of their own, or no interval around what was observed
    low, high = noncentral_limits(
        observed / error, float(low) / error, float(high) / error, freedom
    )
    return low * error, high * error


def noncentral_limits(t: float, low: float, high: float, freedom: float) -> tuple[float, float]:
    """Return the ends of an interval around t, in standard errors, as noncentralities."""
    return _end(t, low, freedom), -_end(-t, -high, freedom)


def _chance(t: float, noncentrality: float, freedom: float) -> float:
    """Return P(t' <= -t | -noncentrality)."""
    if abs(t) > FAR:
        # The normal part of t' is nothing beside its noncentrality, which leaves the chi-square:
        # scipy would sum as many terms as the square of what is asked.
        if t * noncentrality <= 0:
            return 0.0 if t > 0 else 1.0
        square = freedom * (noncentrality / t) ** 2
        return float(chdtr(freedom, square) if t > 0 else chdtrc(freedom, square))
    chance = float(nctdtr(freedom, -noncentrality, -t))
    if isnan(chance):  # so far out that scipy has no digits left: next to nothing, or to all
        return 0.0 if noncentrality < t else 1.0
    return chance


def _end(t: float, low: float, freedom: float) -> float:
    """Return the noncentrality for a lower end, both in standard errors.

    Where it lies so far out that the distribution has no digits left, the end stays as it is.
    """
    if isinf(low) or low == 0:
        return low
    allowed = float(stdtr(freedom, low - t))

    def excess(noncentrality: float) -> float:
        return _chance(t, noncentrality, freedom) - allowed

    reach = (t - low) * sqrt(1 + t * t / (2 * freedom))
    # Zero is the one value that is known: the end stays on its side of it.
    below, above = (0.0, max(t, low) + reach) if low > 0 else (low - reach, 0.0)
    while low < 0 and reach > 0 and excess(below) > 0:
        below -= reach
    if not (allowed > 0 and excess(below) <= 0 <= excess(above)):
        return low
    return find_root(excess, below, above, tolerance=1e-12 * (1 + abs(t)))


def widen_by_error(ends: Limits, observed: float, error: float, level: float) -> Limits:
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
    wider = Limits(
        observed - hypot(observed - low, other), observed + hypot(high - observed, other)
    )
    return wider.agreeing(observed, rejected=not low <= 0 <= high)
