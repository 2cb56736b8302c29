"""Taking files out of archives that strangers packed."""

import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from typing import IO

from fairvec.ground.disk.zip_members import SHARED, members_share

MOST_TIMES, ALWAYS = 100, 1 << 26
"""A member may be so many times as long as its archive, and so many bytes in any case."""

LONGEST_HEAD = 1 << 20

DAMAGED = (
    KeyError,
    EOFError,
    ValueError,
    RuntimeError,  # of a zip archive that wants a password, or a method that nobody knows
    OverflowError,
    IndexError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
)
"""What reading an archive raises when it is cut short, damaged, hostile or lacks the member."""


class _InPieces(GzipFile):
    """A stream that hands out no more at once than a head of an archive may hold."""

    def read(self, size: int | None = -1) -> bytes:
        """Read like any stream, unless so much is wanted at once that only memory would end it."""
        if size is None or not 0 <= size <= LONGEST_HEAD:
            raise tarfile.ReadError("a head in it asks for more than any head holds")
        return super().read(size)


@contextmanager
def opened_zip(archive: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Yield a member of a zip archive and its length."""
    with zipfile.ZipFile(archive) as zipped:
        check_members(zipped)
        size = zipped.getinfo(member).file_size
        check_growth(archive, member, size)
        try:
            stream = zipped.open(member)
        except OSError as error:  # it is said to begin before the archive does
            raise zipfile.BadZipFile(f"no {member} is where its list says") from error
        with stream:
            yield stream, size


@contextmanager
def opened_tar(archive: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Yield a member of a .tar.gz archive and its length; what is no plain file is refused."""
    try:
        with _InPieces(archive) as unpacked, tarfile.open(fileobj=unpacked, mode="r:") as ball:
            about = ball.getmember(member)
            # A link would be followed, and one to itself without an end; holes fill a disk.
            found = ball.extractfile(about) if about.isreg() and not about.issparse() else None
            if found is None:
                raise KeyError(f"{member} is not a file")
            check_growth(archive, member, about.size)
            with found as stream:
                yield stream, about.size
    except BadGzipFile as error:  # which counts among the troubles of a disk
        raise tarfile.ReadError(str(error)) from error


def check_members(archive: zipfile.ZipFile) -> None:
    """Refuse an archive of which another reader would take another member for the same."""
    if members_share(archive):
        raise zipfile.BadZipFile(f"it {SHARED}")


def check_growth(archive: Path, member: str, size: int) -> None:
    """Refuse a member that says to be far longer than its archive can honestly hold."""
    if size > max(ALWAYS, MOST_TIMES * archive.stat().st_size):
        raise zipfile.BadZipFile(f"{member} would grow to {size:,} bytes")
