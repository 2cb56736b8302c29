"""Compiled loops over analogy questions; importing this file imports numba.

`products` holds one row for each distinct word of the questions and one column for each candidate
of a tile of the vocabulary. A loop reads the three rows of a question and counts, in vector
registers, the candidates that pass its runner-up so far; only where there are any is it looked
which they are.

Scores are rounded upwards by what single precision may have lost, so that the runner-up bounds all
candidates but the best; the bound allows for sums in any order.
"""

import numpy as np
from numpy.typing import NDArray

from fairvec.core.jit import jit

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


@jit(fastmath=True)
def _put(score: float, row: int, excluded: Rows, best: Floats, rows: Rows, question: int) -> None:
    """Put a score into the best two of a question, unless it is that of a word in it."""
    if score <= best[question, 1]:
        return
    if row == excluded[question, 0] or row == excluded[question, 1] or row == excluded[question, 2]:
        return
    if score > best[question, 0]:
        best[question, 1] = best[question, 0]
        best[question, 0] = score
        rows[question] = row
    else:
        best[question, 1] = score


@jit(fastmath=True)
def by_sum(
    products: Floats,
    lengths: Floats,
    offsets: Floats,
    words: Rows,
    weights: Floats,
    excluded: Rows,
    start: int,
    best: Floats,
    rows: Rows,
) -> None:
    """Score = w0 products[a] + w1 products[b] + w2 products[c] + w3 lengths + offsets."""
    for question in range(len(words)):
        a = products[words[question, 0]]
        b = products[words[question, 1]]
        c = products[words[question, 2]]
        w0, w1, w2, w3 = weights[question]
        mark = best[question, 1]
        passing = 0
        for j in range(len(a)):
            passing += w0 * a[j] + w1 * b[j] + w2 * c[j] + w3 * lengths[j] + offsets[j] > mark
        if passing:
            for j in range(len(a)):
                score = w0 * a[j] + w1 * b[j] + w2 * c[j] + w3 * lengths[j] + offsets[j]
                if score > mark:
                    _put(score, start + j, excluded, best, rows, question)


@jit(fastmath=True)
def by_product(
    products: Floats,
    inverses: Floats,
    words: Rows,
    excluded: Rows,
    start: int,
    best: Floats,
    rows: Rows,
) -> None:
    """Score = products[b] products[c] inverses[a]."""
    for question in range(len(words)):
        a = inverses[words[question, 0]]
        b = products[words[question, 1]]
        c = products[words[question, 2]]
        mark = best[question, 1]
        passing = 0
        for j in range(len(a)):
            passing += a[j] * b[j] * c[j] > mark
        if passing:
            for j in range(len(a)):
                score = a[j] * b[j] * c[j]
                if score > mark:
                    _put(score, start + j, excluded, best, rows, question)
