"""Random effects (DerSimonian-Laird) of tests that share words, and of independent studies."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, stdtrit

from fairvec.core.numeric import FloatArray, IntArray
from fairvec.stats.joint.regroupings import RegroupedEffects

ROUNDING = 1e-12
"""A share of the weights: what is smaller is zero."""


@dataclass(frozen=True, eq=False)
class CorrelatedRandomEffects:
    """How the effects d of tests are pooled; nothing of it depends on how words are grouped.

    With V_t the variance of a test's d when its own words are regrouped, Sigma the covariance of
    all d over joint regroupings and r its correlations,

        weight of t = 1 / ((V_t + tau^2) sum_j r_tj^2),    effect = sum of weight * d / of weights

    so that m tests of the same words and scores weigh together like one. With the weights of
    tau = 0, their sum W and mean, Q = sum of weight * (d - mean)^2 is expected to be
    tr(M Sigma) + tau^2 tr(M), where M = diag(weight) - weight weight' / W; hence

        tau^2 = max(0, (Q - tr(M Sigma)) / tr(M)),    I^2 = max(0, (Q - tr(M Sigma)) / Q)

    tau = 0 says that the tests differ no more than chance would have it, large ones that they
    measure different things. Sigma is that of words without bias; strong ones vary less, so that
    tau is rather too small there. `random_effects` is the same for independent studies, which have
    V alone.

    DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2; moments with correlated effects:
    Chen, Manning & Dupuis (2012), doi:10.1111/j.1541-0420.2012.01761.x.
    """

    variances: FloatArray
    covariance: FloatArray

    @cached_property
    def squared_correlations(self) -> FloatArray:
        """How much of one test's d another one's tells: none of one that no regrouping changes."""
        own = np.diag(self.covariance)
        own = np.sqrt(np.where(own > ROUNDING * self.variances, own, 0.0))
        both = np.outer(own, own)
        found = np.divide(self.covariance, both, out=np.zeros_like(both), where=both > 0)
        np.fill_diagonal(found, 1.0)
        return np.asarray(found**2, np.float64)

    @cached_property
    def repeats(self) -> FloatArray:
        """How many tests each one stands for: 1 if it is like no other, m if there are m of it."""
        return np.asarray(self.squared_correlations.sum(axis=1), np.float64)

    @cached_property
    def _weights(self) -> FloatArray:
        return self._unscaled(0.0)

    @cached_property
    def _expected(self) -> tuple[float, float]:
        """What chance alone adds to Q, and what each unit of tau squared does."""
        weights = self._weights
        moments = np.diag(weights) - np.outer(weights, weights) / weights.sum()
        return float((moments * self.covariance).sum()), float(np.trace(moments))

    def _unscaled(self, between: float) -> FloatArray:
        return 1 / ((self.variances + between) * self.repeats)

    def weights(self, between: float) -> FloatArray:
        """Return the tests' shares in the pooled effect, for a variance between them."""
        weights = self._unscaled(between)
        return np.asarray(weights / weights.sum(), np.float64)

    def disagreement(self, effects: FloatArray, others: FloatArray | None = None) -> FloatArray:
        """Return Q of the effects, by column; with others, the product that goes with it."""
        others = effects if others is None else others
        weights = self._weights
        total = (weights @ effects) * (weights @ others) / weights.sum()
        return np.asarray(weights @ (effects * others) - total, np.float64)

    def _excess(self, disagreement: FloatArray) -> FloatArray:
        """Return how far Q is above what chance makes of it, rounding left out."""
        excess = disagreement - self._expected[0]
        return np.where(excess > ROUNDING * self._weights.sum(), excess, 0.0)

    def between(self, disagreement: FloatArray) -> FloatArray:
        """Return tau squared for a Q."""
        by_tau = self._expected[1]
        if by_tau <= ROUNDING * self._weights.sum():
            return np.zeros_like(disagreement)
        return np.asarray(self._excess(disagreement) / by_tau, np.float64)

    def inconsistency(self, disagreement: FloatArray) -> FloatArray:
        """Return I squared for a Q."""
        excess = self._excess(disagreement)
        return np.divide(excess, disagreement, out=np.zeros_like(excess), where=excess > 0)

    @cached_property
    def chance(self) -> float:
        """The variance of the pooled effect by chance alone, with the weights of tau = 0."""
        weights = self.weights(0.0)
        return max(0.0, float(weights @ self.covariance @ weights))

    def error(self, between: float) -> float:
        """Return the standard error of the pooled effect, the choice of tests included."""
        weights = self.weights(between)
        chance = max(0.0, float(weights @ self.covariance @ weights))
        return float(np.sqrt(chance + between * (weights @ weights)))


def prediction(
    effect: float, error: float, between: float, *, tests: int, level: float
) -> tuple[float, float]:
    """Return where the true effect of one more test would lie, of at least three.

    effect -+ t sqrt(tau^2 + error^2), t the quantile of Student's t with tests - 2 degrees of
    freedom. Higgins, Thompson & Spiegelhalter (2009), doi:10.1111/j.1467-985X.2008.00552.x.
    """
    reach = float(stdtrit(tests - 2, (1 + level) / 2)) * float(np.hypot(np.sqrt(between), error))
    return effect - reach, effect + reach


@dataclass(frozen=True, eq=False)
class PooledStatistics:
    """What is needed of each regrouping to pool its effects, whatever is taken from X's scores.

    Tests with the same variance V have their weights in one proportion whatever tau is, so their
    sums are enough; Q is a square in the shift. `kinds` are the different V, `shares` the sum of
    1 / repeats for each.
    """

    pooling: CorrelatedRandomEffects
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


def pooled_statistics(
    pooling: CorrelatedRandomEffects, regrouped: Iterable[RegroupedEffects]
) -> PooledStatistics:
    """Keep of each regrouping what pooling its effects needs."""
    kinds, kind = np.unique(pooling.variances, return_inverse=True)
    summing = (kind == np.arange(len(kinds))[:, None]) / pooling.repeats
    effects, carried, squares = [], [], []
    for batch in regrouped:
        effects.append(summing @ batch.effects)
        carried.append(summing @ batch.carried)
        pairs = (batch.effects, batch.effects), (batch.effects, batch.carried), (batch.carried,) * 2
        squares.append([pooling.disagreement(*pair) for pair in pairs])
    return PooledStatistics(
        pooling,
        kinds,
        summing.sum(axis=1),
        np.concatenate(effects, axis=1),
        np.concatenate(carried, axis=1),
        np.concatenate(squares, axis=1),
    )


class RandomEffects(NamedTuple):
    """The joint effect, its standard error, and the variance of the effects between studies."""

    effect: FloatArray
    error: FloatArray
    between: FloatArray

    @property
    def p_above(self) -> FloatArray:
        """The one-sided p of an effect above zero, if the studies are independent."""
        p: FloatArray = ndtr(-self.effect / self.error)
        return p

    @property
    def p_either(self) -> FloatArray:
        """The two-sided p, if the studies are independent."""
        p: FloatArray = 2 * ndtr(-np.abs(self.effect) / self.error)
        return p


def random_effects(effects: FloatArray, variances: FloatArray) -> RandomEffects:
    """Join the effects d_i of studies with sampling variances V_i, over the last axis.

    With the weights W_i = 1 / V_i, Q = sum W_i d_i^2 - (sum W_i d_i)^2 / sum W_i and
    C = sum W_i - sum W_i^2 / sum W_i = sum W_i (sum of the other W) / sum W_i,

        tau^2 = max(0, (Q - df) / C),    df = studies - 1
        effect = sum v_i d_i / sum v_i,    v_i = 1 / (V_i + tau^2),    error = sum(v_i)^-1/2

    A large tau^2 says that the studies disagree by more than their variances explain, zero that
    they do not. All of it holds for independent studies. nan where a variance is zero.

    DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2.
    """
    known = np.where(variances > 0, variances, np.nan)
    weights = 1 / known
    total = weights.sum(axis=-1)
    # From the heaviest study, which may be all but the whole sum, and around the mean: the same
    # number, and no digit is lost.
    heaviest = weights.argmax(axis=-1, keepdims=True)
    apart = effects - np.take_along_axis(effects, heaviest, axis=-1)
    fixed = (weights * apart).sum(axis=-1) / total
    q = (weights * (apart - fixed[..., None]) ** 2).sum(axis=-1)
    c = (weights * _sum_of_others(weights, heaviest)).sum(axis=-1) / total
    excess = q - (effects.shape[-1] - 1)
    between = np.where(excess > 0, excess, 0.0) / np.where(excess > 0, c, 1.0)
    shares = 1 / (known + between[..., None])
    sure = shares.sum(axis=-1)
    return RandomEffects((shares * effects).sum(axis=-1) / sure, 1 / np.sqrt(sure), between)


def _sum_of_others(weights: FloatArray, heaviest: IntArray) -> FloatArray:
    """Return for each weight the sum of all others."""
    others: FloatArray = weights.sum(axis=-1, keepdims=True) - weights
    rest = weights.copy()
    np.put_along_axis(rest, heaviest, 0.0, axis=-1)
    np.put_along_axis(others, heaviest, rest.sum(axis=-1, keepdims=True), axis=-1)
    return others
