"""A product of Poincaré balls, as in Poincaré GloVe with its 50 balls of two dimensions."""

import numpy as np

from fairvec.core.errors import GeometryError, SettingError
from fairvec.core.settings import settings
from fairvec.geometry.base import BoolArray, FloatArray, FrechetMean, Projected
from fairvec.geometry.norms import norm, norms
from fairvec.geometry.poincare import Poincare


@settings(called="product of balls")
class ProductOfBalls:
    """Points whose coordinates are cut into equal runs, each a point of its own ball.

    d(x, y)^2 = sum over the balls of d(x_b, y_b)^2; every other operation is done ball by ball.
    `curvature` is the c of each ball. A product of one ball is the ball.

    Tifrea et al. (2019), Poincaré GloVe, arXiv:1810.06546, section 6.
    """

    balls: int = 1
    curvature: float = 1.0

    def __post_init__(self) -> None:
        Poincare(self.curvature)
        if self.balls < 1:
            raise SettingError(f"A product needs one ball at the least, not {self.balls}.")

    @property
    def name(self) -> str:
        """The name under which the geometry is registered, which says the number of balls."""
        return f"poincare-x{self.balls}"

    @property
    def ball(self) -> Poincare:
        """The space of each run of coordinates."""
        return Poincare(self.curvature)

    def contains(self, points: FloatArray) -> BoolArray:
        """A row is a point when each of its runs is."""
        return np.asarray(self.ball.contains(self._cut(points)).all(axis=-1))

    def project(self, points: FloatArray) -> Projected:
        """Pull each run on or outside its border towards the origin; a row counts once."""
        moved = int((~self.contains(points)).sum())
        if not moved:
            return Projected(points, moved=0)
        return Projected(_join(self.ball.project(self._cut(points)).points), moved)

    def distances(self, points: FloatArray, others: FloatArray) -> FloatArray:
        """Return the root of the summed squares of the balls' distances for every pair."""
        squares = np.zeros((len(points), len(others)))
        for run, other in zip(self._runs(points), self._runs(others), strict=True):
            squares += self.ball.distances(run, other) ** 2
        found: FloatArray = np.sqrt(squares)
        return found

    def distance(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the same distance row by row."""
        return norms(self.ball.distance(self._cut(x), self._cut(y)))

    def add(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return x (+) y in each ball."""
        return _join(self.ball.add(self._cut(x), self._cut(y)))

    def gyrovector(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return -a (+) b in each ball."""
        return _join(self.ball.gyrovector(self._cut(a), self._cut(b)))

    def scale(self, r: FloatArray | float, x: FloatArray) -> FloatArray:
        """Return r (x) x in each ball; one number, or one for each row."""
        return _join(self.ball.scale(np.asarray(r)[..., None], self._cut(x)))

    def exp(self, x: FloatArray, v: FloatArray) -> FloatArray:
        """Return the points reached from x along tangent vectors v."""
        return _join(self.ball.exp(self._cut(x), self._cut(v)))

    def log(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the tangent vectors at x that lead to y."""
        return _join(self.ball.log(self._cut(x), self._cut(y)))

    def exp0(self, v: FloatArray) -> FloatArray:
        """Return the points reached from the origin along tangent vectors v."""
        return _join(self.ball.exp0(self._cut(v)))

    def log0(self, points: FloatArray) -> FloatArray:
        """Return the tangent vectors at the origin that lead to points."""
        return _join(self.ball.log0(self._cut(points)))

    def transport(self, x: FloatArray, y: FloatArray, v: FloatArray) -> FloatArray:
        """Return tangent vectors v at x carried to y in each ball."""
        return _join(self.ball.transport(self._cut(x), self._cut(y), self._cut(v)))

    def mean(self, points: FloatArray, weights: FloatArray | None = None) -> FrechetMean:
        """Return the Fréchet means of the balls side by side, which is that of the product."""
        means = [self.ball.mean(run, weights) for run in self._runs(points)]
        return FrechetMean(
            np.concatenate([mean.point for mean in means]),
            norm(np.array([mean.gradient_norm for mean in means])),
            max(mean.steps for mean in means),
        )

    def midpoint(self, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return the gyromidpoints of the balls side by side."""
        return np.concatenate([self.ball.midpoint(run, weights) for run in self._runs(points)])

    def _cut(self, rows: FloatArray) -> FloatArray:
        if rows.shape[-1] % self.balls:
            raise GeometryError(
                f"{rows.shape[-1]} dimensions cannot be shared equally among {self.balls} balls; "
                "correct the number of balls."
            )
        return rows.reshape(*rows.shape[:-1], self.balls, rows.shape[-1] // self.balls)

    def _runs(self, rows: FloatArray) -> FloatArray:
        return np.moveaxis(self._cut(rows), -2, 0)


def _join(runs: FloatArray) -> FloatArray:
    return runs.reshape(*runs.shape[:-2], runs.shape[-2] * runs.shape[-1])
