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
from fairvec.stats import Effect, Sides, Ties, leave_one_out, permutation_test, smallest_detectable
from fairvec.stats import interval as bootstrap_interval


@dataclass(frozen=True)
class Steadiness:
    """How far the value would move with other words, or without one of them."""

    interval: Interval | None = None
    without: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How surprising the score would be if grouping did not matter; not yet corrected."""

    means: tuple[float, float]
    p: PValue
    p_two_sided: PValue
    sizes: tuple[int, int]
    scale: float | None

    @property
    def statistic(self) -> float:
        """The mean leaning of X minus that of Y."""
        return self.means[0] - self.means[1]

    def detectable(self, alpha: float) -> float | None:
        """Return the smallest effect that these words show at this level with 80 % power.

        The power is known on Caliskan's scale; `scale` carries it to the metric's own.
        """
        smallest = smallest_detectable(*self.sizes, alpha=alpha)
        return None if smallest is None or self.scale is None else smallest * self.scale


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

    def p_value(sides: Sides, ties: Ties) -> PValue:
        p = permutation_test(
            x,
            y,
            sides=sides,
            ties=ties,
            method=statistics.method,
            samples=statistics.samples,
            seed=statistics.seed,
        )
        return PValue.model_validate(p, from_attributes=True)

    p = p_value(statistics.sides, statistics.ties)
    # The verdict counts ties whatever p does: without them three words a side reach p = 0.
    as_judged = (statistics.sides, statistics.ties) == ("two", ">=")
    return Evidence(
        means=(float(x.mean()), float(y.mean())),
        p=p,
        p_two_sided=p if as_judged else p_value("two", ">="),
        sizes=(len(x), len(y)),
        scale=_scale(score, x, y),
    )


def _scale(score: Score, x: FloatArray, y: FloatArray) -> float | None:
    """Return the metric's effect per unit of Caliskan's d; None where the two do not agree.

    Both divide the same difference of means, so this is the ratio of the two spreads. With uneven
    numbers of sentences they may differ in sign near zero, and then say nothing.
    """
    difference = x.mean() - y.mean()
    if difference * score.value <= 0:
        return None
    return float(score.value * np.concatenate([x, y]).std(ddof=1) / difference)
