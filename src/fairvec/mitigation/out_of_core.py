"""Debiasing embeddings larger than memory: vectors moved on demand, or from file to file."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.mapped_arrays import is_mapped, release_pages
from fairvec.core.io.read_files import is_file
from fairvec.core.io.safetensors import BLOCK_BYTES, looks_like_safetensors, open_tensors
from fairvec.core.memory import available_memory, format_size
from fairvec.embedding import Embedding, load
from fairvec.embedding.formats import read_head
from fairvec.embedding.formats.rows import ROWS_AT_ONCE
from fairvec.embedding.lazy_matrix import IntArray, LazyMatrix
from fairvec.embedding.saving import format_to_write, write_embedding
from fairvec.mitigation.transform import BLOCK, Transform, Vectors, floats_after

PIECE_BYTES = 1 << 23
"""How much of a mapped file is held at a time."""


def lazy_transform(transform: Transform, embedding: Embedding) -> Embedding:
    """Return what `transform.transform` returns, with vectors that are computed at each reading.

    It can be saved, hashed and looked up without ever holding its matrix; to go through all vectors
    more than once, use `transform.transform`.
    """
    transform.check(embedding)
    vectors = LazyVectors(transform, embedding, floats_after(embedding))
    return embedding.with_vectors(cast(Vectors, vectors), transform.step)


def transform_within_memory(transform: Transform, embedding: Embedding) -> Embedding:
    """Return the transformed embedding, in memory if its vectors take an eighth of what is free.

    Else they are computed at each reading: slower, and the same numbers.
    """
    needed = floats_after(embedding).itemsize * embedding.vectors.size
    free = available_memory()
    is_short = free is not None and needed > free / 8
    return lazy_transform(transform, embedding) if is_short else transform.transform(embedding)


class LazyVectors(LazyMatrix):
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
            release_pages(self.embedding.vectors[first:last])
        return out

    def take(self, rows: IntArray) -> Vectors:
        """Return the rows of these numbers, in their order."""
        out = np.empty((len(rows), self.shape[1]), self.dtype)
        for piece in self._pieces(out):
            self.transform.write_rows(self.embedding, rows[piece], out[piece])
            release_pages(self.embedding.vectors)
        return out

    def astype(self, dtype: DTypeLike, copy: bool = True) -> "LazyVectors":
        """Return the same vectors in other floats, rounded as they are computed."""
        kind = np.dtype(dtype)
        return self if kind == self.dtype else LazyVectors(self.transform, self.embedding, kind)

    def _pieces(self, out: Vectors) -> Iterator[slice]:
        rows = BLOCK * max(1, PIECE_BYTES // (BLOCK * self.itemsize * self.shape[1]))
        for first in range(0, len(out), rows):
            yield slice(first, min(first + rows, len(out)))


BYTES_PER_KEY = 300
"""A short key takes about this much as text, in the look-up and while it is written."""
ARRAYS = 6
"""How many float64 blocks there are while rows move."""
LINES_BYTES = 1 << 26
"""Text is written by up to eight threads, each with a block of lines."""


def debias_file(
    transform: Transform,
    source: str | PathLike[str] | Embedding,
    target: str | PathLike[str],
    *,
    max_memory: int,
    progress: Progress | None = None,
) -> Path:
    """Write a transformed embedding whole or not at all, holding a few blocks of rows at a time.

    Args:
        transform: The change.
        source: A file, or an embedding over one. Only native files with plain vectors and
            safetensors files are mapped; all others, and what is compressed, are read whole.
        target: The ending chooses the format, as in `save`; npz is put together in memory.
        max_memory: The bytes that may be held beyond the interpreter and its libraries; if they
            cannot suffice, an error says so before anything is written.
        progress: Called with (done, in all) while writing.
    """
    if not isinstance(source, Embedding):
        check_file_fits(Path(source), max_memory)
        source = load(source)
    moved = lazy_transform(transform, source)
    needed = _memory_needed(source, moved, Path(target))
    if needed > max_memory:
        raise SettingError(
            f"Debiasing {source.name} into {Path(target).name} takes about {format_size(needed)} "
            f"and {format_size(max_memory)} are allowed; allow more, or go from .fairvec to "
            ".fairvec."
        )
    return write_embedding(moved, target, force=True, progress=progress)


def check_file_fits(path: Path, max_memory: int) -> None:
    """Raise SettingError if a file cannot be mapped and is larger than the memory allowed."""
    if is_file(path) and path.stat().st_size > max_memory and not _can_be_mapped(path):
        raise SettingError(
            f"{path.name} has to be read whole ({format_size(path.stat().st_size)}) and "
            f"{format_size(max_memory)} are allowed; only .fairvec files with plain vectors and "
            ".safetensors files are read bit by bit: convert it, or allow more."
        )


def _can_be_mapped(path: Path) -> bool:
    if not looks_like_safetensors(read_head(path)):
        return False
    entries = open_tensors(path).entries.values()
    return any(len(entry.shape) == 2 and entry.dtype.startswith("F") for entry in entries)


def _memory_needed(source: Embedding, moved: Embedding, target: Path) -> int:
    """Estimate the bytes that keys, blocks and whatever is not mapped take."""
    writer, floats = format_to_write(target).name, moved.vectors.dtype.itemsize
    checking, moving = ROWS_AT_ONCE * (floats + 1), BLOCK * 8 * ARRAYS
    blocks = max((checking + moving) * moved.dimensions, 2 * BLOCK_BYTES) + PIECE_BYTES
    lines = LINES_BYTES if writer in ("csv", "tsv") or writer.endswith("-text") else 0
    read_bytes = 0 if is_mapped(source.vectors) else source.vectors.nbytes
    written_bytes = moved.vectors.nbytes if writer == "npz" else 0
    return len(source) * BYTES_PER_KEY + blocks + lines + read_bytes + written_bytes
