"""What a move has to be: a map of rows that a file can hold, and how it is best run."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray, Geometry

Rows = NDArray[np.floating[Any]]
Loop = Callable[[Rows, Rows, NDArray[np.intp]], list[slice]]
"""Writes rows of the first array into the second but for those that stay (the third), and returns
the blocks that it left to be done otherwise."""

ROUNDING = 1e-6
"""So far the products of the vectors of a basis may lie from 0 and 1."""


class Move(Protocol):
    """A map of tangent vectors, row by row; its arrays and its strength are all there is to it.

    Strength 0 leaves rows where they are, 1 is the whole map.
    """

    name: ClassVar[str]
    work: ClassVar[int] = 1
    """How many times the work of a projection a row is: so much sooner a loop pays."""
    rows_at_a_time: ClassVar[int] = 256
    """How many rows `rows` is best given: few enough to stay in the cache of the processor."""

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
    def made_of(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes; KeyError or ValueError if it cannot be one."""
        ...

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        """Return the compiled loop by which the move is faster in a space, if there is one."""
        return None


def orthonormal(basis: FloatArray) -> FloatArray:
    """Return a basis that a file holds; ValueError unless its rows are of length one and square."""
    if len(basis) > basis.shape[1] or not np.allclose(
        basis @ basis.T, np.eye(len(basis)), rtol=0, atol=ROUNDING
    ):
        raise ValueError("basis must hold vectors of length one that are square to each other")
    return basis
