"""A move that centres words and then takes a subspace out of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from fairvec.geometry import FloatArray
from fairvec.mitigation.moves.base import Move, orthonormal


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
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        basis, mean = tensors["basis"], tensors["mean"]
        if mean.shape != (1, basis.shape[1]):
            raise ValueError(f"a basis of {basis.shape} and a mean of {mean.shape}")
        return cls(orthonormal(basis), mean[0], strength)
