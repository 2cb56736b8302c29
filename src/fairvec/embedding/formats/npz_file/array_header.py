"""What the head of one of numpy's arrays announces, before anything of its size is allocated."""

import struct
import tokenize
import zipfile
import zlib
from typing import IO, Any

import numpy as np

MALFORMED = (
    OSError,
    ValueError,
    EOFError,
    LookupError,
    MemoryError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What zipfile and numpy raise on a file that is damaged or locked with a password."""


def announced(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type, and leave the file where the numbers begin."""
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    else:
        shape, _, dtype = np.lib.format.read_array_header_2_0(file)
    return shape, dtype
