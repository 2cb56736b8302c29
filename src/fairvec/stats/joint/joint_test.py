"""The joint test: one p-value and one pooled effect with its interval for tests that share words.

All words are regrouped together; the interval has the common shifts of X that this test does not
reject, turned into effects.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isinf, sqrt
from typing import Any, NamedTuple

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray, IntArray
from fairvec.stats.effect_interval import noncentral_limits
from fairvec.stats.joint.random_effects import (
    CorrelatedRandomEffects,
    PooledStatistics,
    pooled_statistics,
    prediction,
)
from fairvec.stats.joint.regroupings import JointRegroupings
from fairvec.stats.joint.units import ScoredLists
from fairvec.stats.permutation.difference_interval import difference_limits
from fairvec.stats.permutation.inversion import Limits, limits_by_search, limits_from_all
from fairvec.stats.permutation.two_sample import (
    ROUNDING_BITS,
    clopper_pearson,
    permutation_test,
)
from fairvec.stats.values import Interval, PValue

ROUNDING = 1e-13
"""A share of the scores that went into a sum, below which the sum is zero."""


@dataclass(frozen=True)
class JointResult:
    """Several tests pooled.

    `effect` is the weighted mean of `effects` (each test's d times its scale), with shares
    `weights`; `between` is tau, the standard deviation of true effects between tests,
    `inconsistency` I squared, `error` the standard error of `effect`, the choice of tests included.
    `interval` holds the common shifts that the joint regrouping does not reject, as effects, None
    where so few words reject nothing; `prediction` is where one more test would lie, None of fewer
    than three tests.
    """

    effect: float
    effects: tuple[float, ...]
    weights: tuple[float, ...]
    between: float
    inconsistency: float
    interval: Interval | None
    prediction: Interval | None
    p: PValue
    error: float | None = None


def joint_test(
    tests: Sequence[ScoredLists],
    *,
    level: float = 0.95,
    samples: int = 100_000,
    seed: int = 0,
    interval: bool = True,
) -> JointResult:
    """Pool the effects of several tests and regroup all their words together.

    A joint regrouping keeps the sizes of all lists, and a word that stands in several tests changes
    side in all of them or in none; p is the share of regroupings whose pooled effect is as far from
    zero as the observed one, its weights and tau computed again in each. A small p says that the
    grouping of words matters to at least one test, and to their mean; p = 1 that it does not.

    Exact where all tests regroup the same words (one test is such a case, and has the p of
    `permutation_test`) or where all regroupings can be listed (2^18), else sampled with its error.
    A test whose words all lean alike has no effect and is refused. An interval is sought only if it
    is asked for.
    """
    if not tests or samples < 1 or not 0 < level < 1:
        raise SettingError(
            "A joint test needs at least one test, one sample and a level between 0 and 1, not "
            f"{len(tests)}, {samples} and {level}."
        )
    regroupings = JointRegroupings(tests)
    pooling = CorrelatedRandomEffects(regroupings.variances, regroupings.covariance())
    effects = regroupings.observed()
    disagreement = pooling.disagreement(effects)
    between = float(pooling.between(disagreement))
    weights = pooling.weights(between)
    effect, error = float(weights @ effects), pooling.error(between)
    common = _common_scores(tests, regroupings, weights)
    if common is None:
        p, shifts = joint_p_and_limits(
            regroupings, pooling, effect, level if interval else None, samples=samples, seed=seed
        )
    else:
        # Tests that take each other back have no effect, whatever is taken from X.
        moves = np.ptp(np.concatenate([common.x, common.y])) > 0
        wanted_level = level if interval and moves else None
        p, shifts = pooled_two_sample(*common, wanted_level, samples=samples, seed=seed)
    scale = effect_scale(
        effect,
        weights,
        np.array([test.sizes for test in tests]),
        regroupings,
        pooling,
    )
    predicted = None
    if len(tests) >= 3:
        low, high = prediction(effect, error, between, tests=len(tests), level=level)
        predicted = Interval.from_limits(
            (max(low, -scale.largest), min(high, scale.largest)),
            level,
            "prediction",
            "Student's t of one more test",
        )
    pooled_interval = None
    if shifts:
        limits = scale.effects(shifts)
        limits = limits.agreeing(effect, rejected=is_significant(p.value, 1 - level))
        method = f"inverted joint regrouping, {p.method}"
        pooled_interval = Interval.from_limits(limits, level, "inverted", method, p=p)
    return JointResult(
        effect,
        tuple(effects.tolist()),
        tuple(weights.tolist()),
        sqrt(between),
        float(pooling.inconsistency(disagreement)),
        pooled_interval,
        predicted,
        p,
        error,
    )


class JointDifference(NamedTuple):
    """The sum of several tests' differences of means, its p-value and its interval."""

    value: float
    p: PValue
    interval: Interval | None

    @classmethod
    def of(cls, value: float, p: PValue, limits: Limits | None, level: float) -> "JointDifference":
        """Return the sum with the interval between two limits, if there are some."""
        method = f"inverted permutation test of changes, {p.method}"
        return cls(
            value, p, limits and Interval.from_limits(limits, level, "inverted", method, p=p)
        )


def joint_difference_test(
    tests: Sequence[ScoredLists],
    weights: FloatArray,
    *,
    level: float = 0.95,
    samples: int = 100_000,
    seed: int = 0,
) -> JointDifference:
    """Test the sum over tests of mean(X) - mean(Y), the words of all tests regrouped together.

    The scores have the unit of the sum, which is not divided by a spread: those of a test in a
    weighted mean are its weight times its own. p is the share of joint regroupings (`joint_test`)
    whose sum is as far from zero. The interval inverts that test: a shift of the sum falls on the X
    of each test by its share in `weights`, which add up to 1. It is None where so few words reject
    nothing. Of one test both are those of `permutation_test` and `difference_interval`.
    """
    if len(tests) == 1:
        p, shifts = pooled_two_sample(
            tests[0].x_scores, tests[0].y_scores, 1.0, level, samples=samples, seed=seed
        )
        value = float(tests[0].x_scores.mean() - tests[0].y_scores.mean())
        return JointDifference.of(value, p, shifts, level)
    spreads = np.array([_spread(test) for test in tests])
    # Words that all have one score add nothing to the sum, however they are grouped.
    regroupings = JointRegroupings(
        [
            test
            if spread
            else replace(test, x_scores=np.arange(nx, dtype=np.float64), y_scores=-np.ones(ny))
            for test, spread in zip(tests, spreads, strict=True)
            for nx, ny in [test.sizes]
        ]
    )
    value = float(spreads @ regroupings.observed())
    common = _common_scores(tests, regroupings, spreads) if spreads.all() else None
    if common is not None:
        p, shifts = pooled_two_sample(common.x, common.y, 1.0, level, samples=samples, seed=seed)
        return JointDifference.of(value, p, shifts, level)
    drawn = not regroupings.listable
    batches = regroupings.drawn(samples, seed) if drawn else [regroupings.every()]
    sums = np.concatenate(
        [[spreads @ batch.effects, weights @ batch.carried] for batch in batches], axis=1
    )
    slack = SLACK * float(spreads.sum())
    found, of = int((np.abs(sums[0]) >= abs(value) - slack).sum()), len(sums[0])
    p = _p_value(found, of, regroupings, seed if drawn else None)
    alpha = 1 - Fraction(str(level))
    if not is_significant(p.smallest, float(alpha)):
        return JointDifference(value, p, None)
    limits = limits_from_all(value, sums[0], sums[1], alpha=alpha, slack=slack, drawn=drawn)
    rejected = is_significant(p.value, float(alpha))
    return JointDifference.of(value, p, limits.agreeing(value, rejected=rejected), level)


def _spread(test: ScoredLists) -> float:
    """Return the standard deviation of a test's scores; 0 where they differ by rounding alone."""
    scores = np.concatenate([test.x_scores, test.y_scores])
    alike = np.ptp(scores) <= np.abs(scores).max() * 2.0 ** (1 - ROUNDING_BITS)
    return 0.0 if alike else float(scores.std(ddof=1))


class _CommonScores(NamedTuple):
    """Scores whose difference of means is the pooled effect, times a unit."""

    x: FloatArray
    y: FloatArray
    unit: float = 1.0


def _common_scores(
    tests: Sequence[ScoredLists], regroupings: JointRegroupings, weights: FloatArray
) -> _CommonScores | None:
    """Return one score a word, where all tests regroup the same words: then one test says it all.

    Their sizes are the same; so are their weights whatever tau is, if their scales are.
    """
    if len(tests) == 1:
        x, y = tests[0].x_scores, tests[0].y_scores
        return _CommonScores(x, y, float(np.concatenate([x, y]).std(ddof=1)) / tests[0].scale)
    cells = [cell for part in regroupings.components for cell in part.cells]
    if len(cells) > 1 or np.ptp(regroupings.scales) > 0:
        return None
    (cell,) = cells
    shares = weights[:, None] * cell.coefficients / regroupings.variances_of_d[:, None]
    scores = shares.sum(axis=0)
    # Tests that take each other back leave rounding alone, which is no difference.
    scores[np.abs(scores) <= ROUNDING * np.abs(shares).max()] = 0.0
    return _CommonScores(scores[cell.marked], scores[~cell.marked])


SLACK = 1e-11
"""Pooled effects nearer to each other than this tie: rounding alone may have told them apart."""

ROUGH = 1e-4
"""The ends among random regroupings are sought to this share of a step, far below their error."""

LEAST_STEP = 0.01
"""Where the pooled effect hardly varies, the search for its ends begins so far out."""


class _Decision(NamedTuple):
    """The p-value, and the smallest and largest shift that are not rejected, if asked for."""

    p: PValue
    shifts: Limits | None


def pooled_two_sample(
    x: FloatArray, y: FloatArray, unit: float, level: float | None, *, samples: int, seed: int
) -> _Decision:
    """Decide by scores whose difference of means is the pooled effect, however they are grouped.

    `unit` is the difference that is an effect of 1.
    """
    p = permutation_test(x, y, samples=samples, seed=seed)
    if level is None:
        return _Decision(p, None)
    found = difference_limits(
        x, y, p=p.value, method=p.method, level=level, samples=samples, seed=seed
    )
    return _Decision(p, Limits(*(end / unit for end in found.limits)))


def joint_p_and_limits(
    regroupings: JointRegroupings,
    pooling: CorrelatedRandomEffects,
    effect: float,
    level: float | None,
    *,
    samples: int,
    seed: int,
) -> _Decision:
    """Decide by all joint regroupings, or by random ones where there are too many."""
    drawn = not regroupings.listable
    statistics = pooled_statistics(
        pooling, regroupings.drawn(samples, seed) if drawn else [regroupings.every()]
    )
    found, of = _count_extreme(statistics, effect, 0.0)
    p = _p_value(found, of, regroupings, seed if drawn else None)
    if level is None:
        return _Decision(p, None)
    alpha = 1 - Fraction(str(level))
    if not is_significant(p.smallest, float(alpha)):
        return _Decision(p, Limits(-inf, inf))
    if statistics.linear:
        carried = statistics.carried[0] / statistics.shares[0]
        limits = limits_from_all(
            effect, statistics.at(0.0), carried, alpha=alpha, slack=SLACK, drawn=drawn
        )
    else:
        limits = limits_by_search(
            lambda shift: _extreme_share(statistics, effect, shift, drawn),
            effect,
            step=max(2 * sqrt(pooling.chance), LEAST_STEP),
            alpha=float(alpha),
            rough=ROUGH if drawn else None,
        )
    rejected = is_significant(p.value, float(alpha))
    return _Decision(p, limits.agreeing(effect, rejected=rejected))


def _count_extreme(statistics: PooledStatistics, effect: float, shift: float) -> tuple[int, int]:
    """Return how many regroupings are as extreme as what was observed, and of how many."""
    pooled, slack = np.abs(statistics.at(shift)), SLACK * (1 + abs(shift))
    return int((pooled >= abs(effect - shift) - slack).sum()), len(pooled)


def _extreme_share(statistics: PooledStatistics, effect: float, shift: float, drawn: bool) -> float:
    found, of = _count_extreme(statistics, effect, shift)
    return (found + drawn) / (of + drawn)


def _p_value(found: int, of: int, regroupings: JointRegroupings, seed: int | None) -> PValue:
    """Return p, of so many regroupings that are as extreme, of all or of those drawn by a seed."""
    drawn = seed is not None
    share = (found + drawn) / (of + drawn)
    details: dict[str, Any] = {"method": "exact", "low": share, "high": share}
    if drawn:
        low, high = clopper_pearson(found, of)
        details = {"method": "sampled", "low": low, "high": high, "samples": of, "seed": seed}
        details["standard_error"] = sqrt(share * (1 - share) / of)
    return PValue(
        value=share,
        sides="two",
        ties=">=",
        partitions=regroupings.labellings,
        smallest=(2 if regroupings.mirrored else 1) / regroupings.labellings,
        **details,
    )


@dataclass(frozen=True, eq=False)
class EffectScale:
    """How a shift of X's scores, in units of what effects divide by, becomes a pooled effect.

    `largest` is the largest effect that lists of these sizes can have, as the weights mix them;
    `error` the standard error of the shift, `freedom` how many words know the spread.
    """

    effect: float
    largest: float
    error: float
    freedom: float

    def effects(self, shifts: Limits) -> Limits:
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
            low, high = noncentral_limits(
                self.effect / self.error, low / self.error, high / self.error, self.freedom
            )
            low, high = low * self.error, high * self.error
        return Limits(self._effect(low), self._effect(high))

    def _effect(self, shift: float) -> float:
        if isinf(shift) or abs(self.effect) >= self.largest:
            return float(np.sign(shift)) * self.largest
        ratio = shift / self.largest
        return shift / sqrt(1 - (self.effect / self.largest) ** 2 + ratio * ratio)


def effect_scale(
    effect: float,
    weights: FloatArray,
    sizes: IntArray,
    regroupings: JointRegroupings,
    pooling: CorrelatedRandomEffects,
) -> EffectScale:
    """Say how shifts become effects, from the tests' sizes (nx, ny) and how many words two share.

    Words that vary less than what an effect divides by (a scale below 1) could be moved apart to
    the limit of d, sqrt((n - 1)(1/nx + 1/ny)), all the same.

    A spread is known as well as n - 2 numbers know it. The spreads of two tests vary together by
    the square of their scores' correlation times the share of words that they have in common,
    which is r^2 sqrt(n m) / shared with r that of their effects; so the pooled effect divides by
    what 1 / (sum over both of weight weight corr / sqrt(freedom freedom)) numbers know.
    """
    words = sizes.sum(axis=1)
    of_words = np.sqrt((words - 1) * pooling.variances)
    limit = float(weights @ (of_words / np.minimum(regroupings.scales, 1.0)))
    within = 1 - (effect / float(weights @ of_words)) ** 2
    scaled = weights * np.sqrt(np.maximum(words - 1, 0) / np.maximum(words - 2, 1))
    error = sqrt(max(0.0, within * float(scaled @ pooling.covariance @ scaled)))
    if (words <= 2).any():
        return EffectScale(effect, limit, error, 0.0)
    together = pooling.squared_correlations * np.sqrt(np.outer(words, words))
    together = np.minimum(1.0, together / np.maximum(regroupings.shared(), 1))
    known = weights / np.sqrt(words - 2)
    return EffectScale(effect, limit, error, 1 / float(known @ together @ known))
