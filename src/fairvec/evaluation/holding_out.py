"""Fitting a method without the words that will judge it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fairvec.debias import Debiaser, Transform
from fairvec.embedding import Embedding
from fairvec.lexicon import Concept, Selected, Word, resolve


@dataclass(frozen=True, eq=False)
class HeldOut:
    """An embedding, a concept, and the tests whose words no method shall be fitted on."""

    embedding: Embedding
    concept: Concept
    tests: tuple[Selected, ...]

    @classmethod
    def of(cls, embedding: Embedding, concept: Concept, tests: tuple[Selected, ...]) -> "HeldOut":
        """Take the tested words out of the concept; raise LexiconError if nothing is left."""
        return cls(embedding, concept.without(tested_words(tests)), tests)

    def fit(self, method: Debiaser) -> Transform:
        """Fit a method on the concept; on a smaller vocabulary if it looks for words by itself.

        That is possible only where every word moves by one rule: a word that has a place of its own
        must be there when places are given.
        """
        transform = method.fit(self.embedding, self.concept)
        alike = not (transform.unmoved or transform.placed)
        if alike and self._keys & {*transform.fitted_on}:
            return method.fit(self._rest, self.concept)
        return transform

    @cached_property
    def _keys(self) -> frozenset[str]:
        groups = (resolve(each.test, self.embedding) for each in self.tests)
        lists = (group for each in groups for group in each.groups.values())
        return frozenset(key for one in lists for found in one.found for key in found.keys)

    @cached_property
    def _rest(self) -> Embedding:
        rows = [row for row, key in enumerate(self.embedding.keys) if key not in self._keys]
        counts = self.embedding.counts
        return replace(
            self.embedding,
            keys=[self.embedding.keys[row] for row in rows],
            vectors=self.embedding.vectors[rows],
            counts=None if counts is None else np.asarray(counts)[rows],
        )


def tested_words(tests: Sequence[Selected]) -> list[Word]:
    """Return every word of the tests."""
    lists = (wordset for each in tests for wordset in each.test.sets.values())
    return [word for wordset in lists for word in wordset.words]
