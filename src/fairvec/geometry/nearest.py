"""The nearest neighbours of queries: ranked in single precision, certified in double.

`nearest` answers many queries in one pass over the points; `NeighbourIndex` answers one query after
another and precomputes what does not depend on the query.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.io.mapped_arrays import as_float64, release_pages
from fairvec.core.numeric import check_squares
from fairvec.geometry.base import FloatArray, Geometry
from fairvec.geometry.linear_scores import (
    LinearScore,
    fits_float32,
    linear_score,
    rounding,
    score_points,
    squares_lengths,
)
from fairvec.geometry.norms import norms
from fairvec.geometry.similarities import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    Similarity,
)

IntArray = NDArray[np.int64]
Points = NDArray[np.floating[Any]]

QUERIES_AT_A_TIME = 2048
POINTS_AT_A_TIME = 2048
"""2048 x 2048 scores in single precision are 16 MB."""
FIRST_POINTS = 256
SPARE = 8
"""Additional candidates that are ranked again in double precision."""
KEPT_NUMBERS = 2**22
"""Scores of candidates in memory at a time: 50 MB."""
COMPARED_NUMBERS = 2**18
"""Coordinates of candidates compared in double precision at a time: 2 MB."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """For each query the rows of its nearest points, the most similar first, and how similar."""

    rows: IntArray
    similarities: FloatArray


def nearest(
    queries: FloatArray,
    points: Points,
    count: int,
    geometry: Geometry,
    similarity: Similarity,
    *,
    excluded: IntArray | None = None,
) -> Nearest:
    """Return the `count` points that are most similar to each query, ties in the order of rows.

    `excluded` holds, a row of it a query, the rows that are no answer; -1 bars nothing. By cosine a
    point of length zero is no answer either. `points` may be memory-mapped and of any float type;
    they are read block by block and never compared all at once.
    """
    if similarity == NEGATIVE_SQUARED_DISTANCE:
        # Ranked by distances, because their squares may underflow or overflow.
        found = nearest(queries, points, count, geometry, NEGATIVE_DISTANCE, excluded=excluded)
        with np.errstate(over="ignore"):
            return Nearest(found.rows, -(found.similarities**2))
    if count < 1:
        raise SettingError(f"One neighbour or more can be asked for, not {count}.")
    if count > len(points):
        raise _too_few(count)  # before memory is allocated
    check_squares(queries)
    excluded = np.empty((len(queries), 0), np.int64) if excluded is None else excluded
    found = Nearest(np.empty((len(queries), count), np.int64), np.empty((len(queries), count)))
    exact = _ExactSearch(points, count, geometry, similarity)
    how = linear_score(geometry, similarity)
    if squares_lengths(how) and not _squares_fit_float32(queries, points):
        how = None
    # Fewer queries at a time where each has many candidates, so that memory stays the same.
    numbers = (count + SPARE) * (points.shape[1] if how is None else 1)
    step = max(1, min(QUERIES_AT_A_TIME, KEPT_NUMBERS // numbers))
    for start in range(0, len(queries), step):
        some = slice(start, start + step)
        if how is None:
            near = exact.answers(queries[some], excluded[some])
        else:
            near = _CertifiedSearch(how, queries[some], points, excluded[some], count).answers(
                exact
            )
        found.rows[some], found.similarities[some] = near.rows, near.similarities
    if (found.rows < 0).any():
        raise _too_few(count)
    return found


def _squares_fit_float32(queries: FloatArray, points: Points) -> bool:
    """Return whether single precision can hold the squares of what is compared."""
    blocks = (
        as_float64(points[start : start + POINTS_AT_A_TIME])
        for start in range(0, len(points), POINTS_AT_A_TIME)
    )
    return fits_float32(norms(queries)) and all(fits_float32(norms(rows)) for rows in blocks)


def _too_few(count: int) -> UndefinedError:
    return UndefinedError(f"There are fewer than {count} points that may be near; ask for fewer.")


class _CertifiedSearch:
    """Some queries, and the rows and scores of the candidates of each, best first."""

    def __init__(
        self, how: LinearScore, queries: FloatArray, points: Points, excluded: IntArray, count: int
    ) -> None:
        self.how, self.queries, self.points = how, queries, points
        self.excluded, self.count = excluded, count
        self.scores = np.full((len(queries), count + SPARE), -np.inf, np.float32)
        self.rows = np.full((len(queries), count + SPARE), -1, np.int64)

    def answers(self, exact: "_ExactSearch") -> Nearest:
        """Return the nearest; where single precision cannot decide, by the exact search."""
        self._sweep()
        alike = self._similarities()
        best = _best(self.rows, np.where(self.rows >= 0, alike, -np.inf), self.count)
        last = np.where(best.rows[:, -1] >= 0, best.similarities[:, -1], 0)
        # What was not kept scores no more than the last that was.
        proven = self.how.scores(last, self.queries) >= self.scores[:, -1]
        if not proven.all():
            again = exact.answers(self.queries[~proven], self.excluded[~proven])
            best.rows[~proven], best.similarities[~proven] = again.rows, again.similarities
        return best

    def _similarities(self) -> FloatArray:
        """Return the similarities of the queries and their candidates, in double precision."""
        alike = np.empty(self.rows.shape)
        step = max(1, COMPARED_NUMBERS // (self.rows.shape[1] * self.points.shape[1]))
        with np.errstate(invalid="ignore"):  # row -1 may be a point without a cosine
            for start in range(0, len(alike), step):
                some = slice(start, start + step)
                points = np.asarray(self.points[self.rows[some]], np.float64)
                release_pages(
                    self.points
                )  # reading a row of a mapped file loads the pages around it
                alike[some] = self.how.similarities(self.queries[some, None], points)
        return alike

    def _sweep(self) -> None:
        """Collect the best of all points by scores that are rounded upwards."""
        scales = self.how.scales(self.queries)
        reach = (scales * np.linalg.norm(self.queries, axis=1)).max(initial=0)
        left = np.column_stack([scales[:, None] * self.queries, np.ones(len(scales))])
        left = left.astype(np.float32)
        slack = rounding(self.queries.shape[1])
        start, size = 0, FIRST_POINTS
        while start < len(self.points):
            stop = min(start + size, len(self.points))
            v, p = score_points(self.how, as_float64(self.points[start:stop]), start)
            far = np.linalg.norm(v, axis=1)
            upper = p + slack * (reach * far + np.abs(p))
            scores = left @ np.column_stack([v, upper]).astype(np.float32).T
            scores[:, np.isnan(far)] = -np.inf
            scores[_excluded_in_block(self.excluded, start, stop)] = -np.inf
            self._keep(scores, start)
            # Blocks grow: the first ones only set the threshold that later scores must pass.
            start, size = stop, min(2 * size, POINTS_AT_A_TIME)

    def _keep(self, scores: NDArray[np.float32], start: int) -> None:
        """Merge the scores that pass a query's threshold into its candidates."""
        which = np.flatnonzero(scores.max(axis=1) > self.scores[:, -1])
        scores, best = scores[which], self.scores[which]
        passing = np.flatnonzero(scores > best[:, -1:])
        query, column = np.divmod(passing, scores.shape[1])
        place = np.arange(len(query)) - np.searchsorted(query, query)
        shape = len(which), int(place.max(initial=-1)) + 1
        more, rows = np.full(shape, -np.inf, np.float32), np.full(shape, -1, np.int64)
        more[query, place], rows[query, place] = scores[query, column], start + column
        more = np.concatenate([best, more], axis=1)
        rows = np.concatenate([self.rows[which], rows], axis=1)
        order = np.argsort(-more, axis=1)[:, : best.shape[1]]
        self.scores[which] = np.take_along_axis(more, order, 1)
        self.rows[which] = np.take_along_axis(rows, order, 1)


@dataclass(frozen=True, eq=False)
class _ExactSearch:
    """Every point compared in double precision: slower, with nothing to certify."""

    points: Points
    count: int
    geometry: Geometry
    similarity: Similarity

    def answers(self, queries: FloatArray, excluded: IntArray) -> Nearest:
        """Return the nearest, block after block."""
        best = Nearest(
            np.full((len(queries), self.count), -1, np.int64),
            np.full((len(queries), self.count), -np.inf),
        )
        for start in range(0, len(self.points), POINTS_AT_A_TIME):
            block = as_float64(self.points[start : start + POINTS_AT_A_TIME])
            alike = np.full((len(queries), len(block)), -np.inf)
            usable = block.any(axis=1) | (self.similarity != COSINE)
            alike[:, usable] = self.similarity.between(queries, block[usable], self.geometry)
            alike[_excluded_in_block(excluded, start, start + len(block))] = -np.inf
            rows = np.where(np.isfinite(alike), np.arange(start, start + len(block)), -1)
            best = _best(
                np.concatenate([best.rows, rows], axis=1),
                np.concatenate([best.similarities, alike], axis=1),
                self.count,
            )
        return best


def _excluded_in_block(excluded: IntArray, start: int, stop: int) -> tuple[IntArray, IntArray]:
    """Return where the excluded rows lie in the scores of a block."""
    query, place = np.nonzero((excluded >= start) & (excluded < stop))
    return query, excluded[query, place] - start


def _best(rows: IntArray, similarities: FloatArray, count: int) -> Nearest:
    order = np.lexsort((rows, -similarities))[:, :count]
    return Nearest(np.take_along_axis(rows, order, 1), np.take_along_axis(similarities, order, 1))


ROWS_AT_A_TIME = 16_384


@dataclass(frozen=True, eq=False)
class NeighbourIndex:
    """Points, and of each how it is stretched and moved to be compared by a scalar product.

    `reach` is the length of the lifted point; a point that cannot be compared has the offset
    minus infinity. Without a lift (by distance in a product of balls), or where lengths are out of
    the range of single precision, every question is answered by `nearest`.
    """

    points: Points
    geometry: Geometry
    similarity: Similarity
    how: LinearScore | None
    stretch: NDArray[np.float32]
    offset: NDArray[np.float32]
    reach: NDArray[np.float32]

    def near(self, row: int, count: int) -> Nearest:
        """Return the `count` points most similar to that of a row, itself left out.

        The answer is that of `nearest`: scores in single precision only choose the candidates, all
        whose score may be among the largest, and these are compared in double precision.
        """
        if count < 1:
            raise SettingError(f"One neighbour or more can be asked for, not {count}.")
        query = np.asarray(self.points[row], np.float64)[None]
        check_squares(query)
        if self.how is None:
            excluded = np.array([[row]])
            return nearest(
                query, self.points, count, self.geometry, self.similarity, excluded=excluded
            )
        scores, slack = self._scores(self.how, query)
        scores[row] = -np.inf
        if count > int(np.isfinite(scores).sum()):
            raise UndefinedError(
                f"There are fewer than {count} points that may be near; ask for fewer."
            )
        mark = np.partition(scores - slack, -count)[-count]
        rows = np.flatnonzero(scores + slack >= mark)
        alike = self.how.similarities(query, np.asarray(self.points[rows], np.float64))
        order = np.lexsort((rows, -alike))[:count]
        return Nearest(rows[order][None], alike[order][None])

    def _scores(self, how: LinearScore, query: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the score of every point, and by how much it may be off."""
        scale = float(how.scales(query)[0])
        direction = (scale * query[0]).astype(np.float32)
        along = np.empty(len(self.points), np.float32)
        for start in range(0, len(along), ROWS_AT_A_TIME):
            some = slice(start, start + ROWS_AT_A_TIME)
            along[some] = np.asarray(self.points[some], np.float32) @ direction
        scores: FloatArray = np.asarray(
            along * self.stretch.astype(np.float64) + self.offset, np.float64
        )
        length = scale * float(np.linalg.norm(query))
        # Twice the bound of a lifted product: here the point is stretched after it.
        most = 2 * rounding(query.shape[1]) * (length * self.reach + np.abs(self.offset))
        return scores, np.where(np.isfinite(most), most, 0.0)


def build_index(points: Points, geometry: Geometry, similarity: Similarity) -> NeighbourIndex:
    """Lift every point once, some at a time, and keep three numbers of each."""
    how = linear_score(geometry, similarity)
    table = np.zeros((3, len(points)), np.float32)
    for start in range(0, len(points), ROWS_AT_A_TIME):
        if how is None:
            break
        some = slice(start, start + ROWS_AT_A_TIME)
        rows = np.asarray(points[some], np.float64)
        if not fits_float32(far := norms(rows)):
            how = None
            break
        v, p = score_points(how, rows, start)
        reach = np.linalg.norm(v, axis=1)
        usable = np.isfinite(reach)
        if not fits_float32(reach[usable]):
            how = None
        # At the origin every stretch will do.
        stretch = np.divide(reach, far, where=far > 0, out=np.zeros_like(far))
        table[0, some] = np.where(usable, stretch, 0)
        table[1, some] = np.where(usable, p, -np.inf)
        table[2, some] = np.where(usable, reach, 0)
    return NeighbourIndex(points, geometry, similarity, how, *table)
