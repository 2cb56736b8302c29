"""Matrices whose rows are computed, or copied from another matrix, only when they are used."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

Vectors = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]


class LazyMatrix(ABC):
    """A matrix of which rows are taken by slice, number or mask; numpy can make it an array.

    It has as much of numpy's interface as Embedding, block-by-block comparisons and file writers
    need.
    """

    ndim = 2
    flags = SimpleNamespace(writeable=False, c_contiguous=False)

    def __init__(self, rows: int, columns: int, dtype: np.dtype[Any]) -> None:
        self.shape, self.size, self.dtype = (rows, columns), rows * columns, dtype
        self.itemsize, self.nbytes = dtype.itemsize, dtype.itemsize * rows * columns

    @abstractmethod
    def between(self, start: int, stop: int) -> Vectors:
        """Return the rows from `start` up to `stop`."""

    @abstractmethod
    def take(self, rows: IntArray) -> Vectors:
        """Return the rows of these numbers, in their order."""

    @abstractmethod
    def astype(self, dtype: DTypeLike, copy: bool = True) -> "LazyMatrix":
        """Return the same rows in another float type, rounded when they are used."""

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(
        self, rows: slice | Sequence[int] | NDArray[np.integer[Any] | np.bool_]
    ) -> Vectors:
        if isinstance(rows, slice):
            indices = range(len(self))[rows]
            if indices.step == 1:
                return self.between(indices.start, max(indices.start, indices.stop))
            return self.take(np.array(indices, np.int64))
        numbers = np.asarray(rows)
        numbers = np.flatnonzero(numbers) if numbers.dtype == np.bool_ else numbers.astype(np.int64)
        beyond = (numbers < -len(self)) | (numbers >= len(self))
        if beyond.any():
            raise IndexError(f"there is no row {numbers[beyond][0]} among {len(self)}")
        numbers = np.where(numbers < 0, numbers + len(self), numbers)
        return self.take(numbers.ravel()).reshape(*numbers.shape, self.shape[1])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Vectors:
        return self[:] if dtype is None else self[:].astype(dtype, copy=False)

    def view(self) -> Self:
        """Return itself: nothing can be written into it."""
        return self


class RowSubset(LazyMatrix):
    """Some rows of a matrix, in the order of their numbers, copied block by block."""

    def __init__(self, source: Vectors | LazyMatrix, rows: IntArray, dtype: np.dtype[Any]) -> None:
        super().__init__(len(rows), source.shape[1], dtype)
        self.source, self.rows = source, rows

    def between(self, start: int, stop: int) -> Vectors:
        """Return the rows from `start` up to `stop`."""
        return self.take(np.arange(start, stop))

    def take(self, rows: IntArray) -> Vectors:
        """Return the rows of these numbers, in their order."""
        indices = self.rows[rows]
        contiguous = len(indices) > 0 and bool((np.diff(indices) == 1).all())
        # A slice is a view, or computed in one piece.
        block = self.source[indices[0] : indices[-1] + 1] if contiguous else self.source[indices]
        return block.astype(self.dtype, copy=False)

    def astype(self, dtype: DTypeLike, copy: bool = True) -> "RowSubset":
        """Return the same rows in another float type, rounded when they are used."""
        return RowSubset(self.source, self.rows, np.dtype(dtype))


def take_rows(vectors: "Vectors | LazyMatrix", rows: IntArray) -> Vectors:
    """Return rows of a matrix without a copy: a view, or a matrix that copies them when used."""
    if isinstance(vectors, np.ndarray) and (np.diff(rows) == 1).all():
        return vectors[rows[0] : rows[-1] + 1] if len(rows) else vectors[:0]
    return cast(Vectors, RowSubset(vectors, rows, vectors.dtype))
