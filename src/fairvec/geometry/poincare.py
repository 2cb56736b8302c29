"""The Poincaré ball, with its curvature bound."""

from dataclasses import dataclass

import numpy as np

from fairvec.errors import SettingError
from fairvec.geometry import poincare_math
from fairvec.geometry.base import BoolArray, FloatArray, Projected

BORDER_MARGIN = 1e-10
"""A projected point is placed this far (relative to the radius) inside the border."""


@dataclass(frozen=True)
class Poincare:
    """The ball of radius 1/sqrt(c), in which distances grow without bound towards the border."""

    curvature: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.curvature) and self.curvature > 0):
            raise SettingError(
                f"The Poincaré ball needs a curvature c > 0, not {self.curvature}; "
                "for flat space use the euclidean geometry."
            )

    @property
    def name(self) -> str:
        """The name under which the geometry is registered."""
        return "poincare"

    @property
    def radius(self) -> float:
        """The Euclidean length that no point reaches."""
        return float(1 / np.sqrt(self.curvature))

    def contains(self, points: FloatArray) -> BoolArray:
        """A row is a point when c |x|^2 < 1."""
        with np.errstate(invalid="ignore", over="ignore"):
            return poincare_math.border_gap(points, c=self.curvature) > 0

    def project(self, points: FloatArray) -> Projected:
        """Pull each row on or outside the border straight towards the origin, just inside."""
        outside = ~self.contains(points)
        if not outside.any():
            return Projected(points, moved=0)
        inside = points.copy()
        lengths = np.linalg.norm(points[outside], axis=-1, keepdims=True)
        inside[outside] *= self.radius * (1 - BORDER_MARGIN) / lengths
        return Projected(inside, moved=int(outside.sum()))

    def distances(self, points: FloatArray, others: FloatArray) -> FloatArray:
        """Return the hyperbolic distance for every pair."""
        return poincare_math.distances(points, others, c=self.curvature)
