"""Arrays that are written to the disk piece by piece, and mapped when they are whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.disk.drafts import FULL, outside_drafts
from fairvec.ground.disk.files import replacing
from fairvec.ground.errors import SettingError

Number = TypeVar("Number", bound=np.generic)


class Spill:
    """A file that grows by arrays."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.written = 0

    def write(self, numbers: NDArray[Any]) -> None:
        """Write the numbers after those that are there."""
        self._file.write(np.ascontiguousarray(numbers).data)
        self.written += len(numbers)

    def reserve(self, size: int) -> None:
        """Take so many bytes of the disk now, so that filling them cannot fail for want of it."""
        if size and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._file.fileno(), 0, size)
        else:
            self._file.truncate(size)


@contextmanager
def spilling(path: Path) -> Iterator[Spill]:
    """Open a file to be written by pieces; it takes its place when it is whole, or is not there."""
    try:
        with replacing(path) as draft, draft.open("wb") as file:
            yield Spill(file)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise SettingError(
            f"The disk that holds {outside_drafts(path.parent)} is full; free some of it, or name "
            "another folder for what is kept while training."
        ) from None


def mapped(path: Path, kind: type[Number]) -> NDArray[Number]:
    """Return what was written to a file, without reading it."""
    if not path.stat().st_size:
        return np.zeros(0, kind)
    return np.memmap(path, kind, mode="r")


def created(path: Path, kind: type[Number], length: int) -> NDArray[Number]:
    """Return a new array that lies in a file, to be filled in any order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with spilling(path) as file:
        file.reserve(length * np.dtype(kind).itemsize)
    return np.memmap(path, kind, mode="r+") if length else np.zeros(0, kind)
