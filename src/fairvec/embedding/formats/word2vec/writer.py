"""word2vec's binary format: the line "rows columns", then key, space and raw float32 per record."""

import re
from dataclasses import dataclass
from pathlib import Path
from re import Pattern

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.blocks import Block, blocks
from fairvec.embedding.formats.packing import opened
from fairvec.embedding.formats.writing import HALF_CHARACTERS, Part, WriteOptions
from fairvec.geometry import Geometry
from fairvec.ground.errors import GeometryError
from fairvec.ground.text.shown_values import shown


@dataclass(frozen=True)
class Word2VecBinaryWriter:
    """Records of a key and raw float32, as gensim writes them; wider numbers are rounded."""

    name: str = "word2vec-binary"
    suffixes: tuple[str, ...] = (".bin",)
    packable: bool = True
    keeps: frozenset[Part] = frozenset()
    holds: str = "keys of at least one character without spaces and line breaks"
    impossible_key: Pattern[str] = re.compile(rf"^\Z|[ \n]|{HALF_CHARACTERS}")

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write record after record, a block at a time."""
        with opened(path) as file:
            file.write(b"%d %d\n" % embedding.vectors.shape)
            for block in blocks(embedding, path, options.progress):
                file.write(_records(block, embedding.geometry, path))


def _records(block: Block, geometry: Geometry, path: Path) -> bytes:
    with np.errstate(over="ignore"):
        narrow = block.vectors.astype("<f4", order="C", copy=False)
    if narrow.itemsize < block.vectors.itemsize:
        inside = geometry.contains(narrow.astype(np.float64))
        if not inside.all():
            raise GeometryError(
                f"{path.name} would hold float32, which moves "
                f"{shown(block.keys[int(inside.argmin())])} out of the {geometry.name} space; "
                "choose .fairvec, .npz or .safetensors."
            )
    data, width = narrow.data.cast("B"), 4 * narrow.shape[1]
    pieces: list[bytes | memoryview] = []
    for row, key in enumerate(block.keys):
        pieces += (key.encode(), b" ", data[row * width : (row + 1) * width])
    return b"".join(pieces)
