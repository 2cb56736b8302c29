"""One metric on one test, with its statistics: all that can be said before the whole run is known.

Corrections for multiple tests need every p-value of the run, so a Result is made in two steps:
a Finding first, then `run` corrects over all findings and turns each into a Result.
"""

from dataclasses import dataclass

import numpy as np

from fairvec.evaluation.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.metrics import Score
from fairvec.results import Interval, PValue
from fairvec.stats import Sides, leave_one_out, permutation_test, smallest_detectable
from fairvec.stats import interval as bootstrap_interval


@dataclass(frozen=True)
class Finding:
    """A score and how sure we are of it, not yet corrected for the other tests of the run."""

    score: Score
    statistic: float
    p: PValue
    p_two_sided: PValue
    interval: Interval | None
    detectable: float | None
    without: tuple[float | None, ...]


def find(score: Score, statistics: Statistics) -> Finding:
    """Put the statistics to a score: permutation, bootstrap, leave-one-out and power."""
    samples = score.samples
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
    interval = bootstrap_interval(
        samples.x,
        samples.y,
        samples.effect,
        level=statistics.level,
        resamples=statistics.resamples,
        seed=statistics.seed,
    )
    without = np.concatenate(leave_one_out(samples.x, samples.y, samples.effect))
    return Finding(
        score=score,
        statistic=float(x.mean() - y.mean()),
        p=p,
        p_two_sided=p if statistics.sides == "two" else p_value("two"),
        interval=Interval.model_validate(interval, from_attributes=True) if interval else None,
        detectable=_detectable(score, x, y, statistics),
        without=tuple(float(effect) if np.isfinite(effect) else None for effect in without),
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
