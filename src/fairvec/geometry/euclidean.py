"""Flat space."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from fairvec.geometry.base import BoolArray, FloatArray, Projected


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
        return cdist(points, others)
