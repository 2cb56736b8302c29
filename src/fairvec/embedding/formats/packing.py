"""Files that are compressed while they are written, if their name says so."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

GZIP_LEVEL = 6
"""The level of the gzip command; Python's 9 takes several times as long for one per cent."""


def _gzip(path: Path, mode: str) -> Any:
    # Without the time of writing, equal embeddings give equal files.
    return gzip.GzipFile(path, mode, GZIP_LEVEL, mtime=0)


PACKINGS: dict[str, Callable[[Path, Any], Any]] = {
    ".gz": _gzip,
    ".xz": lzma.open,
    ".bz2": bz2.open,
}


def opened(path: Path, mode: str = "wb") -> IO[bytes]:
    """Open a file of bytes through the compression that its name ends in."""
    pack: Callable[[Path, Any], Any] = PACKINGS.get(path.suffix.lower(), Path.open)
    file: IO[bytes] = pack(path, mode)
    return file
