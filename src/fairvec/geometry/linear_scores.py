"""Similarities as scalar products, so that one matrix product ranks a whole vocabulary.

Every similarity ranks points y like a score that is linear in the query q:

    score(q, y) = scale(q) q.v(y) + p(y)

with v and p, the lifted point, not knowing the query. In single precision it is off by no more than
rounding(dimensions) (scale(q) |q| |v(y)| + |p(y)|), whatever the order of summation: so a ranking
can be certified.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from fairvec.core.errors import GeometryError
from fairvec.geometry.ball_formulas import boundary_gap, distance
from fairvec.geometry.base import FloatArray, Geometry
from fairvec.geometry.norms import norms
from fairvec.geometry.product import ProductOfBalls
from fairvec.geometry.similarities import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    Similarity,
)

SHALLOWEST = 1e-20
"""A ball of a smaller c, or of a larger one than its inverse, has no scores in single precision."""
SHORTEST, LONGEST = 1e-15, 1e15
"""Lengths between which products in single precision neither vanish nor overflow."""


class Lifted(NamedTuple):
    """The vectors v and the offsets p of points; v is NaN where a point cannot be compared."""

    vectors: FloatArray
    offsets: FloatArray


class LinearScore(Protocol):
    """How one similarity becomes a scalar product."""

    def scales(self, queries: FloatArray) -> FloatArray:
        """Return scale(q) of each row."""
        ...

    def points(self, points: FloatArray) -> Lifted:
        """Return v(y) and p(y) of each row."""
        ...

    def similarities(self, queries: FloatArray, points: FloatArray) -> FloatArray:
        """Return the similarity itself, row by row, leading axes broadcast."""
        ...

    def scores(self, similarities: FloatArray, queries: FloatArray) -> FloatArray:
        """Return the scores that belong to similarities, one a query.

        The sum above is a difference of large numbers near the border, this is not.
        """
        ...


class _ByCosine:
    """score = cos(q, y): scale = 1/|q|, v = y/|y|, p = 0."""

    def scales(self, queries: FloatArray) -> FloatArray:
        lengths = norms(queries)
        if not lengths.all():
            raise GeometryError(
                f"{int((lengths == 0).sum())} point(s) whose neighbours are wanted have length "
                "zero and so no cosine; compare by distance or leave them out."
            )
        scales: FloatArray = 1 / lengths
        return scales

    def points(self, points: FloatArray) -> Lifted:
        lengths = norms(points)
        units = points / np.where(lengths > 0, lengths, np.nan)[:, None]
        return Lifted(units, 0.0 * lengths)  # NaN where a length is past all floats

    def similarities(self, queries: FloatArray, points: FloatArray) -> FloatArray:
        lengths = norms(queries) * norms(points)
        cosines: FloatArray = (queries * points).sum(axis=-1) / lengths
        return cosines

    def scores(self, similarities: FloatArray, queries: FloatArray) -> FloatArray:
        return similarities


@dataclass(frozen=True)
class _ByFlatDistance:
    """score = (|q|^2 - d^2)/2: scale = 1, v = y, p = -|y|^2/2."""

    power: int

    def scales(self, queries: FloatArray) -> FloatArray:
        return np.ones(queries.shape[:-1])

    def points(self, points: FloatArray) -> Lifted:
        return Lifted(points, -(points**2).sum(axis=-1) / 2)

    def similarities(self, queries: FloatArray, points: FloatArray) -> FloatArray:
        alike: FloatArray = -(norms(queries - points) ** self.power)
        return alike

    def scores(self, similarities: FloatArray, queries: FloatArray) -> FloatArray:
        squares = np.abs(similarities) ** (2 / self.power)
        scores: FloatArray = ((queries**2).sum(axis=-1) - squares) / 2
        return scores


@dataclass(frozen=True)
class _ByBallDistance:
    """score = -cosh(sqrt(c) d) (1 - c|q|^2)/(1 + c|q|^2), by way of the hyperboloid.

    cosh(sqrt(c) d) is the Lorentz product of the points (1 + c|y|^2, 2 sqrt(c) y)/(1 - c|y|^2), so
    scale = 2/(1 + c|q|^2), v = 2c y/(1 - c|y|^2), p = -(1 + c|y|^2)/(1 - c|y|^2).
    """

    c: float
    power: int

    def scales(self, queries: FloatArray) -> FloatArray:
        scales: FloatArray = 2 / (2 - boundary_gap(queries, c=self.c))
        return scales

    def points(self, points: FloatArray) -> Lifted:
        gap = boundary_gap(points, c=self.c)
        return Lifted(2 * self.c * points / gap[:, None], (gap - 2) / gap)

    def similarities(self, queries: FloatArray, points: FloatArray) -> FloatArray:
        alike: FloatArray = -(distance(queries, points, c=self.c) ** self.power)
        return alike

    def scores(self, similarities: FloatArray, queries: FloatArray) -> FloatArray:
        gap = boundary_gap(queries, c=self.c)
        distances = np.abs(similarities) ** (1 / self.power)
        scores: FloatArray = -np.cosh(np.sqrt(self.c) * distances) * gap / (2 - gap)
        return scores


def squares_lengths(how: LinearScore | None) -> bool:
    """Return whether a score squares lengths, so that the squares must fit single precision."""
    return isinstance(how, _ByFlatDistance)


def fits_float32(found: FloatArray) -> bool:
    """Return whether all lengths but zero and NaN lie between SHORTEST and LONGEST."""
    return not ((found < SHORTEST) & (found > 0) | (found > LONGEST)).any()


def linear_score(geometry: Geometry, similarity: Similarity) -> LinearScore | None:
    """Return the scalar product that ranks like `similarity` in `geometry`, if there is one.

    By distance in a product of balls there is none: its distance is a root of a sum. Nor is there
    one in a ball of a radius whose square single precision cannot hold.
    """
    if similarity == COSINE:
        return _ByCosine()
    if similarity not in _POWERS or (isinstance(geometry, ProductOfBalls) and geometry.balls > 1):
        return None
    if geometry.curvature == 0:
        return _ByFlatDistance(_POWERS[similarity])
    if not SHALLOWEST <= geometry.curvature <= 1 / SHALLOWEST:
        return None
    return _ByBallDistance(geometry.curvature, _POWERS[similarity])


_POWERS = {NEGATIVE_DISTANCE: 1, NEGATIVE_SQUARED_DISTANCE: 2}


def rounding(dimensions: int) -> float:
    """Return the relative error of a scalar product and a few more operations in float32."""
    return (dimensions + 16) * 2.0**-24


def score_points(how: LinearScore, points: FloatArray, first: int) -> Lifted:
    """Return lifted points; refuse one that is not finite, or not inside the ball.

    `first` is the row of the first of them, for the message.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lifted = how.points(points)
        bad = ~np.isfinite(points).all(axis=1) | ~np.isfinite(lifted.offsets) | (lifted.offsets > 0)
    if bad.any():
        raise GeometryError(
            f"The vector in row {first + int(bad.argmax())} is no point of its space (NaN, "
            "infinite, or not inside the ball); fetch or write the file again."
        )
    return lifted
