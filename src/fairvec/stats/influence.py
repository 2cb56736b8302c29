"""How much one word carries the result."""

from collections.abc import Callable

import numpy as np

from fairvec.stats.arrays import FloatArray, IntArray

Effect = Callable[[FloatArray, FloatArray], FloatArray]
"""Takes batches (cases, words, columns) of the numbers of both lists, gives one effect per case;
nan where it is undefined."""


def leave_one_out(x: FloatArray, y: FloatArray, effect: Effect) -> tuple[FloatArray, FloatArray]:
    """Return the effect without each word of x, and without each word of y.

    x and y hold one row of numbers per word. A value far from the effect of all the words says that
    this one word carries it. It is nan where no effect is left, as without the only word of a list.
    """
    return _without_each(x, y, effect), _without_each(y, x, lambda some, all_: effect(all_, some))


def _without_each(some: FloatArray, others: FloatArray, effect: Effect) -> FloatArray:
    words = len(some)
    if words < 2:
        return np.full(words, np.nan)
    return effect(some[_all_but_one(words)], np.broadcast_to(others, (words, *others.shape)))


def _all_but_one(words: int) -> IntArray:
    """Return a table whose row i lists every index but i."""
    table = np.tile(np.arange(words - 1), (words, 1))
    return table + (table >= np.arange(words)[:, None])
