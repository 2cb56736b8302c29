"""The compiled loops of the permutation test: counting pairs, drawing subsets."""

import numpy as np
from numpy.typing import NDArray

from fairvec.core.jit import jit
from fairvec.core.numeric import IntArray


@jit()
def rank(sums: IntArray, begin: int, end: int, limit: int) -> int:
    """Return the first place from `begin` to `end` whose sum is not less than the limit."""
    while begin < end:
        middle = (begin + end) >> 1
        if sums[middle] < limit:
            begin = middle + 1
        else:
            end = middle
    return begin


@jit()
def merge(some: IntArray, others: IntArray, into: IntArray) -> None:
    """Merge two sorted lists, from both ends at once: neither end waits for the other.

    No branch depends on the sums: a processor would guess every second one wrong.
    """
    count, both = len(into), min(len(some), len(others))
    low, other_low, high, other_high = 0, 0, len(some) - 1, len(others) - 1
    for place in range(both):
        one, other = some[low], others[other_low]
        first = int(one <= other)
        into[place] = min(one, other)
        low += first
        other_low += 1 - first
        one, other = some[high], others[other_high]
        last = int(one > other)
        into[count - 1 - place] = max(one, other)
        high -= last
        other_high -= 1 - last
    for place in range(both, count - both):
        # Ties are taken from the first list first, as above.
        if other_low > other_high or (low <= high and some[low] <= others[other_low]):
            into[place] = some[low]
            low += 1
        else:
            into[place] = others[other_low]
            other_low += 1


@jit()
def merge_runs(
    sums: IntArray, begins: IntArray, ends: IntArray, added: IntArray, room: IntArray
) -> int:
    """Merge runs into one, and return which row of the room it is in."""
    edges = np.zeros(len(begins) + 1, np.int64)
    for run in range(len(begins)):
        edges[run + 1] = edges[run] + ends[run] - begins[run]
        for place in range(begins[run], ends[run]):
            room[0, edges[run] + place - begins[run]] = sums[place] + added[run]
    runs, row = len(begins), 0
    while runs > 1:
        for pair in range((runs + 1) // 2):
            low, middle = edges[2 * pair], edges[2 * pair + 1]
            high = edges[min(2 * pair + 2, runs)]
            merge(room[row, low:middle], room[row, middle:high], room[1 - row, low:high])
            edges[pair + 1] = high
        runs, row = (runs + 1) // 2, 1 - row
    return row


@jit()
def walk(some: IntArray, others: IntArray, limit: int) -> int:
    """Count the pairs, one of each sorted list, whose sum is less than the limit.

    As `merge` would merge the one list and what the others leave of the limit, without a branch
    either: a sum of the one is below with as many of the others as come after it.
    """
    both = min(len(some), len(others))
    low, other_low, high, other_high = 0, len(others) - 1, len(some) - 1, 0
    found = 0
    for _ in range(both):
        below = int(some[low] + others[other_low] < limit)
        found += below * (other_low + 1)
        low += below
        other_low -= 1 - below
        beyond = int(some[high] + others[other_high] >= limit)
        found += beyond * other_high
        high -= beyond
        other_high += 1 - beyond
    while low <= high:
        if other_low >= other_high and some[low] + others[other_low] >= limit:
            other_low -= 1
        else:
            found += other_low + 1
            low += 1
    return found


@jit()
def pairs_below(
    some: IntArray,
    begins: IntArray,
    ends: IntArray,
    added: IntArray,
    others: IntArray,
    other_begins: IntArray,
    other_ends: IntArray,
    other_added: IntArray,
    limit: int,
    at_a_time: int,
) -> int:
    """Count the pairs, one of each half, whose sum is less than the limit.

    A window holds the sums of the first half from `start` up to `stop`. With those of the second
    that are less than limit - stop + 1 all of them are below, with those from limit - start on none
    is, and only what lies between is merged and walked through.
    """
    start, last = some[begins[0]] + added[0], some[ends[0] - 1] + added[0]
    for run in range(len(begins)):
        start = min(start, some[begins[run]] + added[run])
        last = max(last, some[ends[run] - 1] + added[run])
    places, tops = begins.copy(), other_ends.copy()
    stops, bottoms = np.empty_like(begins), np.empty_like(other_begins)
    for run in range(len(tops)):
        tops[run] = rank(others, other_begins[run], tops[run], limit - start - other_added[run])
    rooms = np.empty((2, 2, at_a_time), np.int64)
    width, found = max(1, (last - start) // 64), 0
    while start <= last:
        stop = start + width
        inside = between = under = 0
        for run in range(len(places)):
            stops[run] = rank(some, places[run], ends[run], stop - added[run])
            inside += stops[run] - places[run]
        for run in range(len(tops)):
            least = limit - stop + 1 - other_added[run]
            bottoms[run] = rank(others, other_begins[run], tops[run], least)
            between += tops[run] - bottoms[run]
            under += bottoms[run] - other_begins[run]
        if max(inside, between) > at_a_time and width > 1:
            width = max(1, width // 2)
            continue
        found += inside * under
        # A window of one number holds one sum of each half, and that pair reaches the limit.
        if inside and between and width > 1:
            row = merge_runs(some, places, stops, added, rooms[0])
            other_row = merge_runs(others, bottoms, tops, other_added, rooms[1])
            found += walk(rooms[0, row, :inside], rooms[1, other_row, :between], limit)
        places[:] = stops
        tops[:] = bottoms
        start = stop
        width *= 2
    return found


# Drawing subsets, compiled: the first steps of a shuffle.


@jit()
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
