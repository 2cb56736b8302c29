"""One metric on one test, with its statistics: all that can be said before the whole run is known.

Corrections for multiple tests need every p-value of the run, so a Result is made in two steps:
a Finding first, then `run` corrects over all findings and turns each into a Result.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.evaluation.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.metrics import OneSample, Score, TwoSamples
from fairvec.results import Interval, PValue
from fairvec.stats import Effect, Sides, leave_one_out, permutation_test, smallest_detectable
from fairvec.stats import interval as bootstrap_interval


@dataclass(frozen=True)
class Steadiness:
    """How far the value would move with other words, or without one of them."""

    interval: Interval | None = None
    without: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How surprising the score would be if grouping did not matter; not yet corrected."""

    statistic: float
    p: PValue
    p_two_sided: PValue
    detectable: float | None


@dataclass(frozen=True)
class Finding:
    """A score and how sure we are of it; without evidence it describes and does not decide."""

    score: Score
    steadiness: Steadiness
    evidence: Evidence | None


def find(score: Score, statistics: Statistics) -> Finding:
    """Put the statistics to a score: permutation, bootstrap, leave-one-out and power."""
    match score.samples:
        case TwoSamples() as samples:
            steadiness = _steadiness([samples.x, samples.y], samples.effect, statistics)
            return Finding(score, steadiness, _evidence(score, samples, statistics))
        case OneSample() as sample:
            return Finding(score, _steadiness([sample.rows], sample.effect, statistics), None)
        case None:
            return Finding(score, Steadiness(), None)


def _steadiness(lists: Sequence[FloatArray], effect: Effect, statistics: Statistics) -> Steadiness:
    interval = bootstrap_interval(
        lists,
        effect,
        level=statistics.level,
        resamples=statistics.resamples,
        seed=statistics.seed,
    )
    without = np.concatenate(leave_one_out(lists, effect))
    return Steadiness(
        interval=Interval.model_validate(interval, from_attributes=True) if interval else None,
        without=tuple(float(effect) if np.isfinite(effect) else None for effect in without),
    )


def _evidence(score: Score, samples: TwoSamples, statistics: Statistics) -> Evidence:
    x, y = samples.leanings(samples.x), samples.leanings(samples.y)

    def p_value(sides: Sides) -> PValue:
        p = permutation_test(
            x,
            y,
            sides=sides,
            ties=statistics.ties,
            method=statistics.method,
            samples=statistics.samples,
            seed=statistics.seed,
        )
        return PValue.model_validate(p, from_attributes=True)

    p = p_value(statistics.sides)
    return Evidence(
        statistic=float(x.mean() - y.mean()),
        p=p,
        p_two_sided=p if statistics.sides == "two" else p_value("two"),
        detectable=_detectable(score, x, y, statistics),
    )


def _detectable(score: Score, x: FloatArray, y: FloatArray, statistics: Statistics) -> float | None:
    """Return the smallest detectable effect, carried from Caliskan's scale to the metric's own.

    Both scales divide the same difference of means, so their ratio is that of the two spreads.
    """
    smallest = smallest_detectable(len(x), len(y), alpha=statistics.alpha)
    if smallest is None:
        return None
    difference = x.mean() - y.mean()
    if difference == 0:
        return float(smallest)
    caliskan = difference / np.concatenate([x, y]).std(ddof=1)
    return float(smallest * score.value / caliskan)
