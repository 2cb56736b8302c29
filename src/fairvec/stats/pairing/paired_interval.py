"""The interval of a change: every change that the paired test allows."""

from fractions import Fraction
from functools import partial
from math import inf, sqrt

import numpy as np
from scipy.special import ndtri

from fairvec.ground.errors import SettingError
from fairvec.ground.level import significant
from fairvec.stats.arrays import FloatArray
from fairvec.stats.intervals.inversion import Ends, ends_among, ends_by_search
from fairvec.stats.pairing.paired import paired_test
from fairvec.stats.regrouping.permutation import ROUNDING_BITS
from fairvec.stats.squares import check_squares

LISTED = 16
"""The signs of so many items are tried one by one: 65,536 choices."""

COUNTED = 34
"""Those of so many are counted anew for each shift, exactly."""

ROUNDED = 400
"""The shares of so many are rounded; those of more are summed as if they were normal."""

NARROW = 0.01
"""By so many standard errors rounding may move an end."""

ROUGH = 2e-3
"""Then the ends are sought to this share of a step."""


def paired_interval(
    before: FloatArray,
    after: FloatArray,
    weights: FloatArray,
    *,
    p: float,
    level: float = 0.95,
) -> Ends:
    """Return the changes of a sum of shares that the paired test does not reject.

    A change delta is kept where the shares less delta times their weights (which add up to 1) have
    a paired p above 1 - level. `p` is that of the shares themselves: 0 is in the interval just
    where it is so large. Exact to 34 items; to 400 the shares are rounded so that an end may lie a
    hundredth of a standard error further out; beyond that T -+ z sqrt(sum (change - T weight)^2).
    Nothing is drawn, so it has no seed. Infinite where so few items reject nothing.
    """
    alpha = 1 - Fraction(str(level))
    check_squares(before, after)
    changes = np.asarray(after, np.float64) - np.asarray(before, np.float64)
    if not (changes.shape == weights.shape and abs(float(weights.sum()) - 1) < 1e-9):
        raise SettingError("A paired interval needs one weight an item, and weights that sum to 1.")
    items = len(changes)
    if Fraction(2, 2**items) > alpha:
        return Ends(-inf, inf)
    observed = float(changes.sum())
    largest = float(max(np.abs(before).max(), np.abs(after).max()))
    slack = float(np.ldexp(items * largest, -ROUNDING_BITS))
    if not changes.any():
        return Ends(0.0, 0.0)  # whatever else it is, it is not that
    if items <= LISTED:
        statistics, carried = _all_signs(changes), _all_signs(weights)
        ends = ends_among(observed, statistics, carried, alpha=alpha, slack=slack)
    elif items > ROUNDED:
        error = float(np.linalg.norm(changes - observed * weights))
        reach = -float(ndtri(float(alpha) / 2)) * error
        ends = Ends(observed - reach, observed + reach)
    else:
        exact = items <= COUNTED
        p_of_shift = partial(_counted_p if exact else _rounded_p, changes, weights)
        step = 2 * sqrt(float((changes**2).sum())) + largest / 100
        rough = None if exact else ROUGH
        ends = ends_by_search(p_of_shift, observed, step=step, alpha=float(alpha), rough=rough)
    return ends.agreeing(observed, rejected=significant(p, float(alpha)))


def _all_signs(shares: FloatArray) -> FloatArray:
    """Return the sum of the shares under every choice of signs."""
    sums = np.zeros(1)
    for share in shares:
        sums = np.concatenate([sums + share, sums - share])
    return sums


def _counted_p(changes: FloatArray, weights: FloatArray, shift: float) -> float:
    return paired_test(shift * weights, changes, method="exact").value


def _rounded_p(changes: FloatArray, weights: FloatArray, shift: float) -> float:
    """Return an upper bound of p, by the distribution of the sum of rounded shares."""
    sizes = np.abs(changes - shift * weights)
    step = 2 * NARROW * sqrt(float((sizes**2).sum())) / len(sizes)
    if step == 0:
        return 1.0
    cells = np.rint(sizes / step).astype(np.int64)
    hidden = float(np.abs(sizes - cells * step).sum())
    chances = np.ones(1)
    for cell in cells:
        # Signs are worth twice a size apart, so that the sums lie on every second cell.
        grown = np.zeros(len(chances) + cell)
        grown[: len(chances)] += chances / 2
        grown[cell:] += chances / 2
        chances = grown
    sums = 2 * np.arange(len(chances)) - int(cells.sum())
    # Less a millionth of a step, because these sums are rounded as well.
    extreme = abs(float((changes - shift * weights).sum())) - hidden - 1e-6 * step
    return min(1.0, float(chances[np.abs(sums) * step >= extreme].sum()) * (1 + 1e-9))
