"""numpy's `.npz`: an array of words beside a matrix of vectors.

Such a file says in which space its points lie if it has a text `geometry` and, of a ball, a number
`curvature`; else the caller does.
"""

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.checks import kept
from fairvec.embedding.formats.key_bytes import decode_keys
from fairvec.embedding.formats.npz_file.array_header import MALFORMED, filled, header_of
from fairvec.embedding.formats.reading import SPACE_OF_FILE, Raw, ReadOptions
from fairvec.embedding.formats.zip_members import refuse_shared_members
from fairvec.geometry import Geometry, geometry
from fairvec.ground.errors import FairvecError, FileFormatError, said_by
from fairvec.ground.text.shown_values import few_named, shown

KEY_NAMES = ("words", "keys", "vocab", "vocabulary", "index_to_key")
MATRIX_NAMES = ("vectors", "embeddings", "matrix", "embedding", "weights")
COUNTS, GEOMETRY, CURVATURE = "counts", "geometry", "curvature"
LAST_LETTER = 0x10FFFF


@dataclass(frozen=True)
class Npz:
    """A numpy archive with the arrays `words` and `vectors`, or other usual names for them."""

    name: str = "npz"
    suffixes: tuple[str, ...] = (".npz",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """A zip file whose members are .npy arrays."""
        if not head.startswith(b"PK\x03\x04"):
            return False
        try:
            with zipfile.ZipFile(path) as archive:
                return all(name.endswith(".npy") for name in archive.namelist())
        except MALFORMED:
            return path.suffix in self.suffixes

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read keys and vectors; arrays of Python objects are refused, since they are pickles."""
        try:
            with zipfile.ZipFile(path) as archive:
                refuse_shared_members(path.name, archive)
                names = [name.removesuffix(".npy") for name in archive.namelist()]
                keys = _array(path, archive, _named(path, names, KEY_NAMES, "words"))
                vectors = _array(path, archive, _named(path, names, MATRIX_NAMES, "vectors"))
                counts, space, curvature = (
                    _array(path, archive, name) if name in names else None
                    for name in (COUNTS, GEOMETRY, CURVATURE)
                )
        except MALFORMED as error:
            raise FileFormatError(
                f"{path.name} is not a whole .npz file ({said_by(error)}); copy or "
                "download it again."
            ) from error
        if keys.ndim != 1 or keys.dtype.kind not in "SU" or vectors.dtype.kind != "f":
            raise FileFormatError(
                f"{path.name} holds words of type {keys.dtype} and shape {keys.shape} and vectors "
                f"of type {vectors.dtype}; save a list of text and a matrix of floats."
            )
        notes: dict[str, Any] = {}
        if keys.dtype.kind == "S":
            texts, notes = decode_keys(path, keys.tolist(), options)
        else:
            texts = _texts(path, keys)
        vectors = vectors.astype(vectors.dtype.newbyteorder("="), copy=False)
        said = _space(path, space, curvature)
        if said is not None and said.curvature:
            notes = notes | {SPACE_OF_FILE: said.name}
        return replace(kept(path, texts, vectors, options, notes, counts), geometry=said)


def _texts(path: Path, keys: NDArray[Any]) -> list[str]:
    # Not all of Python notices a number that stands for no letter, and where it does is chance.
    letters = np.dtype(np.uint32).newbyteorder(keys.dtype.byteorder)
    if np.frombuffer(keys.tobytes(), letters).max(initial=0) > LAST_LETTER:
        raise FileFormatError(
            f"{path.name} holds words with numbers that stand for no letter; copy or download it "
            "again."
        )
    found: list[str] = keys.tolist()
    return found


def _space(
    path: Path, named: NDArray[Any] | None, curvature: NDArray[Any] | None
) -> Geometry | None:
    """Return the space that a file names; an array of another kind is somebody's own affair."""
    if named is None or named.size != 1 or named.dtype.kind not in "SU":
        return None
    in_letters = named.dtype.kind == "U"
    text = _texts(path, named.ravel())[0] if in_letters else named.item().decode("latin-1")
    try:
        c = None if curvature is None else float(curvature.item())
        return geometry(text.strip().lower(), c)
    except (FairvecError, ValueError, TypeError, OverflowError) as error:
        raise FileFormatError(
            f"{path.name} says that its geometry is {shown(text)} and its curvature {curvature}, "
            "which is no space that can be read; write euclidean or poincare, and a positive "
            "curvature."
        ) from error


def _named(path: Path, names: list[str], wanted: tuple[str, ...], what: str) -> str:
    for name in wanted:
        if name in names:
            return name
    raise FileFormatError(
        f"{path.name} holds the arrays {few_named(names) if names else '(none)'}, none of which is "
        f"named like {what} ({', '.join(wanted)}); rename the one that holds them."
    )


def _array(path: Path, archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return one array, after checking its announced size before anything is allocated."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        header = header_of(member)
        if header.dtype.hasobject:
            raise FileFormatError(
                f"{path.name}: the array {name} holds Python objects, which only a pickle could "
                "read back; save it as text, for example with words=np.array(words, dtype=str)."
            )
        if info.file_size != header.begins + header.bytes:
            raise FileFormatError(
                f"{path.name}: the array {name} announces shape {header.shape} and type "
                f"{header.dtype} but has {info.file_size} bytes; copy or download the file again."
            )
        header.refuse_forged(path.name, path.stat().st_size, f"the array {name}")
        return filled(member, header)
