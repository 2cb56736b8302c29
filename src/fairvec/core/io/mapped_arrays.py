"""Arrays that are mapped from a file, and arrays that are written to a file piece by piece."""

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import DISK_FULL, atomic_path, visible_parent


def is_mapped(array: NDArray[Any]) -> bool:
    """Return whether an array is a view of a memory-mapped file."""
    return _mapping(array) is not None


def mapped_file(array: NDArray[Any]) -> Path | None:
    """Return the file that an array is mapped from; None for an array in memory."""
    view: Any = array
    while isinstance(view, np.ndarray):
        if isinstance(view, np.memmap) and view.filename is not None:
            return Path(view.filename)
        view = view.base
    return None


def release_pages(array: NDArray[Any]) -> None:
    """Free the memory that pages of a mapped file take; they are read again when needed.

    An array that is not mapped is left alone.
    """
    mapping = _mapping(array)
    if mapping is not None and hasattr(mapping, "madvise") and array.flags.c_contiguous:
        start = _address(array) - _address(np.frombuffer(mapping, np.uint8))
        first = start // mmap.PAGESIZE * mmap.PAGESIZE
        mapping.madvise(mmap.MADV_DONTNEED, first, start - first + array.nbytes)


def as_float64(rows: NDArray[Any]) -> NDArray[np.float64]:
    """Return rows in double precision, and release the pages of a mapped file that they take.

    A loop over the blocks of a large file then never has more than one block in memory.
    """
    if not is_mapped(rows):
        return np.asarray(rows, np.float64)
    copy = np.array(rows, np.float64)
    release_pages(rows)
    return copy


def _mapping(array: Any) -> mmap.mmap | None:
    while isinstance(array, np.ndarray):
        # Releasing the pages of a private copy (mode "c") would lose what was written to it.
        shared = isinstance(array, np.memmap) and array.mode in ("r", "r+")
        array = array.base
        if shared and isinstance(array, mmap.mmap):
            return array
    return None


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


Number = TypeVar("Number", bound=np.generic)


class ArrayWriter:
    """A file that grows by arrays."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.written = 0

    def write(self, numbers: NDArray[Any]) -> None:
        """Append the numbers."""
        self._file.write(np.ascontiguousarray(numbers).data)
        self.written += len(numbers)

    def reserve(self, size: int) -> None:
        """Allocate `size` bytes on disk now, so that filling them cannot fail for lack of space."""
        if size and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._file.fileno(), 0, size)
        else:
            self._file.truncate(size)


@contextmanager
def write_array(path: Path) -> Iterator[ArrayWriter]:
    """Open a file to be written by pieces; it appears at `path` only when it is complete."""
    try:
        with atomic_path(path) as draft, draft.open("wb") as file:
            yield ArrayWriter(file)
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise SettingError(
            f"The disk that holds {visible_parent(path.parent)} is full; free some of it, or name "
            "another folder for what is kept while training."
        ) from None


def mapped(path: Path, kind: type[Number]) -> NDArray[Number]:
    """Return the numbers of a file as a memory-mapped array."""
    if not path.stat().st_size:
        return np.zeros(0, kind)
    return np.memmap(path, kind, mode="r")


def create_array(path: Path, kind: type[Number], length: int) -> NDArray[Number]:
    """Return a new memory-mapped array, to be filled in any order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_array(path) as file:
        file.reserve(length * np.dtype(kind).itemsize)
    return np.memmap(path, kind, mode="r+") if length else np.zeros(0, kind)
