"""fairvec's own format, `.fairvec`: a safetensors file that is mapped, not read.

Tensors: `keys` (UTF-8, joined by newlines) and either `vectors` (n x d) or, product-quantised,
`codes` (n x m) and `codebooks` (m x k x d/m); where they are known also `counts` (n), how often
each key was seen in training. Metadata: the format's version under "fairvec",
name, geometry, curvature, licence, origin, history and, where it is known, language (codes with
spaces between). The writer refuses NaN, infinity and repeated keys, so that opening a file need not
look at its vectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.checks import refuse_empty, refuse_non_finite
from fairvec.embedding.formats.key_bytes import join_keys, split_keys
from fairvec.embedding.formats.native_file.metadata import Metadata, parse_metadata
from fairvec.embedding.formats.navec_file.product_quantised import (
    Quantised,
    decoded,
    refuse_unreadable,
)
from fairvec.embedding.formats.reading import Counts, Raw, ReadOptions, Vectors
from fairvec.geometry import Euclidean
from fairvec.ground.disk.files import Progress
from fairvec.ground.errors import FileFormatError, GeometryError, SettingError
from fairvec.ground.numbers import counted
from fairvec.ground.safetensors_layout import (
    TensorFile,
    begins_like_safetensors,
    header_has,
    open_tensors,
    write_tensors,
)
from fairvec.ground.text.shown_values import shown

FLOATS = ("float16", "float32", "float64")


@dataclass(frozen=True)
class Native:
    """A `.fairvec` file: opens in the time it takes to read its keys."""

    name: str = "native"
    suffixes: tuple[str, ...] = (".fairvec",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """A safetensors file whose metadata names fairvec."""
        if not begins_like_safetensors(head):
            return False
        try:
            if path.suffix in self.suffixes:
                return True
            # A header of many tensors takes seconds to be understood, and this is asked often.
            return header_has(path, b"fairvec") and "fairvec" in open_tensors(path).metadata
        except FileFormatError:
            return False

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Map the vectors, or copy only the rows of `options.words`."""
        file = open_tensors(path)
        metadata = parse_metadata(path, file.metadata)
        keys, notes = split_keys(path, file.tensor("keys").tobytes(), options)
        rows = None
        if options.words is not None:
            rows = [row for row, key in enumerate(keys) if key in options.words]
        if "vectors" in file:
            vectors = _plain(file, keys, rows)
        else:
            quantised = Quantised(keys, file.tensor("codes"), file.tensor("codebooks"))
            refuse_unreadable(path, quantised)
            vectors = decoded(path, quantised if rows is None else quantised.only(rows))
        counts = _counts(file, keys)
        return Raw(
            keys if rows is None else [keys[row] for row in rows],
            vectors,
            len(keys),
            notes,
            geometry=metadata.geometry,
            name=metadata.name,
            history=metadata.history,
            counts=counts if rows is None or counts is None else counts[rows],
            languages=metadata.languages,
        )


def _counts(file: TensorFile, keys: list[str]) -> Counts | None:
    if "counts" not in file:
        return None
    counts = file.tensor("counts")
    if counts.shape != (len(keys),) or counts.dtype.kind not in "iu":
        raise FileFormatError(
            f"{file.path.name} holds {len(keys)} keys but counts of shape {counts.shape} and type "
            f"{counts.dtype}; it needs one whole number per key: write it again."
        )
    return counts


def _plain(file: TensorFile, keys: list[str], rows: list[int] | None) -> Vectors:
    vectors = file.tensor("vectors")
    if vectors.ndim != 2 or len(vectors) != len(keys) or vectors.dtype.kind != "f":
        raise FileFormatError(
            f"{file.path.name} holds {counted(len(keys), 'key')} but vectors of shape "
            f"{vectors.shape} and type {vectors.dtype}; it needs one row of floats per "
            "key: write it again."
        )
    refuse_empty(file.path, *vectors.shape)
    if rows is None:
        return vectors
    refuse_non_finite(file.path, [keys[row] for row in rows], vectors[rows])
    return vectors[rows]


def write_native(
    embedding: Embedding,
    path: Path,
    *,
    licence: str = "",
    origin: str = "",
    dtype: DTypeLike | None = None,
    progress: Progress | None = None,
) -> None:
    """Write an embedding whole or not at all; `dtype` float16 halves the file of a float32 one."""
    kind = np.dtype(embedding.vectors.dtype if dtype is None else dtype).newbyteorder("=")
    if kind.name not in FLOATS:
        raise SettingError(f"A .fairvec file holds {', '.join(FLOATS)}, not {kind.name}.")
    refuse_empty(path, *embedding.vectors.shape)
    keys = join_keys(path, embedding.keys)
    refuse_non_finite(path, embedding.keys, embedding.vectors)
    with np.errstate(over="ignore"):
        vectors = embedding.vectors.astype(kind, copy=False)
    if vectors.dtype.itemsize < embedding.vectors.dtype.itemsize:
        _refuse_moved(embedding, vectors)
    metadata = Metadata(
        embedding.name,
        embedding.geometry,
        licence,
        origin,
        embedding.history,
        embedding.languages,
    )
    tensors: dict[str, NDArray[Any]] = {"vectors": vectors, "keys": keys}
    tensors |= _with_counts(embedding.counts)
    write_tensors(path, tensors, metadata.written(), progress)


def write_native_quantised(
    keys: Sequence[str],
    codes: NDArray[np.uint8],
    codebooks: NDArray[np.float32],
    path: Path,
    *,
    name: str,
    history: tuple[Step, ...] = (),
    counts: Counts | None = None,
    licence: str = "",
    origin: str = "",
) -> None:
    """Write a product-quantised embedding whole or not at all, without decoding it."""
    refuse_unreadable(path, Quantised(list(keys), codes, codebooks))
    tensors: dict[str, NDArray[Any]] = {
        "keys": join_keys(path, keys),
        "codes": codes,
        "codebooks": codebooks,
    }
    metadata = Metadata(name, Euclidean(), licence, origin, history)
    write_tensors(path, tensors | _with_counts(counts), metadata.written())


def _with_counts(counts: Counts | None) -> dict[str, NDArray[Any]]:
    return {} if counts is None else {"counts": counts.astype(np.int64)}


def _refuse_moved(embedding: Embedding, narrowed: NDArray[Any]) -> None:
    """Raise where a narrower float pushes a point out of its space."""
    for start in range(0, len(narrowed), 16384):
        block = narrowed[start : start + 16384].astype(np.float64)
        outside = ~embedding.geometry.contains(block)
        if outside.any():
            key = embedding.keys[start + int(outside.argmax())]
            raise GeometryError(
                f"{narrowed.dtype} moves {shown(key)} out of the {embedding.geometry.name} space; "
                "write the file with a wider dtype."
            )
