"""A toy suite and embeddings whose bias is known because it was put there."""

from math import inf

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.lexicon import Suite, parse_suite
from fairvec.stats import Interval
from fairvec.stats.permutation.inversion import Limits
from fairvec.testing.planted import WORDS as WORDS
from fairvec.testing.planted import suite_text as suite_text


def suite(kind: str = "bias", words: dict[str, list[str]] = WORDS) -> Suite:
    """The toy suite: x and y against a and b."""
    return parse_suite(suite_text(kind, words))


def embedding(
    bias: float = 0.0, *, seed: int = 0, space: Geometry | None = None, name: str = "toy"
) -> Embedding:
    """Random vectors in which x leans to a and y to b by `bias` along the first axis."""
    keys = [word for entries in WORDS.values() for word in entries]
    vectors: FloatArray = np.random.default_rng(seed).normal(size=(len(keys), 6)) * 0.1
    lean = {"x": bias, "y": -bias, "a": 1.0, "b": -1.0}
    vectors[:, 0] += [0.3 * lean[role] for role, entries in WORDS.items() for _ in entries]
    return Embedding(keys, vectors, space or Euclidean(), name)


def limits_of(interval: Interval | None) -> Limits:
    """The ends of an interval; infinite where there is none."""
    return Limits(interval.low, interval.high) if interval else Limits(-inf, inf)


def between(ends: tuple[float, float]) -> Interval:
    """An interval with these ends."""
    return Interval(low=ends[0], high=ends[1], level=0.95, kind="inverted", method="made up")
