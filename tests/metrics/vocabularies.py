"""Embeddings with a vocabulary around the toy's words, for the measures that look at all of it."""

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.lexicon import Groups, resolve
from tests import toys


def crowd(
    bias: float, *, others: int = 40, seed: int = 0, space: Geometry | None = None
) -> Embedding:
    """The toy's words and others around them, all leaning to a or b by about `bias`."""
    generator = np.random.default_rng(seed)
    toy = toys.embedding(bias, seed=seed)
    around: FloatArray = generator.normal(size=(others, toy.dimensions)) * 0.1
    around[:, 0] += 0.3 * bias * generator.choice([-1, 1], size=others)
    keys = [*toy.keys, *(f"w{number}" for number in range(others))]
    return Embedding(keys, np.concatenate([toy.vectors, around]), space or Euclidean(), "crowd")


def placed(
    words: dict[str, list[tuple[float, ...]]], others: list[tuple[float, ...]] | None = None
) -> Groups:
    """The test whose words have these vectors, in an embedding that also holds the others."""
    names = {role: [f"{role}{n}" for n in range(len(rows))] for role, rows in words.items()}
    vectors = [row for rows in (*words.values(), others or []) for row in rows]
    keys = [key for some in names.values() for key in some]
    keys += [f"o{n}" for n in range(len(others or []))]
    embedding = Embedding(keys, np.array(vectors), Euclidean(), "placed")
    return resolve(toys.suite(words=names).tests[0], embedding)


def looked_up(embedding: Embedding) -> Groups:
    """The toy's test in an embedding that holds its words."""
    return resolve(toys.suite().tests[0], embedding)


def rows(embedding: Embedding) -> dict[str, FloatArray]:
    """The toy's vectors by role, and those of x and y together as `words`."""
    by_role = {role: embedding.rows(words) for role, words in toys.WORDS.items()}
    return {**by_role, "words": np.concatenate([by_role["x"], by_role["y"]])}


def units(vectors: FloatArray) -> FloatArray:
    return np.array([row / np.sqrt((row**2).sum()) for row in vectors])


def direction(embedding: Embedding) -> FloatArray:
    """The difference of the toy's mean attributes, straight from its definition."""
    a, b = (units(embedding.rows(toys.WORDS[role])).mean(axis=0) for role in "ab")
    return np.asarray((a - b) / np.sqrt(((a - b) ** 2).sum()))


def extremes(embedding: Embedding, each: int) -> list[str]:
    """The keys that lean most to a, the farthest first, then so for b; a and b left out."""
    attributes = {*toys.WORDS["a"], *toys.WORDS["b"]}
    keys = [key for key in embedding.keys if key not in attributes]
    leanings = units(embedding.rows(keys)) @ direction(embedding)
    order = [keys[row] for row in np.argsort(leanings)]
    return [*order[::-1][:each], *order[:each]]
