"""Looking up the words of a test in an embedding."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup
from fairvec.geometry import FloatArray
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.suite import Suite, Test
from fairvec.lexicon.words import Word


def resolve(test: Test, embedding: Embedding, lookup: Lookup | None = None) -> Groups:
    """Return the test's lists as found in the embedding.

    Give the same `lookup` (of the embedding's keys and the test's language) to a run of many
    tests, so that the keys are indexed once. The vector of an entry of several words that is no
    key itself is the arithmetic mean of its parts' vectors; a mean of points of the ball lies in
    the ball. In a paired test a pair counts only as a whole, so row i of a belongs to row i of b.
    """
    lookup = lookup or Lookup(embedding.positions, test.language)
    tallies = {role: _Tally() for role in test.sets}
    for unit in _units(test):
        sought = {role: _seek(word, embedding, lookup) for role, word in unit.items()}
        lost = next((hit.word.word for hit in sought.values() if isinstance(hit, Missing)), None)
        again = any(
            isinstance(hit, _Hit) and hit.found.key in tallies[role].hits
            for role, hit in sought.items()
        )
        for role, hit in sought.items():
            if isinstance(hit, Missing):
                tallies[role].missing.append(hit)
            elif lost is not None:
                reason = f"its partner {lost} is missing"
                tallies[role].missing.append(Missing(hit.found.word, reason))
            elif again:
                tallies[role].merged.append(hit.found)
            else:
                tallies[role].hits[hit.found.key] = hit
    groups = {role: _group(test, role, tally, embedding) for role, tally in tallies.items()}
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


@dataclass
class _Tally:
    """What has become of the words of one list so far."""

    hits: dict[str, _Hit] = field(default_factory=dict)
    merged: list[Found] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)


def _units(test: Test) -> Iterator[dict[str, Word]]:
    """Give the words that count or fall together: each word alone, or the two of a pair."""
    pairs = ("a", "b") if test.paired else ()
    for role, wordset in test.sets.items():
        if role not in pairs:
            yield from ({role: word} for word in wordset.words)
    for words in zip(*(test.sets[role].words for role in pairs), strict=True):
        yield dict(zip(pairs, words, strict=True))


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


def _group(test: Test, role: str, tally: _Tally, embedding: Embedding) -> Group:
    vectors = [hit.vector for hit in tally.hits.values()]
    return Group(
        role=role,
        wordset=test.sets[role],
        found=tuple(hit.found for hit in tally.hits.values()),
        missing=tuple(tally.missing),
        merged=tuple(tally.merged),
        vectors=np.reshape(vectors, (len(vectors), embedding.dimensions)).astype(np.float64),
    )
