"""The interval of a difference of means: every difference that the permutation test allows."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb, inf, sqrt
from typing import Literal, NamedTuple

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.ground.level import significant
from fairvec.stats.arrays import FloatArray
from fairvec.stats.intervals.coarse_lists import CoarseLists
from fairvec.stats.intervals.inversion import Ends, ends_among, ends_by_search, surely_kept
from fairvec.stats.intervals.two_lists import Grid, TwoLists
from fairvec.stats.regrouping import sampled
from fairvec.stats.regrouping.permutation import checked_scores, smallest_attainable
from fairvec.stats.squares import SQUARED

LISTED = 2**18
"""So many regroupings are looked at one by one; of more only those beyond a shift are counted."""

ROUGH = 2e-5
"""The ends of coarse lists are sought to this share of a step: their bounds are no closer."""

How = Literal["exact", "certified", "sampled"]


@dataclass(frozen=True)
class DifferenceInterval:
    """The differences of means that are not rejected, infinite where none is, and how found.

    Certified ends are not less far out than the exact ones, and not farther than these are from
    `surely`, which holds no difference that is rejected.
    """

    low: float
    high: float
    method: How
    surely: Ends | None = None
    samples: int | None = None
    seed: int | None = None


def difference_interval(
    x: FloatArray,
    y: FloatArray,
    *,
    p: float,
    method: How,
    level: float = 0.95,
    samples: int = 100_000,
    seed: int = 0,
) -> DifferenceInterval:
    """Return the shifts of x that the two-sided permutation test of x and y does not reject.

    A shift delta is kept where the test of x - delta and y has a p above 1 - level. `p` is that of
    x and y themselves, two-sided, ties counted, found by `method`: 0 is in the interval just where
    p is so large. Exact to 19 + 19 words if p is; the ends of a certified one are at least as far
    out as the exact ones, and hardly farther; a sampled one uses the draws of the p-value. A narrow
    interval says that these words leave little choice, an infinite one that so few reject nothing.

    Inverting a test: Lehmann and Romano (2005), Testing Statistical Hypotheses, section 5.4.
    """
    if not 0 < level < 1:
        raise SettingError(f"The level of an interval lies between 0 and 1, not {level}.")
    (x, y), exponent = SQUARED.in_range(checked_scores(x), checked_scores(y))
    alpha = 1 - Fraction(str(level))
    observed = float(x.mean() - y.mean())
    if not significant(smallest_attainable(len(x), len(y)), float(alpha)):
        return DifferenceInterval(-inf, inf, "exact")
    if np.ptp(np.concatenate([x, y])) == 0:
        only = Ends(observed, observed).times_two_to(exponent)
        return DifferenceInterval(only.low, only.high, "exact")
    drawn: dict[str, int] = {}
    found = _counted(x, y, observed, method, alpha)
    if found is None:
        drawn = {"samples": samples, "seed": seed}
        found = _Found(_sampled(Grid(x, y), observed, alpha, samples, seed), "sampled")
    agreeing = partial(Ends.agreeing, observed=observed, rejected=significant(p, float(alpha)))
    ends, surely = agreeing(found.ends), found.surely and agreeing(found.surely)
    ends, surely = ends.times_two_to(exponent), surely and surely.times_two_to(exponent)
    return DifferenceInterval(ends.low, ends.high, found.how, surely, **drawn)


class _Found(NamedTuple):
    """The ends, how they were found, and those that are surely kept if it is not the same."""

    ends: Ends
    how: How
    surely: Ends | None = None

    def mirrored(self) -> "_Found":
        """Return the ends with X and Y in each other's place."""
        return _Found(self.ends.mirrored(), self.how, self.surely and self.surely.mirrored())


def _counted(
    x: FloatArray, y: FloatArray, observed: float, how: How, alpha: Fraction
) -> _Found | None:
    """Return the ends by counting every regrouping, if that can be done."""
    if len(x) > len(y):
        found = _counted(y, x, -observed, how, alpha)
        return found and found.mirrored()
    grid, step = Grid(x, y), _first_step(x, y)
    if how == "exact" and TwoLists.affordable(grid):
        lists = TwoLists(grid)
        if comb(len(x) + len(y), len(x)) <= LISTED:
            every = lists.all_regroupings()
            return _Found(ends_among(observed, *every, alpha=alpha, slack=grid.slack), "exact")
        searched = lists.p_of_shift
        return _Found(ends_by_search(searched, observed, step=step, alpha=float(alpha)), "exact")
    if how == "sampled" or not CoarseLists.affordable(grid):
        return None
    coarse = CoarseLists(grid)
    ends = ends_by_search(coarse.p_of_shift, observed, step=step, alpha=float(alpha), rough=ROUGH)
    inwards = partial(
        surely_kept, coarse.least_p_of_shift, observed, step=ROUGH * step, alpha=float(alpha)
    )
    return _Found(ends, "certified", Ends(inwards(ends.low), inwards(ends.high)))


def _sampled(grid: Grid, observed: float, alpha: Fraction, samples: int, seed: int) -> Ends:
    drawn = sampled.draws(grid.scores, grid.nx, samples, seed)
    statistics, weights = grid.difference(drawn.sums), grid.weight(drawn.stayed)
    return ends_among(observed, statistics, weights, alpha=alpha, slack=grid.slack, drawn=True)


def _first_step(x: FloatArray, y: FloatArray) -> float:
    """Return about two standard errors of the difference of means."""
    within = np.concatenate([x - x.mean(), y - y.mean()])
    error = sqrt(float((within**2).mean()) * (1 / len(x) + 1 / len(y)))
    return max(2 * error, float(np.ptp(np.concatenate([x, y]))) / 100)
