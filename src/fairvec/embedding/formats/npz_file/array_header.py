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
from typing import IO, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.machine.budget import refuse_beyond, refuse_rows_beyond
from fairvec.ground.text.shown_values import shown

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

MAGIC = b"\x93NUMPY"
CHUNK_BYTES = 1 << 20
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


class ArrayHeader(NamedTuple):
    """The shape and type of an array, whether columns come first, and where its numbers begin."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    columns_first: bool
    begins: int

    @property
    def bytes(self) -> int:
        """How many bytes its numbers take."""
        return self.dtype.itemsize * prod(self.shape)

    def refuse_forged(self, where: str, size: int, what: str = "its numbers") -> None:
        """Raise unless a file of `size` bytes can honestly hold such an array."""
        refuse_beyond(where, what, self.bytes, size)
        # Text of no letters takes no bytes, and a side of none hides how large another is.
        refuse_rows_beyond(where, "rows", max((1, *self.shape)), size)


def header_of(file: IO[bytes]) -> ArrayHeader:
    """Return what the head says, and leave the file where the numbers begin."""
    start = file.read(len(MAGIC) + 2)
    if len(start) < len(MAGIC) + 2 or not start.startswith(MAGIC):
        raise ValueError("it does not begin like an array")
    version = start[len(MAGIC)]
    if version not in LENGTHS:
        raise ValueError(f"its version {version} is not known")
    wide = LENGTHS[version]
    (length,) = wide.unpack(file.read(wide.size))
    if length > LONGEST:
        raise ValueError(f"its head of {length:,} bytes is too long")
    content = file.read(length)
    if len(content) < length:
        raise ValueError("its head is cut short")
    return _understood(content.decode("latin-1").strip(), len(start) + wide.size + length)


def announced(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type alone, and leave the file where the numbers begin."""
    header = header_of(file)
    return header.shape, header.dtype


def filled(file: IO[bytes], header: ArrayHeader) -> NDArray[Any]:
    """Return the array whose numbers follow in a file; its size has been looked at before."""
    if not header.bytes:
        return np.zeros(header.shape, header.dtype)
    content = np.empty(header.bytes, dtype=np.uint8)
    memory, place = content.data, 0
    while place < len(memory):
        chunk = file.read(min(CHUNK_BYTES, len(memory) - place))
        if not chunk:
            raise EOFError("its numbers are cut short")
        memory[place : place + len(chunk)] = chunk
        place += len(chunk)
    order: Literal["F", "C"] = "F" if header.columns_first else "C"
    return content.view(header.dtype).reshape(header.shape, order=order)


def _understood(text: str, begins: int) -> ArrayHeader:
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
            return ArrayHeader((0,), np.dtype(object), False, begins)
        raise ValueError(f"its head is not numpy's: {shown(text)}")
    sides = [side.strip().removesuffix("L") for side in found["shape"].split(",")]
    shape = tuple(int(side) for side in sides if side)
    if len(shape) > MOST_DIMENSIONS:
        raise ValueError(f"it announces {len(shape)} dimensions")
    dtype = np.dtype(found["descr"])
    if dtype.kind not in "biufcSU":
        dtype = np.dtype(object)  # a kind that no matrix and no word has
    return ArrayHeader(shape, dtype, found["order"] == "True", begins)
