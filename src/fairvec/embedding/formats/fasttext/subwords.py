"""fastText's subwords: a word's vector is the mean of its own row and those of its n-grams.

Each n-gram of characters of `<word>` is hashed into one of a fixed number of buckets, so that a
word never seen in training still has a vector. Reference: Bojanowski et al. 2017,
"Enriching Word Vectors with Subword Information", section 3.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairvec.embedding.formats.checks import refuse_non_finite
from fairvec.embedding.formats.reading import Raw, ReadOptions, Vectors

FNV_OFFSET = 2166136261
FNV_PRIME = 16777619
UINT32 = 0xFFFFFFFF


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
        # Infinity and NaN are refused by name once the matrix is whole.
        with np.errstate(all="ignore"):
            return np.asarray(parts.mean(axis=0))


def composed(known: Raw, subwords: Subwords) -> Raw:
    """Turn the words' own rows into their finished vectors."""
    vectors = np.empty(known.vectors.shape, dtype=known.vectors.dtype)
    for place, (key, row) in enumerate(zip(known.keys, known.vectors, strict=True)):
        vectors[place] = subwords.vector(key, row)
    return replace(known, vectors=vectors)


def with_unseen(path: Path, known: Raw, subwords: Subwords, options: ReadOptions) -> Raw:
    """Add the wanted words that are not in the vocabulary, built from their n-grams alone."""
    besides = options.unseen(known) if options.unseen else ()
    unseen = sorted({*(options.words or ()), *besides}.difference(known.keys))
    built = {word: vector for word in unseen if (vector := subwords.vector(word)) is not None}
    if built:
        known = replace(
            known,
            keys=[*known.keys, *built],
            vectors=np.vstack([known.vectors, *built.values()]),
            notes=known.notes
            | {"from_subwords": len(built)}
            | ({"composed": [*built]} if options.unseen else {}),
        )
    refuse_non_finite(path, known.keys, known.vectors)
    return known


def ngram_hashes(word: str, shortest: int, longest: int) -> Iterator[int]:
    """Yield the 32-bit FNV-1a hash of each n-gram of `<word>`.

    The reference implementation reads bytes as signed numbers, which changes the hash of every
    letter outside ASCII; lone brackets are no n-grams.
    """
    letters = [letter.encode("utf-8", "surrogatepass") for letter in f"<{word}>"]
    for start in range(len(letters)):
        hashed = FNV_OFFSET
        for length, letter in enumerate(letters[start : start + longest], start=1):
            for byte in letter:
                signed = byte if byte < 128 else byte | 0xFFFFFF00
                hashed = ((hashed ^ signed) * FNV_PRIME) & UINT32
            lone_bracket = length == 1 and start in (0, len(letters) - 1)
            if length >= shortest and not lone_bracket:
                yield hashed
