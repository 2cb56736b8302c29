"""Word lists and vocabularies whose bias is known because it was put there."""

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import (
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
)
from fairvec.ground.settings import kinds_of
from fairvec.lexicon import parse_suite, resolve
from fairvec.metrics import Metric, Score
from fairvec.metrics.traits import Sees

SPACES: tuple[Geometry, ...] = (Euclidean(), Poincare(), ProductOfBalls(3))
"""A product is of several balls here: of one ball it is the ball again."""
COLUMNS = 6
OTHERS = 40
"""So many words are in no list."""
WORDS = {
    "x": ["office", "salary", "business", "career", "boss"],
    "y": ["home", "wedding", "family", "child", "kitchen"],
    "a": ["man", "boy", "brother", "father"],
    "b": ["woman", "girl", "sister", "mother"],
}
LEANINGS: dict[Sees, tuple[float, float]] = {
    "X to A, Y to B": (1, -1),
    "words to A": (1, 1),
    "words to A and B": (0, 0),
}
"""How X and Y lean to A where a metric sees it."""
Lists = dict[str, list[str]]


def suite_text(kind: str = "bias", words: Lists = WORDS) -> str:
    """Return a suite of one test, x and y against a and b, as TOML."""
    sets = "\n".join(
        f'[sets.{role}]\ntitle = "{role} words"\nwords = {entries!r}'
        for role, entries in words.items()
    )
    return f"""
id = "toy"
version = "1"
language = "en"
title = "Toy"
source = "Toy (2026)"
licence = "None needed."
{sets}
[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "{kind}"
x = "x"
y = "y"
a = "a"
b = "b"
"""


def planted(metric: Metric, space: Geometry, seed: int, *, sign: int = 1) -> Embedding:
    """Return a vocabulary in which words are alike but lean as the metric says that it sees.

    With `sign` -1 they lean the other way.
    """
    rng = np.random.default_rng(seed)
    x, y = (sign * each for each in LEANINGS[metric.traits.sees])
    lean = {"x": x, "y": y, "a": 1.0, "b": -1.0}
    leanings = [lean[role] for role, words in WORDS.items() for _ in words]
    leanings += [*rng.choice([-1.0, 1.0], size=OTHERS)]
    keys = [word for words in WORDS.values() for word in words]
    keys += [f"w{number}" for number in range(OTHERS)]
    vectors: FloatArray = rng.normal(size=(len(keys), COLUMNS)) * 0.08
    vectors[:, 0] += 0.3 * np.array(leanings)
    vectors[:, COLUMNS - 1] += 0.3
    return Embedding(keys, vectors, space, "planted")


def measured(metric: Metric, embedding: Embedding, lists: Lists = WORDS) -> Score:
    """Return the score of a metric on the test, with other lists on request."""
    suite = parse_suite(suite_text(words=lists) + "paired = true\n")
    return metric.measure(resolve(suite.tests[0], embedding), embedding.geometry)


def ways_of(metric: Metric) -> Iterator[Metric]:
    """Give a metric with every similarity and every answer that it can have."""
    has = kinds_of(type(metric))
    for answer in get_args(has["answer"]) if "answer" in has else ():
        yield replace(metric, answer=answer)  # type: ignore[type-var]
    for similarity in SIMILARITIES if "similarity" in has else ():
        yield replace(metric, similarity=similarity)  # type: ignore[type-var]
    if "similarity" not in has:
        yield metric


def spaces_of(metric: Metric) -> tuple[Geometry, ...]:
    """Return the spaces in which a metric must have an answer."""
    return SPACES[:1] if metric.traits.flat_only else SPACES
