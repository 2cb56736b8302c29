"""Looking up the words of a test in an embedding."""

from collections.abc import Iterable

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.suite import Suite, Test
from fairvec.lexicon.words import WordSet


def resolve(test: Test, embedding: Embedding, lookup: Lookup | None = None) -> Groups:
    """Return the test's lists as found in the embedding.

    Give the same `lookup` (of the embedding's keys and the test's language) to a run of many
    tests, so that the keys are indexed once.
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


def _group(role: str, wordset: WordSet, embedding: Embedding, lookup: Lookup) -> Group:
    found: dict[str, Found] = {}
    merged: list[Found] = []
    missing: list[Missing] = []
    for word in wordset.words:
        match = lookup.find(word.spellings, word.pos)
        if match is None:
            missing.append(Missing(word, "not in the vocabulary"))
        elif not np.any(embedding.rows([match.key])):
            missing.append(Missing(word, "its vector is zero"))
        elif match.key in found:
            merged.append(Found(word, match.key, match.how))
        else:
            found[match.key] = Found(word, match.key, match.how)
    return Group(
        role=role,
        wordset=wordset,
        found=tuple(found.values()),
        missing=tuple(missing),
        merged=tuple(merged),
        vectors=embedding.rows(list(found)),
    )
