"""What every format takes, returns and promises.

Reading         how to read a model, as the user chose it
ReadOptions     what one reader is given
FileContent     what a reader returns
Format          the interface of a reader
WriteOptions    what one writer is given
Writer          the interface of a writer
"""

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from re import Pattern
from typing import IO, Any, Literal, Protocol, get_args
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.compression import SHARED, has_overlapping_members
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding, Step
from fairvec.geometry import Geometry

HEAD_BYTES = 65536
"""How much of a file's beginning is shown to `Format.recognises`."""
Vectors = NDArray[np.floating[Any]]
Counts = NDArray[np.integer[Any]]
VectorRole = Literal["target", "context", "aggregated"]
"""A word's own vector, the one it has as a neighbour of others, or the two in one."""

Outside = Literal["refuse", "project"]

InvalidUtf8 = Literal["refuse", "replace"]
SPACE_OF_FILE = "space_of_file"
"""The note of a reader that the file names its space, in a format where few do."""


@dataclass(frozen=True)
class Reading:
    """The options of reading a model, which `load` and every command that opens one share.

    What each means is said in `load`; an option added here has to be there and in
    cli/options.py.
    """

    geometry: str | Geometry | None = None
    curvature: float | None = None
    outside: Outside = "refuse"
    vectors: VectorRole = "target"
    format: str | None = None
    language: str | Sequence[str] | None = None
    invalid_utf8: InvalidUtf8 = "refuse"
    vocabulary: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Refuse a choice that does not exist."""
        for name, choices in (
            ("outside", Outside),
            ("vectors", VectorRole),
            ("invalid_utf8", InvalidUtf8),
        ):
            choice, known = getattr(self, name), get_args(choices)
            if choice not in known:
                options = " or ".join((", ".join(map(repr, known[:-1])), repr(known[-1])))
                raise SettingError(f"{name} must be {options}, not {short_repr(choice)}.")


AS_FOUND = Reading()
"""No choice: everything as the file or the catalogue says."""


@dataclass(frozen=True)
class FileContent:
    """What a file holds: distinct keys, one finite vector each, and notes for the history.

    `rows` counts all vectors of the file, also repeated ones and those of words left out.
    """

    keys: list[str]
    vectors: Vectors
    rows: int
    notes: dict[str, Any] = field(default_factory=dict)
    geometry: Geometry | None = None
    name: str | None = None
    history: tuple[Step, ...] = ()
    counts: Counts | None = None
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadOptions:
    """What one reader is given; `words` keeps only those keys, None keeps all.

    `unseen` names, once the vocabulary is known, further words to compose, in a format that builds
    words from n-grams. Of models that learn two vectors a word, `vectors` says which to read.
    `vocabulary` is the file with the words of a matrix that has none itself.
    """

    words: frozenset[str] | None = None
    invalid_utf8: Literal["refuse", "replace"] = "refuse"
    progress: Progress | None = None
    vectors: VectorRole = "target"
    vocabulary: Path | None = None
    unseen: "Unseen | None" = None


Unseen = Callable[[FileContent], Iterable[str]]


class Format(Protocol):
    """A file format that can be read."""

    @property
    def name(self) -> str:
        """The name under which the format is registered."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Suffixes of file names that hint at the format."""
        ...

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether a file that begins with `head` (up to HEAD_BYTES) is in this format.

        `path` serves for its name and its side files only: the bytes may lie inside an archive.
        """
        ...

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file, or raise FileFormatError; never return a part of it."""
        ...


Part = Literal["geometry", "history", "counts", "language", "licence", "origin", "float64"]
HALF_CHARACTERS = "[\ud800-\udfff]"
"""Lone surrogates, which UTF-8 cannot encode."""


@dataclass(frozen=True)
class WriteOptions:
    """What goes into a file with the embedding, and the callback for progress."""

    licence: str = ""
    origin: str = ""
    progress: Progress | None = None


class Writer(Protocol):
    """A file format that can be written."""

    @property
    def name(self) -> str:
        """The name under which the format is registered, with readers and writers alike."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Suffixes of file names that choose this format."""
        ...

    @property
    def packable(self) -> bool:
        """Whether the file may be compressed while it is written."""
        ...

    @property
    def keeps(self) -> frozenset[Part]:
        """What is kept besides keys and vectors."""
        ...

    @property
    def holds(self) -> str:
        """Which keys the format can hold, as in "keys without spaces"."""
        ...

    @property
    def impossible_key(self) -> Pattern[str]:
        """Found in each key that the format cannot hold."""
        ...

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write a file that `Format.read` of the same name turns into the same embedding.

        Keys have been checked with `impossible_key`; the caller moves the file to its place.
        """
        ...


def open_compressed(path: Path, mode: str = "wb") -> IO[bytes]:
    """Open a file of bytes through the compression that its suffix names."""
    opener: Callable[[Path, Any], Any] = COMPRESSIONS_TO_WRITE.get(path.suffix.lower(), Path.open)
    file: IO[bytes] = opener(path, mode)
    return file


GZIP_LEVEL = 6
"""The level of the gzip command; Python's 9 takes several times as long for one per cent."""


def _gzip(path: Path, mode: str) -> Any:
    # Without the time of writing, equal embeddings give equal files.
    return gzip.GzipFile(path, mode, GZIP_LEVEL, mtime=0)


COMPRESSIONS_TO_WRITE: dict[str, Callable[[Path, Any], Any]] = {
    ".gz": _gzip,
    ".xz": lzma.open,
    ".bz2": bz2.open,
}


# Refuse zip archives whose members overlap, by which a small file unpacks to a huge one.


def refuse_shared_members(name: str, archive: ZipFile) -> None:
    """Raise where members share a name or bytes."""
    if has_overlapping_members(archive):
        raise FileFormatError(
            f"{name} {SHARED}, as no archive of an embedding does; fetch it again, or unpack it "
            "yourself if you trust it."
        )
