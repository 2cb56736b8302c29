"""The protocol that every space follows, weights of a mean, and the midpoint of two points."""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError, UndefinedError

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


class Projected(NamedTuple):
    """Points brought into a space, and how many had to be moved to get there."""

    points: FloatArray
    moved: int


class FrechetMean(NamedTuple):
    """The point with the smallest mean squared distance to others, and how sure it is.

    The exact mean is no farther from `point` than `gradient_norm`, the Riemannian length of the
    gradient of half the mean squared distance there: in spaces without positive curvature that
    function grows at least as fast as half the squared distance from its lowest point.
    """

    point: FloatArray
    gradient_norm: float
    steps: int


@runtime_checkable
class Geometry(Protocol):
    """A space in which the rows of a matrix are points.

    Points are rows of the last axis, and axes before it are broadcast except in `distances`, `mean`
    and `midpoint`, which take matrices.
    """

    @property
    def name(self) -> str:
        """The name under which the geometry is registered; with c it identifies the space."""
        ...

    @property
    def curvature(self) -> float:
        """The number c of the paper's formulas, in each ball of a product; 0 for flat space."""
        ...

    def contains(self, points: FloatArray) -> BoolArray:
        """Say for each row whether it is a point of the space."""
        ...

    def project(self, points: FloatArray) -> Projected:
        """Move each row that lies outside to the nearest usable point inside."""
        ...

    def distances(self, points: FloatArray, others: FloatArray) -> FloatArray:
        """Return the distance of every row of `points` to every row of `others`."""
        ...

    def distance(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the distance of each row of x to the same row of y."""
        ...

    def add(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return x (+) y: x + y in flat space, Möbius addition in a ball."""
        ...

    def gyrovector(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return -a (+) b, the gyrovector from a to b at the origin: b - a in flat space."""
        ...

    def scale(self, r: FloatArray | float, x: FloatArray) -> FloatArray:
        """Return the point r times as far from the origin as x, in the same direction."""
        ...

    def exp(self, x: FloatArray, v: FloatArray) -> FloatArray:
        """Return the points reached from x along tangent vectors v."""
        ...

    def log(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the tangent vectors at x that lead to y."""
        ...

    def exp0(self, v: FloatArray) -> FloatArray:
        """Return the points reached from the origin along tangent vectors v."""
        ...

    def log0(self, points: FloatArray) -> FloatArray:
        """Return the tangent vectors at the origin that lead to points."""
        ...

    def transport(self, x: FloatArray, y: FloatArray, v: FloatArray) -> FloatArray:
        """Return tangent vectors v at x carried to y in parallel along the geodesic."""
        ...

    def mean(self, points: FloatArray, weights: FloatArray | None = None) -> FrechetMean:
        """Return the Fréchet mean of the rows, equally weighted by default."""
        ...

    def midpoint(self, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return the middle of the rows that has a formula: the mean, or Ungar's gyromidpoint."""
        ...


def normalized_weights(points: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return one weight per row, none negative, that sum to one; equal where none are given."""
    if not len(points):
        raise UndefinedError("A mean of no points does not exist; give one word at the least.")
    if weights is None:
        return np.full(len(points), 1 / len(points))
    values = np.asarray(weights, np.float64)
    if values.shape != (len(points),) or not (values >= 0).all() or not 0 < values.sum() < np.inf:
        raise SettingError(
            f"The weights of a mean must be {len(points)} finite numbers, none negative and not "
            "all zero; give one for each point."
        )
    normalized: FloatArray = values / values.sum()
    return normalized


def midpoint_between(space: Geometry, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return x (+) 1/2 (x) (-x (+) y): as far from x as from y, on the geodesic between them.

    In a ball it is the gyromidpoint of the two, in flat space their mean.
    """
    return space.add(x, space.scale(0.5, space.gyrovector(x, y)))
