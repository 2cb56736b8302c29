"""The Poincaré ball, with its curvature bound."""

from functools import cached_property

import numpy as np

from fairvec.core.errors import GeometryError, SettingError
from fairvec.core.settings import settings
from fairvec.geometry import ball_formulas as formulas
from fairvec.geometry.ball_means import frechet_mean, gyromidpoint
from fairvec.geometry.base import BoolArray, FloatArray, FrechetMean, Projected
from fairvec.geometry.norms import norms

BORDER_MARGIN = 1e-10
"""A projected point is placed this far (relative to the radius) inside the border."""
USUAL = 2.0**-8, 2.0**8
"""Curvatures for which the formulas keep all digits and tolerances are small to the radius."""


@settings
class Poincare:
    """The ball of radius 1/sqrt(c), in which distances grow without bound towards the border.

    A ball of a very large or very small c is that of c / 4^k with all points 2^k times as long,
    which is exact: there the formulas are evaluated, for any c that a float can be.
    """

    curvature: float = 1.0

    def __post_init__(self) -> None:
        if self.curvature <= 0:
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

    @cached_property
    def _power(self) -> int:
        """The k above: 0 for a usual c, else that which takes c to between 1 and 4."""
        if USUAL[0] <= self.curvature <= USUAL[1]:
            return 0
        return (int(np.frexp(self.curvature)[1]) - 1) // 2

    @cached_property
    def _c(self) -> float:
        return float(np.ldexp(np.ldexp(self.curvature, -self._power), -self._power))

    def _scale_in(self, rows: FloatArray) -> FloatArray:
        return np.ldexp(rows, self._power) if self._power else rows

    def _scale_out(self, rows: FloatArray) -> FloatArray:
        return np.ldexp(rows, -self._power) if self._power else rows

    def contains(self, points: FloatArray) -> BoolArray:
        """A row is a point when c |x|^2 < 1."""
        with np.errstate(invalid="ignore", over="ignore"):
            return formulas.boundary_gap(self._scale_in(points), c=self._c) > 0

    def project(self, points: FloatArray) -> Projected:
        """Pull each row on or outside the border straight towards the origin, just inside."""
        outside = ~self.contains(points)
        if not outside.any():
            return Projected(points, moved=0)
        rows = points[outside]
        lengths = norms(rows, keepdims=True)
        if not np.isfinite(lengths).all():
            raise GeometryError(
                "Some numbers are NaN or infinite, or became so on the way, and lie in no ball; "
                "mend the vectors, or correct the curvature."
            )
        inside = points.copy()
        inside[outside] = rows * (self.radius * (1 - BORDER_MARGIN) / lengths)
        return Projected(inside, moved=int(outside.sum()))

    def distances(self, points: FloatArray, others: FloatArray) -> FloatArray:
        """Return the hyperbolic distance for every pair."""
        return self._scale_out(
            formulas.distances(self._scale_in(points), self._scale_in(others), c=self._c)
        )

    def distance(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the hyperbolic distance row by row."""
        return self._scale_out(formulas.distance(self._scale_in(x), self._scale_in(y), c=self._c))

    def add(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return x (+) y."""
        return self._inside(formulas.mobius_add(self._scale_in(x), self._scale_in(y), c=self._c))

    def gyrovector(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return -a (+) b."""
        return self._inside(formulas.gyrovector(self._scale_in(a), self._scale_in(b), c=self._c))

    def scale(self, r: FloatArray | float, x: FloatArray) -> FloatArray:
        """Return r (x) x; one number, or one for each row."""
        return self._inside(formulas.mobius_scalar(r, self._scale_in(x), c=self._c))

    def exp(self, x: FloatArray, v: FloatArray) -> FloatArray:
        """Return the points reached from x along tangent vectors v."""
        return self._inside(formulas.exp(self._scale_in(x), self._scale_in(v), c=self._c))

    def log(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the tangent vectors at x that lead to y."""
        return self._scale_out(formulas.log(self._scale_in(x), self._scale_in(y), c=self._c))

    def exp0(self, v: FloatArray) -> FloatArray:
        """Return the points reached from the origin; a vector of length r leads to distance 2r."""
        return self._inside(formulas.exp0(self._scale_in(v), c=self._c))

    def log0(self, points: FloatArray) -> FloatArray:
        """Return the tangent vectors at the origin that lead to points."""
        return self._scale_out(formulas.log0(self._scale_in(points), c=self._c))

    def transport(self, x: FloatArray, y: FloatArray, v: FloatArray) -> FloatArray:
        """Return tangent vectors v at x carried to y; their Riemannian length stays."""
        return formulas.transport(self._scale_in(x), self._scale_in(y), v, c=self._c)

    def mean(self, points: FloatArray, weights: FloatArray | None = None) -> FrechetMean:
        """Return the Fréchet mean by Newton's method."""
        found = frechet_mean(self._scale_in(points), c=self._c, weights=weights)
        if not self._power:
            return found
        left = float(np.ldexp(found.gradient_norm, -self._power))
        return FrechetMean(self._scale_out(found.point), left, found.steps)

    def midpoint(self, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return the gyromidpoint."""
        return self._scale_out(gyromidpoint(self._scale_in(points), c=self._c, weights=weights))

    def _inside(self, points: FloatArray) -> FloatArray:
        """Scale points back to this ball, and pull in what rounding put on the border."""
        return self.project(self._scale_out(points)).points
