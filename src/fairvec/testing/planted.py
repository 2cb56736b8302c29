"""Synthetic word lists, concepts and vocabularies with a planted bias."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isclose

import numpy as np

from fairvec.core.errors import BrokenLawError, brief
from fairvec.core.settings import setting_fields
from fairvec.embedding import Embedding
from fairvec.geometry import (
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
)
from fairvec.lexicon import Concept, parse_concepts, parse_suite, resolve
from fairvec.metrics import Metric, Score
from fairvec.metrics.base import Sees

SPACES: tuple[Geometry, ...] = (Euclidean(), Poincare(), ProductOfBalls(3))
"""The product has several balls: of one ball it would be the ball again."""
COLUMNS = 6
OTHERS = 40
"""Number of words that are in no list."""
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
"""How X and Y lean to A, by what a metric declares to see."""
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
    """Return a vocabulary with the bias that the metric declares to see.

    With `sign` -1 the bias has the other sign.
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
    vectors[:, COLUMNS - 1] += 0.15  # what all share: as much as the bias would hide it
    return Embedding(keys, vectors, space, "planted")


def measured(metric: Metric, embedding: Embedding, lists: Lists = WORDS) -> Score:
    """Return the score of a metric on the test of these lists."""
    suite = parse_suite(suite_text(words=lists) + "paired = true\n")
    return metric.measure(resolve(suite.tests[0], embedding), embedding.geometry)


def variants_of(metric: Metric) -> Iterator[Metric]:
    """Yield a metric with every similarity and every answer that it can have."""
    settings = {setting.name: setting for setting in setting_fields(type(metric))}
    for answer in settings["answer"].choices if "answer" in settings else ():
        yield replace(metric, answer=answer)  # type: ignore[type-var]
    for similarity in SIMILARITIES if "similarity" in settings else ():
        yield replace(metric, similarity=similarity)  # type: ignore[type-var]
    if "similarity" not in settings:
        yield metric


def spaces_of(metric: Metric) -> tuple[Geometry, ...]:
    """Return the spaces in which a metric must have an answer."""
    return SPACES[:1] if metric.traits.flat_only else SPACES


Pairs = Sequence[tuple[str, str]]
PAIRS = [("man", "woman"), ("boy", "girl"), ("he", "she"), ("son", "daughter"), ("king", "queen")]
EQUALISE = [("uncle", "aunt"), ("man", "woman"), ("nephew", "nowhere")]
SPECIFIC = ["beard", "bride", "absent"]
VERBS = [("goes-m", "goes-f"), ("sees-m", "sees-f"), ("eats-m", "eats-f")]
THINGS = ["table", "chair", "lamp", "door", "roof"]
CONCEPT_COLUMNS = 10
NEUTRAL = [f"neutral{number}" for number in range(150)]


def concept_text(pairs: Pairs, *, language: str = "en", keys: str = "") -> str:
    """Return the concept of gender that these pairs define as TOML; tables may be added to it.

    `keys` are further lines of the concept itself.
    """
    return f"""
version = "1"
language = "{language}"
[concepts.gender]
title = "Gender"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
{keys}
[concepts.gender.variants.pairs]
pairs = {[list(pair) for pair in pairs]}
"""


CONCEPT_KEYS = f"""
equalise = {[list(pair) for pair in EQUALISE]}
specific = {SPECIFIC}
"""
TABLES = f"""
[concepts.gender.variants.one-pair]
pairs = [["he", "she"]]
[concepts.gender.variants.list]
words = {[word for pair in PAIRS for word in pair]}
[concepts.gender.variants.half-known]
pairs = [["he", "she"], ["him", "her"], ["his", "hers"]]
[concepts.gender.keep.verbs]
pairs = {[list(pair) for pair in VERBS]}
[concepts.gender.keep.things]
words = {THINGS}
"""
TEXT = concept_text(PAIRS, keys=CONCEPT_KEYS) + TABLES


def planted_concept(variant: str = "pairs") -> Concept:
    """Return the concept in one of its variants."""
    (concept,) = parse_concepts(TEXT)
    return concept.choosing(variant)


def planted_embedding(
    space: Geometry | None = None,
    *,
    seed: int = 0,
    dtype: str = "float64",
    columns: int = CONCEPT_COLUMNS,
) -> Embedding:
    """Return random vectors: axis 0 is the concept's, axis 1 that of verbs; they correlate."""
    space = space or Euclidean()
    sides: dict[str, tuple[float, float]] = {}
    for male, female in [*PAIRS, *EQUALISE[:1], ("nephew", "niece")]:
        sides |= {male: (1.0, 0.2), female: (-1.0, -0.2)}
    for male, female in VERBS:
        sides |= {male: (0.3, 1.0), female: (-0.3, -1.0)}
    keys = [*sides, *SPECIFIC[:2], *THINGS, *NEUTRAL]
    noise = np.random.default_rng(seed)
    vectors: FloatArray = noise.normal(size=(len(keys), columns)) * 0.3
    vectors[: len(sides), :2] += [*sides.values()]
    vectors[len(sides) :, 0] += noise.normal(size=len(keys) - len(sides))
    if space.curvature:
        vectors *= 0.3 / np.sqrt(space.curvature)
    return Embedding(keys, vectors.astype(dtype), space, "toy")


RELATIVE, ABSOLUTE = 1e-5, 1e-8
"""Tolerance of values that should be equal: some metrics train a classifier."""


def require(holds: object, sentence: str) -> None:
    """Raise BrokenLawError with the sentence unless a law holds."""
    if not holds:
        raise BrokenLawError(sentence)


def close(value: float, other: float) -> bool:
    """Return whether two values are equal up to rounding."""
    return isclose(value, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


@contextmanager
def reporting_law(where: str) -> Iterator[None]:
    """Add where a law was broken; any other error counts as a broken law too."""
    try:
        yield
    except BrokenLawError as error:
        raise BrokenLawError(f"{where}: {error}") from error
    except Exception as error:  # foreign code may raise anything
        raise BrokenLawError(
            f"{where}: it fails with {brief(error)} where it must have an answer."
        ) from error
