"""What every writer takes, promises and cannot hold."""

from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Literal, Protocol

from fairvec.embedding.embedding import Embedding
from fairvec.ground.disk.files import Progress

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
