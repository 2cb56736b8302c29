"""Drawing subsets, compiled: the first steps of a shuffle."""

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.machine.compiled import compiled
from fairvec.stats.arrays import IntArray


@compiled()
def draw_subsets(
    scores: IntArray,
    size: int,
    numbers: NDArray[np.uint32],
    order: IntArray,
    sums: IntArray,
    stayed: IntArray,
) -> None:
    """Draw a subset for each row of random numbers; `order` is any order of all places.

    Each number picks one of the places that are left (Fisher and Yates); that 2^32 is no multiple
    of how many these are favours a place by less than n 2^-32.
    """
    words = len(scores)
    for row in range(len(numbers)):
        total = 0
        own = 0
        for taken in range(numbers.shape[1]):
            left = np.uint64(words - taken)
            pick = taken + np.int64((np.uint64(numbers[row, taken]) * left) >> np.uint64(32))
            place = order[pick]
            order[pick] = order[taken]
            order[taken] = place
            total += scores[place]
            own += place < size
        sums[row] = total
        stayed[row] = own
