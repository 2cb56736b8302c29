"""The compiled loops of counting and of negative pairs.

Word by word: the places of a word in the text are known, and what stands around them is added up in
one row as long as the vocabulary, which stays in the processor's cache. No table is hashed, rows
come out in order, and rows of different words are independent.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.jit import jit

Ints = NDArray[np.integer[Any]]


@jit()
def count_words(tokens: Ints, first: int, last: int, counts: Ints) -> None:
    """Add up how often each word stands from `first` to `last`."""
    for place in range(first, last):
        if tokens[place] >= 0:
            counts[tokens[place]] += 1


@jit()
def places_by_word(tokens: Ints, first: int, last: int, starts: Ints, places: Ints) -> None:
    """Write where each word stands, word after word; `starts` says where its places begin."""
    filled = starts[:-1].copy()
    for place in range(first, last):
        word = tokens[place]
        if word >= 0:
            places[filled[word]] = place
            filled[word] += 1


@jit()
def rows_of_words(
    tokens: Ints,
    starts: Ints,
    places: Ints,
    first: int,
    last: int,
    weights: Ints,
    columns: Ints,
    counts: Ints,
    ends: Ints,
) -> int:
    """Write the rows of the words from `first` to `last`, each in the order of its columns.

    `weights` are those of a neighbour at distance 1, 2, ...; `ends` says where each row ends.
    """
    vocabulary = len(starts) - 1
    window = len(weights)
    total = np.zeros(vocabulary, np.int64)
    touched = np.empty(vocabulary, np.int32)
    written = 0
    for word in range(first, last):
        found = 0
        for one in range(starts[word], starts[word + 1]):
            place = places[one]
            for step in (-1, 1):
                for distance in range(1, window + 1):
                    other = place + step * distance
                    if other < 0 or other >= len(tokens) or tokens[other] < 0:
                        break
                    near = tokens[other]
                    if total[near] == 0:
                        touched[found] = near
                        found += 1
                    total[near] += weights[distance - 1]
        written = _write_row(total, touched, found, columns, counts, written)
        ends[word - first] = written
    return written


@jit()
def add_rows(
    vocabulary: int,
    starts: Ints,
    offsets: Ints,
    run_columns: Ints,
    run_counts: Ints,
    columns: Ints,
    counts: Ints,
    ends: Ints,
) -> int:
    """Add up the same rows of several runs, which lie one after the other from `offsets` on."""
    total = np.zeros(vocabulary, np.int64)
    touched = np.empty(vocabulary, np.int32)
    written = 0
    for row in range(starts.shape[1] - 1):
        found = 0
        for run in range(len(starts)):
            offset = offsets[run]
            for entry in range(offset + starts[run, row], offset + starts[run, row + 1]):
                near = run_columns[entry]
                if total[near] == 0:
                    touched[found] = near
                    found += 1
                total[near] += run_counts[entry]
        written = _write_row(total, touched, found, columns, counts, written)
        ends[row] = written
    return written


@jit()
def _write_row(
    total: Ints, touched: Ints, found: int, columns: Ints, counts: Ints, written: int
) -> int:
    """Write a row that was added up, in the order of its columns, and set it to zero again."""
    if found * 16 > len(total):
        found = 0
        for near in range(len(total)):
            if total[near]:
                touched[found] = near
                found += 1
    else:
        touched[:found].sort()
    for place in range(found):
        near = touched[place]
        columns[written] = near
        counts[written] = total[near]
        total[near] = 0
        written += 1
    return written


Array = NDArray[Any]


@jit()
def random_bits(state: np.uint64) -> np.uint64:
    """Return 64 well mixed bits of a counter (splitmix64: Steele, Lea and Flood, 2014)."""
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@jit()
def rows_with_negative_pairs(
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
    """Write rows with the drawn pairs among those that occur; return the number of entries."""
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
