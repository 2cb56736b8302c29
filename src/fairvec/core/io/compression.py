"""Compressed streams (.xz, .bz2, .zst) and zip archives, checked before unpacking.

Python's own readers take a stream whose first bytes are damaged for bytes of no meaning and end
there without a word: of a file that was packed in parallel any part could be missing.
"""

from bz2 import BZ2Decompressor
from collections.abc import Callable
from io import SEEK_END, BufferedReader, RawIOBase
from itertools import pairwise
from lzma import LZMADecompressor
from typing import IO, TYPE_CHECKING, Any, Protocol
from zipfile import ZipFile

from fairvec.core.memory import max_unpacked_bytes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


CHUNK_BYTES = 1 << 16
WORK_BYTES = 1 << 24
"""Beside its dictionary (64 MiB at the most, unless one asks) xz takes some memory to unpack."""


class OneStream(Protocol):
    """What unpacks one stream, as `lzma.LZMADecompressor` and its like do."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes of what was given."""

    @property
    def unused_data(self) -> bytes:
        """What was given and lies behind the end."""

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Return what comes of some more bytes, and of those it still has."""


def unpacking(
    packed: IO[bytes], begin: Callable[[], OneStream], chunk: int = CHUNK_BYTES
) -> BufferedReader:
    """Return a reader of what the streams of a file hold, all of them or an error.

    Zeros between and behind streams fill up blocks of a tape and mean nothing. `chunk` bytes are
    unpacked at a time at the most.
    """
    return BufferedReader(_Streams(packed, begin, chunk), CHUNK_BYTES)


def unpacking_bz2(packed: IO[bytes]) -> BufferedReader:
    """Return a reader of what a file of .bz2 holds."""
    return unpacking(packed, BZ2Decompressor)


def open_xz(packed: IO[bytes]) -> BufferedReader:
    """Return a reader of what a file of .xz holds, if that asks for no more memory than it may."""
    size = packed.seek(0, SEEK_END)
    packed.seek(0)
    most = WORK_BYTES + max_unpacked_bytes(size)
    return unpacking(packed, lambda: LZMADecompressor(memlimit=most))


class _Streams(RawIOBase):
    def __init__(self, packed: IO[bytes], begin: Callable[[], OneStream], chunk: int) -> None:
        self._packed, self._begin, self._chunk = packed, begin, chunk
        self._stream, self._ready = begin(), b""

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill a buffer as far as it goes; 0 at the end of the last stream."""
        into: Any = memoryview(buffer).cast("B")
        found = self._ready or self._more(len(into))
        now, self._ready = found[: len(into)], found[len(into) :]
        into[: len(now)] = now
        return len(now)

    def _more(self, wanted: int) -> bytes:
        while True:
            given = b""
            if self._stream.eof:
                if not (given := self._behind()):
                    return b""
                self._stream = self._begin()
            elif self._stream.needs_input and not (given := self._packed.read(self._chunk)):
                raise EOFError("it ends before its packed text does")
            if found := self._stream.decompress(given, wanted):
                return found

    def _behind(self) -> bytes:
        """Return the first bytes of the next stream, none if there is no other."""
        given = self._stream.unused_data
        while not (rest := given.lstrip(b"\0")) and (given := self._packed.read(self._chunk)):
            continue
        return rest


# What the list of a zip archive says, looked at before anything of it is unpacked.


SHARED = "holds members that share a name or the same bytes"


def has_overlapping_members(archive: ZipFile) -> bool:
    """Say whether members share a name or bytes.

    Of two that share a name each reader may take another one, and a short file whose members share
    bytes could become any number of them.
    """
    listed = sorted(archive.infolist(), key=lambda info: info.header_offset)
    bytes_too = any(
        one.header_offset + one.compress_size > other.header_offset
        for one, other in pairwise(listed)
    )
    return bytes_too or len({info.filename for info in listed}) < len(listed)
