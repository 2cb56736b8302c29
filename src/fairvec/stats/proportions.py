"""Intervals of shares and means, of clustered items and of couples too, and Fisher's exact test."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import betaincinv, gammaln, stdtrit

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray, IntArray
from fairvec.stats.crossed import dyadic_mean
from fairvec.stats.values import Interval

FEWEST_CLUSTERS = 3


@dataclass(frozen=True)
class RankedShare:
    """The share of all couples of a and b in which a is larger, and its interval where known."""

    value: float
    interval: Interval | None


def ranked_share(a: FloatArray, b: FloatArray, *, level: float = 0.95) -> RankedShare:
    """Return how well numbers tell a from b: the area under the ROC curve, ties counting half.

    A = mean over couples of [a > b] + [a = b]/2;  its variance is var(V_a)/m + var(V_b)/n, V being
    the share of the other list that each number is ranked rightly against, and the interval is that
    of logit A by Student's t with min(m, n) - 1 degrees of freedom. 1: all a lie above all b; 1/2:
    chance. No interval at 0 and 1, where no spread is seen, and with fewer than three numbers.

    DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595. In 4,000 draws of 20 and 300
    normal numbers its 95 % interval holds A = .76 in 95 % and A = .92 in 93 %.
    """
    if not (len(a) and len(b)):
        raise SettingError("Couples need a number in both lists.")
    shares = [
        (np.searchsorted(other, own, "left") + np.searchsorted(other, own, "right"))
        / (2 * len(other))
        for own, other in ((a, np.sort(b)), (b, np.sort(a)))
    ]
    value, fewest = float(shares[0].mean()), min(len(a), len(b))
    if not 0 < value < 1 or fewest < 3:
        return RankedShare(value, None)
    variance = sum(float(each.var(ddof=1)) / len(each) for each in shares)
    reach = float(stdtrit(fewest - 1, (1 + level) / 2)) * sqrt(variance) / (value * (1 - value))
    odds = value / (1 - value)
    ends = tuple(1 / (1 + np.exp(-sign * reach) / odds) for sign in (-1, 1))
    method = f"DeLong's variance of couples, Student's t over {fewest} words on the logit scale"
    interval = Interval.from_limits((ends[0], ends[1]), level, "student-t", method)
    return RankedShare(value, interval)


def clustered_share_interval(counts: IntArray, *, level: float = 0.95) -> Interval | None:
    """Return the interval of the share of the second column, clusters as rows.

    Items of one cluster go together (a paragraph about one person repeats her pronoun), so that N
    items say less than N. With m clusters, share p and clusters' totals n_u, the share's variance
    is v = m/(m-1) sum (b_u - p n_u)^2 / N^2 and the effective number p (1 - p) / v, at most N,
    times (t(N-1) / t(m-1))^2 for the few clusters behind v. The interval is that of Clopper and
    Pearson with so many items. Where all items are of one side nothing is known of v, and the
    number is m. With one item a cluster it is nearly theirs. None with fewer than three clusters.

    In 2,000 simulated texts of 6, 12 and 40 paragraphs with 1 to 6 mentions each, which agree (a
    correlation of 0.3 within a paragraph), it covers a share of 0.5 in 98, 96 and 96 %, and one of
    0.15 in 99, 97 and 96 %. Korn and Graubard (1998), Survey Methodology 24, 193-201.
    """
    counts = np.asarray(counts)
    if counts.ndim != 2 or counts.shape[1:] != (2,) or (counts < 0).any():
        raise SettingError("A share needs one row a cluster: two counts that are not negative.")
    totals = counts.sum(axis=1)
    counts, totals = counts[totals > 0], totals[totals > 0]
    clusters, items = len(counts), int(totals.sum())
    if clusters < FEWEST_CLUSTERS:
        return None
    share = float(counts[:, 1].sum() / items)
    squares = float(((counts[:, 1] - share * totals) ** 2).sum())
    variance = clusters / (clusters - 1) * squares / items**2
    ends = _effective_sample_limits(share, variance, items, clusters - 1, level=level)
    method = "Korn-Graubard (Clopper-Pearson at the effective number of items)"
    return Interval.from_limits(ends, level, "korn-graubard", method)


def _effective_sample_limits(
    share: float, variance: float, items: int, freedom: float, *, level: float
) -> tuple[float, float]:
    """Return Clopper and Pearson's limits for so many items as a share of this variance has.

    `freedom` are the degrees of freedom behind the variance; where all items are of one side
    nothing is known of it, and one more than these is the number.
    """
    effective = freedom + 1
    if 0 < share < 1:
        effective = min(items, share * (1 - share) / variance) if variance > 0 else items
        middle = (1 + level) / 2
        effective *= float(stdtrit(items - 1, middle) / stdtrit(freedom, middle)) ** 2
    found, outside = share * effective, (1 - level) / 2
    low = float(betaincinv(found, effective - found + 1, outside)) if share > 0 else 0.0
    high = float(betaincinv(found + 1, effective - found, 1 - outside)) if share < 1 else 1.0
    return low, high


def clustered_mean_interval(
    sums: FloatArray, sizes: IntArray, *, level: float = 0.95
) -> Interval | None:
    """Return the interval of the mean over all items, given the sums of clusters.

    With m clusters of n_u items and sums s_u, mean = sum s_u / N and its variance is
    m/(m-1) sum (s_u - mean n_u)^2 / N^2; the ends are the mean -+ t(m-1) deviations. None with
    fewer than three clusters. Cochran (1977), Sampling Techniques, chapter 6.
    """
    sums, sizes = np.asarray(sums, np.float64), np.asarray(sizes)
    if sums.shape != sizes.shape or sums.ndim != 1 or (sizes < 0).any():
        raise SettingError("A mean needs one sum and one number of items, not negative, a cluster.")
    sums, sizes = sums[sizes > 0], sizes[sizes > 0]
    clusters, items = len(sums), float(sizes.sum())
    if clusters < FEWEST_CLUSTERS:
        return None
    mean = float(sums.sum()) / items
    squares = float(((sums - mean * sizes) ** 2).sum())
    reach = float(stdtrit(clusters - 1, (1 + level) / 2))
    reach *= sqrt(clusters / (clusters - 1) * squares) / items
    limits = mean - reach, mean + reach
    return Interval.from_limits(limits, level, "student-t", "t of clusters (linearised ratio)")


FEWEST_THINGS = 3
"""With two things of a kind a test of a change finds one in 9 to 11 % of models that differ by luck
alone, with three in 5 to 6 % (20 things of the other kind, p <= .05)."""


def combines_enough(shared: Sequence[tuple[str, str]]) -> bool:
    """Return whether items combine so many things of each kind that others can be reckoned with."""
    return min((len({*names}) for names in zip(*shared, strict=True)), default=0) >= FEWEST_THINGS


def two_way_share_interval(
    right: FloatArray, shared: Sequence[tuple[str, str]], *, level: float = 0.95
) -> Interval | None:
    """Return the interval of a share of items, each 1 or 0, that combine two things.

    Items that share a thing go together: a model that knows one country's capital answers every
    question with it. The variance is that of `dyadic_mean`, over both kinds of things, and the
    interval that of Clopper and Pearson at the number of independent items that would have it
    (Korn & Graubard 1998, Survey Methodology 24, 193-201). Where all items are right, or none is,
    it is the number of things of the scarcer kind. None with fewer than three things of each kind.

    Of 20 pairs combined with 22, or with one another, it holds the true share in 96 to 99.8 % of
    400 simulated models a case, where resampling items alone held it in 35 to 68 %, and in 95 % if
    things do not matter at all (`python -m scripts.combined_coverage`).
    """
    if not combines_enough(shared):
        return None
    found = dyadic_mean(np.asarray(right, np.float64), shared)
    scarcer = min(len({*names}) for names in zip(*shared, strict=True))
    freedom = min(found.freedom, len(right) - 1) if 0 < found.estimate < 1 else scarcer - 1
    ends = _effective_sample_limits(
        found.estimate, found.variance, len(right), freedom, level=level
    )
    return Interval.from_limits(
        ends, level, "korn-graubard", "Korn-Graubard over what items combine"
    )


_TIES = 1e-7
"""Tables whose chances differ by no more than this share are equally likely."""


@dataclass(frozen=True, eq=False)
class FisherTable:
    """All tables with the margins of one: `drawn` of n = `first` + `second` items, by chance.

    The count of `first` items among the drawn is hypergeometric: `counts` are its values and
    `chances` their chances.
    """

    counts: IntArray
    chances: FloatArray

    @property
    def smallest(self) -> float:
        """The smallest p that these margins can give."""
        least = float(self.chances.min())
        return float(self.chances[self.chances <= least * (1 + _TIES)].sum())

    def p(self, count: int) -> float:
        """Return how likely a table at most as likely as the one with this count is: two-sided.

        Fisher (1922), doi:10.2307/2340521.
        """
        observed = self.chances[self.counts == count]
        if not len(observed):
            raise SettingError(f"A table with these margins cannot hold {count}.")
        as_rare = self.chances <= observed[0] * (1 + _TIES)
        # All tables together are certain, whatever rounding makes of their sum.
        return 1.0 if as_rare.all() else min(1.0, float(self.chances[as_rare].sum()))


def fisher_table(first: int, second: int, drawn: int) -> FisherTable:
    """Return the tables in which `drawn` of `first` + `second` items were drawn by chance."""
    if min(first, second, drawn) < 0 or drawn > first + second:
        raise SettingError(
            f"{drawn} items cannot be drawn of {first} and {second}; count each item once."
        )
    counts = np.arange(max(0, drawn - second), min(first, drawn) + 1)

    def log_combinations(items: int, chosen: IntArray) -> FloatArray:
        found: FloatArray = gammaln(items + 1) - gammaln(chosen + 1) - gammaln(items - chosen + 1)
        return found

    logs = log_combinations(first, counts) + log_combinations(second, drawn - counts)
    chances = np.exp(logs - logs.max())
    return FisherTable(counts, chances / chances.sum())
