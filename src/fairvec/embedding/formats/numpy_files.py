"""numpy's `.npy`, with its words in another file, and `.npz`, with its words inside.

The header of an array is parsed here, without evaluating it, and its announced size is compared
with the file before anything is allocated.
"""

import lzma
import re
import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from re import Pattern
from typing import IO, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FairvecError, FileFormatError, message_of
from fairvec.core.memory import check_claimed_bytes, check_claimed_rows
from fairvec.core.text import join_names, short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    SPACE_OF_FILE,
    FileContent,
    Part,
    ReadOptions,
    WriteOptions,
    refuse_shared_members,
)
from fairvec.embedding.formats.rows import (
    checked_content,
    decode_keys,
    refuse_non_finite,
    with_words,
)
from fairvec.geometry import Geometry, geometry

MALFORMED = (
    OSError,
    ValueError,
    EOFError,
    LookupError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What zipfile and numpy raise on a file that is damaged or locked with a password."""

MAGIC = b"\x93NUMPY"
CHUNK_BYTES = 1 << 20
LENGTHS = {1: struct.Struct("<H"), 2: struct.Struct("<I"), 3: struct.Struct("<I")}
LONGEST = 10_000
"""The limit of numpy; an array without fields needs 128 bytes."""
_ITEM = (
    r"""['"](?:descr['"]\s*:\s*['"](?P<descr>[<>|=]?[a-zA-Z?][0-9]{0,9})['"]"""
    r"""|fortran_order['"]\s*:\s*(?P<order>True|False)"""
    r"""|shape['"]\s*:\s*\((?P<shape>(?:\s*[0-9]{1,18}L?\s*,)*(?:\s*[0-9]{1,18}L?)?)\s*\))"""
)
ITEM = re.compile(rf"\s*{_ITEM}\s*")
OBJECTS = re.compile(r"""['"]descr['"]\s*:\s*(['"][<>|=]?O|\[)""")
MOST_DIMENSIONS = 32


class ArrayHeader(NamedTuple):
    """Shape, type and order of an array, and where its numbers begin."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran_order: bool
    offset: int

    @property
    def bytes(self) -> int:
        """How many bytes its numbers take."""
        return self.dtype.itemsize * prod(self.shape)

    def check_size(self, where: str, size: int, what: str = "its numbers") -> None:
        """Raise unless a file of `size` bytes can honestly hold such an array."""
        check_claimed_bytes(where, what, self.bytes, size)
        # Text of length 0 takes no bytes, and a dimension of length 0 hides how large another is.
        check_claimed_rows(where, "rows", max((1, *self.shape)), size)


def read_array_header(file: IO[bytes]) -> ArrayHeader:
    """Return the header, and leave the file where the numbers begin."""
    start = file.read(len(MAGIC) + 2)
    if len(start) < len(MAGIC) + 2 or not start.startswith(MAGIC):
        raise ValueError("it does not begin like an array")
    version = start[len(MAGIC)]
    if version not in LENGTHS:
        raise ValueError(f"its version {version} is not known")
    length_field = LENGTHS[version]
    (length,) = length_field.unpack(file.read(length_field.size))
    if length > LONGEST:
        raise ValueError(f"its head of {length:,} bytes is too long")
    content = file.read(length)
    if len(content) < length:
        raise ValueError("its head is cut short")
    return _parse_header(content.decode("latin-1").strip(), len(start) + length_field.size + length)


def read_shape(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type alone, and leave the file where the numbers begin."""
    header = read_array_header(file)
    return header.shape, header.dtype


def read_array(file: IO[bytes], header: ArrayHeader) -> NDArray[Any]:
    """Return the array whose numbers follow in a file; its size must have been checked."""
    if not header.bytes:
        return np.zeros(header.shape, header.dtype)
    content = np.empty(header.bytes, dtype=np.uint8)
    memory, place = content.data, 0
    while place < len(memory):
        chunk = file.read(min(CHUNK_BYTES, len(memory) - place))
        if not chunk:
            raise EOFError("its numbers are cut short")
        memory[place : place + len(chunk)] = chunk
        place += len(chunk)
    order: Literal["F", "C"] = "F" if header.fortran_order else "C"
    return content.view(header.dtype).reshape(header.shape, order=order)


def _parse_header(text: str, offset: int) -> ArrayHeader:
    items: dict[str, str] = {}
    inside = text.removeprefix("{").removesuffix("}").rstrip().removesuffix(",")
    place = 0
    while (item := ITEM.match(inside, place)) is not None and item.lastgroup not in items:
        items[str(item.lastgroup)] = item[str(item.lastgroup)]
        place = item.end() + 1
        if inside[item.end() : place] != ",":
            break
    if len(items) < 3 or place < len(inside) or (text[:1], text[-1:]) != ("{", "}"):
        if OBJECTS.search(text):
            return ArrayHeader((0,), np.dtype(object), False, offset)
        raise ValueError(f"its head is not numpy's: {short_repr(text)}")
    lengths = [side.strip().removesuffix("L") for side in items["shape"].split(",")]
    shape = tuple(int(side) for side in lengths if side)
    if len(shape) > MOST_DIMENSIONS:
        raise ValueError(f"it announces {len(shape)} dimensions")
    dtype = np.dtype(items["descr"])
    if dtype.kind not in "biufcSU":
        dtype = np.dtype(object)  # a kind that no matrix and no word has
    return ArrayHeader(shape, dtype, items["order"] == "True", offset)


@dataclass(frozen=True)
class Npy:
    """One array, which is never read through a pickle."""

    name: str = "npy"
    suffixes: tuple[str, ...] = (".npy",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """An array that is a file: inside an archive it is a part of another model."""
        return head.startswith(MAGIC) and path.is_file()

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the matrix, its announced size checked first, and the words that go with it."""
        with path.open("rb") as file:
            try:
                header = read_array_header(file)
            except MALFORMED as error:
                raise FileFormatError(
                    f"{path.name} is not a whole .npy file ({error}); copy or download it again."
                ) from error
            _refuse_other_arrays(path, header)
            vectors = read_array(file, header)
        vectors = vectors.astype(vectors.dtype.newbyteorder("="), copy=False)
        return with_words(path, vectors, options)


def _refuse_other_arrays(path: Path, header: ArrayHeader) -> None:
    """Raise unless the file is a matrix of floats and has its size."""
    shape, dtype = header.shape, header.dtype
    if dtype.kind != "f" or len(shape) != 2:
        pickled = "Python objects, which only a pickle could read back"
        what = pickled if dtype.hasobject else f"numbers of type {dtype} and shape {shape}"
        raise FileFormatError(
            f"{path.name} holds {what}; save a matrix of floats with a row for each word."
        )
    size, needed = path.stat().st_size, header.offset + header.bytes
    if size != needed:
        raise FileFormatError(
            f"{path.name} announces shape {shape} and type {dtype} but has {size} bytes instead of "
            f"{needed}; copy or download it again."
        )
    header.check_size(path.name, size)


KEY_NAMES = ("words", "keys", "vocab", "vocabulary", "index_to_key")
MATRIX_NAMES = ("vectors", "embeddings", "matrix", "embedding", "weights")
COUNTS, GEOMETRY, CURVATURE = "counts", "geometry", "curvature"
LAST_CODE_POINT = 0x10FFFF


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

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read keys and vectors; arrays of Python objects are refused, since they are pickles."""
        try:
            with zipfile.ZipFile(path) as archive:
                refuse_shared_members(path.name, archive)
                names = [name.removesuffix(".npy") for name in archive.namelist()]
                keys = _array(path, archive, _find_array(path, names, KEY_NAMES, "words"))
                vectors = _array(path, archive, _find_array(path, names, MATRIX_NAMES, "vectors"))
                counts, space, curvature = (
                    _array(path, archive, name) if name in names else None
                    for name in (COUNTS, GEOMETRY, CURVATURE)
                )
        except MALFORMED as error:
            raise FileFormatError(
                f"{path.name} is not a whole .npz file ({message_of(error)}); copy or "
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
        named_space = _geometry(path, space, curvature)
        if named_space is not None and named_space.curvature:
            notes = notes | {SPACE_OF_FILE: named_space.name}
        return replace(
            checked_content(path, texts, vectors, options, notes, counts), geometry=named_space
        )


def _texts(path: Path, keys: NDArray[Any]) -> list[str]:
    # Python does not reliably notice a code point that Unicode does not have.
    letters = np.dtype(np.uint32).newbyteorder(keys.dtype.byteorder)
    if np.frombuffer(keys.tobytes(), letters).max(initial=0) > LAST_CODE_POINT:
        raise FileFormatError(
            f"{path.name} holds words with numbers that stand for no letter; copy or download it "
            "again."
        )
    found: list[str] = keys.tolist()
    return found


def _geometry(
    path: Path, named: NDArray[Any] | None, curvature: NDArray[Any] | None
) -> Geometry | None:
    """Return the space that a file names; None where `geometry` is not a single text."""
    if named is None or named.size != 1 or named.dtype.kind not in "SU":
        return None
    is_text = named.dtype.kind == "U"
    text = _texts(path, named.ravel())[0] if is_text else named.item().decode("latin-1")
    try:
        c = None if curvature is None else float(curvature.item())
        return geometry(text.strip().lower(), c)
    except (FairvecError, ValueError, TypeError, OverflowError) as error:
        raise FileFormatError(
            f"{path.name} says that its geometry is {short_repr(text)} and its curvature "
            f"{curvature}, which is no space that can be read; write euclidean or poincare, and a "
            "positive curvature."
        ) from error


def _find_array(path: Path, names: list[str], known: tuple[str, ...], what: str) -> str:
    for name in known:
        if name in names:
            return name
    raise FileFormatError(
        f"{path.name} holds the arrays {join_names(names) if names else '(none)'}, none of which "
        f"is named like {what} ({', '.join(known)}); rename the one that holds them."
    )


def _array(path: Path, archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return one array, after checking its announced size before anything is allocated."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        header = read_array_header(member)
        if header.dtype.hasobject:
            raise FileFormatError(
                f"{path.name}: the array {name} holds Python objects, which only a pickle could "
                "read back; save it as text, for example with words=np.array(words, dtype=str)."
            )
        if info.file_size != header.offset + header.bytes:
            raise FileFormatError(
                f"{path.name}: the array {name} announces shape {header.shape} and type "
                f"{header.dtype} but has {info.file_size} bytes; copy or download the file again."
            )
        header.check_size(path.name, path.stat().st_size, f"the array {name}")
        return read_array(member, header)


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
