"""What every space must be able to do."""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


class Projected(NamedTuple):
    """Points brought into a space, and how many had to be moved to get there."""

    points: FloatArray
    moved: int


@runtime_checkable
class Geometry(Protocol):
    """A space in which the rows of a matrix are points."""

    @property
    def name(self) -> str:
        """The name under which the geometry is registered."""
        ...

    @property
    def curvature(self) -> float:
        """The number c of the paper's formulas; 0 for flat space."""
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
