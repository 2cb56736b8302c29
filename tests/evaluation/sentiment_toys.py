"""Embeddings that know the sentences, and classifiers whose lean is known because it was put in."""

from collections.abc import Callable, Sequence

import numpy as np

from fairvec.embedding import Embedding, lookup_of
from fairvec.geometry import Euclidean, FloatArray
from fairvec.languages.equity import EquityTable
from fairvec.languages.text import token_pattern

SIZE = 6
MOODS = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}


def knowing(
    table: EquityTable,
    *,
    group: float = 1.0,
    without: Sequence[str] = (),
    zero: Sequence[str] = (),
    seed: int = 0,
    name: str = "toy",
) -> Embedding:
    """Return random vectors of every word; the first axis is the mood, the second the group."""
    sentences = [each for one in table.sets for each in table.sentences(one)]
    texts = (text for each in sentences for text in (each.a, each.b))
    words = sorted({word.lower() for text in texts for word in token_pattern().findall(text)})
    keys = [word for word in words if word not in without]
    generator = np.random.default_rng(seed)
    vectors = dict(zip(words, generator.normal(size=(len(words), SIZE)) * 0.1, strict=True))
    for slot in table.words.values():
        for feeling, text in slot.items():
            for word in text.lower().split():
                vectors[word][0] += MOODS[feeling]
    for one in table.sets:
        for pair in one.pairs:
            for side, lean in ((0, group), (1, -group)):
                for word in pair.words(side):
                    vectors[word.lower()][1] += lean
    for word in zero:
        vectors[word][:] = 0
    return Embedding(keys, np.array([vectors[key] for key in keys]), Euclidean(), name)


def reader(
    embedding: Embedding, leans: Sequence[float], language: str = "en"
) -> Callable[[Sequence[str]], FloatArray]:
    """Return a classifier that reads the mean vector; training s leans to group a by `leans`[s]."""
    lookup = lookup_of(embedding, language)
    weights = np.zeros((embedding.dimensions, len(leans)))
    weights[0], weights[1] = 3, leans

    def mean(text: str) -> FloatArray:
        found = [lookup.find([token]) for token in token_pattern().findall(text)]
        rows = embedding.rows([match.key for match in found if match])
        average: FloatArray = rows.mean(axis=0) if len(rows) else np.zeros(embedding.dimensions)
        return average

    def predict(texts: Sequence[str]) -> FloatArray:
        chances: FloatArray = 1 / (
            1 + np.exp(-(np.array([mean(text) for text in texts]) @ weights))
        )
        return chances

    return predict
