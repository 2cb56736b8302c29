"""A toy suite and embeddings whose bias is known because it was put there."""

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.lexicon import Suite, parse_suite

WORDS = {
    "x": ["office", "salary", "business", "career", "boss"],
    "y": ["home", "wedding", "family", "child", "kitchen"],
    "a": ["man", "boy", "brother", "father"],
    "b": ["woman", "girl", "sister", "mother"],
}


def suite(kind: str = "bias", words: dict[str, list[str]] = WORDS) -> Suite:
    """The toy suite: x and y against a and b."""
    return parse_suite(suite_text(kind, words))


def suite_text(kind: str = "bias", words: dict[str, list[str]] = WORDS) -> str:
    """The toy suite as TOML."""
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


def embedding(
    bias: float = 0.0, *, seed: int = 0, space: Geometry | None = None, name: str = "toy"
) -> Embedding:
    """Random vectors in which x leans to a and y to b by `bias` along the first axis."""
    keys = [word for entries in WORDS.values() for word in entries]
    vectors: FloatArray = np.random.default_rng(seed).normal(size=(len(keys), 6)) * 0.1
    lean = {"x": bias, "y": -bias, "a": 1.0, "b": -1.0}
    vectors[:, 0] += [0.3 * lean[role] for role, entries in WORDS.items() for _ in entries]
    return Embedding(keys, vectors, space or Euclidean(), name)
