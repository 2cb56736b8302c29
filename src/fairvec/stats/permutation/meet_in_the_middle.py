"""The exact permutation p: every subset is counted, from two halves.

The scores are split in two halves. Every subset is a subset of size j of the one and of size k - j
of the other, so it is enough to list the sums of each half (2^25 instead of 10^14 for 25 + 25
words) and, for each sum of the one, to look up how many of the other take it past the threshold
(Horowitz and Sahni, 1974, doi:10.1145/321812.321823).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, sqrt

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.numeric import IntArray
from fairvec.stats.permutation.subset_sums import Run, SubsetSumRuns, TailQuestion

AT_A_TIME = 2**17
"""So many sums are merged together: a megabyte, which stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class PairCounter:
    """The sums of two halves in runs, and the question how many pairs are less than `limit`.

    `border` is a sum of the first half, and `limit` less `border` one of the second. A pair below
    the limit has at least one of its sums below its border, and one that is not below it at least
    one that is not: where both borders lie in a tail, the few sums there decide all of the pairs.
    """

    first: Sequence[Run]
    second: Sequence[Run]
    limit: int
    border: int

    @cached_property
    def _cuts(self) -> tuple[list[int], list[int]]:
        """How many sums of each run lie below the border of its half."""
        return (
            [run.below(self.border) for run in self.first],
            [run.below(self.limit - self.border) for run in self.second],
        )

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        return sum(len(run.sums) for run in self.first), sum(len(run.sums) for run in self.second)

    @property
    def _below(self) -> bool:
        """Whether fewer sums lie below the borders than not."""
        return 2 * sum(map(sum, self._cuts)) <= sum(self._sizes)

    @property
    def look_ups(self) -> int:
        """How many sums have to be looked up, each in all the runs of the other half."""
        counts = [sum(cuts) for cuts in self._cuts]
        if not self._below:
            counts = [size - count for size, count in zip(self._sizes, counts, strict=True)]
        return counts[0] * len(self.second) + counts[1] * len(self.first)

    def looked_up(self) -> int:
        """Count the pairs by looking up what lies in the tails."""
        inside = sum(self._cuts[0])
        some, others = (
            _sums(runs, cuts, below=self._below)
            for runs, cuts in zip((self.first, self.second), self._cuts, strict=True)
        )
        with_some = _ranks(self.second, self.limit - some)
        with_others = _ranks(self.first, self.limit - others)
        if self._below:
            return with_some + with_others - len(others) * inside
        not_below = len(some) * self._sizes[1] - with_some + len(others) * inside - with_others
        return self._sizes[0] * self._sizes[1] - not_below

    def merged(self) -> int:
        """Count the pairs by merging the runs of either half, some sums at a time."""
        # Here, because it imports numba.
        from fairvec.stats.permutation.kernels import pairs_below

        return int(pairs_below(*_flat(self.first), *_flat(self.second), self.limit, AT_A_TIME))


def _sums(runs: Sequence[Run], cuts: Sequence[int], *, below: bool) -> IntArray:
    """Return the sums on one side of the border, falling."""
    found = np.concatenate(
        [
            (run.sums[:cut] if below else run.sums[cut:]) + run.added
            for run, cut in zip(runs, cuts, strict=True)
        ]
    )
    found.sort(kind="stable")
    return found[::-1]


def _ranks(runs: Sequence[Run], limits: IntArray) -> int:
    """Add up, over rising limits, how many of the sums are less than each."""
    return sum(run.below(limits) for run in runs)


def _flat(runs: Sequence[Run]) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the lists of the runs one after the other, where each run begins and ends, and adds.

    Runs of the same list, which come one after the other, share it.
    """
    lists: list[IntArray] = []
    starts, end = [], 0
    for run in runs:
        if not lists or lists[-1] is not run.sums:
            lists.append(run.sums)
            end += len(run.sums)
        starts.append(end - len(run.sums))
    begins = np.array(starts)
    ends = begins + [len(run.sums) for run in runs]
    return np.concatenate(lists), begins, ends, np.array([run.added for run in runs])


AFFORDABLE = 2**26
"""Sums to list and look up: those of 25 + 25 words, in about a second at the most."""

LOOKED_UP = 2**25
"""Look-ups, in some tenths of a second, beyond which compiled loops are worth their import."""


FEW = 16
"""Words of a half whose sums are all looked up sooner than a border between them is found."""


def affordable(question: TailQuestion) -> bool:
    """Say whether the sums of both halves can be listed: a matter of their number, not of n."""
    words = len(question.scores)
    size = min(question.size, words - question.size)
    first, second = words // 2, words - words // 2
    sums = 0
    for taken in range(min(size, first) + 1):
        sums += comb(first, taken) + comb(second, size - taken)
        if sums > AFFORDABLE:
            return False
    return True


SumCache = list[SubsetSumRuns]
"""The sums of both halves, for the next question of the same scores."""


def count(question: TailQuestion, cached: SumCache | None = None) -> int:
    """Return how many of the subsets lie in the tails.

    `cached` are the sums that another question of the same scores and size has left.
    """
    if not affordable(question):
        raise SettingError(
            f"An exact p-value for {question.size} of {len(question.scores)} words would take too "
            "long; choose the method auto or certified."
        )
    smaller = question.of_the_smaller_side()
    # Every other word: two halves that spread alike share a tail fairly.
    ordered = np.sort(smaller.scores)
    halves = ordered[::2], ordered[1::2]
    cached = [] if cached is None else cached
    if not cached:
        cached += (SubsetSumRuns(some, smaller.size) for some in halves)
    found = 0
    if smaller.above is not None:
        found += smaller.subsets - _below(cached, halves, smaller.size, smaller.above)
    if smaller.symmetric:
        return 2 * found
    if smaller.below is not None:
        found += _below(cached, halves, smaller.size, smaller.below + 1)
    return found


def _below(cached: SumCache, halves: tuple[IntArray, IntArray], size: int, limit: int) -> int:
    """Count the subsets of `size` words whose sum is less than a limit."""
    words = tuple(map(len, halves))
    sizes = [(n, size - n) for n in range(max(0, size - words[1]), min(size, words[0]) + 1)]
    first, second = cached
    if max(words) <= FEW:
        return sum(
            run.below(limit - other.added - other.sums)
            for some, others in sizes
            for run in first.runs(some)
            for other in second.runs(others)
        )
    counters = [
        PairCounter(
            first.runs(some), second.runs(others), limit, _border(halves, (some, others), limit)
        )
        for some, others in sizes
    ]
    if sum(counter.look_ups for counter in counters) <= LOOKED_UP:
        return sum(counter.looked_up() for counter in counters)
    return sum(counter.merged() for counter in counters)


def _border(halves: tuple[IntArray, IntArray], sizes: tuple[int, int], limit: int) -> int:
    """Share a sum among so many words of either half, so that both are as far out."""
    (mean, spread), (other_mean, other_spread) = map(_mean_and_spread, halves, sizes)
    share = spread / (spread + other_spread) if spread > 0 else 0.0
    return int(mean + share * (limit - mean - other_mean))


def _mean_and_spread(scores: IntArray, size: int) -> tuple[float, float]:
    """Return the mean and the standard deviation of the sums of so many of the scores."""
    words = len(scores)
    variance = float(scores.var()) * size * (words - size) / max(words - 1, 1)
    return float(scores.mean()) * size, sqrt(variance)
