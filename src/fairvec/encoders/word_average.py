"""The mean of word vectors as a sentence encoder; words or sentences as one thing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from fairvec.embedding import Embedding, Match, lookup_of
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
        # A template's surroundings come back with every word that is put into it.
        others, word = cache(self._others), cache(self._word)
        around = [others(one.surroundings) for one in sentences]
        return np.array(
            [
                (word(one.keys) + rows.sum(axis=0)) / (1 + len(rows))
                for one, rows in zip(sentences, around, strict=True)
            ]
        )

    def unknown(self, sentences: Sequence[Sentence]) -> Counter[str]:
        """Count the other words that are left out because the embedding does not know them."""
        words = (word for sentence in sentences for word in sentence.surroundings)
        return Counter(word for word in words if self._find(word) is None)

    def _word(self, keys: tuple[str, ...]) -> FloatArray:
        mean: FloatArray = (self.from_ or self.embedding).rows(keys).mean(axis=0)
        return mean

    def _others(self, words: tuple[str, ...]) -> FloatArray:
        found = (self._find(word) for word in words)
        return self.embedding.rows([match.key for match in found if match])

    def _find(self, word: str) -> Match | None:
        return lookup_of(self.embedding, self.language).find([word])


# Words or sentences: what can be measured.


Representation = Embedding | Encoder
"""What has points for words: a list of them, or what reads them."""


def sentence_encoder(source: Representation, language: str = "") -> SentenceEncoder:
    """Return what gives sentences vectors: an encoder itself, a word list by the mean of words."""
    return WordAverage(source, language) if isinstance(source, Embedding) else source
