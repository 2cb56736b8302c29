"""Looking up the words of a test in an embedding."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup, Match
from fairvec.embedding.lookups import lookup_of
from fairvec.geometry import FloatArray
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.suite_lists.suite import Suite, Test
from fairvec.lexicon.words import WordSet


def resolve(test: Test, embedding: Embedding, lookup: Lookup | None = None) -> Groups:
    """Return the test's lists as found in the embedding.

    They are looked up by the rules of the test's language, or by another `lookup` of the
    embedding's keys. The vector of an entry of several words that is no
    key itself is the arithmetic mean of its parts' vectors; a mean of points of the ball lies in
    the ball.
    """
    lookup = lookup or lookup_of(embedding, test.language)
    groups = {role: _group(role, wordset, embedding, lookup) for role, wordset in test.sets.items()}
    return Groups(test, groups, embedding)


def coverage(tests: Suite | Iterable[Test], embedding: Embedding) -> float:
    """Return the share of the distinct entries of a suite, or of some tests, that are found."""
    chosen = tests.tests if isinstance(tests, Suite) else tuple(tests)
    entries = {
        (test.language, word.spellings, word.pos)
        for test in chosen
        for wordset in test.sets.values()
        for word in wordset.words
    }
    found = [
        lookup_of(embedding, language).find(spellings, pos) for language, spellings, pos in entries
    ]
    return sum(match is not None for match in found) / max(1, len(found))


def _group(role: str, wordset: WordSet, embedding: Embedding, lookup: Lookup) -> Group:
    matches = [lookup.find(word.spellings, word.pos) for word in wordset.words]
    vectors: dict[str, FloatArray] = {}
    found: list[Found] = []
    merged: list[Found] = []
    missing: list[Missing] = []
    points = _vectors(matches, embedding)
    for word, match, vector in zip(wordset.words, matches, points, strict=True):
        if match is None or vector is None:
            reason = "its vector is zero" if match else "not in the vocabulary"
            missing.append(Missing(word, reason))
            continue
        reached = Found(match.key, match.how, match.parts, word=word)
        (merged if match.key in vectors else found).append(reached)
        vectors.setdefault(match.key, vector)
    return Group(
        role=role,
        wordset=wordset,
        found=tuple(found),
        missing=tuple(missing),
        merged=tuple(merged),
        vectors=np.reshape([*vectors.values()], (len(vectors), embedding.dimensions)),
    )


def _vectors(matches: Sequence[Match | None], embedding: Embedding) -> Iterator[FloatArray | None]:
    """Give the vector of each match; None if there is none, or none but zero."""
    # All at once: one row at a time is slow for thousands of words.
    rows = embedding.rows([key for match in matches if match for key in match.keys])
    there: list[bool] = np.any(rows, axis=1).tolist()
    start = 0
    for match in matches:
        end = start + (len(match.keys) if match else 0)
        # A part without a vector would leave the entry to the other part, under a false name.
        known = match is not None and all(there[start:end])
        vector: FloatArray | None = rows[start:end].mean(axis=0) if known else None
        yield vector if vector is not None and vector.any() else None
        start = end
