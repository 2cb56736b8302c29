"""What every format takes, returns and promises.

LoadOptions     how to read a model, as the user chose it
Format          a file format that can be read
ReadOptions     what its `read` is given
FileContent     what its `read` returns
WritableFormat  a file format that can be written, too
WriteOptions    what its `write` is given
"""

import bz2
import gzip
import lzma
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from re import Pattern
from typing import IO, Annotated, Any, Literal
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, SkipValidation

from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.compression import SHARED, has_overlapping_members
from fairvec.core.settings import settings
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


@settings(called="load")
class LoadOptions:
    """The options of loading a model, shared by `load` and every command that opens one.

    An option added here is one of `load` too, which explains each at more length. What is a
    geometry, a language or a path is checked where it is used.
    """

    geometry: Annotated[
        str | Geometry | None,
        SkipValidation,
        Field(
            description="euclidean, poincare or poincare-x50 (50 balls), for files that do not say."
        ),
    ] = None
    curvature: Annotated[float | None, Field(description="The ball's c.")] = None
    outside: Annotated[Outside, Field(description="What to do with points outside the ball.")] = (
        "refuse"
    )
    vectors: Annotated[
        VectorRole,
        Field(
            description="Which vectors of a whole gensim or Poincaré GloVe model, which has two."
        ),
    ] = "target"
    format: Annotated[
        str | None, Field(description="Format of the model's file, if guessed wrongly.")
    ] = None
    language: Annotated[
        str | Sequence[str] | None,
        SkipValidation,
        Field(
            description="The model's language, as in ru; may be repeated. By it suites and "
            "benchmarks are chosen. Default: what the file or the catalogue says, else what its "
            "keys fit best."
        ),
    ] = None
    invalid_utf8: Annotated[
        InvalidUtf8, Field(description="What to do with keys that are not UTF-8.")
    ] = "refuse"
    vocabulary: Annotated[
        str | PathLike[str] | None,
        SkipValidation,
        Field(description="The file with the words of a .npy, .pt or .pth matrix."),
    ] = None


LOAD_DEFAULTS = LoadOptions()
"""Everything as the file or the catalogue says."""
FormatOption = Literal["vectors", "vocabulary"]
"""The options of loading that only some formats have."""


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


class Format(ABC):
    """A file format that can be read."""

    name: str
    """The name under which the format is registered."""
    suffixes: tuple[str, ...]
    """Suffixes of file names that hint at the format, or choose it for writing."""
    options: frozenset[FormatOption] = frozenset()
    """Which of the options of some formats this one has."""

    @abstractmethod
    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether a file that begins with `head` (up to HEAD_BYTES) is in this format.

        `path` serves for its name and its side files only: the bytes may lie inside an archive.
        """

    @abstractmethod
    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file, or raise FileFormatError; never return a part of it."""


Part = Literal["geometry", "history", "counts", "language", "licence", "origin", "float64"]
HALF_CHARACTERS = "[\ud800-\udfff]"
"""Lone surrogates, which UTF-8 cannot encode."""


@dataclass(frozen=True)
class WriteOptions:
    """What goes into a file with the embedding, and the callback for progress."""

    licence: str = ""
    origin: str = ""
    progress: Progress | None = None


class WritableFormat(Format):
    """A file format that can be written, too."""

    compressible: bool
    """Whether the file may be compressed while it is written."""
    keeps: frozenset[Part]
    """What is kept besides keys and vectors."""
    holds: str
    """Which keys the format can hold, as in "keys without spaces"."""
    impossible_key: Pattern[str]
    """Found in each key that the format cannot hold."""

    @abstractmethod
    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write a file that `read` turns into the same embedding.

        Keys have been checked with `impossible_key`; the caller moves the file to its place.
        """


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
