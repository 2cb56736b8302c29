"""Arrays that are views of a file, mapped and not read; giving back the memory that they take."""

import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def is_mapped(array: NDArray[Any]) -> bool:
    """Say whether an array is a view of a file that was mapped and not read."""
    return _mapping(array) is not None


def mapped_file(array: NDArray[Any]) -> Path | None:
    """Return the file that an array is a view of; None where it lies in memory."""
    found: Any = array
    while isinstance(found, np.ndarray):
        if isinstance(found, np.memmap) and found.filename is not None:
            return Path(found.filename)
        found = found.base
    return None


def let_go(array: NDArray[Any]) -> None:
    """Give back the memory that pages of a mapped file take; reading them again brings them back.

    An array that lies elsewhere is left alone.
    """
    mapping = _mapping(array)
    if mapping is not None and hasattr(mapping, "madvise") and array.flags.c_contiguous:
        start = _address(array) - _address(np.frombuffer(mapping, np.uint8))
        first = start // mmap.PAGESIZE * mmap.PAGESIZE
        mapping.madvise(mmap.MADV_DONTNEED, first, start - first + array.nbytes)


def in_doubles(rows: NDArray[Any]) -> NDArray[np.float64]:
    """Return rows in double precision, and give back the pages of a mapped file that they take.

    Whoever goes through a large file block by block then never holds more of it than a block.
    """
    if not is_mapped(rows):
        return np.asarray(rows, np.float64)
    copied = np.array(rows, np.float64)
    let_go(rows)
    return copied


def _mapping(array: Any) -> mmap.mmap | None:
    while isinstance(array, np.ndarray):
        # What was written into a private copy of the file (mode "c") would be lost.
        shared = isinstance(array, np.memmap) and array.mode in ("r", "r+")
        array = array.base
        if shared and isinstance(array, mmap.mmap):
            return array
    return None


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
