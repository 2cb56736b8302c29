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
from fairvec.stats import (
    Effect,
    Interval,
    PValue,
    Sides,
    Ties,
    bootstrap_interval,
    leave_one_out,
    permutation_tests,
    smallest_detectable,
)
from fairvec.stats.effect_interval import widen_by_error, widen_for_spread_error
from fairvec.stats.permutation.difference_interval import difference_limits
from fairvec.stats.permutation.inversion import Limits

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
            self._cached[*key, rule] = p
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
class Inference:
    """A score with its statistics, not yet corrected for multiple tests.

    interval, without   how far the value would move with other words, and the value without each
    p, p_two_sided      its permutation test, by the rules asked for and as a verdict counts it;
                        None of a score that is only described, which has none of the rest
    means, sizes        of the leanings of X and of Y
    scale               the effect per unit of Caliskan's d, on which power is known
    reach               the smallest and the largest effect that the lists could have if they were
                        moved apart without limit
    """

    score: Score
    interval: Interval | None = None
    without: tuple[float | None, ...] = ()
    p: PValue | None = None
    p_two_sided: PValue | None = None
    means: tuple[float, float] = (0.0, 0.0)
    sizes: tuple[int, int] = (0, 0)
    scale: float | None = None
    reach: tuple[float, float] = (-inf, inf)

    @property
    def statistic(self) -> float:
        """The mean leaning of X minus that of Y."""
        return self.means[0] - self.means[1]

    def detectable(self, alpha: float, tests: int) -> float | None:
        """Return the smallest effect that these words show among so many tests with 80 % power."""
        smallest = smallest_detectable(*self.sizes, alpha=alpha, tests=tests)
        return None if smallest is None or self.scale is None else smallest * self.scale


def infer(score: Score, statistics: Statistics, p_cache: PValueCache | None = None) -> Inference:
    """Compute the statistics of a score: permutation p, interval, leave-one-out and power."""
    match score.samples:
        case TwoSamples() as samples:
            return _test(score, samples, statistics, p_cache or PValueCache())
        case OneSample() as sample:
            interval = _bootstrap([sample.rows], sample.effect, statistics)
            return Inference(score, interval, _leave_one_out([sample.rows], sample.effect))
        case None:
            return Inference(score)


def _test(
    score: Score, samples: TwoSamples, statistics: Statistics, p_cache: PValueCache
) -> Inference:
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)
    # The verdict always counts ties: without them three words a side reach p = 0.
    p, p_two_sided = p_cache.of(
        x,
        y,
        [(statistics.sides, statistics.ties), ("two", ">=")],
        method=statistics.method,
        samples=statistics.samples,
        seed=statistics.seed,
    )
    lists = [samples.x, samples.y]
    interval = (
        _invert_permutation_test(samples, p_two_sided, statistics)
        if statistics.interval == "permutation"
        else _bootstrap(lists, samples.effect, statistics)
    )
    return Inference(
        score,
        interval,
        _leave_one_out(lists, samples.effect),
        p,
        p_two_sided,
        means=(float(x.mean()), float(y.mean())),
        sizes=(len(x), len(y)),
        scale=_scale(samples, x, y),
        reach=_reach(samples, float(np.concatenate([x, y]).std())),
    )


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
    return bootstrap_interval(
        lists,
        effect,
        level=statistics.level,
        resamples=statistics.resamples,
        seed=statistics.seed,
    )


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
    found = difference_limits(
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
    low, high = _as_effects(samples, widen(found.limits), spread)
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
        kind="inverted",
        method=method,
        resamples=statistics.samples if found.method == "sampled" else None,
        seed=statistics.seed if found.method == "sampled" else None,
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
