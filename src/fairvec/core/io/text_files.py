"""Read the lines of a text file one by one, compressed or not."""

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import file_digest
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import Any

from fairvec.core.errors import FileFormatError, os_reason
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.compression import open_xz, unpacking, unpacking_bz2
from fairvec.core.io.read_files import require_regular_file
from fairvec.core.memory import format_size, max_rows, max_unpacked_bytes

LONGEST_LINE = 2**20
"""Most bytes of a line: a longer one means that the file has no lines, and could fill memory."""

ZSTD_READERS = ("compression.zstd", "backports.zstd", "zstandard")
"""Modules that can read .zst, in order of preference."""

_PROGRESS_EVERY = 4096
_DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error)


def read_lines(path: Path, on_progress: Progress | None = None) -> Iterator[str]:
    """Give the lines of a file of UTF-8 (.gz, .xz, .bz2 and .zst are unpacked)."""
    with _open_file(path) as raw:
        size, number = path.stat().st_size, 0
        unpacked = _decompressor(path)(raw)
        packed, bytes_left, most_lines = (
            unpacked is not raw,
            max_unpacked_bytes(size),
            max_rows(size),
        )
        while line := _read_line(unpacked, path, number + 1):
            number += 1
            if packed:
                # Of a few bytes lines could come for days.
                bytes_left -= len(line)
                if bytes_left < 0 or number > most_lines:
                    raise FileFormatError(
                        f"{path}, line {number}: so much comes of a file of {format_size(size)} "
                        "only if it says next to nothing; unpack it yourself if you trust it."
                    )
            if on_progress and number % _PROGRESS_EVERY == 1:
                on_progress(raw.tell(), size)
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                text = "\0"
            if "\0" in text:  # of UTF-16 every other byte is
                raise FileFormatError(
                    f"{path}, line {number}: this is not UTF-8; save it as UTF-8."
                )
            yield text
    if not number:
        raise FileFormatError(f"{path}: the corpus is empty; give a file with a text in lines.")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as it lies on the disk."""
    with _open_file(path) as raw:
        return file_digest(raw, "sha256").hexdigest()


def _open_file(path: Path) -> BufferedReader:
    require_regular_file(path, FileFormatError)
    try:
        return path.open("rb")
    except OSError as error:
        raise FileFormatError(f"{path}: the corpus cannot be read ({os_reason(error)}).") from None


def _read_line(unpacked: Any, path: Path, number: int) -> bytes:
    try:
        line: bytes = unpacked.readline(LONGEST_LINE + 1)
    except Exception as error:  # a reader of .zst has an error of its own, no class known here
        if not isinstance(error, _DAMAGED) and "zst" not in type(error).__name__.lower():
            raise
        raise FileFormatError(
            f"{path}, after line {number - 1}: the file is damaged or cut short ({error}); get it "
            "anew."
        ) from None
    if len(line) > LONGEST_LINE:
        raise FileFormatError(
            f"{path}, line {number}: it is longer than {LONGEST_LINE:,} bytes; put one sentence or "
            "paragraph on a line."
        )
    return line


def _decompressor(path: Path) -> Callable[[BufferedReader], Any]:
    """Return what unpacks a file, by the ending of its name."""
    decompressors: dict[str, Callable[[BufferedReader], Any]] = {
        ".gz": gzip.open,
        ".xz": open_xz,
        ".bz2": unpacking_bz2,
    }
    ending = path.suffix.lower()
    if ending != ".zst":
        return decompressors.get(ending, lambda raw: raw)
    for name in ZSTD_READERS:
        try:
            decompressor = import_module(name).ZstdDecompressor
        except ImportError:
            continue
        if name == "zstandard":
            return partial(unpacking, begin=partial(_Frame, decompressor), chunk=_Frame.CHUNK)
        return partial(unpacking, begin=decompressor)
    raise FileFormatError(
        f"{path}: nothing here reads .zst; run 'pip install zstandard', or unpack the file."
    )


class _Frame:
    """A frame as `zstandard` unpacks it, whose own reader knows no lines and ends with the first.

    It cannot be told how much to give, so it is shown little at a time.
    """

    CHUNK = 1 << 10
    needs_input = True

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._frame = begin().decompressobj()

    @property
    def eof(self) -> bool:
        """Whether the frame has ended."""
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        """What was given and lies behind the end."""
        return bytes(self._frame.unused_data)

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Return all that comes of some more bytes."""
        return bytes(self._frame.decompress(data))
