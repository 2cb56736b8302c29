"""How the vector of a word moves: pure maps of rows that a file can hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray, Geometry
from fairvec.mitigation.moves.base import Loop, Move, Rows, orthonormal
from fairvec.mitigation.moves.centred import CentredProjection
from fairvec.mitigation.moves.pgd_moves import BalanceByAdam, BalanceExactly
from fairvec.mitigation.moves.rotation import GradedRotation


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
        return removed(rows, self.basis, strength=self.strength)

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        """Return the loop that flat space has."""

        def project(rows: Rows, out: Rows, still: NDArray[np.intp]) -> list[slice]:
            # Here and not above: it brings numba, which takes a while to load.
            from fairvec.mitigation.moves.kernels import project_rows

            return project_rows(rows, out, self, lengths, still)

        return None if geometry.curvature else project

    def tensors(self) -> dict[str, FloatArray]:
        """Return the basis."""
        return {"basis": self.basis}

    @classmethod
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        return cls(orthonormal(tensors["basis"]), strength)


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
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        change, centre = tensors["change"], tensors["centre"]
        if change.shape != (centre.shape[1], centre.shape[1]) or len(centre) != 1:
            raise ValueError(f"a change of {change.shape} and a centre of {centre.shape}")
        return cls(change, centre[0], strength)


MOVES: tuple[type[Move], ...] = (
    Projection,
    Affine,
    GradedRotation,
    CentredProjection,
    BalanceExactly,
    BalanceByAdam,
)
"""The kinds that a file can hold; how each is run it says itself."""


def removed(rows: FloatArray, basis: FloatArray, *, strength: float = 1.0) -> FloatArray:
    """Return rows less a share of their component in the span of an orthonormal basis."""
    left: FloatArray = rows - strength * ((rows @ basis.T) @ basis)
    return left


__all__ = ["MOVES", "Affine", "Move", "Projection", "removed"]
