"""Analogy questions among random points, and the textbook's answers to them."""

import numpy as np

from fairvec.benchmarks import AnalogyQuestion, AnalogySet, Section
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry
from fairvec.geometry.nearest import IntArray


def embedding(
    space: Geometry, words: int = 60, *, seed: int = 0, dtype: str = "float64"
) -> Embedding:
    """Random points, the words w0, w1 ... of which lie at all distances from the origin."""
    generator = np.random.default_rng(seed)
    vectors: FloatArray = generator.normal(size=(words, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors *= generator.uniform(0.2, 0.9, size=(words, 1)) / np.sqrt(space.curvature or 0.1)
    return Embedding([f"w{n}" for n in range(words)], vectors.astype(dtype), space, "random")


def rows(words: int, count: int = 40, *, seed: int = 0) -> IntArray:
    """Rows a, b and c of questions, no two alike in one."""
    generator = np.random.default_rng(seed)
    return np.stack([generator.choice(words, 3, replace=False) for _ in range(count)])


def benchmark(*sections: tuple[str, list[str]]) -> AnalogySet:
    """A set of analogies: (kind, questions as text) a section."""
    made = (
        Section(f"section {number}", kind, tuple(AnalogyQuestion(*text.split()) for text in texts))  # type: ignore[arg-type]
        for number, (kind, texts) in enumerate(sections)
    )
    return AnalogySet("toy", "Toy analogies", "en", "Toy (2026)", "None needed.", tuple(made))


def cosine(x: FloatArray, y: FloatArray) -> float:
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def best(scores: list[float], barred: set[int]) -> int:
    """The first of the rows with the largest score."""
    return max((s, -row) for row, s in enumerate(scores) if row not in barred)[1] * -1
