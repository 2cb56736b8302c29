"""Looking up the words of a test: which of them have a point, and which one."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fairvec.embedding import Embedding, Lookup, Match, lookup_of
from fairvec.encoders import Encoder, Representation, Sentence
from fairvec.geometry import FloatArray
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.suite_lists.suite import Suite, Test
from fairvec.lexicon.words import Word, WordSet


class _Reached(NamedTuple):
    """How a word was found and its point; without a point the reason why it has none."""

    match: Match | None
    vector: FloatArray | None
    reason: str = ""


def resolve(test: Test, source: Representation, lookup: Lookup | None = None) -> Groups:
    """Return the test's lists as found in an embedding or read by an encoder.

    In an embedding they are looked up by the rules of the test's language, or by another `lookup`
    of its keys. The vector of an entry of several words that is no key itself is the arithmetic
    mean of its parts' vectors; a mean of points of the ball lies in the ball. An encoder reads each
    word alone, as the list spells it; a word of which its tokenizer knows no piece is missing.
    """
    groups = {}
    for role, wordset in test.sets.items():
        if isinstance(source, Embedding):
            known = lookup or lookup_of(source, test.language)
            reached = _looked_up(wordset.words, source, known)
        else:
            reached = _read(wordset.words, source)
        groups[role] = _group(role, wordset, reached, source.dimensions)
    return Groups(test, groups, source)


def coverage(tests: Suite | Iterable[Test], source: Representation) -> float:
    """Return the share of the distinct entries of a suite, or of some tests, that are found."""
    chosen = tests.tests if isinstance(tests, Suite) else tuple(tests)
    entries = {
        (test.language, word.spellings, word.pos)
        for test in chosen
        for wordset in test.sets.values()
        for word in wordset.words
    }
    if isinstance(source, Embedding):
        found = [
            lookup_of(source, language).find(spellings, pos) is not None
            for language, spellings, pos in entries
        ]
    else:
        read = source.pieces([spellings[0] for _, spellings, _ in entries])
        found = [pieces.unknown < pieces.all for pieces in read]
    return sum(found) / max(1, len(found))


def _group(role: str, wordset: WordSet, reached: Iterable[_Reached], dimensions: int) -> Group:
    vectors: dict[str, FloatArray] = {}
    found: list[Found] = []
    merged: list[Found] = []
    missing: list[Missing] = []
    for word, (match, vector, reason) in zip(wordset.words, reached, strict=True):
        if match is None or vector is None:
            missing.append(Missing(word, reason))
            continue
        entry = Found(match.key, match.how, match.parts, word=word)
        (merged if match.key in vectors else found).append(entry)
        vectors.setdefault(match.key, vector)
    return Group(
        role=role,
        wordset=wordset,
        found=tuple(found),
        missing=tuple(missing),
        merged=tuple(merged),
        vectors=np.reshape([*vectors.values()], (len(vectors), dimensions)),
    )


def _looked_up(words: Sequence[Word], embedding: Embedding, lookup: Lookup) -> Iterator[_Reached]:
    """Give the match and vector of each word in an embedding."""
    matches = [lookup.find(word.spellings, word.pos) for word in words]
    # All at once: one row at a time is slow for thousands of words.
    rows = embedding.rows([key for match in matches if match for key in match.keys])
    there: list[bool] = np.any(rows, axis=1).tolist()
    start = 0
    for match in matches:
        if match is None:
            yield _Reached(None, None, "not in the vocabulary")
            continue
        end = start + len(match.keys)
        # A part without a vector would leave the entry to the other part, under a false name.
        mean: FloatArray = rows[start:end].mean(axis=0)
        known = all(there[start:end]) and mean.any()
        yield _Reached(match, mean if known else None, "its vector is zero")
        start = end


def _read(words: Sequence[Word], encoder: Encoder) -> Iterator[_Reached]:
    """Give the vector of each word as an encoder reads it alone."""
    pieces = encoder.pieces([word.word for word in words])
    known = [word for word, read in zip(words, pieces, strict=True) if read.unknown < read.all]
    rows = iter(encoder.encode([Sentence.alone(word.word) for word in known]))
    for word, read in zip(words, pieces, strict=True):
        if read.unknown >= read.all:
            yield _Reached(None, None, "the tokenizer knows no piece of it")
            continue
        how = f"{read.unknown} of {read.all} pieces unknown" if read.unknown else "exact"
        vector = next(rows)
        yield _Reached(
            Match(word.word, how), vector if vector.any() else None, "its vector is zero"
        )
