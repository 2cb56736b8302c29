"""Embeddings inside .gz, .xz, .bz2 and .zip: unpacked to a temporary folder while they are read."""

import bz2
import errno
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from fairvec.embedding.formats.reading import HEAD_BYTES
from fairvec.embedding.formats.torch_file.reader import is_torch_archive
from fairvec.embedding.recognise import head_of, recognised, suggested
from fairvec.ground.drafts import scratch
from fairvec.ground.errors import FileFormatError

SUFFIXES = (".gz", ".xz", ".bz2", ".zip")
COMPRESSIONS: tuple[tuple[bytes, Callable[[Path], Any]], ...] = (
    (rb"\x1f\x8b\x08", gzip.open),
    (rb"\xfd7zXZ\x00", lzma.open),
    (rb"BZh[1-9]1AY&SY", bz2.open),
)
ZIP = b"PK\x03\x04"
CHUNK_BYTES = 1 << 20
HIGHEST_RATIO, ALWAYS_ALLOWED = 100, 1 << 26
"""Numbers shrink 2 to 10 times; what grows more than this is a trap and not an embedding."""
BROKEN = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)


@contextmanager
def unpacked(path: Path, member: str | None = None) -> Iterator[Path]:
    """Give the path of the embedding in an archive, or `path` itself if it is no archive.

    `member` chooses a file of a zip archive; without it there must be one embedding only.
    """
    head = head_of(path)
    opener = next((opener for magic, opener in COMPRESSIONS if re.match(magic, head)), None)
    if member is not None and not _is_zip(path, head):
        raise FileFormatError(f"{path.name} is not a zip archive; leave out '::{member}'.")
    if opener is None and not _is_zip(path, head):
        yield path
        return
    with scratch() as folder:
        try:
            if opener is None:
                target = _unzip(path, member, folder)
            else:
                target = folder / (path.stem if path.suffix in SUFFIXES else path.name)
                with opener(path) as source:
                    _copy(source, target, path.stat().st_size, path.name)
        except BROKEN as error:
            if getattr(error, "errno", None) == errno.ENOSPC:
                raise  # nothing is wrong with the archive
            raise FileFormatError(
                f"{path.name} cannot be unpacked ({error}); fetch it again, or unpack it yourself "
                "and load what it holds."
            ) from error
        yield target


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
    with zipfile.ZipFile(path) as archive:
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
        for name in names:
            if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"):
                raise FileFormatError(
                    f"{path.name} holds {name!r}, a name that leads out of the archive; do not "
                    "trust it, and unpack it by hand if you must."
                )
        chosen = _chosen(path, archive, names, member)
        # gensim keeps large arrays beside the model, under its name and an ending.
        for name in (chosen, *(name for name in names if name.startswith(f"{chosen}."))):
            size = min(archive.getinfo(name).compress_size, path.stat().st_size)
            with archive.open(name) as source:
                _copy(source, folder / PurePosixPath(name).name, size, f"{path.name}::{name}")
    return folder / PurePosixPath(chosen).name


def _chosen(path: Path, archive: zipfile.ZipFile, names: list[str], member: str | None) -> str:
    if member is not None:
        if member in names:
            return member
        raise FileFormatError(
            f"{path.name} holds no member {member!r}; it holds {', '.join(names)}."
        )
    candidates = [name for name in names if _looks_embedded(archive, name)]
    candidates = candidates or [name for name in names if suggested(Path(name))]
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
        f"{path.name} holds {number} ({', '.join(candidates or names)}); "
        f"choose a member with '{path.name}::MEMBER'."
    )


def _looks_embedded(archive: zipfile.ZipFile, name: str) -> bool:
    with archive.open(name) as file:
        return recognised(Path(name), file.read(HEAD_BYTES)) is not None


def _copy(source: IO[Any], target: Path, packed: int, label: str) -> None:
    """Write what an archive holds to a file, but no more than its size can honestly mean."""
    allowed, written = max(ALWAYS_ALLOWED, HIGHEST_RATIO * packed), 0
    with target.open("wb") as file:
        while chunk := source.read(CHUNK_BYTES):
            written += len(chunk)
            if written > allowed:
                raise FileFormatError(
                    f"{label} unpacks to more than {allowed:,} bytes from {packed:,}, which no "
                    "embedding does; unpack it yourself if you trust it."
                )
            file.write(chunk)
