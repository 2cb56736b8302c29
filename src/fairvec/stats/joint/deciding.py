"""The p-value of a pooled effect, and the common shifts of X that have one above alpha."""

from fractions import Fraction
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from fairvec.ground.level import significant
from fairvec.stats.arrays import FloatArray
from fairvec.stats.intervals.difference import difference_interval
from fairvec.stats.intervals.inversion import Ends, ends_among, ends_by_search
from fairvec.stats.joint.pooling import Pooling
from fairvec.stats.joint.regroupings import JointRegroupings
from fairvec.stats.joint.statistic import PooledStatistics, pooled_statistics
from fairvec.stats.regrouping.permutation import PermutationP, clopper_pearson, permutation_test

SLACK = 1e-11
"""Pooled effects nearer to each other than this tie: rounding alone may have told them apart."""

ROUGH = 1e-4
"""The ends among random regroupings are sought to this share of a step, far below their error."""

LEAST_STEP = 0.01
"""Where the pooled effect hardly varies, the search for its ends begins so far out."""


class Decided(NamedTuple):
    """The p-value, and the smallest and largest shift that are not rejected."""

    p: PermutationP
    shifts: Ends


def decided_alike(
    x: FloatArray, y: FloatArray, unit: float, *, level: float, samples: int, seed: int
) -> Decided:
    """Decide by scores whose difference of means is the pooled effect, however they are grouped.

    `unit` is the difference that is an effect of 1.
    """
    p = permutation_test(x, y, samples=samples, seed=seed)
    found = difference_interval(
        x, y, p=p.value, method=p.method, level=level, samples=samples, seed=seed
    )
    return Decided(p, Ends(found.low / unit, found.high / unit))


def decided(
    regroupings: JointRegroupings,
    pooling: Pooling,
    effect: float,
    *,
    level: float,
    samples: int,
    seed: int,
) -> Decided:
    """Decide by all joint regroupings, or by random ones where there are too many."""
    alpha = 1 - Fraction(str(level))
    drawn = not regroupings.listable
    statistics = pooled_statistics(
        pooling, regroupings.drawn(samples, seed) if drawn else [regroupings.every()]
    )
    p = _p(statistics, effect, regroupings, (samples, seed) if drawn else None)
    if not significant(p.smallest, float(alpha)):
        return Decided(p, Ends(-inf, inf))
    if statistics.linear:
        carried = statistics.carried[0] / statistics.shares[0]
        ends = ends_among(
            effect, statistics.at(0.0), carried, alpha=alpha, slack=SLACK, drawn=drawn
        )
    else:
        ends = ends_by_search(
            lambda shift: _share(statistics, effect, shift, drawn),
            effect,
            step=max(2 * sqrt(pooling.chance), LEAST_STEP),
            alpha=float(alpha),
            rough=ROUGH if drawn else None,
        )
    rejected = significant(p.value, float(alpha))
    return Decided(p, ends.agreeing(effect, rejected=rejected))


def _found(statistics: PooledStatistics, effect: float, shift: float) -> tuple[int, int]:
    """Return how many regroupings are as extreme as what was observed, and of how many."""
    pooled, slack = np.abs(statistics.at(shift)), SLACK * (1 + abs(shift))
    return int((pooled >= abs(effect - shift) - slack).sum()), len(pooled)


def _share(statistics: PooledStatistics, effect: float, shift: float, drawn: bool) -> float:
    found, of = _found(statistics, effect, shift)
    return (found + drawn) / (of + drawn)


def _p(
    statistics: PooledStatistics,
    effect: float,
    regroupings: JointRegroupings,
    drawn: tuple[int, int] | None,
) -> PermutationP:
    found, of = _found(statistics, effect, 0.0)
    share = _share(statistics, effect, 0.0, drawn is not None)
    how: dict[str, Any] = {"method": "exact", "low": share, "high": share}
    if drawn:
        low, high = clopper_pearson(found, of)
        how = {"method": "sampled", "low": low, "high": high, "samples": of, "seed": drawn[1]}
        how["standard_error"] = sqrt(share * (1 - share) / of)
    return PermutationP(
        value=share,
        sides="two",
        ties=">=",
        partitions=regroupings.labellings,
        smallest=(2 if regroupings.mirrored else 1) / regroupings.labellings,
        **how,
    )
