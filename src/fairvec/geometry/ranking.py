"""One point after another asked for its nearest: what does not hang on the query is kept.

Of every point y two numbers are kept beside its vector, so that a question is one pass over the
vectors as they lie in memory: the stretch s of the lifted point v = s y, and its offset p. See
`fairvec.geometry.ball.lift`, whose scores these are, and whose bound certifies the answer.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry.ball.lift import Lift, fit_single, lift, lifted, rounding
from fairvec.geometry.base import FloatArray, Geometry
from fairvec.geometry.nearest import Nearest, Points, nearest
from fairvec.geometry.similarities import Similarity
from fairvec.geometry.sizes import lengths
from fairvec.ground.errors import SettingError, UndefinedError

ROWS_AT_A_TIME = 16_384


@dataclass(frozen=True, eq=False)
class RankedPoints:
    """Points, and of each how it is stretched and moved to be compared by a scalar product.

    `reach` is the length of the lifted point; a point that cannot be compared has the offset
    minus infinity. Without a lift (by distance in a product of balls), or where lengths are out of
    the range of single precision, every question is answered by `nearest`.
    """

    points: Points
    geometry: Geometry
    similarity: Similarity
    how: Lift | None
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
        if self.how is None:
            barred = np.array([[row]])
            return nearest(query, self.points, count, self.geometry, self.similarity, barred=barred)
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

    def _scores(self, how: Lift, query: FloatArray) -> tuple[FloatArray, FloatArray]:
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


def ranked_points(points: Points, geometry: Geometry, similarity: Similarity) -> RankedPoints:
    """Lift every point once, some at a time, and keep three numbers of each."""
    how = lift(geometry, similarity)
    kept = np.zeros((3, len(points)), np.float32)
    for start in range(0, len(points), ROWS_AT_A_TIME):
        if how is None:
            break
        some = slice(start, start + ROWS_AT_A_TIME)
        rows = np.asarray(points[some], np.float64)
        if not fit_single(far := lengths(rows)):
            how = None
            break
        v, p = lifted(how, rows, start)
        reach = np.linalg.norm(v, axis=1)
        usable = np.isfinite(reach)
        if not fit_single(reach[usable]):
            how = None
        # At the origin every stretch will do.
        stretch = np.divide(reach, far, where=far > 0, out=np.zeros_like(far))
        kept[0, some] = np.where(usable, stretch, 0)
        kept[1, some] = np.where(usable, p, -np.inf)
        kept[2, some] = np.where(usable, reach, 0)
    return RankedPoints(points, geometry, similarity, how, *kept)
