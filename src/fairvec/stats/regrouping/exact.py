"""The exact answer: every subset is counted, by meeting in the middle.

The scores are split in two halves. Every subset is a subset of size j of the one and of size k - j
of the other, so it is enough to list the sums of each half (2^25 instead of 10^14 for 25 + 25
words) and, for each sum of the one, to look up how many of the other take it past the threshold
(Horowitz and Sahni, 1974, doi:10.1145/321812.321823).
"""

from math import comb, sqrt

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import IntArray
from fairvec.stats.regrouping.halves import HalfInRuns
from fairvec.stats.regrouping.meeting import Meeting
from fairvec.stats.regrouping.subset_sums import Question

AFFORDABLE = 2**26
"""Sums to list and look up: those of 25 + 25 words, in about a second at the most."""

LOOKED_UP = 2**25
"""Look-ups, in some tenths of a second, beyond which compiled loops are worth their import."""


FEW = 16
"""Words of a half whose sums are all looked up sooner than a border between them is found."""


def affordable(question: Question) -> bool:
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


Kept = list[HalfInRuns]
"""The sums of both halves, for the next question of the same scores."""


def count(question: Question, kept: Kept | None = None) -> int:
    """Return how many of the subsets lie in the tails.

    `kept` are the sums that another question of the same scores and size has left.
    """
    if not affordable(question):
        raise SettingError(
            f"An exact p-value for {question.size} of {len(question.scores)} words would take too "
            "long; choose the method auto or certified."
        )
    asked = question.of_the_smaller_side()
    # Every other word: two halves that spread alike share a tail fairly.
    ordered = np.sort(asked.scores)
    halves = ordered[::2], ordered[1::2]
    kept = [] if kept is None else kept
    if not kept:
        kept += (HalfInRuns(some, asked.size) for some in halves)
    found = 0
    if asked.above is not None:
        found += asked.subsets - _below(kept, halves, asked.size, asked.above)
    if asked.symmetric:
        return 2 * found
    if asked.below is not None:
        found += _below(kept, halves, asked.size, asked.below + 1)
    return found


def _below(kept: Kept, halves: tuple[IntArray, IntArray], size: int, limit: int) -> int:
    """Count the subsets of `size` words whose sum is less than a limit."""
    words = tuple(map(len, halves))
    sizes = [(n, size - n) for n in range(max(0, size - words[1]), min(size, words[0]) + 1)]
    first, second = kept
    if max(words) <= FEW:
        return sum(
            run.below(limit - other.added - other.sums)
            for some, others in sizes
            for run in first.runs(some)
            for other in second.runs(others)
        )
    meetings = [
        Meeting(
            first.runs(some), second.runs(others), limit, _border(halves, (some, others), limit)
        )
        for some, others in sizes
    ]
    if sum(meeting.look_ups for meeting in meetings) <= LOOKED_UP:
        return sum(meeting.looked_up() for meeting in meetings)
    return sum(meeting.merged() for meeting in meetings)


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
