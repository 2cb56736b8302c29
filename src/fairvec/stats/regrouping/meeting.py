"""Pairs of sums below a limit, one of each half: looked up from a tail, or merged and counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairvec.stats.arrays import IntArray
from fairvec.stats.regrouping.halves import Run

AT_A_TIME = 2**17
"""So many sums are merged together: a megabyte, which stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Meeting:
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
        from fairvec.stats.regrouping.meeting_kernel import pairs_below

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
