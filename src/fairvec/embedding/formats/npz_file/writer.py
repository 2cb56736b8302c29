"""numpy's `.npz`: the arrays `words` and `vectors`, and `counts` where they are known.

Of points that are not flat also `geometry` and `curvature`, one text and one number.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Any

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.checks import refuse_non_finite
from fairvec.embedding.formats.writing import HALF_CHARACTERS, Part, WriteOptions


@dataclass(frozen=True)
class NpzWriter:
    """A numpy archive, not compressed; numpy itself streams the matrix."""

    name: str = "npz"
    suffixes: tuple[str, ...] = (".npz",)
    packable: bool = False
    keeps: frozenset[Part] = frozenset({"geometry", "counts", "float64"})
    holds: str = "keys of whole characters that do not end in a zero character"
    # numpy pads text with zeros, and so forgets those that end it.
    impossible_key: Pattern[str] = re.compile(rf"\x00\Z|{HALF_CHARACTERS}")

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write words, vectors, counts and the space of the points."""
        refuse_non_finite(path, embedding.keys, embedding.vectors)
        words = np.array(embedding.keys, dtype=np.str_)
        arrays: dict[str, Any] = {"words": words, "vectors": embedding.vectors}
        if embedding.counts is not None:
            arrays["counts"] = embedding.counts
        if embedding.geometry.curvature:
            arrays["geometry"] = np.array(embedding.geometry.name)
            arrays["curvature"] = np.array(embedding.geometry.curvature)
        # An open file, because numpy adds an ending to names that lack it.
        with path.open("wb") as file:
            np.savez(file, **arrays)
