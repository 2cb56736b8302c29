"""The exact answer: every subset is counted, by meeting in the middle.

The scores are split in two halves. Every subset is a subset of size j of the one and of size k - j
of the other, so it is enough to list the sums of each half (2^25 instead of 10^14 for 25 + 25
words) and, for each sum of the one, to look up how many of the other take it past the threshold
(Horowitz and Sahni, 1974, doi:10.1145/321812.321823).
"""

from itertools import pairwise
from math import comb

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import IntArray
from fairvec.stats.regrouping.subset_sums import Question

AFFORDABLE = 2**26
"""Sums to list and look up: those of 25 + 25 words, in seconds and half a gigabyte."""

AT_A_TIME = 2**11
"""So many sums are looked up together."""


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


Kept = list["Half"]
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
    middle = len(asked.scores) // 2
    kept = [] if kept is None else kept
    if not kept:
        kept += (Half(some, asked.size) for some in np.split(asked.scores, [middle]))
    first, second = kept
    above = below = 0
    for taken in range(min(asked.size, middle) + 1):
        some, others = first.sums(taken), second.sums(asked.size - taken)
        if asked.above is not None:
            above += len(some) * len(others) - pairs_up_to(some, others, asked.above - 1)
        if asked.below is not None and not asked.symmetric:
            below += pairs_up_to(some, others, asked.below)
    return 2 * above if asked.symmetric else above + below


def pairs_up_to(some: IntArray, others: IntArray, limit: int) -> int:
    """Count the pairs, one of each sorted list, whose sum is at most `limit`.

    Only those of the others are looked up with which it depends on the one whether the sum is: far
    out in a tail these are few.
    """
    with_all = int(np.searchsorted(others, limit - some[-1], side="right"))
    with_any = int(np.searchsorted(others, limit - some[0], side="right"))
    needles = limit - others[with_all:with_any][::-1]
    found = with_all * len(some)
    # Ascending needles in small blocks, each looked up in the few sums that are near to it: these
    # stay in the processor's cache.
    edges = [*np.searchsorted(some, needles[::AT_A_TIME], side="right").tolist(), len(some)]
    for number, (low, high) in enumerate(pairwise(edges)):
        block = needles[number * AT_A_TIME : (number + 1) * AT_A_TIME]
        found += low * len(block) + int(np.searchsorted(some[low:high], block, side="right").sum())
    return found


class Half:
    """The sorted sums of the subsets of some scores, by size."""

    def __init__(self, scores: IntArray, largest: int) -> None:
        self.words = len(scores)
        self.total = scores.sum()
        # Sizes past the middle are mirror images and need not be listed.
        self.listed = _sorted_sums(scores, min(largest, self.words // 2))

    def sums(self, size: int) -> IntArray:
        """Return the sorted sums of all subsets of this size."""
        if size < len(self.listed):
            return self.listed[size]
        mirrored: IntArray = self.total - self.listed[self.words - size][::-1]
        return mirrored


def _sorted_sums(scores: IntArray, largest: int) -> list[IntArray]:
    """List the sums of each size, word by word: those without the new word, and those with it.

    Both runs are sorted already, and numpy's stable sort merges sorted runs in linear time; three
    times faster at 25 words than sorting anew, and a third faster than one sort at the end.
    """
    listed = [np.zeros(1, np.int64)]
    for score in scores:
        with_it = [sums + score for sums in listed[:largest]]
        merged = [np.concatenate(runs) for runs in zip(listed[1:], with_it, strict=False)]
        for sums in merged:
            sums.sort(kind="stable")
        listed = [listed[0], *merged, *with_it[len(merged) :]]
    return listed
