"""The best answers to many analogy questions in one pass over the vocabulary, and 3CosMul.

The vocabulary is multiplied, tile by tile, with the distinct words of the questions alone (905 in
Google's 19,544 questions); a score is put together from the products of its three words. That is
done in single precision; where the best answer does not lead by more than rounding could have
cost, it is looked for again in double precision (`best_by_3cosmul`, `nearest`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.io.mapped_arrays import as_float64
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.geometry.linear_scores import LinearScore, linear_score, rounding, score_points
from fairvec.geometry.nearest import IntArray, Nearest, Points, nearest
from fairvec.geometry.norms import normalize_rows, unit_or_zero

TILE = 512
QUESTIONS_AT_A_TIME = 2048
LOWEST = np.float32(-3e38)


@dataclass(frozen=True, eq=False)
class Questions:
    """Points in a space, and questions about them: the rows of a, b and c.

    `excluded` holds three rows a question that are no answer to it; -1 bars nothing.
    """

    points: Points
    geometry: Geometry
    rows: IntArray
    excluded: IntArray

    def vectors(self, which: IntArray | slice = slice(None)) -> FloatArray:
        """Return a, b and c of some questions in float64: (questions, 3, dimensions)."""
        return np.asarray(self.points[self.rows[which]], np.float64)

    def chunks(self) -> Iterator[slice]:
        """Give the questions a few at a time, so that their vectors take little memory."""
        for start in range(0, len(self.rows), QUESTIONS_AT_A_TIME):
            yield slice(start, start + QUESTIONS_AT_A_TIME)

    @cached_property
    def products(self) -> FloatArray:
        """The scalar products among a, b and c: (questions, 3, 3)."""
        vectors = (self.vectors(chunk) for chunk in self.chunks())
        return np.concatenate([three @ three.transpose(0, 2, 1) for three in vectors])


def answers_by_sum(questions: Questions, weights: FloatArray, similarity: Similarity) -> IntArray:
    """Return the row most similar to w0 a + w1 b + w2 c, for each set of weights and question.

    `weights` has the shape (sets, questions, 3), and the answers (sets, questions).
    """
    from fairvec.metrics.utility.analogy_kernels import by_sum

    lift = _lift(questions.geometry, similarity)
    sets = len(weights)
    flat = np.ascontiguousarray(weights.transpose(1, 0, 2)).reshape(-1, 3)
    which = np.repeat(np.arange(len(questions.rows)), sets)
    distinct, words = np.unique(questions.rows, return_inverse=True)
    words = words.reshape(-1, 3)[which]
    excluded = questions.excluded[which]
    weights_and_bounds = _weights_and_bounds(questions, flat, which, lift).astype(np.float32)
    best, rows = _empty_best(len(flat))
    lengths, offsets = np.empty(len(questions.points)), np.empty(len(questions.points))
    slack = rounding(questions.points.shape[1])
    for tile in _tiles(questions, distinct, lift):
        lengths[tile.here], offsets[tile.here] = slack * tile.lengths, slack * np.abs(tile.offsets)
        upper = np.where(tile.usable, tile.offsets + offsets[tile.here], LOWEST)
        by_sum(
            tile.products,
            lengths[tile.here].astype(np.float32),
            upper.astype(np.float32),
            words,
            weights_and_bounds,
            excluded,
            tile.here.start,
            best,
            rows,
        )
    _check_answered(rows)
    certain = (
        best[:, 0] - 2 * (weights_and_bounds[:, 3] * lengths[rows] + offsets[rows]) >= best[:, 1]
    )
    uncertain = np.flatnonzero(~certain)
    queries = np.einsum("qw,qwd->qd", flat[uncertain], questions.vectors(which[uncertain]))
    again = nearest(
        queries, questions.points, 1, questions.geometry, similarity, excluded=excluded[uncertain]
    )
    rows[uncertain] = again.rows[:, 0]
    return rows.reshape(-1, sets).T


def answers_by_product(questions: Questions) -> IntArray:
    """Return the row with the largest 3CosMul for each question."""
    from fairvec.metrics.utility.analogy_kernels import by_product

    distinct, words = np.unique(questions.rows, return_inverse=True)
    words = words.reshape(-1, 3)
    best, rows = _empty_best(len(words))
    slack = np.float32(rounding(questions.points.shape[1]))
    lengths = np.linalg.norm(np.asarray(questions.points[distinct], np.float64), axis=1)
    halves = (0.5 / lengths).astype(np.float32)[:, None]
    for tile in _tiles(questions, distinct, _lift(questions.geometry, COSINE)):
        shifted = np.float32(0.5) + halves * tile.products
        upper = np.where(tile.usable, shifted + slack, np.float32(0))
        inverses = (1 + slack) / (np.maximum(shifted - slack, 0) + np.float32(EPSILON))
        by_product(upper, inverses, words, questions.excluded, tile.here.start, best, rows)
    _check_answered(rows)
    scores = [
        cos_mul(questions.vectors(chunk), np.asarray(questions.points[rows[chunk]], np.float64))
        for chunk in questions.chunks()
    ]
    uncertain = np.flatnonzero(np.concatenate(scores) < best[:, 1])
    again = best_by_3cosmul(
        questions.vectors(uncertain), questions.points, 1, excluded=questions.excluded[uncertain]
    )
    rows[uncertain] = again.rows[:, 0]
    return rows


@dataclass(frozen=True, eq=False)
class _Tile:
    """A slice of the vocabulary, its products with the distinct words, and its lifted points."""

    here: slice
    products: NDArray[np.float32]
    lengths: FloatArray
    offsets: FloatArray
    usable: NDArray[np.bool_]


def _tiles(questions: Questions, distinct: IntArray, lift: LinearScore) -> Iterator[_Tile]:
    words = np.asarray(questions.points[distinct], np.float32)
    for start in range(0, len(questions.points), TILE):
        here = slice(start, min(start + TILE, len(questions.points)))
        v, p = score_points(lift, as_float64(questions.points[here]), start)
        usable = ~np.isnan(v[:, 0])
        v = np.where(usable[:, None], v, 0)
        products = words @ v.astype(np.float32).T
        yield _Tile(here, products, np.linalg.norm(v, axis=1), p, usable)


def _lift(geometry: Geometry, similarity: Similarity) -> LinearScore:
    lift = linear_score(geometry, similarity)
    if lift is None:
        raise SettingError(
            f"Questions in {geometry.name} cannot be swept by {similarity.name}; ask them one by "
            "one."
        )
    return lift


def _weights_and_bounds(
    questions: Questions, weights: FloatArray, which: IntArray, lift: LinearScore
) -> FloatArray:
    """Return the weights times scale(q), and as the fourth a bound of their sum."""
    products = questions.products[which]
    squares = np.einsum("qi,qij,qj->q", weights, products, weights)
    # The scale of a query depends on its length alone.
    scales = lift.scales(np.sqrt(np.maximum(squares, 0))[:, None])[:, None] * weights
    lengths = np.sqrt(np.einsum("qii->qi", products))
    return np.column_stack([scales, (np.abs(scales) * lengths).sum(axis=1)])


def _empty_best(questions: int) -> tuple[NDArray[np.float32], IntArray]:
    return np.full((questions, 2), LOWEST), np.full(questions, -1, np.int64)


def _check_answered(rows: IntArray) -> None:
    if (rows < 0).any():
        raise UndefinedError(
            "No word is left that could be an answer; use an embedding with more words."
        )


EPSILON = 0.001
POINTS_AT_A_TIME = 4096


def cos_mul(words: FloatArray, answers: FloatArray) -> FloatArray:
    """Return how well each answer d completes a : b :: c : d; `words` has a, b and c in rows.

    (cos(d, b) + 1)/2 (cos(d, c) + 1)/2 / ((cos(d, a) + 1)/2 + 0.001)

    Large where d is like b and c and unlike a; no one similarity can outweigh the others as it
    does in the sum of 3CosAdd.

    Levy & Goldberg (2014), CoNLL, 171-180.
    """
    cosines = (normalize_rows(words) * normalize_rows(answers)[..., None, :]).sum(axis=-1)
    return _cos_mul_of_cosines(np.moveaxis(cosines, -1, 0))


def best_by_3cosmul(
    words: FloatArray, points: Points, count: int, *, excluded: IntArray
) -> Nearest:
    """Return the `count` best answers by 3CosMul to each question, ties in the order of rows.

    `excluded` holds, a row of it a question, the rows that are no answer; -1 bars nothing.
    """
    units = normalize_rows(words)
    rows, scores = np.empty((len(words), 0), np.int64), np.empty((len(words), 0))
    for start in range(0, len(points), POINTS_AT_A_TIME):
        block = np.asarray(points[start : start + POINTS_AT_A_TIME], np.float64)
        block_scores = _cos_mul_of_cosines(np.moveaxis(units @ unit_or_zero(block).T, 1, 0))
        block_scores[:, ~block.any(axis=1)] = -np.inf
        question, column = np.nonzero((excluded >= start) & (excluded < start + len(block)))
        block_scores[question, excluded[question, column] - start] = -np.inf
        block_rows = np.broadcast_to(np.arange(start, start + len(block)), block_scores.shape)
        rows, scores = np.hstack([rows, block_rows]), np.hstack([scores, block_scores])
        order = np.lexsort((rows, -scores))[:, :count]
        rows, scores = np.take_along_axis(rows, order, 1), np.take_along_axis(scores, order, 1)
    return Nearest(rows, scores)


def _cos_mul_of_cosines(cosines: FloatArray) -> FloatArray:
    a, b, c = (cosines + 1) / 2
    scores: FloatArray = b * c / (a + EPSILON)
    return scores
