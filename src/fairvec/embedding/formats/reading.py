"""What every reader takes and gives."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.embedding import Step
from fairvec.geometry import Geometry
from fairvec.ground.disk.files import Progress

HEAD_BYTES = 65536
"""How much of a file's beginning is shown to `Format.recognises`."""

Vectors = NDArray[np.floating[Any]]
Counts = NDArray[np.integer[Any]]
Role = Literal["target", "context", "aggregated"]
"""A word's own vector, the one it has as a neighbour of others, or the two in one."""

SPACE_OF_FILE = "space_of_file"
"""The note of a reader whose files seldom say where their points live, and here one does."""


@dataclass(frozen=True)
class Raw:
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
    vectors: Role = "target"
    vocabulary: Path | None = None
    unseen: "Unseen | None" = None


Unseen = Callable[[Raw], Iterable[str]]


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

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read the file whole, or raise FileFormatError and give nothing."""
        ...
