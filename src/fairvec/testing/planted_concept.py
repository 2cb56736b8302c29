"""A concept, and vocabularies in which its direction is known because it was put there."""

from collections.abc import Sequence

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.lexicon import Concept, parse_concepts

Pairs = Sequence[tuple[str, str]]
PAIRS = [("man", "woman"), ("boy", "girl"), ("he", "she"), ("son", "daughter"), ("king", "queen")]
EQUALISE = [("uncle", "aunt"), ("man", "woman"), ("nephew", "nowhere")]
SPECIFIC = ["beard", "bride", "absent"]
VERBS = [("goes-m", "goes-f"), ("sees-m", "sees-f"), ("eats-m", "eats-f")]
THINGS = ["table", "chair", "lamp", "door", "roof"]
COLUMNS = 10
NEUTRAL = [f"neutral{number}" for number in range(150)]


def concept_text(pairs: Pairs, *, language: str = "en", said: str = "") -> str:
    """Return the concept of gender that these pairs define as TOML; tables may be added to it.

    `said` are further keys of the concept itself.
    """
    return f"""
version = "1"
language = "{language}"
[concepts.gender]
title = "Gender"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
{said}
[concepts.gender.variants.pairs]
pairs = {[list(pair) for pair in pairs]}
"""


SAID = f"""
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
TEXT = concept_text(PAIRS, said=SAID) + TABLES


def planted_concept(variant: str = "pairs") -> Concept:
    """Return the concept in one of its variants."""
    (found,) = parse_concepts(TEXT)
    return found.choosing(variant)


def planted_embedding(
    space: Geometry | None = None, *, seed: int = 0, dtype: str = "float64", columns: int = COLUMNS
) -> Embedding:
    """Return random vectors: axis 0 is the concept's, axis 1 that of verbs; they lean together."""
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
