"""Looking up the words of a test in an embedding."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup
from fairvec.geometry import FloatArray
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.suite import Suite, Test
from fairvec.lexicon.words import Word, WordSet


def resolve(test: Test, embedding: Embedding, lookup: Lookup | None = None) -> Groups:
    """Return the test's lists as found in the embedding.

    Give the same `lookup` (of the embedding's keys and the test's language) to a run of many
    tests, so that the keys are indexed once. The vector of an entry of several words that is no
    key itself is the arithmetic mean of its parts' vectors; a mean of points of the ball lies in
    the ball.
    """
    lookup = lookup or Lookup(embedding.positions, test.language)
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
    lookups = {test.language: Lookup(embedding.positions, test.language) for test in chosen}
    found = [lookups[language].find(spellings, pos) for language, spellings, pos in entries]
    return sum(match is not None for match in found) / max(1, len(found))


@dataclass(frozen=True, eq=False)
class _Hit:
    found: Found
    vector: FloatArray


def _seek(word: Word, embedding: Embedding, lookup: Lookup) -> _Hit | Missing:
    match = lookup.find(word.spellings, word.pos)
    if match is None:
        return Missing(word, "not in the vocabulary")
    rows = embedding.rows(match.keys)
    vector: FloatArray = rows.mean(axis=0)
    # A part without a vector would leave the entry to the other part, under a false name.
    if not vector.any() or not rows.any(axis=1).all():
        return Missing(word, "its vector is zero")
    return _Hit(Found(word, match.key, match.how, match.parts), vector)


def _group(role: str, wordset: WordSet, embedding: Embedding, lookup: Lookup) -> Group:
    hits: dict[str, _Hit] = {}
    merged, missing = [], []
    for word in wordset.words:
        sought = _seek(word, embedding, lookup)
        if isinstance(sought, Missing):
            missing.append(sought)
        elif sought.found.key in hits:
            merged.append(sought.found)
        else:
            hits[sought.found.key] = sought
    vectors = [hit.vector for hit in hits.values()]
    return Group(
        role=role,
        wordset=wordset,
        found=tuple(hit.found for hit in hits.values()),
        missing=tuple(missing),
        merged=tuple(merged),
        vectors=np.reshape(vectors, (len(vectors), embedding.dimensions)).astype(np.float64),
    )
