"""Matrices whose rows are made, or fetched from another, when they are asked for."""

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

    It has so much of an array's ways as an Embedding, those who compare its points block by block
    and the writers of files need.
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
    def taken(self, rows: IntArray) -> Vectors:
        """Return the rows of these numbers, in their order."""

    @abstractmethod
    def astype(self, dtype: DTypeLike, copy: bool = True) -> "LazyMatrix":
        """Return the same rows in other floats, rounded when they are asked for."""

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(
        self, rows: slice | Sequence[int] | NDArray[np.integer[Any] | np.bool_]
    ) -> Vectors:
        if isinstance(rows, slice):
            wanted = range(len(self))[rows]
            if wanted.step == 1:
                return self.between(wanted.start, max(wanted.start, wanted.stop))
            return self.taken(np.array(wanted, np.int64))
        numbers = np.asarray(rows)
        numbers = np.flatnonzero(numbers) if numbers.dtype == np.bool_ else numbers.astype(np.int64)
        beyond = (numbers < -len(self)) | (numbers >= len(self))
        if beyond.any():
            raise IndexError(f"there is no row {numbers[beyond][0]} among {len(self)}")
        numbers = np.where(numbers < 0, numbers + len(self), numbers)
        return self.taken(numbers.ravel()).reshape(*numbers.shape, self.shape[1])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Vectors:
        return self[:] if dtype is None else self[:].astype(dtype, copy=False)

    def view(self) -> Self:
        """Return itself: nothing can be written into it."""
        return self


class SomeRows(LazyMatrix):
    """Some rows of a matrix, in the order of their numbers, which are copied block by block."""

    def __init__(self, source: Vectors | LazyMatrix, rows: IntArray, dtype: np.dtype[Any]) -> None:
        super().__init__(len(rows), source.shape[1], dtype)
        self.source, self.rows = source, rows

    def between(self, start: int, stop: int) -> Vectors:
        """Return the rows from `start` up to `stop`."""
        return self.taken(np.arange(start, stop))

    def taken(self, rows: IntArray) -> Vectors:
        """Return the rows of these numbers, in their order."""
        wanted = self.rows[rows]
        together = len(wanted) > 0 and bool((np.diff(wanted) == 1).all())
        # A slice is a view, or made in one piece.
        some = self.source[wanted[0] : wanted[-1] + 1] if together else self.source[wanted]
        return some.astype(self.dtype, copy=False)

    def astype(self, dtype: DTypeLike, copy: bool = True) -> "SomeRows":
        """Return the same rows in other floats, rounded when they are asked for."""
        return SomeRows(self.source, self.rows, np.dtype(dtype))


def some_rows(vectors: "Vectors | LazyMatrix", rows: IntArray) -> Vectors:
    """Return some rows of a matrix without a copy of them: a view, or what fetches them later."""
    if isinstance(vectors, np.ndarray) and (np.diff(rows) == 1).all():
        return vectors[rows[0] : rows[-1] + 1] if len(rows) else vectors[:0]
    return cast(Vectors, SomeRows(vectors, rows, vectors.dtype))
