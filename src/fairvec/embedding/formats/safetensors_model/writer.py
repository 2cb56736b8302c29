"""A plain `.safetensors` file: the tensors `vectors` and `keys` (UTF-8, joined by newlines).

Of points in a ball the metadata says `geometry` and `curvature`.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from re import Pattern

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.checks import refuse_non_finite
from fairvec.embedding.formats.key_bytes import join_keys
from fairvec.embedding.formats.writing import HALF_CHARACTERS, Part, WriteOptions
from fairvec.geometry import Euclidean
from fairvec.ground.safetensors_layout import write_tensors


@dataclass(frozen=True)
class SafetensorsWriter:
    """One matrix and its keys, for tools that know nothing of fairvec."""

    name: str = "safetensors"
    suffixes: tuple[str, ...] = (".safetensors",)
    packable: bool = False
    keeps: frozenset[Part] = frozenset({"geometry", "float64"})
    holds: str = "keys of whole characters without line breaks"
    impossible_key: Pattern[str] = re.compile(rf"\n|{HALF_CHARACTERS}")

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write keys and vectors, and where the points live unless that is flat space."""
        refuse_non_finite(path, embedding.keys, embedding.vectors)
        little_endian = embedding.vectors.dtype.newbyteorder("<")
        tensors = {
            "vectors": embedding.vectors.astype(little_endian, copy=False),
            "keys": join_keys(path, embedding.keys),
        }
        space = embedding.geometry
        metadata = {"geometry": space.name, "curvature": repr(float(space.curvature))}
        flat = isinstance(space, Euclidean)
        write_tensors(path, tensors, {} if flat else metadata, options.progress)
