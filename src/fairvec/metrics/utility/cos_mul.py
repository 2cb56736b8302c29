"""3CosMul: analogies by a product of similarities, in double precision."""

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.geometry.nearest import IntArray, Nearest, Points
from fairvec.geometry.sizes import unit, unit_or_zero

EPSILON = 0.001
POINTS_AT_A_TIME = 4096


def cos_mul(words: FloatArray, answers: FloatArray) -> FloatArray:
    """Return how well each answer d completes a : b :: c : d; `words` has a, b and c in rows.

    (cos(d, b) + 1)/2 (cos(d, c) + 1)/2 / ((cos(d, a) + 1)/2 + 0.001)

    Large where d is like b and c and unlike a; no one similarity can outweigh the others as it
    does in the sum of 3CosAdd.

    Levy & Goldberg (2014), CoNLL, 171-180.
    """
    cosines = (unit(words) * unit(answers)[..., None, :]).sum(axis=-1)
    return _combined(np.moveaxis(cosines, -1, 0))


def most_alike_by_product(
    words: FloatArray, points: Points, count: int, *, barred: IntArray
) -> Nearest:
    """Return the `count` best answers by 3CosMul to each question, ties in the order of rows.

    `barred` holds, a row of it a question, the rows that are no answer; -1 bars nothing.
    """
    sought = unit(words)
    rows, scores = np.empty((len(words), 0), np.int64), np.empty((len(words), 0))
    for start in range(0, len(points), POINTS_AT_A_TIME):
        block = np.asarray(points[start : start + POINTS_AT_A_TIME], np.float64)
        here = _combined(np.moveaxis(sought @ unit_or_zero(block).T, 1, 0))
        here[:, ~block.any(axis=1)] = -np.inf
        question, place = np.nonzero((barred >= start) & (barred < start + len(block)))
        here[question, barred[question, place] - start] = -np.inf
        numbers = np.broadcast_to(np.arange(start, start + len(block)), here.shape)
        rows, scores = np.hstack([rows, numbers]), np.hstack([scores, here])
        order = np.lexsort((rows, -scores))[:, :count]
        rows, scores = np.take_along_axis(rows, order, 1), np.take_along_axis(scores, order, 1)
    return Nearest(rows, scores)


def _combined(cosines: FloatArray) -> FloatArray:
    a, b, c = (cosines + 1) / 2
    scores: FloatArray = b * c / (a + EPSILON)
    return scores
