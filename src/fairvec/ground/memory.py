"""How much memory is allowed, and giving back what a mapped file takes."""

import mmap
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import SettingError
from fairvec.ground.shown_values import shown

LETTERS = ("", "k", "m", "g", "t")
UNITS = {
    "": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate(LETTERS)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate(LETTERS) if letter},
}
MOST = 2**60
"""No machine has an exabyte."""


def bytes_of(size: str) -> int:
    """Return the bytes in a size such as 500MB, 1.5 GB (thousands) or 2GiB (1024s)."""
    found = re.fullmatch(r"\s*([0-9]{1,18}(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*", size, re.ASCII)
    unit = UNITS.get(found[2].lower()) if found else None
    count = float(found[1]) * unit if found and unit else 0.0
    # What no machine addresses is a slip of the hand, or more digits than a number has.
    if not 1 <= count < MOST:
        raise SettingError(f"{shown(size)} is no size of memory; say it like 500MB, 1.5GB or 2GiB.")
    return int(count)


def in_words(count: int) -> str:
    """Return a number of bytes as people say it."""
    if count >= 1e9:
        return f"{count / 1e9:,.1f} GB"
    kilobytes = max(1, round(count / 1e3))
    return f"{kilobytes} kB" if kilobytes < 1000 else f"{round(count / 1e6):,} MB"


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
