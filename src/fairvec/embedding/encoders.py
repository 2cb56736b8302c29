"""Sentences around a word, and the encoders that turn them into vectors."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Match
from fairvec.embedding.lookups import lookup_of
from fairvec.geometry import FloatArray


@dataclass(frozen=True, eq=False)
class Sentence:
    """A word in a sentence, and the vector that the word was found to have on its own.

    The vector comes along because a list may have reached it by a spelling variant, a tagged key
    or as a mean of parts, which the text does not tell.
    """

    before: str
    word: str
    after: str
    vector: FloatArray

    @property
    def text(self) -> str:
        """The sentence as it is written: all that a contextual encoder needs."""
        return self.before + self.word + self.after

    @property
    def surroundings(self) -> tuple[str, ...]:
        """The other words: what spaces separate, without the punctuation at both ends."""
        tokens = (*self.before.split(), *self.after.split())
        return tuple(word for token in tokens if (word := _bare(token)))


class Encoder(Protocol):
    """Anything that gives sentences vectors."""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        ...


@dataclass(frozen=True, eq=False)
class MeanOfWords:
    """Encodes a sentence as the mean of the vectors of its words in a static embedding.

    v(sentence) = (v(word) + sum of v(t) over the known other words t) / (1 + number of these)

    The other words are found by the rules of the look-up; unknown ones are left out. In the ball
    this is the arithmetic mean too: it stays inside, the ball being convex, but it is not the
    hyperbolic midpoint.

    May et al. (2019), doi:10.18653/v1/N19-1063, call it CBoW.
    """

    embedding: Embedding
    language: str = ""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        # A template's surroundings come back with every word that is put into it.
        others = cache(self._others)
        around = [others(one.surroundings) for one in sentences]
        return np.array(
            [
                (one.vector + rows.sum(axis=0)) / (1 + len(rows))
                for one, rows in zip(sentences, around, strict=True)
            ]
        )

    def unknown(self, sentences: Sequence[Sentence]) -> Counter[str]:
        """Count the other words that are left out because the embedding does not know them."""
        words = (word for sentence in sentences for word in sentence.surroundings)
        return Counter(word for word in words if self._find(word) is None)

    def _others(self, words: tuple[str, ...]) -> FloatArray:
        found = (self._find(word) for word in words)
        return self.embedding.rows([match.key for match in found if match])

    def _find(self, word: str) -> Match | None:
        return lookup_of(self.embedding, self.language).find([word])


def _bare(token: str) -> str:
    """Return a token without dandas, guillemets, full stops and the like at its ends."""
    marks = {letter for letter in token if unicodedata.category(letter).startswith("P")}
    return token.strip("".join(marks)) if marks else token
