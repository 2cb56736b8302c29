"""Moves: maps of row vectors, at a strength from 0 to 1, that a file can hold.

Flat methods work in any space: rows are tangent vectors at the origin (log0), and results are
mapped back by exp0.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry
from fairvec.geometry.directions import residual_direction
from fairvec.geometry.norms import norms

Rows = NDArray[np.floating[Any]]
Loop = Callable[[Rows, Rows, NDArray[np.intp]], list[slice]]
"""Writes the moved rows of the first array into the second, but for those that stay (the third),
and returns the blocks that it could not do."""

ROUNDING = 1e-6
"""The products of the vectors of a basis may differ from 0 and 1 by this much."""


class Move(Protocol):
    """A map of tangent vectors, row by row; its arrays and its strength are all there is to it.

    Strength 0 leaves rows where they are, 1 is the whole map.
    """

    name: ClassVar[str]
    work: ClassVar[int] = 1
    """The work of a row in units of a projection's: the more, the sooner a compiled loop pays."""
    rows_at_a_time: ClassVar[int] = 256
    """How many rows `rows` is best given at once: few enough to stay in the processor's cache."""

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        ...

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows move to."""
        ...

    def tensors(self) -> dict[str, FloatArray]:
        """Return the arrays, all of them matrices, by which the move can be made again."""
        ...

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes; KeyError or ValueError if it cannot be one."""
        ...

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        """Return the compiled loop by which the move is faster in a space, if there is one."""
        return None


@dataclass(frozen=True, eq=False)
class Projection(Move):
    """x - strength B^T B x, the rows of B being an orthonormal basis of what is taken out."""

    name: ClassVar[str] = "projection"

    basis: FloatArray
    strength: float

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return int(self.basis.shape[1])

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return rows less their share in the subspace."""
        return remove_subspace(rows, self.basis, strength=self.strength)

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        """Return the loop that flat space has."""

        def project(rows: Rows, out: Rows, fixed: NDArray[np.intp]) -> list[slice]:
            # Here and not above: it brings numba, which takes a while to load.
            from fairvec.mitigation.kernels import project_rows

            return project_rows(rows, out, self, lengths, fixed)

        return None if geometry.curvature else project

    def tensors(self) -> dict[str, FloatArray]:
        """Return the basis."""
        return {"basis": self.basis}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        return cls(check_orthonormal(tensors["basis"]), strength)


@dataclass(frozen=True, eq=False)
class Affine(Move):
    """x + strength (x - centre) A, rows being multiplied from the right.

    A is what changes: for a map x -> centre + (x - centre) M it is M - I.
    """

    name: ClassVar[str] = "affine"

    change: FloatArray
    centre: FloatArray
    strength: float

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return int(self.change.shape[1])

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows move to."""
        moved: FloatArray = rows + self.strength * ((rows - self.centre) @ self.change)
        return moved

    def tensors(self) -> dict[str, FloatArray]:
        """Return the matrix and the point that does not move."""
        return {"change": self.change, "centre": self.centre[None]}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        change, centre = tensors["change"], tensors["centre"]
        if change.shape != (centre.shape[1], centre.shape[1]) or len(centre) != 1:
            raise ValueError(f"a change of {change.shape} and a centre of {centre.shape}")
        return cls(change, centre[0], strength)


@dataclass(frozen=True, eq=False)
class CentredProjection(Move):
    """x + strength (P (x - mean) - x), P taking out the span of the orthonormal rows of a basis."""

    name: ClassVar[str] = "centred-projection"

    basis: FloatArray
    mean: FloatArray
    strength: float

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return int(self.basis.shape[1])

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows move to."""
        centred = rows - self.mean
        ends = centred - (centred @ self.basis.T) @ self.basis
        moved: FloatArray = rows + self.strength * (ends - rows)
        return moved

    def tensors(self) -> dict[str, FloatArray]:
        """Return the basis and the mean."""
        return {"basis": self.basis, "mean": self.mean[None]}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        basis, mean = tensors["basis"], tensors["mean"]
        if mean.shape != (1, basis.shape[1]):
            raise ValueError(f"a basis of {basis.shape} and a mean of {mean.shape}")
        return cls(check_orthonormal(basis), mean[0], strength)


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
        """An orthonormal basis of the plane: v1, and the part of v2 orthogonal to it."""
        first, second = self.directions
        return np.array([first, residual_direction(second, first[None])])

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return the rows, turned."""
        in_plane = rows @ self.plane.T
        x, y = in_plane.T
        angle_v2 = self._angle()
        angles = np.arctan2(y, x) % np.pi
        turns = np.interp(angles, [0, angle_v2, np.pi], [0, np.pi / 2 - angle_v2, 0])
        cosine, sine = np.cos(self.strength * turns), np.sin(self.strength * turns)
        turned = np.column_stack([cosine * x - sine * y, sine * x + cosine * y])
        moved: FloatArray = rows + (turned - in_plane) @ self.plane
        return moved

    def tensors(self) -> dict[str, FloatArray]:
        """Return the two directions."""
        return {"directions": self.directions}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
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


def check_orthonormal(basis: FloatArray) -> FloatArray:
    """Return the basis; ValueError unless its rows are orthonormal."""
    if len(basis) > basis.shape[1] or not np.allclose(
        basis @ basis.T, np.eye(len(basis)), rtol=0, atol=ROUNDING
    ):
        raise ValueError("basis must hold vectors of length one that are square to each other")
    return basis


def remove_subspace(rows: FloatArray, basis: FloatArray, *, strength: float = 1.0) -> FloatArray:
    """Return rows less a share of their component in the span of an orthonormal basis."""
    left: FloatArray = rows - strength * ((rows @ basis.T) @ basis)
    return left


ROWS_AT_A_TIME = 16_384


def at_lengths(vectors: FloatArray, lengths: FloatArray, *, before: FloatArray) -> FloatArray:
    """Return vectors scaled to some lengths; one of which only rounding is left becomes zero.

    `before` holds the vectors from which something was taken out.
    """
    now = norms(vectors)
    usable = now > 1e-12 * norms(before)
    factors = np.divide(lengths, now, where=usable, out=np.zeros_like(now))
    scaled: FloatArray = vectors * factors[:, None]
    return scaled


def tangent_blocks(embedding: Embedding) -> Iterator[tuple[slice, FloatArray]]:
    """Yield blocks of rows and the tangent vectors at the origin of their words."""
    for start in range(0, len(embedding), ROWS_AT_A_TIME):
        block = slice(start, min(start + ROWS_AT_A_TIME, len(embedding)))
        yield block, embedding.geometry.log0(np.asarray(embedding.vectors[block], np.float64))
