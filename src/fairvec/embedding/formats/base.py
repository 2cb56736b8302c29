"""What every reader and every writer takes, gives and promises."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from re import Pattern
from typing import IO, Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding, Step
from fairvec.geometry import Geometry

HEAD_BYTES = 65536
"""How much of a file's beginning is shown to `Format.recognises`."""

Vectors = NDArray[np.floating[Any]]
Counts = NDArray[np.integer[Any]]
VectorRole = Literal["target", "context", "aggregated"]
"""A word's own vector, the one it has as a neighbour of others, or the two in one."""

SPACE_OF_FILE = "space_of_file"
"""The note of a reader whose files seldom say where their points live, and here one does."""


@dataclass(frozen=True)
class FileContent:
    """What a file holds: distinct keys, one finite vector each, and what was noticed on the way.

    `rows` counts the vectors of the whole file, those that were not wanted or repeated included.
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
    """What the caller wants of a file; `words` keeps only those keys, None keeps all.

    `unseen` names, once the vocabulary is known, words outside it that are wanted besides; a format
    that composes words from pieces adds them. Of models that learn two vectors a word, `vectors`
    says which is wanted. `vocabulary` is the file with the words of a matrix that has none itself.
    """

    words: frozenset[str] | None = None
    invalid_utf8: Literal["refuse", "replace"] = "refuse"
    progress: Progress | None = None
    vectors: VectorRole = "target"
    vocabulary: Path | None = None
    unseen: "Unseen | None" = None


Unseen = Callable[[FileContent], Iterable[str]]


class Format(Protocol):
    """A way of writing an embedding to a file."""

    @property
    def name(self) -> str:
        """The name under which the format is registered."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of file names that hint at the format."""
        ...

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether a file that begins with `head` (up to HEAD_BYTES) is in this format.

        `path` serves for its name and its side files only: the bytes may lie inside an archive.
        """
        ...

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file whole, or raise FileFormatError and give nothing."""
        ...


# What every writer takes, promises and cannot hold.


Part = Literal["geometry", "history", "counts", "language", "licence", "origin", "float64"]
HALF_CHARACTERS = "[\ud800-\udfff]"
"""Halves of a pair, which are not characters and which no UTF-8 can hold."""


@dataclass(frozen=True)
class WriteOptions:
    """What goes into a file beside the embedding, and who is told how far the writing is."""

    licence: str = ""
    origin: str = ""
    progress: Progress | None = None


class Writer(Protocol):
    """A way of writing an embedding to a file."""

    @property
    def name(self) -> str:
        """The name under which the format is registered, with readers and writers alike."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of file names that ask for this format."""
        ...

    @property
    def packable(self) -> bool:
        """Whether the file may be compressed while it is written."""
        ...

    @property
    def keeps(self) -> frozenset[Part]:
        """What survives beside keys and vectors."""
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

        Keys have been held against `impossible_key`; the caller moves the file to its place.
        """
        ...


# Files that are compressed while they are written, if their name says so.


GZIP_LEVEL = 6
"""The level of the gzip command; Python's 9 takes several times as long for one per cent."""


def _gzip(path: Path, mode: str) -> Any:
    # Without the time of writing, equal embeddings give equal files.
    return gzip.GzipFile(path, mode, GZIP_LEVEL, mtime=0)


PACKINGS: dict[str, Callable[[Path, Any], Any]] = {
    ".gz": _gzip,
    ".xz": lzma.open,
    ".bz2": bz2.open,
}


def open_compressed(path: Path, mode: str = "wb") -> IO[bytes]:
    """Open a file of bytes through the compression that its name ends in."""
    pack: Callable[[Path, Any], Any] = PACKINGS.get(path.suffix.lower(), Path.open)
    file: IO[bytes] = pack(path, mode)
    return file


Outside = Literal["refuse", "project"]


# How a model is read, where its file leaves that open.


InvalidUtf8 = Literal["refuse", "replace"]


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
            chosen, known = getattr(self, name), get_args(choices)
            if chosen not in known:
                listed = " or ".join((", ".join(map(repr, known[:-1])), repr(known[-1])))
                raise SettingError(f"{name} must be {listed}, not {short_repr(chosen)}.")


AS_FOUND = Reading()
"""Nothing asked for: everything as the file or the catalogue says."""
