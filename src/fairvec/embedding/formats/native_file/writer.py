"""fairvec's own format, `.fairvec`, which keeps everything and is mapped on reading."""

import re
from dataclasses import dataclass
from pathlib import Path
from re import Pattern

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.native_file.reader import write_native
from fairvec.embedding.formats.writing import HALF_CHARACTERS, Part, WriteOptions


@dataclass(frozen=True)
class NativeWriter:
    """Keys, vectors and all that is known of them in one safetensors file."""

    name: str = "native"
    suffixes: tuple[str, ...] = (".fairvec",)
    packable: bool = False
    keeps: frozenset[Part] = frozenset(
        {"geometry", "history", "counts", "language", "licence", "origin", "float64"}
    )
    holds: str = "keys of whole characters without line breaks"
    impossible_key: Pattern[str] = re.compile(rf"\n|{HALF_CHARACTERS}")

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write the embedding with all that is known of it."""
        write_native(
            embedding,
            path,
            licence=options.licence,
            origin=options.origin,
            progress=options.progress,
        )
