"""numpy's `.npy`, with its words in another file, and `.npz`, with its words inside.

numpy parses the header of an array; the size that it announces is compared with the file before
anything is allocated.
"""

import lzma
import re
import struct
import tokenize
import zipfile
import zlib
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FairvecError, FileFormatError, filter_warnings, message_of
from fairvec.core.io.compression import check_archive_end
from fairvec.core.memory import check_claimed_bytes, check_claimed_rows
from fairvec.core.text import join_names, short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    SPACE_OF_FILE,
    FileContent,
    Format,
    ReadOptions,
    WritableFormat,
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
    TypeError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What zipfile and numpy raise on a file that is damaged or locked with a password."""

MAGIC = b"\x93NUMPY"
CHUNK_BYTES = 1 << 20
LONGEST = 1000
"""An array without fields needs 128 bytes; what is shorter nests less deep than Python parses."""
READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
"""By version; the third is for names of fields, which no matrix has."""
UNREADABLE_HEAD = (ValueError, SyntaxError, TypeError, tokenize.TokenError)
"""What numpy raises on a header that is not one."""
FIELDS = re.compile(rb"descr|fortran_order|shape")
MOST_DIMENSIONS, LONGEST_SIDE = 32, 10**18


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
    version = np.lib.format.read_magic(file)
    if version not in READERS:
        raise ValueError(f"its version {version[0]}.{version[1]} is not one of a matrix")
    head = None
    try:
        with filter_warnings("ignore"):  # of a file that Python 2 wrote
            head = READERS[version](file, max_header_size=LONGEST)
    except UNREADABLE_HEAD as error:
        raise ValueError("its head is not one that numpy writes") from error
    except (RecursionError, MemoryError):  # the parser's own stack; memory is not what it lacks
        pass
    if head is None:
        raise ValueError("its head is nested too deep")
    shape, fortran_order, dtype = head
    if len(shape) > MOST_DIMENSIONS or not all(0 <= side <= LONGEST_SIDE for side in shape):
        raise ValueError(f"it announces the shape {short_repr(shape)}")
    offset = file.tell()
    file.seek(0)
    if dtype.kind not in "biufcSU":
        dtype = np.dtype(object)  # a kind that no matrix and no word has
    elif len(FIELDS.findall(file.read(offset))) > 3:
        raise ValueError("its head says one thing twice")  # numpy takes the last
    file.seek(offset)
    return ArrayHeader(tuple(map(int, shape)), dtype, fortran_order, offset)


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


class Npy(Format):
    """One array, which is never read through a pickle."""

    name = "npy"
    suffixes = (".npy",)
    options = frozenset({"vocabulary"})

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


class Npz(WritableFormat):
    """A numpy archive with the arrays `words` and `vectors`, or other usual names for them.

    It is written as np.savez writes it, not compressed; numpy streams the matrix.
    """

    name = "npz"
    suffixes = (".npz",)
    compressible = False
    keeps = frozenset({"geometry", "counts", "float64"})
    holds = "keys of whole characters that do not end in a zero character"
    # numpy pads text with zeros, and so forgets those that end it.
    impossible_key = re.compile(rf"\x00\Z|{HALF_CHARACTERS}")

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
            with path.open("rb") as file, zipfile.ZipFile(file) as archive:
                refuse_shared_members(path.name, archive)
                if check_archive_end(file, path.stat().st_size) != len(archive.infolist()):
                    raise ValueError("it does not hold the members that its end lists")
                for info in archive.infolist():
                    archive.open(info).close()  # a name that was changed hides an array
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
        # Not np.savez: on a full disk older ones leave an open archive, whose end is a traceback.
        with zipfile.ZipFile(path, "w") as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)


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
