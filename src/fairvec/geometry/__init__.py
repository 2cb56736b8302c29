"""Where points live: flat space, the Poincaré ball and products of it; how alike two points are."""

import re

from fairvec.core.errors import UnknownNameError
from fairvec.geometry.base import (
    BoolArray,
    FloatArray,
    FrechetMean,
    Geometry,
    Projected,
    midpoint_between,
)
from fairvec.geometry.euclidean import Euclidean
from fairvec.geometry.poincare import Poincare
from fairvec.geometry.product import ProductOfBalls
from fairvec.geometry.similarities import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    SIMILARITIES,
    Similarity,
    default_similarity,
    similarity,
)


def geometry(name: str, curvature: float | None = None) -> Geometry:
    """Return the geometry registered under `name`; `curvature` is the balls' c (1 if not given).

    The names are `euclidean`, `poincare` and, for a product of 50 balls, `poincare-x50`.
    """
    if name == "euclidean":
        return Euclidean()
    c = 1.0 if curvature is None else curvature
    if name == "poincare":
        return Poincare(c)
    if product := re.fullmatch(r"poincare-x([1-9][0-9]{0,5})", name):
        return ProductOfBalls(int(product[1]), c)
    raise UnknownNameError("geometry", name, ("euclidean", "poincare", "poincare-x50"))


__all__ = [
    "COSINE",
    "NEGATIVE_DISTANCE",
    "NEGATIVE_SQUARED_DISTANCE",
    "SIMILARITIES",
    "BoolArray",
    "Euclidean",
    "FloatArray",
    "FrechetMean",
    "Geometry",
    "Poincare",
    "ProductOfBalls",
    "Projected",
    "Similarity",
    "default_similarity",
    "geometry",
    "midpoint_between",
    "similarity",
]
