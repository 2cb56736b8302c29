"""Flat space."""

from dataclasses import dataclass

import numpy as np

from fairvec.geometry.base import BoolArray, FloatArray, FrechetMean, Projected, normalized_weights
from fairvec.geometry.norms import euclidean_distances, norm, norms


@dataclass(frozen=True)
class Euclidean:
    """Flat space, where a straight line is a straight line."""

    @property
    def name(self) -> str:
        """The name under which the geometry is registered."""
        return "euclidean"

    @property
    def curvature(self) -> float:
        """Flat space has none."""
        return 0.0

    def contains(self, points: FloatArray) -> BoolArray:
        """Every finite row is a point."""
        return np.asarray(np.isfinite(points).all(axis=-1))

    def project(self, points: FloatArray) -> Projected:
        """Nothing finite lies outside."""
        return Projected(points, moved=0)

    def distances(self, points: FloatArray, others: FloatArray) -> FloatArray:
        """Return |x - y| for every pair."""
        return euclidean_distances(points, others)

    def distance(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return |x - y| row by row."""
        return norms(x - y)

    def add(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return x + y."""
        return x + y

    def gyrovector(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return b - a."""
        return b - a

    def scale(self, r: FloatArray | float, x: FloatArray) -> FloatArray:
        """Return r x; one number, or one for each row."""
        scaled: FloatArray = np.asarray(r)[..., None] * x
        return scaled

    def exp(self, x: FloatArray, v: FloatArray) -> FloatArray:
        """Return x + v."""
        return x + v

    def log(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return y - x."""
        return y - x

    def exp0(self, v: FloatArray) -> FloatArray:
        """Flat space is its own tangent space."""
        return v

    def log0(self, points: FloatArray) -> FloatArray:
        """Flat space is its own tangent space."""
        return points

    def transport(self, x: FloatArray, y: FloatArray, v: FloatArray) -> FloatArray:
        """A vector is the same everywhere."""
        return v

    def mean(self, points: FloatArray, weights: FloatArray | None = None) -> FrechetMean:
        """Return the arithmetic mean, which is the Fréchet mean of flat space."""
        share = normalized_weights(points, weights)
        point = share @ points
        return FrechetMean(point, norm(share @ (points - point)), steps=0)

    def midpoint(self, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return the arithmetic mean."""
        return self.mean(points, weights).point
