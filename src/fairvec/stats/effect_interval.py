"""Widen the interval of an effect size by errors that permuting words does not show."""

from math import hypot, isinf, isnan, sqrt

from scipy.special import chdtr, chdtrc, nctdtr, ndtri, stdtr

from fairvec.core.numeric import FloatArray, check_squares, find_root
from fairvec.stats.permutation.inversion import Limits

FAR = 1e4
"""Beyond so many standard errors the limit of the distribution is more precise than scipy."""


def widen_for_spread_error(
    x: FloatArray, y: FloatArray, low: float, high: float
) -> tuple[float, float]:
    """Return the ends of an interval of mean(x) - mean(y), wider by the error of their spread.

    With the standard error e of the difference T, an end lies u = (T - end)/e from T, which is an
    end of a t distribution; the effect T/e itself has a noncentral t distribution. The new end is
    lambda e, where

        P(t' <= -T/e | -lambda) = P(t <= -u),    n - 2 degrees of freedom,

    the noncentrality at which the observed effect is as probable. Zero stays zero, so the interval
    still agrees with its p-value; near zero nothing changes, and intervals of large effects become
    wider. Steiger and Fouladi (1997), Noncentrality interval estimation.
    """
    check_squares(x, y)
    nx, ny = len(x), len(y)
    freedom = nx + ny - 2
    within = float(((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum())
    observed = float(x.mean() - y.mean())
    error = sqrt(within / freedom * (1 / nx + 1 / ny)) if freedom else 0.0
    if error <= 1e-9 * abs(observed) or error == 0 or not low <= observed <= high:
        return low, high  # no spread within the lists, or an interval without the observed value
    low, high = noncentral_limits(
        observed / error, float(low) / error, float(high) / error, freedom
    )
    return low * error, high * error


def noncentral_limits(t: float, low: float, high: float, freedom: float) -> tuple[float, float]:
    """Return the ends of an interval around t, in standard errors, as noncentralities.

    Few words overstate their effect on average, so that an end near t can come to lie on its other
    side: the interval still holds t.
    """
    return min(t, _end(t, low, freedom)), max(t, -_end(-t, -high, freedom))


def _chance(t: float, noncentrality: float, freedom: float) -> float:
    """Return P(t' <= -t | -noncentrality)."""
    if abs(t) > FAR:
        # The normal part of t' is negligible beside its noncentrality, which leaves chi-square:
        # scipy would sum as many terms as the square of the noncentrality.
        if t * noncentrality <= 0:
            return 0.0 if t > 0 else 1.0
        square = freedom * (noncentrality / t) ** 2
        return float(chdtr(freedom, square) if t > 0 else chdtrc(freedom, square))
    chance = float(nctdtr(freedom, -noncentrality, -t))
    if isnan(chance):  # so far in the tail that scipy has no digits: almost 0, or almost 1
        return 0.0 if noncentrality < t else 1.0
    return chance


def _end(t: float, low: float, freedom: float) -> float:
    """Return the noncentrality for a lower end, both in standard errors.

    So far in the tail that the distribution has no digits left, the end stays unchanged.
    """
    if isinf(low) or low == 0:
        return low
    allowed = float(stdtr(freedom, low - t))

    def excess(noncentrality: float) -> float:
        return _chance(t, noncentrality, freedom) - allowed

    width = (t - low) * sqrt(1 + t * t / (2 * freedom))
    # The end keeps its sign, so that the interval agrees with p.
    below, above = (0.0, max(t, low) + width) if low > 0 else (low - width, 0.0)
    while low < 0 and width > 0 and excess(below) > 0:
        below -= width
    if not (allowed > 0 and excess(below) <= 0 <= excess(above)):
        return low
    return find_root(excess, below, above, tolerance=1e-12 * (1 + abs(t)))


def widen_pairs_for_spread_error(
    differences: FloatArray, low: float, high: float
) -> tuple[float, float]:
    """Return the ends of an interval of the mean of differences, wider by their spread's error.

    As in `widen_for_spread_error`, the mean over its standard error has a noncentral t
    distribution, here with n - 1 degrees of freedom.
    """
    check_squares(differences)
    count, observed = len(differences), float(differences.mean())
    error = float(differences.std(ddof=1)) / sqrt(count) if count > 1 else 0.0
    if error <= 1e-9 * abs(observed) or error == 0 or not low <= observed <= high:
        return low, high
    low, high = noncentral_limits(observed / error, low / error, high / error, count - 1)
    return low * error, high * error


def widen_by_error(ends: Limits, observed: float, error: float, level: float) -> Limits:
    """Return the ends of an interval, wider by an independent standard error of the observed value.

    The distance of each end from the observed value grows in quadrature:

        observed -+ sqrt((observed - end)^2 + (z error)^2),    z the normal quantile of the level

    Whether the interval contains zero does not change, so that it still agrees with its p-value:
    a test that permutes words does not see this error either. An error of 0 changes nothing.

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
