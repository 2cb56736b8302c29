"""Embeddings as text: a line per key, the key first, then its numbers.

A number is the shortest decimal that reads back as the same float32 (float64 for a matrix of
float64), so nothing is lost between writing and reading.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from re import Pattern

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.blocks import blocks
from fairvec.embedding.formats.packing import opened
from fairvec.embedding.formats.writing import HALF_CHARACTERS, Part, WriteOptions
from fairvec.ground.errors import FileFormatError

NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)"


@dataclass(frozen=True)
class TextWriter:
    """Lines of numbers, with the line "rows columns" before them or without."""

    name: str
    suffixes: tuple[str, ...]
    header: bool
    holds: str
    impossible_key: Pattern[str]
    packable: bool = True
    keeps: frozenset[Part] = frozenset({"float64"})

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write line after line, blocks of them at a time on all cores."""
        # Here and not above: the compiled loops bring numba, which no other format needs.
        from fairvec.embedding.formats.text_lines.writing import lines

        if not self.header and embedding.dimensions == 1:
            raise FileFormatError(
                f"{path.name}: {self.name} with one number per key would be taken for a list of "
                "counts; choose .fairvec or .vec."
            )
        with opened(path) as file:
            if self.header:
                file.write(b"%d %d\n" % embedding.vectors.shape)
            for written in lines(blocks(embedding, path, options.progress)):
                file.write(written)


WRITES_WORD2VEC_TEXT = TextWriter(
    "word2vec-text",
    (".vec", ".w2v"),
    header=True,
    holds="keys of at least one character without spaces and control characters",
    impossible_key=re.compile(rf"^\Z|[\x00-\x20\x7f]|{HALF_CHARACTERS}"),
)
# A key may hold spaces, but then its last part must not look like the first number of the vector.
WRITES_GLOVE_TEXT = TextWriter(
    "glove-text",
    (".txt", ".glove"),
    header=False,
    holds="keys without control characters, with spaces only inside and not before a number",
    impossible_key=re.compile(
        rf"^\Z|^[ \ufeff]| \Z|[\x00-\x1f\x7f]|{HALF_CHARACTERS}| ({NUMBER})\Z", re.IGNORECASE
    ),
)
