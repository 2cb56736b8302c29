"""How much one word carries the result."""

from collections.abc import Callable, Sequence

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray

Effect = Callable[..., FloatArray]
"""Takes one batch (cases, words, columns) of numbers per list and gives one effect per case; nan
where it is undefined."""

NUMBERS_AT_A_TIME = 2**21


def leave_one_out(lists: Sequence[FloatArray], effect: Effect) -> tuple[FloatArray, ...]:
    """Return for each list the effect without each of its words.

    A list holds one row of numbers per word. A value far from the effect of all the words says that
    this one word carries it. It is nan where no effect is left, as without the only word of a list.
    """
    return tuple(_without_each(lists, position, effect) for position in range(len(lists)))


def _without_each(lists: Sequence[FloatArray], position: int, effect: Effect) -> FloatArray:
    words = len(lists[position])
    if words < 2:
        return np.full(words, np.nan)
    # A benchmark has thousands of items, and the square of that does not fit into memory.
    blocks = 1 + words * sum(rows.size for rows in lists) // NUMBERS_AT_A_TIME
    effects = []
    for some in np.array_split(np.arange(words), min(words, blocks)):
        batches = [np.broadcast_to(rows, (len(some), *rows.shape)) for rows in lists]
        batches[position] = lists[position][_all_but(some, words)]
        effects.append(effect(*batches))
    return np.concatenate(effects)


def _all_but(some: IntArray, words: int) -> IntArray:
    """Return a table whose row i lists every index but some[i]."""
    table = np.tile(np.arange(words - 1), (len(some), 1))
    return table + (table >= some[:, None])
