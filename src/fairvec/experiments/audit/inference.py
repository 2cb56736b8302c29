"""One metric on one test, with its statistics, before the whole run is known.

Corrections for multiple tests need every p-value of the run, so a Result is made in two steps:
a Finding first, then `run` corrects over all findings and turns each into a Result.
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

# p-values that are asked more than once: the same words regrouped by the same rules.


_Rules = tuple[Sides, Ties]
_Asked = tuple[bytes, bytes, tuple[tuple[str, Any], ...], _Rules]


class PValueCache:
    """The permutation p-values of one piece of work, each of them computed once.

    p depends on the leanings of the words and on the rules of the test alone. Whatever an effect is
    divided by, and whatever is asked beside it, the p of the same numbers is the same.
    """

    def __init__(self) -> None:
        self._known: dict[_Asked, PValue] = {}

    def of(
        self, x: FloatArray, y: FloatArray, rules: Sequence[_Rules], **settings: Any
    ) -> list[PValue]:
        """Return the p-values of two lists of leanings, asked as in `permutation_tests`."""
        words = (x.tobytes(), y.tobytes(), tuple(sorted(settings.items())))
        unknown = [each for each in dict.fromkeys(rules) if (*words, each) not in self._known]
        found = permutation_tests(x, y, unknown, **settings)
        for each, p in zip(unknown, found, strict=True):
            self._known[*words, each] = PValue.model_validate(p, from_attributes=True)
        return [self._known[*words, each] for each in rules]


ROUNDING = 1e-9
"""A smaller effect is none, and a smaller share of a spread is no difference."""

FAR = 1e6
"""So many spreads apart an effect is as large as it can be."""

LEFT_OUT = 2_000
"""Of more words one carries next to nothing, and leaving out each takes their square in time."""

TINY = 1e-12
"""The smallest end of an interval that is not zero."""


@dataclass(frozen=True)
class Steadiness:
    """How far the value would move with other words, or without one of them."""

    interval: Interval | None = None
    without: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How surprising the score would be if grouping did not matter; not yet corrected.

    `reach` holds the smallest and the largest effect, however far apart the lists were.
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
    """A score and how sure we are of it; without evidence it describes and does not decide."""

    score: Score
    steadiness: Steadiness
    evidence: Evidence | None


def infer(score: Score, statistics: Statistics, p_values: PValueCache | None = None) -> Inference:
    """Put the statistics to a score: permutation, interval, leave-one-out and power."""
    p_values = p_values or PValueCache()
    match score.samples:
        case TwoSamples() as samples:
            evidence = _evidence(samples, statistics, p_values)
            interval = (
                _inverted(samples, evidence.p_two_sided, statistics)
                if statistics.interval == "permutation"
                else _bootstrapped([samples.x, samples.y], samples.effect, statistics)
            )
            without = _without([samples.x, samples.y], samples.effect)
            return Inference(score, Steadiness(interval, without), evidence)
        case OneSample() as sample:
            interval = _bootstrapped([sample.rows], sample.effect, statistics)
            without = _without([sample.rows], sample.effect)
            return Inference(score, Steadiness(interval, without), None)
        case None:
            return Inference(score, Steadiness(), None)


def _without(lists: Sequence[FloatArray], effect: Effect) -> tuple[float | None, ...]:
    if sum(map(len, lists)) > LEFT_OUT:
        return ()
    effects = np.concatenate(leave_one_out(lists, effect))
    return tuple(float(effect) if np.isfinite(effect) else None for effect in effects)


def _bootstrapped(
    lists: Sequence[FloatArray], effect: Effect, statistics: Statistics
) -> Interval | None:
    if statistics.interval == "none":
        return None
    found = bootstrap_interval(
        lists,
        effect,
        level=statistics.level,
        resamples=statistics.resamples,
        seed=statistics.seed,
    )
    return Interval.model_validate(found, from_attributes=True) if found else None


def _inverted(samples: TwoSamples, p: PValue, statistics: Statistics) -> Interval | None:
    """Return the effects that the permutation test does not reject.

    Each end is a difference of means, turned into the effect that the lists would have if they
    differed by that: bounded as the effect is. None where an effect is not zero when the difference
    is, as with uneven numbers of sentences: it would not agree with its p-value.
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
    wider = partial(
        widen_by_error,
        observed=samples.difference,
        error=samples.error,
        level=statistics.level,
    )
    low, high = _as_effects(samples, wider(Limits(found.low, found.high)), spread)
    how = f"inverted permutation test, {found.method}"
    if found.surely:
        surely = _as_effects(samples, wider(found.surely), spread)
        farther = max(surely[0] - low, high - surely[1])
        how += f" to {_rounded_up(farther)}"
    if samples.error:
        how += f", with the error of {samples.error_of}"
    return Interval(
        low=low,
        high=high,
        level=statistics.level,
        method=how,
        resamples=found.samples,
        seed=found.seed,
    )


def _as_effects(samples: TwoSamples, ends: Limits, spread: float) -> tuple[float, float]:
    """Return the effects that the lists would have if they differed as the ends say.

    The smallest and the largest, should the effect turn between the ends.
    """
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    low, high = widen_for_spread_error(x, y, ends.low, ends.high)
    effects = _turning(samples, spread, low, high)
    for end in (low, high):
        effect = samples.effect_at(float(np.clip(end, -FAR * spread, FAR * spread)))
        # An end next to zero has its sign, whatever rounding makes of so small a difference.
        effects.append(effect if effect * end > 0 else float(np.sign(end)) * TINY)
    return min(effects), max(effects)


def _turning(samples: TwoSamples, spread: float, low: float, high: float) -> list[float]:
    """Return the effect beyond which none lies, if its difference is between two others.

    The square of what a difference D is divided by is a + b D + c D^2: the effect turns where
    D = -2 a / b. That of the leanings has b = 0; that of raw similarities is smallest where X leans
    to neither side.
    """
    asked = np.array([-1.0, 1.0, 2.0])  # in units of the spread
    effects = np.array([samples.effect_at(spread * float(one)) for one in asked])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        below, above, twice = (asked / effects) ** 2
        b, middle = (above - below) / 2, (above + below) / 2
        a = middle - (twice - 2 * b - middle) / 3
        turn = float(-2 * a / b * spread) if abs(b) > ROUNDING * a else inf
    return [samples.effect_at(turn)] if low < turn < high else []


def _rounded_up(width: float) -> str:
    """Return a width with one digit, as 0.0003, none of which is said to be less than it is."""
    if width <= TINY:
        return "0"
    place = -floor(log10(width))
    return f"{ceil(width * 10**place - ROUNDING) / 10**place:.{max(place, 0)}f}"


def _evidence(samples: TwoSamples, statistics: Statistics, p_values: PValueCache) -> Evidence:
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    # The verdict counts ties whatever p does: without them three words a side reach p = 0.
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
    """Return the effects at the two ends of what is possible, to the digits of an interval."""
    effects = [samples.effect_at(side * FAR * spread) for side in (-1.0, 1.0)]
    effects += _turning(samples, spread, -FAR * spread, FAR * spread)
    return (min(effects), max(effects)) if np.isfinite(effects).all() else (-inf, inf)


def _scale(samples: TwoSamples, x: FloatArray, y: FloatArray) -> float | None:
    """Return the metric's effect per unit of Caliskan's d; None where there is no spread.

    Both divide the same difference of means, so this is the ratio of the two spreads: as they are,
    or, where the difference is about zero, as they were if the lists differed by one of them.
    """
    spread = float(np.concatenate([x, y]).std(ddof=1))
    difference = float(x.mean() - y.mean())
    if abs(difference) <= ROUNDING * spread:
        difference = spread
    moved = np.concatenate([x + difference - (x.mean() - y.mean()), y])
    scale = samples.effect_at(difference) * float(moved.std(ddof=1)) / (difference or 1.0)
    return scale if np.isfinite(scale) and scale > 0 else None
