"""How alike two points are: a named choice, because it changes the answer.

In the ball the cosine of two points seen from the origin is the plain cosine, so a "hyperbolic"
test by cosine never looks at the curvature. A Result therefore always names its similarity.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairvec.core.errors import GeometryError, UnknownNameError
from fairvec.geometry.base import FloatArray, Geometry
from fairvec.geometry.norms import check_spread, normalize_rows


@dataclass(frozen=True)
class Similarity:
    """A named way to compare every point of one set with every point of another."""

    name: str
    formula: str
    between: Callable[[FloatArray, FloatArray, Geometry], FloatArray]

    def measured(self, points: FloatArray, others: FloatArray, geometry: Geometry) -> FloatArray:
        """Return the same; refuse distances too large or too small for their spread to be taken."""
        alike = self.between(points, others, geometry)
        if self == COSINE:
            return alike
        return check_spread(alike, f"numbers of {self.name}")


def _cosine(points: FloatArray, others: FloatArray, geometry: Geometry) -> FloatArray:
    cosines: FloatArray = _unit(points) @ _unit(others).T
    return cosines


def _unit(points: FloatArray) -> FloatArray:
    if zero := int((~np.any(points, axis=-1)).sum()):
        raise GeometryError(
            f"{zero} vector(s) have length zero and so no cosine; leave those words out."
        )
    return normalize_rows(points)


def _negative_distance(points: FloatArray, others: FloatArray, geometry: Geometry) -> FloatArray:
    return -geometry.distances(points, others)


def _negative_squared_distance(
    points: FloatArray, others: FloatArray, geometry: Geometry
) -> FloatArray:
    with np.errstate(over="ignore"):
        return -(geometry.distances(points, others) ** 2)


COSINE = Similarity("cosine", "cos(x, y), seen from the origin", _cosine)
NEGATIVE_DISTANCE = Similarity("negative-distance", "-d(x, y)", _negative_distance)
NEGATIVE_SQUARED_DISTANCE = Similarity(
    "negative-squared-distance", "-d(x, y)^2", _negative_squared_distance
)

SIMILARITIES = (COSINE, NEGATIVE_DISTANCE, NEGATIVE_SQUARED_DISTANCE)


def similarity(name: str) -> Similarity:
    """Return the similarity registered under `name`."""
    for candidate in SIMILARITIES:
        if candidate.name == name:
            return candidate
    raise UnknownNameError("similarity", name, (s.name for s in SIMILARITIES))


def default_similarity(geometry: Geometry) -> Similarity:
    """Return the similarity that sees the geometry: cosine in flat space, -distance in the ball."""
    return COSINE if geometry.curvature == 0 else NEGATIVE_DISTANCE
