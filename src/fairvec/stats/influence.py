"""How much one word carries the result."""

from collections.abc import Callable, Sequence

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray

Effect = Callable[..., FloatArray]
"""Takes one batch (cases, words, columns) of numbers per list and gives one effect per case; nan
where it is undefined."""


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
    batches = [np.broadcast_to(rows, (words, *rows.shape)) for rows in lists]
    batches[position] = lists[position][_all_but_one(words)]
    return effect(*batches)


def _all_but_one(words: int) -> IntArray:
    """Return a table whose row i lists every index but i."""
    table = np.tile(np.arange(words - 1), (words, 1))
    return table + (table >= np.arange(words)[:, None])
