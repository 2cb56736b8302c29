"""Which shifts a test does not reject: an interval that never disagrees with its p-value.

Suppose that what was observed is larger by delta than chance alone would have it, and take that
away: the statistic T becomes T - delta, and that of a regrouping T_s - delta w_s, where w_s is the
share of the shift that this regrouping carries (1 for what was observed). The regrouping is as
extreme, |T_s - delta w_s| >= |T - delta|, just for the delta between the two numbers

    (T - T_s) / (1 - w_s)   and   (T + T_s) / (1 + w_s),

and T always lies between them. So the p-value of a shift only rises up to T and only falls beyond
it, and the shifts whose p exceeds alpha are one interval around T, the shift 0 among them just
where the test itself finds nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, inf, isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray, find_root

FINE = 1e-6
"""An end that has to be sought is found to this share of the step that the search begins with."""


NEXT_TO_NOTHING = 1e-9
"""The share of what was observed at which an end stops that must not reach zero."""


class Limits(NamedTuple):
    """The smallest and the largest shift that is not rejected; infinite where none is."""

    low: float
    high: float

    def agreeing(self, observed: float, *, rejected: bool) -> "Limits":
        """Put zero where its own p-value has it, should rounding or drawing have not."""
        if not rejected:
            return Limits(min(self.low, 0.0), max(self.high, 0.0))
        # Not the nearest float: what follows divides and multiplies, and must not end at zero.
        next_to_zero = NEXT_TO_NOTHING * observed
        if observed > 0:
            return Limits(max(self.low, next_to_zero), self.high)
        return Limits(self.low, min(self.high, next_to_zero))

    def mirrored(self) -> "Limits":
        """Return the ends of what was observed with the other sign."""
        return Limits(-self.high, -self.low)


def limits_from_all(
    observed: float,
    statistics: FloatArray,
    weights: FloatArray,
    *,
    alpha: Fraction,
    slack: float,
    drawn: bool = False,
) -> Limits:
    """Return the ends from the statistic and the weight of every regrouping.

    With `drawn` these are random ones, of which p is (c + 1)/(N + 1). A number within `slack` of
    zero is zero: rounding alone may have told them apart.
    """
    all_of_it, none_of_it = weights > 1 - 1e-12, weights < -1 + 1e-12
    first = _divide(observed - statistics, 1 - weights, where=~all_of_it, slack=slack)
    second = _divide(observed + statistics, 1 + weights, where=~none_of_it, slack=slack)
    # What was observed, or its mirror image, is as extreme whatever the shift is.
    always = all_of_it | none_of_it
    lower = np.where(always, -inf, np.minimum(first, second))
    upper = np.where(always, inf, np.maximum(first, second))
    count = len(statistics)
    needed = floor(alpha * (count + 1)) if drawn else floor(alpha * count) + 1
    if needed < 1:
        return Limits(-inf, inf)
    return Limits(
        float(np.partition(lower, needed - 1)[needed - 1]),
        float(np.partition(upper, count - needed)[count - needed]),
    )


def _divide(
    top: FloatArray, bottom: FloatArray, *, where: NDArray[np.bool_], slack: float
) -> FloatArray:
    top = np.where(np.abs(top) <= slack, 0.0, top)
    return np.divide(top, bottom, out=np.zeros_like(top), where=where)


def limits_by_search(
    p_of_shift: Callable[[float], float],
    observed: float,
    *,
    step: float,
    alpha: float,
    rough: float | None = None,
) -> Limits:
    """Return the ends from the p-value of any shift, which must fall to alpha far enough out.

    `step` says how far from what was observed the search begins. Where p is an upper bound, an end
    is sought only to the share `rough` of that, and the first shift that is refused is given. The
    shift 0 is always tried, so that the ends lie on that side of it on which its p puts them. A p
    that never falls to alpha has an infinite end.
    """
    if not step > 0:
        raise SettingError(f"A search for the ends of an interval needs a step, not {step}.")
    low, high = (
        _Search(p_of_shift, alpha, observed, observed, step * (rough or FINE)).towards(way * step)
        for way in (-1, 1)
    )
    return Limits(low.refused, high.refused) if rough else Limits(low.kept, high.kept)


def inner_limit(
    least_p_of_shift: Callable[[float], float],
    observed: float,
    refused: float,
    *,
    step: float,
    alpha: float,
) -> float:
    """Return a shift next to a refused one that is not: its p is above alpha by a lower bound.

    The true end lies between the two. Sought inwards in growing steps, at the most as far as what
    was observed, which no test refuses.
    """
    if not isfinite(refused):
        return observed
    far = abs(refused - observed)
    while 0 < step < far:
        trial = refused + (step if observed > refused else -step)
        if not is_significant(least_p_of_shift(trial), alpha):
            return trial
        step *= 1.5
    return observed


@dataclass
class _Search:
    """The last shift found so far that is kept, and the first that is refused."""

    p_of_shift: Callable[[float], float]
    alpha: float
    kept: float
    refused: float
    fine: float
    tried: dict[float, float] = field(default_factory=dict)

    def towards(self, step: float) -> "_Search":
        """Go in the direction of the step until the two are near enough to each other."""
        trial = 0.0 if self.kept * step < 0 else self.kept + step
        while self._above(trial) > 0:
            trial, step = self.kept + step, 2 * step
            if not isfinite(trial):
                self.kept = self.refused = trial
                return self
        if abs(trial - self.kept) > self.fine:
            low, high = sorted((self.kept, trial))
            find_root(self._above, low, high, tolerance=self.fine)
        return self

    def _above(self, shift: float) -> float:
        """Return how far p lies above alpha: about a line in the shift, as normal quantiles are."""
        if shift not in self.tried:
            p = self.p_of_shift(shift)
            above = float(ndtri(p / 2) - ndtri(self.alpha / 2))
            rejected = is_significant(p, self.alpha)
            self.tried[shift] = min(above, -1e-9) if rejected else max(above, 1e-9)
            if rejected:
                self.refused = float(shift)
            else:
                self.kept = float(shift)
        return self.tried[shift]
