"""Embeddings inside .gz, .xz, .bz2 and .zip files, unpacked to a temporary folder for reading."""

import errno
import gzip
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from fairvec.core.errors import LONGEST, FileFormatError
from fairvec.core.io.atomic_files import scratch_folder
from fairvec.core.io.compression import open_xz, unpacking_bz2
from fairvec.core.memory import max_unpacked_bytes
from fairvec.core.text import join_names, short_repr
from fairvec.embedding.formats import format_for_suffix, read_head, sniff
from fairvec.embedding.formats.base import HEAD_BYTES, refuse_shared_members
from fairvec.embedding.formats.torch_file import is_torch_archive

SUFFIXES = (".gz", ".xz", ".bz2", ".zip")
COMPRESSIONS: tuple[tuple[bytes, Callable[[IO[bytes]], Any]], ...] = (
    (rb"\x1f\x8b\x08", gzip.open),
    (rb"\xfd7zXZ\x00", open_xz),
    (rb"BZh[1-9]1AY&SY", unpacking_bz2),
)
ZIP = b"PK\x03\x04"
CHUNK_BYTES = 1 << 20
MOST_MEMBERS = 1000
"""An archive of a model has a few members; looking into more would take too long."""
BROKEN = (
    OSError,
    EOFError,
    LookupError,
    OverflowError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)


@contextmanager
def unpacked(path: Path, member: str | None = None) -> Iterator[Path]:
    """Yield the path of the unpacked embedding, or `path` itself if it is no archive.

    `member` chooses a file of a zip archive; without it there must be one embedding only.
    """
    head = read_head(path)
    opener = next((opener for magic, opener in COMPRESSIONS if re.match(magic, head)), None)
    if member is not None and not _is_zip(path, head):
        raise FileFormatError(f"{path.name} is not a zip archive; leave out '::{member}'.")
    if opener is None and not _is_zip(path, head):
        yield path
        return
    with scratch_folder() as folder:
        try:
            if opener is None:
                target = _unzip(path, member, folder)
            else:
                target = folder / (path.stem if path.suffix.lower() in SUFFIXES else path.name)
                with path.open("rb") as compressed, opener(compressed) as source:
                    _copy(source, target, _UnpackLimit(path), path.name)
        except BROKEN as error:
            if getattr(error, "errno", None) == errno.ENOSPC:
                raise  # nothing is wrong with the archive
            raise FileFormatError(
                f"{path.name} cannot be unpacked ({str(error)[:LONGEST]}); fetch it again, or "
                "unpack it yourself and load what it holds."
            ) from error
        try:
            yield target
        except FileFormatError as error:
            if path.name in str(error):
                raise
            # The reader names the unpacked file, but the user knows only the archive.
            raise type(error)(f"{path.name}: {error}") from error


def _is_zip(path: Path, head: bytes) -> bool:
    """Say whether a file is a zip archive of files; .npz and .pt are zips of arrays and formats."""
    if not head.startswith(ZIP) or path.suffix == ".npz":
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            return not (all(name.endswith(".npy") for name in names) or is_torch_archive(names))
    except BROKEN:
        return True


def _unzip(path: Path, member: str | None, folder: Path) -> Path:
    limit = _UnpackLimit(path)
    with zipfile.ZipFile(path) as archive:
        refuse_shared_members(path.name, archive)
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
        for name in names:
            if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"):
                raise FileFormatError(
                    f"{path.name} holds {short_repr(name)}, a name that leads out of the archive; "
                    "do not trust it, and unpack it by hand if you must."
                )
        chosen = _choose_member(path, archive, names, member)
        # gensim keeps large arrays in side files, under the model's name and a suffix.
        for name in (chosen, *(name for name in names if name.startswith(f"{chosen}."))):
            with archive.open(name) as source:
                _copy(source, folder / PurePosixPath(name).name, limit, f"{path.name}::{name}")
    return folder / PurePosixPath(chosen).name


def _choose_member(
    path: Path, archive: zipfile.ZipFile, names: list[str], member: str | None
) -> str:
    if member is not None:
        if member in names:
            return member
        raise FileFormatError(
            f"{path.name} holds no member {short_repr(member)}; it holds {join_names(names)}."
        )
    if len(names) > MOST_MEMBERS:
        raise FileFormatError(
            f"{path.name} holds {len(names):,} members, and no more than {MOST_MEMBERS:,} are "
            f"looked into; choose a member with '{path.name}::MEMBER'."
        )
    candidates = [name for name in names if _looks_like_embedding(path, archive, name)]
    candidates = candidates or [name for name in names if format_for_suffix(Path(name))]
    if (
        len(candidates) > 1
        and len({PurePosixPath(name).with_suffix("") for name in candidates}) == 1
    ):
        # One model written twice, as NLPL does: the binary file is the quicker to read.
        candidates = [name for name in candidates if name.endswith(".bin")] or candidates
    if len(candidates) == 1:
        return candidates[0]
    number = "no embedding" if not candidates else "more than one embedding"
    raise FileFormatError(
        f"{path.name} holds {number} ({join_names(candidates or names)}); "
        f"choose a member with '{path.name}::MEMBER'."
    )


def _looks_like_embedding(path: Path, archive: zipfile.ZipFile, name: str) -> bool:
    with archive.open(name) as file:
        # A path that cannot exist: a file of the same name on disk is not the member.
        return sniff(path / name, file.read(HEAD_BYTES)) is not None


class _UnpackLimit:
    """How many bytes may still be unpacked from an archive, all members together."""

    def __init__(self, path: Path) -> None:
        self.size = path.stat().st_size
        self.left = max_unpacked_bytes(self.size)

    def take(self, count: int, label: str) -> None:
        """Count bytes as unpacked, or refuse the archive."""
        self.left -= count
        if self.left < 0:
            raise FileFormatError(
                f"{label} unpacks to more than {max_unpacked_bytes(self.size):,} bytes from "
                f"{self.size:,}, which no embedding does; unpack it yourself if you trust it."
            )


def _copy(source: IO[Any], target: Path, limit: _UnpackLimit, label: str) -> None:
    """Unpack to a file, but no more than an honest archive of this size can hold."""
    with target.open("xb") as file:
        while chunk := source.read(CHUNK_BYTES):
            limit.take(len(chunk), label)
            file.write(chunk)
