"""navec's `.tar`: Russian GloVe vectors, product-quantised.

Three members: `meta.json` (id, protocol), `vocab.bin` (gzip: u32 count, u32 frequencies, words
joined by newlines) and `pq.bin` (u32 vectors, dimensions, parts and centroids; a byte per vector
and part; float32 centroids). Product quantisation: a vector is a row of codes, each the number of a
short vector in the codebook of its part (Jégou et al. 2011, doi:10.1109/TPAMI.2010.57).
"""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError
from fairvec.core.memory import check_claimed_bytes, max_unpacked_bytes
from fairvec.core.parsing import parse_json
from fairvec.embedding.formats.base import FileContent, Format, ReadOptions
from fairvec.embedding.formats.rows import checked_content, split_keys

MEMBERS = ("meta.json", "vocab.bin", "pq.bin")
PROTOCOL = 1
SPECIAL = ("<unk>", "<pad>")
"""Rows that stand for no word."""
U32 = np.dtype("<u4")
PQ_HEADER = 4 * U32.itemsize
LONGEST_WORD = 4096
MALFORMED = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    zlib.error,
)

MOST_CENTROIDS = 256
"""A code is one byte."""
ROWS_AT_ONCE = 4096
"""Rows decoded together, so that the codes' positions stay in the cache."""


@dataclass(frozen=True)
class Quantised:
    """Keys, their codes (n x m) and the short vectors the codes stand for (m x k x d/m)."""

    keys: list[str]
    codes: NDArray[np.uint8]
    codebooks: NDArray[np.float32]

    def select(self, rows: list[int]) -> "Quantised":
        """Return the same for some of the rows."""
        return Quantised([self.keys[row] for row in rows], self.codes[rows], self.codebooks)

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors that the codes stand for."""
        return decode(self.codes, self.codebooks)


@dataclass(frozen=True)
class NavecParts:
    """What a navec file holds: its quantised words, how often each was seen, and its name."""

    quantised: Quantised
    counts: NDArray[np.uint32]
    name: str
    notes: dict[str, Any] = field(default_factory=dict)


class Navec(Format):
    """A navec archive; the rows <unk> and <pad> are left out and noted."""

    name = "navec"
    suffixes = (".tar",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """A tar file with navec's three members."""
        if b"ustar" not in head[257:262] and path.suffix not in self.suffixes:
            return False
        try:
            return set(MEMBERS) <= tar_members(path).keys()
        except MALFORMED:
            return False

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Decode the vectors of all words, or of `options.words` alone."""
        parts = read_navec(path, options)
        quantised, counts = parts.quantised, parts.counts
        rows = len(quantised.keys)
        if options.words is not None:
            kept_rows = [row for row, key in enumerate(quantised.keys) if key in options.words]
            quantised, counts = quantised.select(kept_rows), counts[kept_rows]
        vectors = decode_within_limits(path, quantised)
        if not quantised.keys:
            return FileContent([], vectors, rows, parts.notes, name=parts.name)
        content = checked_content(path, quantised.keys, vectors, options, parts.notes, counts)
        return replace(content, rows=rows, name=parts.name)


def read_navec(path: Path, options: ReadOptions | None = None) -> NavecParts:
    """Return the words, codes and codebooks of a navec file without decoding any vector."""
    try:
        members = tar_members(path)
        meta, vocabulary, codes = (read_member(path, members[name]) for name in MEMBERS)
        metadata = parse_json(meta)
        if metadata["protocol"] != PROTOCOL:
            raise ValueError(f"protocol {metadata['protocol']}, where {PROTOCOL} is known")
        indexes, codebooks = _quantised(codes)
        counts, words = _vocabulary(vocabulary, len(indexes))
        keys, notes = split_keys(path, words, options or ReadOptions())
        name = str(metadata["id"])
    except MALFORMED as error:
        raise FileFormatError(
            f"{path.name} is not a whole navec file ({error}); copy or download it again."
        ) from error
    quantised = Quantised(keys, indexes, codebooks)
    refuse_unreadable(path, quantised)
    rows = [row for row, key in enumerate(keys) if key not in SPECIAL]
    left_out = [key for key in keys if key in SPECIAL]
    if left_out:
        notes["special_rows_left_out"] = left_out
    return NavecParts(quantised.select(rows), counts[rows], f"navec_{name}", notes)


def _quantised(content: bytes) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return codes and codebooks, after checking the announced sizes against the content."""
    vectors, dimensions, parts, centroids = np.frombuffer(content, U32, count=4).tolist()
    in_codes, in_codebooks = vectors * parts, centroids * dimensions * 4
    if len(content) != PQ_HEADER + in_codes + in_codebooks or not parts or dimensions % parts:
        raise ValueError(
            f"{len(content)} bytes for {vectors} vectors of {dimensions} dimensions in {parts} "
            f"parts with {centroids} centroids"
        )
    codes = np.frombuffer(content, np.uint8, count=in_codes, offset=PQ_HEADER)
    codebooks = np.frombuffer(content, "<f4", offset=PQ_HEADER + in_codes)
    return codes.reshape(vectors, parts), codebooks.reshape(parts, centroids, dimensions // parts)


def _vocabulary(content: bytes, expected: int) -> tuple[NDArray[np.uint32], bytes]:
    """Return frequencies and joined words, unpacking no more than `expected` words can take."""
    most = min(
        U32.itemsize + expected * (U32.itemsize + LONGEST_WORD), max_unpacked_bytes(len(content))
    )
    with gzip.open(BytesIO(content)) as file:
        unpacked = file.read(most + 1)
    count = int(np.frombuffer(unpacked, U32, count=1)[0])
    if count != expected or len(unpacked) > most:
        raise ValueError(f"{count} words for {expected} vectors")
    counts = np.frombuffer(unpacked, U32, count=count, offset=U32.itemsize)
    return counts, unpacked[U32.itemsize * (count + 1) :]


def decode(codes: NDArray[np.uint8], codebooks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the n x d matrix whose row i joins codebooks[j, codes[i, j]] over all parts j."""
    parts, centroids, width = codebooks.shape
    short_vectors = codebooks.reshape(parts * centroids, width)
    first_of_part = np.arange(parts) * centroids
    vectors = np.empty((len(codes), parts, width), dtype=np.float32)
    for start in range(0, len(codes), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        # Codes are checked on reading, so nothing is clipped; it is the fast mode.
        np.take(short_vectors, codes[rows] + first_of_part, 0, out=vectors[rows], mode="clip")
    return vectors.reshape(len(codes), parts * width)


def decode_within_limits(path: Path, quantised: Quantised) -> NDArray[np.float32]:
    """Return the vectors of a file, unless they take more memory than its size justifies."""
    parts, _, width = quantised.codebooks.shape
    needed = len(quantised.codes) * parts * width * quantised.codebooks.itemsize
    check_claimed_bytes(path.name, "its decoded vectors", needed, path.stat().st_size)
    return quantised.vectors()


def refuse_unreadable(path: Path, quantised: Quantised) -> None:
    """Raise unless keys, codes and codebooks fit together and every number is finite."""
    keys, codes, codebooks = quantised.keys, quantised.codes, quantised.codebooks
    if not (
        (codes.ndim, codes.dtype.str) == (2, "|u1")
        and (codebooks.ndim, codebooks.dtype.str) == (3, "<f4")
        and len(codes) == len(keys) > 0
        and codes.shape[1] == len(codebooks) > 0
        and 1 <= codebooks.shape[1] <= MOST_CENTROIDS
        and codebooks.shape[2] > 0
    ):
        raise FileFormatError(
            f"{path.name} holds {len(keys)} keys, codes of shape {codes.shape} ({codes.dtype}) and "
            f"codebooks of shape {codebooks.shape} ({codebooks.dtype}), which do not fit together; "
            "write or download it again."
        )
    if int(codes.max()) >= codebooks.shape[1]:
        raise FileFormatError(
            f"{path.name} holds the code {codes.max()}, but its codebooks end at "
            f"{codebooks.shape[1] - 1}; write or download it again."
        )
    if not np.isfinite(codebooks).all():
        raise FileFormatError(
            f"{path.name} holds NaN or infinity in its codebooks; write or download it again."
        )


# Not tarfile, which in 3.11.7 and other Pythons in use takes an hour for a pax head of a megabyte
# (CVE-2024-6232), also as a stream; what is needed of an archive is less than what that reads.
BLOCK = 512
NAME, SIZE, CHECKSUM = slice(0, 100), slice(124, 136), slice(148, 156)
KIND, MAGIC, PREFIX = 156, slice(257, 262), slice(345, 500)
FILES, EXTENSIONS = (b"0", b"\0"), (b"x", b"g", b"L", b"K")
"""The kinds of entries that are files, and of those that describe the next one."""
MOST_ENTRIES = 10_000


class Member(NamedTuple):
    """Where a file lies in an archive."""

    start: int
    size: int


def tar_members(path: Path) -> dict[str, Member]:
    """Return the files of an archive by name, or raise ValueError where it is damaged."""
    members: dict[str, Member] = {}
    for name, kind, member in _entries(path):
        if kind in FILES:
            if name in members:
                raise ValueError(f"it holds {name} twice")
            members[name] = member
        elif kind not in (*EXTENSIONS, b"5"):
            raise ValueError(f"{name!r} is no plain file")
    return members


def read_member(path: Path, member: Member) -> bytes:
    """Return what a member holds."""
    with path.open("rb") as file:
        file.seek(member.start)
        return file.read(member.size)


def _entries(path: Path) -> Iterator[tuple[str, bytes, Member]]:
    """Yield name, kind and place of each entry, after checking that it lies within the file."""
    end, place = path.stat().st_size, 0
    with path.open("rb") as file:
        for _ in range(MOST_ENTRIES):
            file.seek(place)
            head = file.read(BLOCK)
            if not head.strip(b"\0"):
                return
            if len(head) < BLOCK or _octal(head[CHECKSUM]) != _checksum(head):
                raise ValueError(f"the head at byte {place} is damaged")
            member = Member(place + BLOCK, _octal(head[SIZE]))
            name = head[NAME].split(b"\0", 1)[0].decode("utf-8", "replace")
            if member.start + member.size > end:
                raise ValueError(f"{name} is cut short")
            yield name.removeprefix("./"), head[KIND : KIND + 1], member
            place = member.start + -(-member.size // BLOCK) * BLOCK
    raise ValueError(f"it has more than {MOST_ENTRIES:,} entries")


def _octal(field: bytes) -> int:
    """Return a number of octal digits; binary ones, for huge files, are refused."""
    digits = field.split(b"\0", 1)[0].strip()
    if not digits or digits.strip(b"01234567"):
        raise ValueError(f"{field!r} is no size")
    return int(digits, 8)


def _checksum(head: bytes) -> int:
    """Return the checksum of a header, in which its own field counts as spaces."""
    return sum(head) - sum(head[CHECKSUM]) + 8 * ord(" ")
