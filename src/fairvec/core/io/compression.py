"""Compressed streams (.xz, .bz2, .zst) and zip archives, checked before unpacking.

Python's own readers take a stream with a damaged header for trailing garbage and end there in
silence: any part of a file that was packed in parallel could be missing.
"""

from bz2 import BZ2Decompressor
from collections.abc import Callable
from io import SEEK_END, BufferedReader, RawIOBase
from itertools import pairwise
from lzma import LZMADecompressor
from struct import Struct
from typing import IO, TYPE_CHECKING, Any, Protocol
from zipfile import ZipFile, ZipInfo

from fairvec.core.memory import max_unpacked_bytes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


CHUNK_BYTES = 1 << 16
WORK_BYTES = 1 << 24
"""Memory that xz takes to unpack besides its dictionary (64 MiB at most by default)."""


class StreamDecompressor(Protocol):
    """A decompressor of one stream, such as `lzma.LZMADecompressor`."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether more input is needed for more output."""

    @property
    def unused_data(self) -> bytes:
        """The input after the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Return what some more bytes, and those still buffered, unpack to."""


def unpacking(
    packed: IO[bytes], begin: Callable[[], StreamDecompressor], chunk: int = CHUNK_BYTES
) -> BufferedReader:
    """Return a reader of all streams of a file; a damaged one is an error.

    Zeros between and after streams are padding. At most `chunk` packed bytes are read at a time.
    """
    return BufferedReader(_StreamReader(packed, begin, chunk), CHUNK_BYTES)


def unpacking_bz2(packed: IO[bytes]) -> BufferedReader:
    """Return a reader of a .bz2 file."""
    return unpacking(packed, BZ2Decompressor)


def open_xz(packed: IO[bytes]) -> BufferedReader:
    """Return a reader of an .xz file; one that needs too much memory is an error."""
    size = packed.seek(0, SEEK_END)
    packed.seek(0)
    most = WORK_BYTES + max_unpacked_bytes(size)
    return unpacking(packed, lambda: LZMADecompressor(memlimit=most))


class _StreamReader(RawIOBase):
    def __init__(
        self, packed: IO[bytes], begin: Callable[[], StreamDecompressor], chunk: int
    ) -> None:
        self._packed, self._begin, self._chunk = packed, begin, chunk
        self._stream, self._ready = begin(), b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill a buffer as far as possible and return the number of bytes; 0 at the end."""
        target: Any = memoryview(buffer).cast("B")
        unpacked = self._ready or self._unpack(len(target))
        part, self._ready = unpacked[: len(target)], unpacked[len(target) :]
        target[: len(part)] = part
        return len(part)

    def _unpack(self, size: int) -> bytes:
        while True:
            data = b""
            if self._stream.eof:
                if not (data := self._next_stream()):
                    return b""
                self._stream = self._begin()
            elif self._stream.needs_input and not (data := self._packed.read(self._chunk)):
                raise EOFError("it ends before its packed text does")
            if unpacked := self._stream.decompress(data, size):
                return unpacked

    def _next_stream(self) -> bytes:
        """Return the first bytes of the next stream; empty if there is none."""
        data = self._stream.unused_data
        while not (rest := data.lstrip(b"\0")) and (data := self._packed.read(self._chunk)):
            continue
        return rest


def check_member(archive: ZipFile, member: ZipInfo) -> None:
    """Read a member to its end, or raise BadZipFile where name or checksum do not match."""
    with archive.open(member) as packed:
        while packed.read(WORK_BYTES):
            continue


SHARED = "holds members that share a name or the same bytes"


def has_overlapping_members(archive: ZipFile) -> bool:
    """Return whether members share a name or bytes.

    Readers may disagree about which of two members with one name counts, and a short file whose
    members share bytes could unpack to any size (an overlapping zip bomb).
    """
    members = sorted(archive.infolist(), key=lambda info: info.header_offset)
    share_bytes = any(
        member.header_offset + member.compress_size > following.header_offset
        for member, following in pairwise(members)
    )
    return share_bytes or len({info.filename for info in members}) < len(members)


END = Struct("<4s4H2IH")
POINTER = Struct("<4sIQI")
LONG_END = Struct("<4sQ2H2I4Q")
END_MARK, POINTER_MARK, LONG_END_MARK = b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06"
MOST, MOST_BYTES = 0xFFFF, 0xFFFFFFFF
"""The value in the short end record of a number that is too large for it."""


def check_archive_end(file: IO[bytes], size: int) -> int:
    """Return how many members an archive lists; raise ValueError where two readers could differ."""
    place = size - END.size
    mark, *_, here, listed, length, start, comment = END.unpack(_read(file, place, END.size))
    if mark != END_MARK or comment:
        raise ValueError("it is no zip archive, or does not end as one")
    pointed = place - POINTER.size
    if pointed >= LONG_END.size and _read(file, pointed, 4) == POINTER_MARK:
        _, _, where, _ = POINTER.unpack(_read(file, pointed, POINTER.size))
        place = pointed - LONG_END.size
        mark, *_, long_here, long_listed, long_length, long_start = LONG_END.unpack(
            _read(file, place, LONG_END.size)
        )
        counts = ((here, long_here), (listed, long_listed))
        offsets = ((length, long_length), (start, long_start))
        agree = all(a in (b, MOST) for a, b in counts) and all(
            a in (b, MOST_BYTES) for a, b in offsets
        )
        if mark != LONG_END_MARK or where != place or not agree:
            raise ValueError("its two ends say two things")
        here, listed, length, start = long_here, long_listed, long_length, long_start
    if here != listed or start + length != place:
        raise ValueError("the list of its members does not lie where its end says")
    return int(listed)


def _read(file: IO[bytes], place: int, count: int) -> bytes:
    file.seek(max(0, place))
    return file.read(count).ljust(count, b"\0")
