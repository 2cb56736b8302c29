"""A static embedding as a sentence encoder: the mean of the vectors of a sentence's words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from fairvec.embedding import Embedding, Match
from fairvec.encoders.base import SentenceEncoder
from fairvec.encoders.encoder import Encoder
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


@dataclass(frozen=True, eq=False)
class WordAverage:
    """Encodes a sentence as the mean of the vectors of its words in a static embedding.

    v(sentence) = (v(word) + sum of v(t) over the known other words t) / (1 + number of these)

    The word has the mean of the vectors of its keys, in another embedding if it comes `from_` that
    one: Malik et al. (2022) debias the word and not what stands around it. The other words are
    found by the rules of the look-up; unknown ones are left out. In the ball this is the arithmetic
    mean too: it stays inside, the ball being convex, but it is not the hyperbolic midpoint.

    May et al. (2019), doi:10.18653/v1/N19-1063, call it CBoW.
    """

    embedding: Embedding
    language: str = ""
    from_: Embedding | None = None

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        # The context of a template recurs with every word that fills it.
        context_vectors, word_vector = cache(self._context_vectors), cache(self._word_vector)
        contexts = [context_vectors(sentence.surroundings) for sentence in sentences]
        return np.array(
            [
                (word_vector(sentence.keys) + rows.sum(axis=0)) / (1 + len(rows))
                for sentence, rows in zip(sentences, contexts, strict=True)
            ]
        )

    def mean_of(self, text: str) -> FloatArray | None:
        """Return the mean of the known words of a text; None if there are none, or it is zero."""
        rows = self._context_vectors(Sentence.alone(text).words)
        mean: FloatArray = rows.mean(axis=0) if len(rows) else np.zeros(1)
        return mean if mean.any() else None

    def unknown(self, sentences: Sequence[Sentence]) -> Counter[str]:
        """Count the other words that are left out because the embedding does not know them."""
        words = (word for sentence in sentences for word in sentence.surroundings)
        return Counter(word for word in words if self._find(word) is None)

    def _word_vector(self, keys: tuple[str, ...]) -> FloatArray:
        mean: FloatArray = (self.from_ or self.embedding).rows(keys).mean(axis=0)
        return mean

    def _context_vectors(self, words: tuple[str, ...]) -> FloatArray:
        found = (self._find(word) for word in words)
        return self.embedding.rows([match.key for match in found if match])

    def _find(self, word: str) -> Match | None:
        return self.embedding.lookup(self.language).find([word])


Representation = Embedding | Encoder
"""Anything that can be measured: word vectors, or an encoder of sentences."""


def sentence_encoder(source: Representation, language: str = "") -> SentenceEncoder:
    """Return an encoder itself, or the WordAverage of an embedding."""
    return WordAverage(source, language) if isinstance(source, Embedding) else source
