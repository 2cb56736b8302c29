"""Where points live: flat space and the Poincaré ball, and how alike two points are."""

from fairvec.errors import UnknownNameError
from fairvec.geometry.base import BoolArray, FloatArray, Geometry, Projected
from fairvec.geometry.euclidean import Euclidean
from fairvec.geometry.poincare import Poincare
from fairvec.geometry.similarity import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    SIMILARITIES,
    Similarity,
    natural_similarity,
    similarity,
)

GEOMETRIES: tuple[type[Geometry], ...] = (Euclidean, Poincare)


def geometry(name: str, curvature: float | None = None) -> Geometry:
    """Return the geometry registered under `name`; `curvature` is the ball's c (1 if not given)."""
    if name == "euclidean":
        return Euclidean()
    if name == "poincare":
        return Poincare() if curvature is None else Poincare(curvature)
    raise UnknownNameError("geometry", name, ("euclidean", "poincare"))


__all__ = [
    "COSINE",
    "GEOMETRIES",
    "NEGATIVE_DISTANCE",
    "NEGATIVE_SQUARED_DISTANCE",
    "SIMILARITIES",
    "BoolArray",
    "Euclidean",
    "FloatArray",
    "Geometry",
    "Poincare",
    "Projected",
    "Similarity",
    "geometry",
    "natural_similarity",
    "similarity",
]
