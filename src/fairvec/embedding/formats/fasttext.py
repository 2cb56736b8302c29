"""fastText's `.bin`: words, and the n-grams from which unseen words get a vector.

Layout (little-endian): magic and version; thirteen settings; a dictionary (sizes, then each word
with a closing zero byte, its count and kind); then the matrix of all words and n-gram buckets.
gensim reads it, after the announced sizes have been checked against the file: in a dictionary that
is cut short it would never stop. A word's vector is the mean of its own row and those of its
n-grams (Bojanowski et al. 2017, arXiv:1607.04606).
"""

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairvec.core.errors import FileFormatError, MissingExtraError
from fairvec.core.memory import max_rows
from fairvec.embedding.formats.base import FileContent, Format, ReadOptions, Vectors
from fairvec.embedding.formats.rows import checked_content, decode_keys, refuse_non_finite

MAGIC = struct.pack("<i", 793712314)
VERSION = 12
HEADER = struct.Struct("<2i12id")
DICTIONARY = struct.Struct("<3i2q")
AFTER_WORD = 1 + struct.calcsize("<qb")
PRUNED_PAIR = struct.calcsize("<2i")
MATRIX = struct.Struct("<?2q")
FLOAT = 4
LONGEST_NGRAM = 100
"""fastText itself takes n-grams of 3 to 6 letters."""
REFUSED_BY_GENSIM = (
    OSError,
    ValueError,
    ArithmeticError,
    AssertionError,
    LookupError,
    RuntimeError,
    TypeError,
    struct.error,
)


class FastText(Format):
    """A fastText model; words outside its vocabulary are composed from their n-grams."""

    name = "fasttext-bin"
    suffixes = (".bin",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """The file begins with fastText's magic number."""
        return head.startswith(MAGIC)

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read all vectors; with `options.words`, also compose those outside the vocabulary."""
        try:
            from gensim.models.fasttext import load_facebook_vectors
        except ImportError as error:
            raise MissingExtraError("Reading fastText .bin files", "gensim") from error
        words = _read_words(path)
        _, notes = decode_keys(path, words, options)
        try:
            with np.errstate(all="ignore"):
                model = load_facebook_vectors(str(path))
        except REFUSED_BY_GENSIM as error:
            raise FileFormatError(
                f"{path.name} is not a fastText model that gensim can read ({error}); use its .vec "
                "file instead."
            ) from error
        known = checked_content(path, model.index_to_key, model.vectors, options, notes)
        if len(model.vectors_ngrams) == 0:
            return known
        subwords = Subwords(model.vectors_ngrams, model.min_n, model.max_n)
        return add_unseen(path, known, subwords, options)


def _read_words(path: Path) -> list[bytes]:
    """Return the words as bytes, having compared every announced size with the file's."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _walk_file(data)
    except (ValueError, OverflowError, struct.error) as error:
        raise FileFormatError(
            f"{path.name} is not a whole fastText .bin file ({error}); copy or download it again, "
            "or use its .vec file."
        ) from error


def _walk_file(data: mmap.mmap) -> list[bytes]:
    _, version, dimensions, *settings, _ = HEADER.unpack_from(data)
    buckets, shortest, longest = settings[7:10]
    entries, in_vocabulary, labels, _, pruned = DICTIONARY.unpack_from(data, HEADER.size)
    if version != VERSION:
        raise ValueError(f"version {version}, where {VERSION} is known")
    if labels > 0:
        raise ValueError("it is a classifier of texts, trained with labels")
    if min(dimensions, entries, in_vocabulary) <= 0 or buckets < 0 or entries != in_vocabulary:
        raise ValueError(f"{entries} words of {dimensions} dimensions and {buckets} buckets")
    if shortest < 0 or longest > LONGEST_NGRAM:
        raise ValueError(
            f"n-grams of {shortest} to {longest} letters, where {LONGEST_NGRAM} is much"
        )
    if entries * AFTER_WORD + (entries + buckets) * dimensions * FLOAT > len(data):
        raise ValueError(f"{len(data)} bytes are too few for {entries} words, {buckets} buckets")
    place = HEADER.size + DICTIONARY.size
    words = []
    for _ in range(entries):
        end = data.find(b"\0", place)
        if end < 0:
            raise ValueError("the dictionary is cut short")
        words.append(data[place:end])
        place = end + AFTER_WORD
    place += max(pruned, 0) * PRUNED_PAIR
    quantised, rows, columns = MATRIX.unpack_from(data, place)
    if quantised:
        raise ValueError("it is quantised (.ftz)")
    if (rows, columns) != (entries + buckets, dimensions):
        raise ValueError(f"a matrix of {rows} x {columns} for {entries} words, {buckets} buckets")
    if place + MATRIX.size + rows * columns * FLOAT > len(data):
        raise ValueError(f"a matrix of {rows} x {columns} is cut short")
    ngrams = sum(len(word) + 2 for word in words) * max(0, longest - shortest + 1)
    if buckets and ngrams > max_rows(len(data)):
        raise ValueError(f"its words have {ngrams:,} n-grams, more than it has bytes")
    return words


@dataclass(frozen=True)
class Subwords:
    """The rows of all buckets, and the shortest and longest n-gram that were hashed into them."""

    buckets: Vectors
    shortest: int
    longest: int

    def vector(self, word: str, own_row: Vectors | None = None) -> Vectors | None:
        """Return the vector of a word, or None where it has neither a row nor an n-gram."""
        hashes = [
            hashed % len(self.buckets) for hashed in ngram_hashes(word, self.shortest, self.longest)
        ]
        parts = self.buckets[hashes]
        if own_row is not None:
            parts = np.vstack([own_row[np.newaxis], parts])
        if len(parts) == 0:
            return None
        # Infinity and NaN are refused with their key once the matrix is complete.
        with np.errstate(all="ignore"):
            return np.asarray(parts.mean(axis=0))


def compose_vectors(known: FileContent, subwords: Subwords) -> FileContent:
    """Return the words' vectors: the mean of their own rows and their n-grams."""
    vectors = np.empty(known.vectors.shape, dtype=known.vectors.dtype)
    for place, (key, row) in enumerate(zip(known.keys, known.vectors, strict=True)):
        vectors[place] = subwords.vector(key, row)
    return replace(known, vectors=vectors)


def add_unseen(
    path: Path, known: FileContent, subwords: Subwords, options: ReadOptions
) -> FileContent:
    """Add words outside the vocabulary that the caller named, composed from their n-grams."""
    further = options.unseen(known) if options.unseen else ()
    unseen = sorted({*(options.words or ()), *further}.difference(known.keys))
    composed = {word: vector for word in unseen if (vector := subwords.vector(word)) is not None}
    if composed:
        known = replace(
            known,
            keys=[*known.keys, *composed],
            vectors=np.vstack([known.vectors, *composed.values()]),
            notes=known.notes
            | {"from_subwords": len(composed)}
            | ({"composed": [*composed]} if options.unseen else {}),
        )
    refuse_non_finite(path, known.keys, known.vectors)
    return known


FNV_OFFSET = 2166136261
FNV_PRIME = 16777619
UINT32 = 0xFFFFFFFF


def ngram_hashes(word: str, shortest: int, longest: int) -> Iterator[int]:
    """Yield the 32-bit FNV-1a hash of each n-gram of `<word>`.

    The reference implementation reads bytes as signed numbers, which changes the hash of every
    letter outside ASCII; lone brackets are no n-grams.
    """
    characters = [character.encode("utf-8", "surrogatepass") for character in f"<{word}>"]
    for start in range(len(characters)):
        hashed = FNV_OFFSET
        for length, character in enumerate(characters[start : start + longest], start=1):
            for byte in character:
                signed = byte if byte < 128 else byte | 0xFFFFFF00
                hashed = ((hashed ^ signed) * FNV_PRIME) & UINT32
            lone_bracket = length == 1 and start in (0, len(characters) - 1)
            if length >= shortest and not lone_bracket:
                yield hashed
