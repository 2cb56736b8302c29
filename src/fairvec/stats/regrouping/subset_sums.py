"""The question behind a two-sample permutation test, asked in whole numbers.

Regrouping words changes nothing but which of them form the first list, so a permutation test asks:
of all subsets of this size, how many have so extreme a sum? The files beside this one answer it:
`exact` by counting, `certified` between two bounds, `sampled` by drawing at random.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray

SUM_BITS = 60
"""No sum of grid scores exceeds 2^60, so that thresholds can be subtracted within 64 bits."""


@dataclass(frozen=True)
class Question:
    """Of all subsets of `size` scores, how many sum to at least `above` or at most `below`?

    A threshold of None asks nothing on that side; `above` is greater than `below`.
    """

    scores: IntArray
    size: int
    above: int | None = None
    below: int | None = None

    @cached_property
    def total(self) -> int:
        """The sum of all the scores."""
        return int(self.scores.sum())

    @property
    def subsets(self) -> int:
        """The number of subsets of this size."""
        return comb(len(self.scores), self.size)

    @property
    def symmetric(self) -> bool:
        """Whether leaving out what was chosen swaps the two tails, which then count the same."""
        return (
            self.above is not None
            and self.below == self.total - self.above
            and 2 * self.size == len(self.scores)
        )

    def of_the_smaller_side(self) -> "Question":
        """Ask the same of the scores left out, if those are fewer."""
        if 2 * self.size <= len(self.scores):
            return self
        return replace(
            self,
            size=len(self.scores) - self.size,
            above=None if self.below is None else self.total - self.below,
            below=None if self.above is None else self.total - self.above,
        )

    def in_lowest_terms(self) -> "Question":
        """Ask the same of the smallest whole numbers in the same proportions, from 0 upwards.

        Ranks and other round scores lie on a coarse grid of their own; this finds it.
        """
        least = int(self.scores.min())
        step = max(1, int(np.gcd.reduce(self.scores - least)))
        shift = self.size * least
        return replace(
            self,
            scores=(self.scores - least) // step,
            above=None if self.above is None else -((shift - self.above) // step),
            below=None if self.below is None else (self.below - shift) // step,
        )


def on_a_fine_grid(scores: FloatArray) -> IntArray:
    """Return the scores as whole multiples of one power of two, so that their sums are exact.

    The step is less than 2^-58 n of the largest score (n scores): for 64 words or fewer it is no
    coarser than the rounding that the largest score already carries.
    """
    _, exponent = np.frexp(np.abs(scores).max(initial=0.0))
    room = SUM_BITS - len(scores).bit_length()
    return np.rint(np.ldexp(scores, room - int(exponent))).astype(np.int64)
