"""fairvec's own format, `.fairvec`, and plain `.safetensors` files.

Both are safetensors. A `.fairvec` file has the tensors `vectors` (or `codes` and `codebooks`, if it
is product-quantised), `keys` (UTF-8, joined by newlines) and perhaps `counts`; its metadata hold
name, geometry, rights, origin, history and languages. It is memory-mapped on reading. A plain file
has one matrix, with its words as a tensor, in the metadata, or in a text file next to it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fairvec.core.errors import FairvecError, FileFormatError, GeometryError, SettingError, brief
from fairvec.core.format import pluralize
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import is_file
from fairvec.core.io.safetensors import (
    TensorFile,
    header_contains,
    looks_like_safetensors,
    open_tensors,
    write_tensors,
)
from fairvec.core.parsing import parse_json
from fairvec.core.text import LONGEST_TEXT, join_names, short_repr
from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    Counts,
    FileContent,
    ReadOptions,
    Vectors,
    WritableFormat,
    WriteOptions,
)
from fairvec.embedding.formats.navec import Quantised, decode_within_limits, refuse_unreadable
from fairvec.embedding.formats.rows import (
    checked_content,
    join_keys,
    refuse_empty,
    refuse_non_finite,
    split_keys,
)
from fairvec.geometry import Euclidean, Geometry, geometry
from fairvec.languages.language import language_codes

VERSION = "1"

FLOATS = ("float16", "float32", "float64")


@dataclass(frozen=True)
class Metadata:
    """What a `.fairvec` file says about its embedding."""

    name: str
    geometry: Geometry
    licence: str = ""
    origin: str = ""
    history: tuple[Step, ...] = ()
    languages: tuple[str, ...] = ()

    def to_header(self) -> dict[str, str]:
        """Return the metadata as the text that safetensors can hold."""
        steps = [{"action": s.action, "details": dict(s.details)} for s in self.history]
        return {
            "fairvec": VERSION,
            "name": self.name,
            "geometry": self.geometry.name,
            "curvature": repr(float(self.geometry.curvature)),
            "licence": self.licence,
            "origin": self.origin,
            "history": json.dumps(steps, ensure_ascii=False, default=str),
        } | ({"language": " ".join(self.languages)} if self.languages else {})


def parse_metadata(path: Path, header: Mapping[str, str]) -> Metadata:
    """Return the metadata of a file from the text in its header."""
    if header.get("fairvec") != VERSION:
        raise FileFormatError(
            f"{path.name} is not in version {VERSION} of fairvec's format but in "
            f"{_version_text(header)}; upgrade fairvec or write the file again."
        )
    try:
        return Metadata(
            header["name"],
            geometry(header["geometry"], float(header["curvature"])),
            header.get("licence", ""),
            header.get("origin", ""),
            _steps(parse_json(header.get("history", "[]"), lenient=True)),
            language_codes(header["language"].split(" ")) if "language" in header else (),
        )
    except (FairvecError, KeyError, TypeError, ValueError) as error:
        raise FileFormatError(
            f"{path.name} has damaged metadata ({brief(error)}); write or download it again."
        ) from error


def _version_text(header: Mapping[str, str]) -> str:
    version = header.get("fairvec", "none")
    return version if len(version) <= LONGEST_TEXT else short_repr(version, LONGEST_TEXT)


def _steps(history: Any) -> tuple[Step, ...]:
    if not isinstance(history, list):
        raise ValueError("the history is no list of steps")
    for step in history:
        match step:
            case {"action": str(), "details": dict()}:
                continue
        raise ValueError(f"{short_repr(step)} is no step of a history")
    return tuple(Step(step["action"], step["details"]) for step in history)


def native_metadata(path: Path) -> Metadata:
    """Return the metadata of the `.fairvec` file at `path`, without opening its vectors."""
    return parse_metadata(path, open_tensors(path).metadata)


class Native(WritableFormat):
    """A `.fairvec` file: opens in the time it takes to read its keys."""

    name = "native"
    suffixes = (".fairvec",)
    compressible = False
    keeps = frozenset({"geometry", "history", "counts", "language", "licence", "origin", "float64"})
    holds = "keys of whole characters without line breaks"
    impossible_key = re.compile(rf"\n|{HALF_CHARACTERS}")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A safetensors file whose metadata names fairvec."""
        if not looks_like_safetensors(head):
            return False
        try:
            if path.suffix in self.suffixes:
                return True
            # Parsing a header of many tensors takes seconds, and this is called for every file.
            return header_contains(path, b"fairvec") and "fairvec" in open_tensors(path).metadata
        except FileFormatError:
            return False

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Map the vectors, or copy only the rows of `options.words`."""
        file = open_tensors(path)
        metadata = parse_metadata(path, file.metadata)
        keys, notes = split_keys(path, file.tensor("keys").tobytes(), options)
        rows = None
        if options.words is not None:
            rows = [row for row, key in enumerate(keys) if key in options.words]
        if "vectors" in file:
            vectors = _stored_vectors(file, keys, rows)
        else:
            quantised = Quantised(keys, file.tensor("codes"), file.tensor("codebooks"))
            refuse_unreadable(path, quantised)
            vectors = decode_within_limits(
                path, quantised if rows is None else quantised.select(rows)
            )
        counts = _counts(file, keys)
        return FileContent(
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

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write the embedding with its counts and metadata."""
        write_native(
            embedding,
            path,
            licence=options.licence,
            origin=options.origin,
            progress=options.progress,
        )


def _stored_vectors(file: TensorFile, keys: list[str], rows: list[int] | None) -> Vectors:
    vectors = file.tensor("vectors")
    if vectors.ndim != 2 or len(vectors) != len(keys) or vectors.dtype.kind != "f":
        raise FileFormatError(
            f"{file.path.name} holds {pluralize(len(keys), 'key')} but vectors of shape "
            f"{vectors.shape} and type {vectors.dtype}; it needs one row of floats per "
            "key: write it again."
        )
    refuse_empty(file.path, *vectors.shape)
    if rows is None:
        return vectors
    refuse_non_finite(file.path, [keys[row] for row in rows], vectors[rows])
    return vectors[rows]


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
    stored_dtype = np.dtype(embedding.vectors.dtype if dtype is None else dtype).newbyteorder("=")
    if stored_dtype.name not in FLOATS:
        raise SettingError(f"A .fairvec file holds {', '.join(FLOATS)}, not {stored_dtype.name}.")
    refuse_empty(path, *embedding.vectors.shape)
    keys = join_keys(path, embedding.keys)
    refuse_non_finite(path, embedding.keys, embedding.vectors)
    with np.errstate(over="ignore"):
        vectors = embedding.vectors.astype(stored_dtype, copy=False)
    if vectors.dtype.itemsize < embedding.vectors.dtype.itemsize:
        _refuse_points_moved_out(embedding, vectors)
    metadata = Metadata(
        embedding.name,
        embedding.geometry,
        licence,
        origin,
        embedding.history,
        embedding.languages,
    )
    tensors: dict[str, NDArray[Any]] = {"vectors": vectors, "keys": keys}
    tensors |= _counts_tensor(embedding.counts)
    write_tensors(path, tensors, metadata.to_header(), progress)


def _refuse_points_moved_out(embedding: Embedding, narrowed: NDArray[Any]) -> None:
    """Raise where a narrower float pushes a point out of its space."""
    for start in range(0, len(narrowed), 16384):
        block = narrowed[start : start + 16384].astype(np.float64)
        outside = ~embedding.geometry.contains(block)
        if outside.any():
            key = embedding.keys[start + int(outside.argmax())]
            raise GeometryError(
                f"{narrowed.dtype} moves {short_repr(key)} out of the {embedding.geometry.name} "
                "space; write the file with a wider dtype."
            )


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
    write_tensors(path, tensors | _counts_tensor(counts), metadata.to_header())


def _counts_tensor(counts: Counts | None) -> dict[str, NDArray[Any]]:
    return {} if counts is None else {"counts": counts.astype(np.int64)}


class Safetensors(WritableFormat):
    """One 2-D float tensor in the safetensors format, with its keys."""

    name = "safetensors"
    suffixes = (".safetensors",)
    compressible = False
    keeps = frozenset({"geometry", "float64"})
    holds = "keys of whole characters without line breaks"
    impossible_key = re.compile(rf"\n|{HALF_CHARACTERS}")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A safetensors file that is not in fairvec's own format."""
        return looks_like_safetensors(head) and not Native().recognises(path, head)

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the one matrix and its words."""
        file = open_tensors(path)
        vectors = file.tensor(_matrix_name(file))
        keys, notes = _keys(file, options)
        content = checked_content(path, keys, vectors, options, notes)
        return replace(content, geometry=_geometry(file))

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write keys and vectors, and the geometry unless it is flat space."""
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


def _geometry(file: TensorFile) -> Geometry | None:
    metadata = file.metadata
    if "geometry" not in metadata or "curvature" not in metadata:
        return None
    try:
        return geometry(metadata["geometry"], float(metadata["curvature"]))
    except (FairvecError, ValueError) as error:
        raise FileFormatError(
            f"{file.path.name}: the metadata name no geometry and curvature that fairvec knows "
            f"({error}); write it again."
        ) from error


def _matrix_name(file: TensorFile) -> str:
    matrices = [
        name
        for name, entry in sorted(file.entries.items())
        if len(entry.shape) == 2 and entry.dtype.startswith(("F", "BF"))
    ]
    if len(matrices) != 1:
        raise FileFormatError(
            f"{file.path.name} holds {len(matrices)} matrices of floats "
            f"({join_names(matrices)}) where one is expected; save the word vectors alone."
        )
    return matrices[0]


Keys = tuple[list[str], dict[str, Any]]


def _keys(file: TensorFile, options: ReadOptions) -> Keys:
    path = file.path
    if "keys" in file:
        return split_keys(path, file.tensor("keys").tobytes(), options)
    for name in ("keys", "words"):
        if name in file.metadata:
            return _parse_word_list(path, name, file.metadata[name]), {}
    companions = [path.with_name(f"{path.stem}{ending}") for ending in (".keys.txt", ".vocab.txt")]
    for candidate in (*companions, path.with_name("vocab.txt")):
        if is_file(candidate):
            lines = candidate.read_bytes().replace(b"\r\n", b"\n").removesuffix(b"\n")
            return split_keys(candidate, lines, options)
    raise FileFormatError(
        f"{path.name} does not say which word each row belongs to; put the words beside it in "
        f"{companions[0].name}, one a line."
    )


def _parse_word_list(path: Path, name: str, text: str) -> list[str]:
    try:
        words = parse_json(text)
    except ValueError as error:
        raise FileFormatError(
            f"{path.name}: the metadata {short_repr(name)} is not a JSON list ({error}); write it "
            "again."
        ) from error
    if not isinstance(words, list) or not all(isinstance(key, str) for key in words):
        raise FileFormatError(
            f"{path.name}: the metadata {short_repr(name)} is not a JSON list of words; write it "
            "again."
        )
    return words
