"""The Poincaré ball, with its curvature bound."""

from dataclasses import dataclass

import numpy as np

from fairvec.geometry.ball import mobius, poincare_math
from fairvec.geometry.ball.frechet import frechet_mean
from fairvec.geometry.ball.midpoint import gyromidpoint
from fairvec.geometry.base import BoolArray, FloatArray, FrechetMean, Projected
from fairvec.ground.errors import SettingError

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

    def distance(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the hyperbolic distance row by row."""
        return poincare_math.distance(x, y, c=self.curvature)

    def add(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return x (+) y."""
        return self._inside(mobius.mobius_add(x, y, c=self.curvature))

    def gyrovector(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return -a (+) b."""
        return self._inside(mobius.gyrovector(a, b, c=self.curvature))

    def scale(self, r: FloatArray | float, x: FloatArray) -> FloatArray:
        """Return r (x) x; one number, or one for each row."""
        return self._inside(mobius.mobius_scalar(r, x, c=self.curvature))

    def exp(self, x: FloatArray, v: FloatArray) -> FloatArray:
        """Return the points reached from x along tangent vectors v."""
        return self._inside(mobius.exp(x, v, c=self.curvature))

    def log(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the tangent vectors at x that lead to y."""
        return mobius.log(x, y, c=self.curvature)

    def exp0(self, v: FloatArray) -> FloatArray:
        """Return the points reached from the origin; a vector of length r leads to distance 2r."""
        return self._inside(poincare_math.exp0(v, c=self.curvature))

    def log0(self, points: FloatArray) -> FloatArray:
        """Return the tangent vectors at the origin that lead to points."""
        return poincare_math.log0(points, c=self.curvature)

    def transport(self, x: FloatArray, y: FloatArray, v: FloatArray) -> FloatArray:
        """Return tangent vectors v at x carried to y; their Riemannian length stays."""
        return mobius.transport(x, y, v, c=self.curvature)

    def mean(self, points: FloatArray, weights: FloatArray | None = None) -> FrechetMean:
        """Return the Fréchet mean by Newton's method."""
        return frechet_mean(points, c=self.curvature, weights=weights)

    def midpoint(self, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return the gyromidpoint."""
        return gyromidpoint(points, c=self.curvature, weights=weights)

    def _inside(self, points: FloatArray) -> FloatArray:
        """Pull back what rounding put on the border."""
        return self.project(points).points
