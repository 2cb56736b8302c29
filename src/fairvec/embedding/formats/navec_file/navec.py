"""navec's `.tar`: Russian GloVe vectors, product-quantised.

Three members: `meta.json` (id, protocol), `vocab.bin` (gzip: u32 count, u32 frequencies, words
joined by newlines) and `pq.bin` (u32 vectors, dimensions, parts and centroids; a byte per vector
and part; float32 centroids).
"""

import gzip
import zlib
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.checks import kept
from fairvec.embedding.formats.key_bytes import split_keys
from fairvec.embedding.formats.navec_file.members import content_of, members_of
from fairvec.embedding.formats.navec_file.product_quantised import (
    Quantised,
    decoded,
    refuse_unreadable,
)
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.ground.errors import FileFormatError
from fairvec.ground.machine.budget import most_bytes
from fairvec.ground.text.json_text import json_of

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


@dataclass(frozen=True)
class NavecParts:
    """What a navec file holds: its quantised words, how often each was seen, and its name."""

    quantised: Quantised
    counts: NDArray[np.uint32]
    name: str
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Navec:
    """A navec archive; the rows <unk> and <pad> are left out and noted."""

    name: str = "navec"
    suffixes: tuple[str, ...] = (".tar",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """A tar file with navec's three members."""
        if b"ustar" not in head[257:262] and path.suffix not in self.suffixes:
            return False
        try:
            return set(MEMBERS) <= members_of(path).keys()
        except MALFORMED:
            return False

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Decode the vectors of all words, or of `options.words` alone."""
        parts = read_navec(path, options)
        quantised, counts = parts.quantised, parts.counts
        rows = len(quantised.keys)
        if options.words is not None:
            wanted = [row for row, key in enumerate(quantised.keys) if key in options.words]
            quantised, counts = quantised.only(wanted), counts[wanted]
        vectors = decoded(path, quantised)
        if not quantised.keys:
            return Raw([], vectors, rows, parts.notes, name=parts.name)
        raw = kept(path, quantised.keys, vectors, options, parts.notes, counts)
        return replace(raw, rows=rows, name=parts.name)


def read_navec(path: Path, options: ReadOptions | None = None) -> NavecParts:
    """Return the words, codes and codebooks of a navec file without decoding any vector."""
    try:
        members = members_of(path)
        meta, vocabulary, codes = (content_of(path, members[name]) for name in MEMBERS)
        described = json_of(meta)
        if described["protocol"] != PROTOCOL:
            raise ValueError(f"protocol {described['protocol']}, where {PROTOCOL} is known")
        indexes, codebooks = _quantised(codes)
        counts, words = _vocabulary(vocabulary, len(indexes))
        keys, notes = split_keys(path, words, options or ReadOptions())
        name = str(described["id"])
    except MALFORMED as error:
        raise FileFormatError(
            f"{path.name} is not a whole navec file ({error}); copy or download it again."
        ) from error
    everything = Quantised(keys, indexes, codebooks)
    refuse_unreadable(path, everything)
    rows = [row for row, key in enumerate(keys) if key not in SPECIAL]
    left_out = [key for key in keys if key in SPECIAL]
    if left_out:
        notes["special_rows_left_out"] = left_out
    return NavecParts(everything.only(rows), counts[rows], f"navec_{name}", notes)


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
    """Return frequencies and joined words, unpacking no more than so many words can need."""
    most = min(U32.itemsize + expected * (U32.itemsize + LONGEST_WORD), most_bytes(len(content)))
    with gzip.open(BytesIO(content)) as file:
        unpacked = file.read(most + 1)
    count = int(np.frombuffer(unpacked, U32, count=1)[0])
    if count != expected or len(unpacked) > most:
        raise ValueError(f"{count} words for {expected} vectors")
    counts = np.frombuffer(unpacked, U32, count=count, offset=U32.itemsize)
    return counts, unpacked[U32.itemsize * (count + 1) :]
