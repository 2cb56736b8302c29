"""What the head of one of numpy's arrays announces, before anything of its size is allocated.

numpy itself reads the head as a piece of Python, which deep nesting and odd words can bring down;
here it is held against the one form that numpy writes, in any order and with any spaces.
"""

import lzma
import re
import struct
import tokenize
import zipfile
import zlib
from math import prod
from typing import IO, Any

import numpy as np

from fairvec.ground.budget import refuse_beyond, refuse_rows_beyond

MALFORMED = (
    OSError,
    ValueError,
    EOFError,
    LookupError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What zipfile and numpy raise on a file that is damaged or locked with a password."""

LENGTHS = {1: struct.Struct("<H"), 2: struct.Struct("<I"), 3: struct.Struct("<I")}
LONGEST = 10_000
"""The limit that numpy sets; of an array that is no structure 128 are enough."""
_ITEM = (
    r"""['"](?:descr['"]\s*:\s*['"](?P<descr>[<>|=]?[a-zA-Z?][0-9]{0,9})['"]"""
    r"""|fortran_order['"]\s*:\s*(?P<order>True|False)"""
    r"""|shape['"]\s*:\s*\((?P<shape>(?:\s*[0-9]{1,18}L?\s*,)*(?:\s*[0-9]{1,18}L?)?)\s*\))"""
)
ITEM = re.compile(rf"\s*{_ITEM}\s*")
OBJECTS = re.compile(r"""['"]descr['"]\s*:\s*(['"][<>|=]?O|\[)""")
MOST_DIMENSIONS = 32


def announced(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type, and leave the file where the numbers begin."""
    version, _ = np.lib.format.read_magic(file)
    if version not in LENGTHS:
        raise ValueError(f"its version {version} is not known")
    wide = LENGTHS[version]
    (length,) = wide.unpack(file.read(wide.size))
    if length > LONGEST:
        raise ValueError(f"its head of {length:,} bytes is too long")
    content = file.read(length)
    if len(content) < length:
        raise ValueError("its head is cut short")
    return _understood(content.decode("latin-1").strip())


def _understood(text: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    found: dict[str, str] = {}
    inside = text.removeprefix("{").removesuffix("}").rstrip().removesuffix(",")
    place = 0
    while (item := ITEM.match(inside, place)) is not None and item.lastgroup not in found:
        found[str(item.lastgroup)] = item[str(item.lastgroup)]
        place = item.end() + 1
        if inside[item.end() : place] != ",":
            break
    if len(found) < 3 or place < len(inside) or (text[:1], text[-1:]) != ("{", "}"):
        if OBJECTS.search(text):
            return (0,), np.dtype(object)
        raise ValueError(f"its head is not numpy's: {text[:60]!r}")
    sides = [side.strip().removesuffix("L") for side in found["shape"].split(",")]
    shape = tuple(int(side) for side in sides if side)
    if len(shape) > MOST_DIMENSIONS:
        raise ValueError(f"it announces {len(shape)} dimensions")
    return shape, np.dtype(found["descr"])


def refuse_forged(
    where: str, shape: tuple[int, ...], dtype: np.dtype[Any], size: int, what: str = "its numbers"
) -> None:
    """Raise unless a file of `size` bytes can honestly hold an array of this shape and type."""
    refuse_beyond(where, what, dtype.itemsize * prod(shape), size)
    # Text of no letters takes no bytes, and a side of none hides how large another is.
    refuse_rows_beyond(where, "rows", max((1, *shape)), size)
