"""The statistics of one score: permutation p, interval, leave-one-out and power.

Corrections for multiple tests need every p-value of the run, so a Result is made in two steps:
an Inference here, then `run` corrects over all of them and turns each into a Result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, floor, inf, log10
from typing import Any

import numpy as np

from fairvec.experiments.audit.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.metrics import OneSample, Score, TwoSamples
from fairvec.results import Interval, PValue
from fairvec.stats import (
    Effect,
    Limits,
    Sides,
    Ties,
    bootstrap_interval,
    difference_interval,
    leave_one_out,
    permutation_tests,
    smallest_detectable,
    widen_by_error,
    widen_for_spread_error,
)

_Rules = tuple[Sides, Ties]
_CacheKey = tuple[bytes, bytes, tuple[tuple[str, Any], ...], _Rules]


class PValueCache:
    """Permutation p-values, each computed once.

    p depends on the leanings of the words and on the rules of the test alone, not on what the
    effect is divided by, so that several metrics share it.
    """

    def __init__(self) -> None:
        self._cached: dict[_CacheKey, PValue] = {}

    def of(
        self, x: FloatArray, y: FloatArray, rules: Sequence[_Rules], **settings: Any
    ) -> list[PValue]:
        """Return the p-values of two lists of leanings; arguments as in `permutation_tests`."""
        key = (x.tobytes(), y.tobytes(), tuple(sorted(settings.items())))
        missing = [rule for rule in dict.fromkeys(rules) if (*key, rule) not in self._cached]
        computed = permutation_tests(x, y, missing, **settings)
        for rule, p in zip(missing, computed, strict=True):
            self._cached[*key, rule] = PValue.model_validate(p, from_attributes=True)
        return [self._cached[*key, rule] for rule in rules]


ROUNDING = 1e-9
"""An effect below this, or a difference below this share of the spread, is rounding error."""

EXTREME_SHIFT = 1e6
"""Spreads between two lists at which their effect has reached its limit."""

MOST_LEFT_OUT = 2_000
"""Leave-one-out is skipped for more words: each matters little, and time grows with the square."""

TINY = 1e-12
"""The smallest nonzero end of an interval."""


@dataclass(frozen=True)
class Steadiness:
    """How far the value would move with other words: its interval, and the value without each."""

    interval: Interval | None = None
    without: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """The permutation test of a score, not yet corrected for multiple tests.

    `reach` holds the smallest and the largest effect that the lists could have if they were moved
    apart without limit; `scale` the effect per unit of Caliskan's d.
    """

    means: tuple[float, float]
    p: PValue
    p_two_sided: PValue
    sizes: tuple[int, int]
    scale: float | None
    reach: tuple[float, float] = (-inf, inf)

    @property
    def statistic(self) -> float:
        """The mean leaning of X minus that of Y."""
        return self.means[0] - self.means[1]

    def detectable(self, alpha: float, tests: int) -> float | None:
        """Return the smallest effect that these words show among so many tests with 80 % power.

        The power is known on Caliskan's scale; `scale` carries it to the metric's own.
        """
        smallest = smallest_detectable(*self.sizes, alpha=alpha, tests=tests)
        return None if smallest is None or self.scale is None else smallest * self.scale


@dataclass(frozen=True)
class Inference:
    """A score with its statistics; without evidence it is a description and has no verdict."""

    score: Score
    steadiness: Steadiness
    evidence: Evidence | None


def infer(score: Score, statistics: Statistics, p_values: PValueCache | None = None) -> Inference:
    """Compute the statistics of a score: permutation p, interval, leave-one-out and power."""
    p_values = p_values or PValueCache()
    match score.samples:
        case TwoSamples() as samples:
            evidence = _evidence(samples, statistics, p_values)
            interval = (
                _invert_permutation_test(samples, evidence.p_two_sided, statistics)
                if statistics.interval == "permutation"
                else _bootstrap([samples.x, samples.y], samples.effect, statistics)
            )
            without = _leave_one_out([samples.x, samples.y], samples.effect)
            return Inference(score, Steadiness(interval, without), evidence)
        case OneSample() as sample:
            interval = _bootstrap([sample.rows], sample.effect, statistics)
            without = _leave_one_out([sample.rows], sample.effect)
            return Inference(score, Steadiness(interval, without), None)
        case None:
            return Inference(score, Steadiness(), None)


def _leave_one_out(lists: Sequence[FloatArray], effect: Effect) -> tuple[float | None, ...]:
    if sum(map(len, lists)) > MOST_LEFT_OUT:
        return ()
    effects = np.concatenate(leave_one_out(lists, effect))
    return tuple(float(effect) if np.isfinite(effect) else None for effect in effects)


def _bootstrap(
    lists: Sequence[FloatArray], effect: Effect, statistics: Statistics
) -> Interval | None:
    if statistics.interval == "none":
        return None
    interval = bootstrap_interval(
        lists,
        effect,
        level=statistics.level,
        resamples=statistics.resamples,
        seed=statistics.seed,
    )
    return Interval.model_validate(interval, from_attributes=True) if interval else None


def _invert_permutation_test(
    samples: TwoSamples, p: PValue, statistics: Statistics
) -> Interval | None:
    """Return the effects that the permutation test does not reject.

    Each end is a difference of means, turned into the effect that lists with this difference would
    have, which is bounded. None where the effect of equal means is not zero, as with uneven numbers
    of sentences: the interval would contradict its p-value.
    """
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    spread = float(np.concatenate([x, y]).std())
    if spread == 0 or abs(samples.effect_at(0.0)) > ROUNDING:
        return None
    found = difference_interval(
        x,
        y,
        p=p.value,
        method=p.method,
        level=statistics.level,
        samples=statistics.samples,
        seed=statistics.seed,
    )
    widen = partial(
        widen_by_error,
        observed=samples.difference,
        error=samples.error,
        level=statistics.level,
    )
    low, high = _as_effects(samples, widen(Limits(found.low, found.high)), spread)
    method = f"inverted permutation test, {found.method}"
    if found.surely:
        certain = _as_effects(samples, widen(found.surely), spread)
        margin = max(certain[0] - low, high - certain[1])
        method += f" to {_format_rounded_up(margin)}"
    if samples.error:
        method += f", with the error of {samples.error_of}"
    return Interval(
        low=low,
        high=high,
        level=statistics.level,
        method=method,
        resamples=found.samples,
        seed=found.seed,
    )


def _as_effects(samples: TwoSamples, ends: Limits, spread: float) -> tuple[float, float]:
    """Return the smallest and largest effect of lists whose difference lies between the ends.

    They lie at the ends, or at the turning point of the effect between them.
    """
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    low, high = widen_for_spread_error(x, y, ends.low, ends.high)
    effects = _turning_point(samples, spread, low, high)
    for end in (low, high):
        effect = samples.effect_at(
            float(np.clip(end, -EXTREME_SHIFT * spread, EXTREME_SHIFT * spread))
        )
        # An end next to zero keeps its sign, which rounding of so small a difference may lose.
        effects.append(effect if effect * end > 0 else float(np.sign(end)) * TINY)
    return min(effects), max(effects)


def _turning_point(samples: TwoSamples, spread: float, low: float, high: float) -> list[float]:
    """Return the extreme effect where the effect as a function of D turns between low and high.

    The square of what a difference D is divided by is a + b D + c D^2: the effect turns where
    D = -2 a / b. That of the leanings has b = 0; that of raw similarities is smallest where X leans
    to neither side.
    """
    shifts = np.array([-1.0, 1.0, 2.0])  # in units of the spread
    effects = np.array([samples.effect_at(spread * float(shift)) for shift in shifts])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        below, above, double = (shifts / effects) ** 2
        b, middle = (above - below) / 2, (above + below) / 2
        a = middle - (double - 2 * b - middle) / 3
        turn = float(-2 * a / b * spread) if abs(b) > ROUNDING * a else inf
    return [samples.effect_at(turn)] if low < turn < high else []


def _format_rounded_up(width: float) -> str:
    """Return a width rounded up to one significant digit, as 0.0003."""
    if width <= TINY:
        return "0"
    digits = -floor(log10(width))
    return f"{ceil(width * 10**digits - ROUNDING) / 10**digits:.{max(digits, 0)}f}"


def _evidence(samples: TwoSamples, statistics: Statistics, p_values: PValueCache) -> Evidence:
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    # The verdict always counts ties: without them three words a side reach p = 0.
    p, p_two_sided = p_values.of(
        x,
        y,
        [(statistics.sides, statistics.ties), ("two", ">=")],
        method=statistics.method,
        samples=statistics.samples,
        seed=statistics.seed,
    )
    return Evidence(
        means=(float(x.mean()), float(y.mean())),
        p=p,
        p_two_sided=p_two_sided,
        sizes=(len(x), len(y)),
        scale=_scale(samples, x, y),
        reach=_reach(samples, float(np.concatenate([x, y]).std())),
    )


def _reach(samples: TwoSamples, spread: float) -> tuple[float, float]:
    """Return the smallest and largest effect that the lists could have at any difference."""
    effects = [samples.effect_at(sign * EXTREME_SHIFT * spread) for sign in (-1.0, 1.0)]
    effects += _turning_point(samples, spread, -EXTREME_SHIFT * spread, EXTREME_SHIFT * spread)
    return (min(effects), max(effects)) if np.isfinite(effects).all() else (-inf, inf)


def _scale(samples: TwoSamples, x: FloatArray, y: FloatArray) -> float | None:
    """Return the metric's effect per unit of Caliskan's d; None where there is no spread.

    Both divide the same difference of means, so this is the ratio of the two spreads; where the
    difference is about zero, the lists are first moved apart by one spread.
    """
    spread = float(np.concatenate([x, y]).std(ddof=1))
    difference = float(x.mean() - y.mean())
    if abs(difference) <= ROUNDING * spread:
        difference = spread
    moved = np.concatenate([x + difference - (x.mean() - y.mean()), y])
    scale = samples.effect_at(difference) * float(moved.std(ddof=1)) / (difference or 1.0)
    return scale if np.isfinite(scale) and scale > 0 else None
