"""The pooled effect of many regroupings at once, for any shift of X."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fairvec.stats.arrays import FloatArray
from fairvec.stats.joint.pooling import Pooling
from fairvec.stats.joint.regroupings import Regrouped


@dataclass(frozen=True, eq=False)
class PooledStatistics:
    """What is needed of each regrouping to pool its effects, whatever is taken from X's scores.

    Tests with the same variance V have their weights in one proportion whatever tau is, so their
    sums are enough; Q is a square in the shift. `kinds` are the different V, `shares` the sum of
    1 / repeats for each.
    """

    pooling: Pooling
    kinds: FloatArray
    shares: FloatArray
    effects: FloatArray
    carried: FloatArray
    squares: FloatArray

    @property
    def linear(self) -> bool:
        """Whether the pooled effect is the same weighted mean whatever tau is."""
        return len(self.kinds) == 1

    def at(self, shift: float) -> FloatArray:
        """Return the pooled effect of every regrouping when X is less by a shift."""
        effects = self.effects - shift * self.carried if shift else self.effects
        if self.linear:
            return np.asarray(effects[0] / self.shares[0], np.float64)
        alone, mixed, carried = self.squares
        between = self.pooling.between(alone - shift * (2 * mixed - shift * carried))
        top, bottom = np.zeros_like(between), np.zeros_like(between)
        for kind, share, effect in zip(self.kinds, self.shares, effects, strict=True):
            weight = 1 / (kind + between)
            top += weight * effect
            bottom += share * weight
        return top / bottom


def pooled_statistics(pooling: Pooling, regrouped: Iterable[Regrouped]) -> PooledStatistics:
    """Keep of each regrouping what pooling its effects needs."""
    kinds, kind = np.unique(pooling.variances, return_inverse=True)
    summing = (kind == np.arange(len(kinds))[:, None]) / pooling.repeats
    effects, carried, squares = [], [], []
    for some in regrouped:
        effects.append(summing @ some.effects)
        carried.append(summing @ some.carried)
        pairs = (some.effects, some.effects), (some.effects, some.carried), (some.carried,) * 2
        squares.append([pooling.disagreement(*pair) for pair in pairs])
    return PooledStatistics(
        pooling,
        kinds,
        summing.sum(axis=1),
        np.concatenate(effects, axis=1),
        np.concatenate(carried, axis=1),
        np.concatenate(squares, axis=1),
    )
