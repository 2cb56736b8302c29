"""The vectors of a transformed embedding, computed when they are asked for."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike

from fairvec.embedding import Embedding
from fairvec.embedding.rows_on_demand import IntArray, RowsOnDemand
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


class MovedVectors(RowsOnDemand):
    """The vectors of an embedding, moved whenever they are asked for.

    If the vectors below lie in a mapped file, the pages read are given back at once.
    """

    def __init__(self, transform: Transform, embedding: Embedding, dtype: np.dtype[Any]) -> None:
        super().__init__(len(embedding), embedding.dimensions, dtype)
        self.transform, self.embedding = transform, embedding

    def between(self, start: int, stop: int) -> Vectors:
        """Return the rows from `start` up to `stop`."""
        out = np.empty((stop - start, self.shape[1]), self.dtype)
        for piece in self._pieces(out):
            first, last = start + piece.start, start + piece.stop
            self.transform.write(self.embedding, first, out[piece])
            let_go(self.embedding.vectors[first:last])
        return out

    def taken(self, rows: IntArray) -> Vectors:
        """Return the rows of these numbers, in their order."""
        out = np.empty((len(rows), self.shape[1]), self.dtype)
        for piece in self._pieces(out):
            self.transform.write_rows(self.embedding, rows[piece], out[piece])
            let_go(self.embedding.vectors)
        return out

    def astype(self, dtype: DTypeLike, copy: bool = True) -> "MovedVectors":
        """Return the same vectors in other floats, rounded as they are computed."""
        kind = np.dtype(dtype)
        return self if kind == self.dtype else MovedVectors(self.transform, self.embedding, kind)

    def _pieces(self, out: Vectors) -> Iterator[slice]:
        rows = BLOCK * max(1, PIECE_BYTES // (BLOCK * self.itemsize * self.shape[1]))
        for first in range(0, len(out), rows):
            yield slice(first, min(first + rows, len(out)))
