"""Counting pairs of sums, compiled: two fingers walk through the sorted lists."""

from fairvec.ground.compiled import compiled
from fairvec.stats.arrays import IntArray


@compiled()
def pairs_outside(some: IntArray, others: IntArray, above: int, below: int) -> int:
    """Count the pairs, one of each sorted list, whose sum is not between the two limits."""
    high = low = len(some)
    found = 0
    for other in others:
        while high > 0 and some[high - 1] >= above - other:
            high -= 1
        while low > 0 and some[low - 1] > below - other:
            low -= 1
        found += len(some) - high + low
    return found
