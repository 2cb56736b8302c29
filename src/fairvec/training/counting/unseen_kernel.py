"""The compiled loop that puts pairs that do not occur between those that do."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.machine.compiled import compiled

Array = NDArray[Any]


@compiled()
def random_bits(state: np.uint64) -> np.uint64:
    """Return 64 well mixed bits of a counter (splitmix64: Steele, Lea and Flood, 2014)."""
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@compiled()
def rows_with_unseen(
    first: int,
    last: int,
    starts: Array,
    columns: Array,
    counts: Array,
    cumulative: Array,
    drawn: Array,
    seed: int,
    least: int,
    all_columns: Array,
    all_counts: Array,
    ends: Array,
) -> int:
    """Write the rows of some words, by rising columns, and return how many entries they have."""
    words = len(starts) - 1
    known = np.full(words, -1, np.int64)
    step = np.uint64(0x9E3779B97F4A7C15)
    used = 0
    for word in range(first, last):
        for entry in range(starts[word], starts[word + 1]):
            known[columns[entry]] = word
        state = random_bits(np.uint64(seed) * step + np.uint64(word) + np.uint64(1))
        fresh = np.empty(drawn[word], np.int32)
        new = 0
        for _ in range(drawn[word]):
            state += step
            share = np.float64(random_bits(state) >> np.uint64(11)) / 9007199254740992.0
            other = min(int(np.searchsorted(cumulative, share, side="right")), words - 1)
            if known[other] != word:
                known[other] = word
                fresh[new] = other
                new += 1
        ordered = np.sort(fresh[:new])
        entry, taken = starts[word], 0
        while entry < starts[word + 1] or taken < new:
            seen = taken == new or (entry < starts[word + 1] and columns[entry] < ordered[taken])
            if seen:
                all_columns[used], all_counts[used] = columns[entry], counts[entry]
                entry += 1
            else:
                all_columns[used], all_counts[used] = ordered[taken], least
                taken += 1
            used += 1
        ends[word - first] = used
    return used
