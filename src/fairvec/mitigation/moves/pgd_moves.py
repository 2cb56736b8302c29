"""The two ways in which Poincaré Gender Debias moves words: to the minimum, or towards it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.geometry.ball.poincare_math import exp0, log0
from fairvec.geometry.sizes import lengths
from fairvec.mitigation.moves.base import ROUNDING, Loop, Move, Rows, orthonormal
from fairvec.mitigation.poincare.pgd_math import PgdWeights, minimum, out_of_plane, plane

SHORTEST = 1e-150
"""A shorter axis has a square that is 0, and points nowhere."""

FASTEST = 1000.0
"""A larger rate of learning leaves every ball in one step; the paper takes 0.0003."""

MOST_EPOCHS = 100_000
"""A file that asks for more would not end; the paper takes 350."""

TINY = 1e-100
"""A smaller share of the radius is no distance from the origin."""


@dataclass(frozen=True, eq=False)
class BalanceExactly(Move):
    """Go the share `strength` of the way to the point that minimises the objective."""

    name: ClassVar[str] = "balance-exactly"
    work: ClassVar[int] = 8

    axis: FloatArray
    weights: PgdWeights
    strength: float

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return len(self.axis)

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows move to; only their directions matter, so any scale of them will do."""
        moved: FloatArray = rows + self.strength * (minimum(rows, self.axis, self.weights) - rows)
        return moved

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        """Return the loop of spaces whose points need no tangent vectors to be turned."""

        def balance(rows: Rows, out: Rows, still: NDArray[np.intp]) -> list[slice]:
            # Here and not above: it brings numba, which takes a while to load.
            from fairvec.mitigation.poincare.pgd_kernel import balance_rows

            c, strength = geometry.curvature, self.strength
            return balance_rows(
                rows, out, self.axis, self.weights, strength=strength, still=still, c=c
            )

        return balance if isinstance(geometry, Euclidean | Poincare) else None

    def tensors(self) -> dict[str, FloatArray]:
        """Return the axis at length one, its length and the weights."""
        size = np.linalg.norm(self.axis)
        return {"basis": self.axis[None] / size, "numbers": np.array([[size, *self.weights]])}

    @classmethod
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        axis, weights, _ = _kept(tensors, further=0)
        return cls(axis, weights, strength)


@dataclass(frozen=True, eq=False)
class BalanceByAdam(Move):
    """Go the share `strength` of the way that Riemannian Adam goes in some epochs.

    Its path never leaves the plane of the word and the axis, because its second moment is one
    number a point: it is run there, in two dimensions.
    """

    name: ClassVar[str] = "balance-by-adam"
    rows_at_a_time: ClassVar[int] = 8192
    """Steps of an optimiser are run by threads, which want more to do."""

    axis: FloatArray
    weights: PgdWeights
    strength: float
    c: float
    rate: float
    epochs: int

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return len(self.axis)

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows (tangent vectors at the origin) move to."""
        from fairvec.mitigation.poincare.pgd_kernel import descend

        start = plane(rows, self.axis)
        # A word that cannot be told from the origin has no length by which to find its way.
        movable = start.axes.any(axis=1) & (lengths(rows) * np.sqrt(self.c) > TINY)
        flat = start.points[movable]
        points = exp0(flat, c=self.c)
        size = float(np.linalg.norm(self.axis))
        descend(points, size, self.weights, c=self.c, rate=self.rate, epochs=self.epochs)
        flat += self.strength * (log0(points, c=self.c) - flat)
        moved = rows.copy()
        moved[movable] = out_of_plane(flat, self.axis, start.axes[movable])
        return moved

    def tensors(self) -> dict[str, FloatArray]:
        """Return the axis at length one, its length and the numbers that steer the path."""
        size = float(np.linalg.norm(self.axis))
        numbers = [size, *self.weights, self.c, self.rate, float(self.epochs)]
        return {"basis": self.axis[None] / size, "numbers": np.array([numbers])}

    @classmethod
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        axis, weights, (c, rate, epochs) = _kept(tensors, further=3)
        if not (
            c > 0 and 0 < rate <= FASTEST and 1 <= epochs <= MOST_EPOCHS and epochs == int(epochs)
        ):
            raise ValueError(f"the curvature {c:g}, rate {rate:g} or number of epochs {epochs:g}")
        return cls(axis, weights, strength, c, rate, int(epochs))


def _kept(
    tensors: Mapping[str, FloatArray], *, further: int
) -> tuple[FloatArray, PgdWeights, list[float]]:
    """Return the axis, the weights and the further numbers of a file; ValueError if they are none.

    As in the settings of the method, the weights lie between 0 and 1 and add up to 1.
    """
    basis, numbers = orthonormal(tensors["basis"]), tensors["numbers"]
    if len(basis) != 1 or numbers.shape != (1, 3 + further):
        raise ValueError(f"a basis of {basis.shape} and numbers of {numbers.shape}")
    size, stay, balance, *others = numbers[0].tolist()
    if not (
        size >= SHORTEST and stay >= 0 and balance >= 0 and abs(stay + balance - 1) <= ROUNDING
    ):
        raise ValueError(f"an axis of length {size:g} with the weights {stay:g} and {balance:g}")
    return size * basis[0], PgdWeights(stay, balance), others
