"""A plain `.safetensors` file: one matrix of vectors, with the words inside or beside it.

The words are looked for, in this order, in a tensor `keys` (UTF-8 bytes joined by newlines), in
the metadata (`keys` or `words`, a JSON list) and in a text file beside it with one word a line
(`NAME.keys.txt`, `NAME.vocab.txt` or `vocab.txt`). Where the metadata has `geometry` and
`curvature`, they say where the points live.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairvec.embedding.formats.checks import kept
from fairvec.embedding.formats.key_bytes import split_keys
from fairvec.embedding.formats.native_file.reader import Native
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.geometry import Geometry, geometry
from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.errors import FairvecError, FileFormatError
from fairvec.ground.safetensors_layout import (
    TensorFile,
    begins_like_safetensors,
    open_tensors,
)
from fairvec.ground.text.json_text import json_of
from fairvec.ground.text.shown_values import few_named, shown

Keys = tuple[list[str], dict[str, Any]]


@dataclass(frozen=True)
class Safetensors:
    """One 2-D float tensor in the safetensors format."""

    name: str = "safetensors"
    suffixes: tuple[str, ...] = (".safetensors",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """A safetensors file that is not in fairvec's own format."""
        return begins_like_safetensors(head) and not Native().recognises(path, head)

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read the one matrix and its words."""
        file = open_tensors(path)
        vectors = file.tensor(_matrix_name(file))
        keys, notes = _keys(file, options)
        raw = kept(path, keys, vectors, options, notes)
        return replace(raw, geometry=_geometry(file))


def _geometry(file: TensorFile) -> Geometry | None:
    said = file.metadata
    if "geometry" not in said or "curvature" not in said:
        return None
    try:
        return geometry(said["geometry"], float(said["curvature"]))
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
            f"({few_named(matrices)}) where one is expected; save the word vectors alone."
        )
    return matrices[0]


def _keys(file: TensorFile, options: ReadOptions) -> Keys:
    path = file.path
    if "keys" in file:
        return split_keys(path, file.tensor("keys").tobytes(), options)
    for name in ("keys", "words"):
        if name in file.metadata:
            return _listed(path, name, file.metadata[name]), {}
    beside = [path.with_name(f"{path.stem}{ending}") for ending in (".keys.txt", ".vocab.txt")]
    for candidate in (*beside, path.with_name("vocab.txt")):
        if is_file(candidate):
            lines = candidate.read_bytes().replace(b"\r\n", b"\n").removesuffix(b"\n")
            return split_keys(candidate, lines, options)
    raise FileFormatError(
        f"{path.name} does not say which word each row belongs to; put the words beside it in "
        f"{beside[0].name}, one a line."
    )


def _listed(path: Path, name: str, text: str) -> list[str]:
    try:
        listed = json_of(text)
    except ValueError as error:
        raise FileFormatError(
            f"{path.name}: the metadata {shown(name)} is not a JSON list ({error}); write it again."
        ) from error
    if not isinstance(listed, list) or not all(isinstance(key, str) for key in listed):
        raise FileFormatError(
            f"{path.name}: the metadata {shown(name)} is not a JSON list of words; write it again."
        )
    return listed
