"""The vectors of a transformed embedding, computed when they are asked for."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fairvec.embedding import Embedding
from fairvec.ground.machine.free_memory import free_memory
from fairvec.ground.machine.mapped_files import let_go
from fairvec.mitigation.transform.fitted import BLOCK, Transform, Vectors, floats_after

PIECE_BYTES = 1 << 23
"""How much of a mapped file is held at a time."""


def lazily(transform: Transform, embedding: Embedding) -> Embedding:
    """Return what `transform.transform` returns, with vectors that are computed at each reading.

    It can be saved, hashed and asked for the rows of keys without ever holding its matrix; whoever
    goes through all its vectors more than once is better off with `transform.transform`.
    """
    transform.check(embedding)
    vectors = MovedVectors(transform, embedding, floats_after(embedding))
    return embedding.moved_to(cast(Vectors, vectors), transform.step)


def moved_where_there_is_room(transform: Transform, embedding: Embedding) -> Embedding:
    """Return the transformed embedding, in memory if its vectors take an eighth of what is free.

    Else they are computed at each reading: slower, and the same numbers.
    """
    needed = floats_after(embedding).itemsize * embedding.vectors.size
    free = free_memory()
    short = free is not None and needed > free / 8
    return lazily(transform, embedding) if short else transform.transform(embedding)


class MovedVectors:
    """A matrix of which rows are taken by slice, number or mask; numpy can make it an array.

    It has so much of an array's ways as an Embedding and the writers of files need. If the vectors
    below lie in a mapped file, the pages read are given back at once.
    """

    ndim = 2
    flags = SimpleNamespace(writeable=False)

    def __init__(self, transform: Transform, embedding: Embedding, dtype: np.dtype[Any]) -> None:
        self.transform, self.embedding, self.dtype = transform, embedding, dtype
        self.shape = embedding.vectors.shape
        self.itemsize = dtype.itemsize
        self.nbytes = dtype.itemsize * embedding.vectors.size

    def __len__(self) -> int:
        return len(self.embedding)

    def __getitem__(
        self, rows: slice | Sequence[int] | NDArray[np.integer[Any] | np.bool_]
    ) -> Vectors:
        every = range(len(self))
        if not isinstance(rows, slice):
            numbers = np.asarray(rows)
            if numbers.dtype == np.bool_:
                numbers = np.flatnonzero(numbers)
            found = self._rows([every[row] for row in numbers.ravel().tolist()])
            return found.reshape(*numbers.shape, self.shape[1])
        wanted = every[rows]
        if wanted.step != 1:
            return self._rows(wanted)
        out = np.empty((len(wanted), self.shape[1]), self.dtype)
        self._write(wanted.start, out)
        return out

    def _rows(self, wanted: Sequence[int]) -> Vectors:
        out = np.empty((len(wanted), self.shape[1]), self.dtype)
        for place, row in enumerate(wanted):
            self._write(row, out[place : place + 1])
        return out

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Vectors:
        return self[:] if dtype is None else self[:].astype(dtype, copy=False)

    def view(self) -> "MovedVectors":
        """Return itself: nothing can be written into it."""
        return self

    def astype(self, dtype: DTypeLike, copy: bool = True) -> "MovedVectors":
        """Return the same vectors in other floats, rounded as they are computed."""
        kind = np.dtype(dtype)
        return self if kind == self.dtype else MovedVectors(self.transform, self.embedding, kind)

    def _write(self, start: int, out: Vectors) -> None:
        rows = BLOCK * max(1, PIECE_BYTES // (BLOCK * self.itemsize * self.shape[1]))
        for first in range(0, len(out), rows):
            piece = out[first : first + rows]
            self.transform.write(self.embedding, start + first, piece)
            let_go(self.embedding.vectors[start + first : start + first + len(piece)])
