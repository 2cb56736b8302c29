"""A rotation that turns some vectors more than others."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.geometry.directions import outside_span
from fairvec.mitigation.moves.base import Move


@dataclass(frozen=True, eq=False)
class GradedRotation(Move):
    """Turn rows in the plane of two unit vectors v1 and v2, so that v2 becomes orthogonal to v1.

    turn(a) = strength (pi/2 - b) min(a/b, (pi - a)/(pi - b)),

    a the angle from v1 to the row within the plane, modulo pi, and b that from v1 to v2. v1 itself
    stays, v2 is turned most, everything else in proportion, and -x always goes where x goes, turned
    about. What a row is outside the plane stays, and so does its length.
    """

    name: ClassVar[str] = "graded-rotation"

    directions: FloatArray
    strength: float

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return int(self.directions.shape[1])

    @property
    def parallel(self) -> bool:
        """Whether the two vectors span a line, in which nothing can be turned."""
        return bool(np.linalg.svd(self.directions, compute_uv=False)[-1] < 1e-8)

    @cached_property
    def plane(self) -> FloatArray:
        """An orthonormal basis of the plane: v1, and what v2 is beside it."""
        first, second = self.directions
        return np.array([first, outside_span(second, first[None])])

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return the rows, turned."""
        within = rows @ self.plane.T
        x, y = within.T
        apart = self._angle()
        angles = np.arctan2(y, x) % np.pi
        turns = np.interp(angles, [0, apart, np.pi], [0, np.pi / 2 - apart, 0])
        cosine, sine = np.cos(self.strength * turns), np.sin(self.strength * turns)
        turned = np.column_stack([cosine * x - sine * y, sine * x + cosine * y])
        moved: FloatArray = rows + (turned - within) @ self.plane
        return moved

    def tensors(self) -> dict[str, FloatArray]:
        """Return the two directions."""
        return {"directions": self.directions}

    @classmethod
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        directions = tensors["directions"]
        move = cls(directions, strength)
        two = directions.shape[0] == 2 and directions.shape[1] >= 2
        if not two or np.ptp([*np.linalg.norm(directions, axis=1), 1]) > 1e-9 or move.parallel:
            raise ValueError("directions must be two vectors of length one, not parallel")
        return move

    def _angle(self) -> float:
        x, y = self.plane @ self.directions[1]
        return float(np.arctan2(y, x))
