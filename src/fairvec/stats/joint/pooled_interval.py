"""The interval of a pooled effect: the common shifts that the joint regrouping does not reject."""

from dataclasses import dataclass
from math import isinf, sqrt

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.intervals.inversion import Ends
from fairvec.stats.intervals.spread_error import noncentralities
from fairvec.stats.joint.pooling import Pooling


@dataclass(frozen=True, eq=False)
class EffectScale:
    """How a shift of X's scores, in standard deviations, becomes a pooled effect.

    `largest` is the largest effect that lists of these sizes can have, as the weights mix them;
    `error` the standard error of the shift, `freedom` how many words know the spread.
    """

    effect: float
    largest: float
    error: float
    freedom: float

    def effects(self, shifts: Ends) -> Ends:
        """Return the effects for the two ends of an interval of shifts.

        First the ends are moved out by the error of the spread, as for a single test: with what
        was observed and its ends in standard errors, each becomes a noncentrality of Student's t.
        Then a shift s is the effect that the tests would have, did they differ by s: s over the
        spread that they would have then,

            s / sqrt(1 + (s^2 - effect^2) / largest^2)

        Zero stays zero, what was observed stays what it is, and nothing passes `largest`.
        """
        low, high = shifts.low, shifts.high
        if self.freedom > 0 and self.error > 1e-9 and low <= self.effect <= high:
            low, high = noncentralities(
                self.effect / self.error, low / self.error, high / self.error, self.freedom
            )
            low, high = low * self.error, high * self.error
        return Ends(self._effect(low), self._effect(high))

    def _effect(self, shift: float) -> float:
        if isinf(shift) or abs(self.effect) >= self.largest:
            return float(np.sign(shift)) * self.largest
        ratio = shift / self.largest
        return shift / sqrt(1 - (self.effect / self.largest) ** 2 + ratio * ratio)


def effect_scale(
    effect: float, weights: FloatArray, sizes: IntArray, shared: IntArray, pooling: Pooling
) -> EffectScale:
    """Say how shifts become effects, from the tests' sizes (nx, ny) and how many words two share.

    A spread is known as well as n - 2 numbers know it. The spreads of two tests vary together by
    the square of their scores' correlation times the share of words that they have in common,
    which is r^2 sqrt(n m) / shared with r that of their effects; so the pooled effect divides by
    what 1 / (sum over both of weight weight corr / sqrt(freedom freedom)) numbers know.
    """
    words = sizes.sum(axis=1)
    largest = np.sqrt((words - 1) * pooling.variances)
    limit = float(weights @ largest)
    within = 1 - (effect / limit) ** 2
    scaled = weights * np.sqrt(np.maximum(words - 1, 0) / np.maximum(words - 2, 1))
    error = sqrt(max(0.0, within * float(scaled @ pooling.covariance @ scaled)))
    if (words <= 2).any():
        return EffectScale(effect, limit, error, 0.0)
    together = pooling.squared_correlations * np.sqrt(np.outer(words, words))
    together = np.minimum(1.0, together / np.maximum(shared, 1))
    known = weights / np.sqrt(words - 2)
    return EffectScale(effect, limit, error, 1 / float(known @ together @ known))
