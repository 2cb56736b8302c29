"""The interval of a difference of means: every difference that the permutation test allows."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil, comb, floor, inf, ldexp, sqrt
from typing import Literal, NamedTuple

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray, IntArray, check_squares
from fairvec.stats.permutation import two_sample as sampled
from fairvec.stats.permutation.certified_bounds import (
    MOST_WORDS,
    Bounds,
    SumCounts,
    count_sums,
    reaching_again,
)
from fairvec.stats.permutation.inversion import (
    Limits,
    inner_limit,
    limits_by_search,
    limits_from_all,
)
from fairvec.stats.permutation.subset_sums import SubsetSums, to_integer_grid
from fairvec.stats.permutation.two_sample import (
    ROUNDING_BITS,
    checked_scores,
    smallest_attainable_p,
)
from fairvec.stats.values import Interval, PValue

LISTED_SPLITS = 2**20
"""Sums of both lists, those of 19 + 19 words: counted anew for each shift, in a fifth of a second.

Of more the ends are certified instead: to ten thousandths of the spread, in less time.
"""


class IntegerScores:
    """Two lists of scores in whole numbers, and what regrouping them makes of a shift of X."""

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        self.nx, self.ny = len(x), len(y)
        pooled = np.concatenate([x, y])
        self.scores = to_integer_grid(pooled)
        largest = int(np.abs(self.scores).max())
        self.unit = float(np.abs(pooled).max()) / largest if largest else 1.0
        self.total = int(self.scores.sum())
        self.rounding = ldexp(len(pooled) * largest, -ROUNDING_BITS)
        self.both = 1 / self.nx + 1 / self.ny

    @property
    def slack(self) -> float:
        """How far apart two differences of means may be by rounding alone."""
        return self.rounding * self.unit * self.both

    def difference(self, sums: IntArray) -> FloatArray:
        """Return the difference of means of regroupings with these sums of their first lists."""
        return np.asarray((sums * self.both - self.total / self.ny) * self.unit, np.float64)

    def weight(self, stayed: IntArray) -> FloatArray:
        """Return the share of a shift of X in that difference, if so many of its words stayed."""
        weights: FloatArray = stayed / self.nx - (self.nx - stayed) / self.ny
        return weights

    def tails(self, shift: float) -> Iterator[tuple[float, float, int]]:
        """Yield, for each number of words of X that stay, which sums are as extreme as observed.

        Those at least `extreme` from a centre, when X is less by `shift`.
        """
        moved, mean = shift / self.unit, self.total / self.ny
        observed = int(self.scores[: self.nx].sum())
        extreme = abs(observed * self.both - mean - moved) / self.both - self.rounding
        weights = self.weight(np.arange(self.nx + 1)).tolist()
        for stayed, weight in enumerate(weights):
            yield (moved * weight + mean) / self.both, extreme, stayed


class ExactShiftTest:
    """Every regrouping of two lists of scores, of which the first is not the longer one."""

    def __init__(self, grid: IntegerScores) -> None:
        self.grid = grid
        self._first = SubsetSums(grid.scores[: grid.nx], grid.nx)
        self._second = SubsetSums(grid.scores[grid.nx :], grid.nx)

    @staticmethod
    def affordable(grid: IntegerScores) -> bool:
        """Say whether the sums of both lists are few enough to be counted again and again."""
        sums = 0
        for taken in range(grid.nx + 1):
            sums += comb(grid.nx, taken) + comb(grid.ny, taken)
            if sums > LISTED_SPLITS:
                return False
        return True

    def all_regroupings(self) -> tuple[FloatArray, FloatArray]:
        """Return the difference of means of every regrouping, and its weight."""
        sums, stayed = [], []
        for kept, some, others in self._pairs():
            sums.append((some[:, None] + others[None, :]).ravel())
            stayed.append(np.full(len(some) * len(others), kept))
        grid = self.grid
        return grid.difference(np.concatenate(sums)), grid.weight(np.concatenate(stayed))

    def p_of_shift(self, shift: float) -> float:
        """Return the two-sided p of the scores with X less by `shift`."""
        grid = self.grid
        found = 0
        for (centre, extreme, _), (_, some, others) in zip(
            grid.tails(shift), self._pairs(), strict=True
        ):
            found += _pairs_outside(some, others, ceil(centre + extreme), floor(centre - extreme))
        # Where nothing is left of the difference, both tails hold every regrouping.
        return min(1.0, found / comb(len(grid.scores), grid.nx))

    def _pairs(self) -> Iterator[tuple[int, IntArray, IntArray]]:
        """Yield how many words of X stay, and the sums of those and of the words of Y that come."""
        for stayed in range(self.grid.nx + 1):
            yield stayed, self._first.sums(stayed), self._second.sums(self.grid.nx - stayed)


def _pairs_outside(some: IntArray, others: IntArray, above: int, below: int) -> int:
    """Count the pairs, one of each sorted list, whose sum is not between the two limits."""
    needles = others[::-1]
    high = len(some) * len(others) - int(np.searchsorted(some, above - needles).sum())
    return high + int(np.searchsorted(some, below - needles, side="right").sum())


NARROW = 0.01
"""By so many standard errors at most the remainders may move an end: a few thousandths of d."""

FINE_CELLS = 2**22
"""The grid is so much finer that so many counts are held: 50 megabytes with their running sums."""

MOST_CELLS = 2**23
"""Counts held of both lists at the most: 64 megabytes, and tenths of a second a shift."""


class CertifiedShiftTest:
    """Every regrouping of two lists of scores, rounded; the first is not the longer one."""

    def __init__(self, grid: IntegerScores) -> None:
        self.grid = grid
        self._step = max(1, int(min(_coarsest(grid), _all_cells(grid) / FINE_CELLS)))
        x, y = np.sort(grid.scores[: grid.nx]), np.sort(grid.scores[grid.nx :])
        self._first = _RoundedSums(x, self._step, grid.nx)
        self._second = _RoundedSums(y, self._step, grid.nx)

    @staticmethod
    def affordable(grid: IntegerScores) -> bool:
        """Say whether the counts fit into floats, and into memory on a grid that is fine enough."""
        if len(grid.scores) > MOST_WORDS:
            return False
        return _all_cells(grid) <= MOST_CELLS * max(1, _coarsest(grid))

    def p_of_shift(self, shift: float) -> float:
        """Return an upper bound of the two-sided p of the scores with X less by `shift`."""
        return self.bounds_of_shift(shift).high

    def least_p_of_shift(self, shift: float) -> float:
        """Return a lower bound of the two-sided p of the scores with X less by `shift`."""
        return self.bounds_of_shift(shift).low

    def bounds_of_shift(self, shift: float) -> Bounds:
        """Return bounds of the two-sided p of the scores with X less by `shift`."""
        grid, surely, possibly = self.grid, 0.0, 0.0
        longest = 0
        mirrored = grid.nx == grid.ny
        for centre, extreme, stayed in grid.tails(shift):
            if extreme <= 0:
                return Bounds(1.0, 1.0)
            came = grid.nx - stayed
            first, second = self._first, self._second
            rests = [
                first.most(stayed) + second.most(came),
                first.least(stayed) + second.least(came),
            ]
            limits = [-((rest - ceil(centre + extreme)) // self._step) for rest in rests]
            tails = [(first.rows[stayed], second.rows[came], limits)]
            # In lists of one length the other tail is this one of what is left out.
            if not mirrored:
                limits = [-((floor(centre - extreme) - rest) // self._step) for rest in rests[::-1]]
                tails.append((first.negated[stayed], second.negated[came], limits))
            for left, right, thresholds in tails:
                longest = max(longest, len(left.counts) + len(right.counts))
                possible, sure = reaching_again(left, right, thresholds)
                possibly, surely = possibly + possible, surely + sure
        # As in `certified_bounds`: only positive numbers are added and multiplied.
        slack = (longest + 2 * len(grid.scores) + 16) * float(np.finfo(np.float64).eps)
        every = comb(len(grid.scores), grid.nx) / (2 if mirrored else 1)
        return Bounds(surely / every * (1 - slack), min(1.0, possibly / every * (1 + slack)))


class _RoundedSums:
    """One list on the grid: subsets of each size by their sum, and what rounding hides."""

    def __init__(self, scores: IntArray, step: int, largest: int) -> None:
        cells = (scores + step // 2) // step
        remainders = np.sort(scores - cells * step)
        self.rows: list[SumCounts] = count_sums(cells, largest)
        self.negated = [row.negated() for row in self.rows]
        self._sums = np.concatenate([[0], np.cumsum(remainders)])
        self._sums_from_above = np.concatenate([[0], np.cumsum(remainders[::-1])])

    def least(self, size: int) -> int:
        """Return the least that the remainders of so many words add up to."""
        return int(self._sums[size])

    def most(self, size: int) -> int:
        """Return the most that the remainders of so many words add up to."""
        return int(self._sums_from_above[size])


def _coarsest(grid: IntegerScores) -> float:
    """Return the step of the coarsest grid on which rounding moves no end too far.

    Half a step each is the most that the remainders of the nx words of a list add up to.
    """
    spread = float(grid.scores.std()) * sqrt(grid.nx * grid.ny / len(grid.scores))
    return 2 * NARROW * spread / grid.nx


def _all_cells(grid: IntegerScores) -> float:
    """Return how many counts both lists would need on the unit grid."""
    x, y = np.sort(grid.scores[: grid.nx]), np.sort(grid.scores[grid.nx :])
    return _cells(x, grid.nx) + _cells(y, grid.nx)


def _cells(scores: IntArray, largest: int) -> float:
    """Return how many counts the subsets of up to `largest` sorted scores need on the unit grid."""
    widths: FloatArray = np.cumsum((scores[::-1] - scores).astype(np.float64))[:largest]
    return float(widths.sum())


LISTED = 2**18
"""So many regroupings are looked at one by one; of more only those beyond a shift are counted."""

ROUGH = 2e-5
"""The ends of coarse lists are sought to this share of a step: their bounds are no closer."""

How = Literal["exact", "certified", "sampled"]


class FoundLimits(NamedTuple):
    """The differences of means that are not rejected, infinite where none is, and how found.

    Certified limits are not less far out than the exact ones, and not farther than these are from
    `surely`, which holds no difference that is rejected.
    """

    limits: Limits
    method: How
    surely: Limits | None = None

    def mirrored(self) -> "FoundLimits":
        """Return the limits with X and Y in each other's place."""
        return FoundLimits(
            self.limits.mirrored(), self.method, self.surely and self.surely.mirrored()
        )


def difference_interval(
    x: FloatArray,
    y: FloatArray,
    *,
    p: PValue,
    level: float = 0.95,
    samples: int = 100_000,
    seed: int = 0,
) -> Interval | None:
    """Return the differences of means that the two-sided permutation test does not reject.

    None where so few words reject nothing; the rest is said of `difference_limits`.
    """
    found = difference_limits(
        x, y, p=p.value, method=p.method, level=level, samples=samples, seed=seed
    )
    drawn = {"resamples": samples, "seed": seed} if found.method == "sampled" else {}
    method = f"inverted permutation test, {found.method}"
    interval = Interval.from_limits(found.limits, level, "inverted", method)
    return interval and interval.model_copy(update=drawn)


def difference_limits(
    x: FloatArray,
    y: FloatArray,
    *,
    p: float,
    method: How,
    level: float = 0.95,
    samples: int = 100_000,
    seed: int = 0,
) -> FoundLimits:
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
    x, y = checked_scores(x), checked_scores(y)
    check_squares(x, y)
    alpha = 1 - Fraction(str(level))
    observed = float(x.mean() - y.mean())
    if not is_significant(smallest_attainable_p(len(x), len(y)), float(alpha)):
        return FoundLimits(Limits(-inf, inf), "exact")
    if np.ptp(np.concatenate([x, y])) == 0:
        return FoundLimits(Limits(observed, observed), "exact")
    found = _count_limits(x, y, observed, method, alpha)
    if found is None:
        found = FoundLimits(
            _sample_limits(IntegerScores(x, y), observed, alpha, samples, seed), "sampled"
        )
    agreeing = partial(Limits.agreeing, observed=observed, rejected=is_significant(p, float(alpha)))
    limits, surely = agreeing(found.limits), found.surely and agreeing(found.surely)
    return FoundLimits(limits, found.method, surely)


def _count_limits(
    x: FloatArray, y: FloatArray, observed: float, how: How, alpha: Fraction
) -> FoundLimits | None:
    """Return the ends by counting every regrouping, if that can be done."""
    if len(x) > len(y):
        found = _count_limits(y, x, -observed, how, alpha)
        return found and found.mirrored()
    grid, step = IntegerScores(x, y), _first_step(x, y)
    if how == "exact" and ExactShiftTest.affordable(grid):
        lists = ExactShiftTest(grid)
        if comb(len(x) + len(y), len(x)) <= LISTED:
            every = lists.all_regroupings()
            return FoundLimits(
                limits_from_all(observed, *every, alpha=alpha, slack=grid.slack), "exact"
            )
        searched = lists.p_of_shift
        return FoundLimits(
            limits_by_search(searched, observed, step=step, alpha=float(alpha)), "exact"
        )
    if how == "sampled" or not CertifiedShiftTest.affordable(grid):
        return None
    coarse = CertifiedShiftTest(grid)
    ends = limits_by_search(coarse.p_of_shift, observed, step=step, alpha=float(alpha), rough=ROUGH)
    inwards = partial(
        inner_limit, coarse.least_p_of_shift, observed, step=ROUGH * step, alpha=float(alpha)
    )
    return FoundLimits(ends, "certified", Limits(inwards(ends.low), inwards(ends.high)))


def _sample_limits(
    grid: IntegerScores, observed: float, alpha: Fraction, samples: int, seed: int
) -> Limits:
    drawn = sampled.draws(grid.scores, grid.nx, samples, seed)
    statistics, weights = grid.difference(drawn.sums), grid.weight(drawn.stayed)
    return limits_from_all(observed, statistics, weights, alpha=alpha, slack=grid.slack, drawn=True)


def _first_step(x: FloatArray, y: FloatArray) -> float:
    """Return about two standard errors of the difference of means."""
    within = np.concatenate([x - x.mean(), y - y.mean()])
    error = sqrt(float((within**2).mean()) * (1 / len(x) + 1 / len(y)))
    return max(2 * error, float(np.ptp(np.concatenate([x, y]))) / 100)
