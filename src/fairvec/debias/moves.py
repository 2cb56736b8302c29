"""How the vector of a word moves: pure maps of rows that a file can hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from fairvec.geometry import FloatArray


class Move(Protocol):
    """A map of tangent vectors, row by row; its arrays are all there is to it."""

    name: ClassVar[str]

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        ...

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows move to."""
        ...

    def tensors(self) -> dict[str, FloatArray]:
        """Return the arrays by which the move can be made again."""
        ...


@dataclass(frozen=True, eq=False)
class Projection:
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

    def tensors(self) -> dict[str, FloatArray]:
        """Return the basis."""
        return {"basis": self.basis}

    @classmethod
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> "Projection":
        """Return the move that a file describes."""
        return cls(tensors["basis"], strength)


def removed(rows: FloatArray, basis: FloatArray, *, strength: float = 1.0) -> FloatArray:
    """Return rows less a share of their component in the span of an orthonormal basis."""
    left: FloatArray = rows - strength * ((rows @ basis.T) @ basis)
    return left
