"""Reviews whose sentiment a toy embedding knows, because it was put there."""

import numpy as np

from fairvec.benchmarks import Review, ReviewSet
from fairvec.embedding import Embedding, from_arrays
from fairvec.geometry import Poincare

GOOD, BAD = [f"good{n}" for n in range(12)], [f"bad{n}" for n in range(12)]
NEITHER = [f"word{n}" for n in range(30)]


def reviews(count: int = 60, *, seed: int = 0, split: bool = False, unknown: int = 0) -> ReviewSet:
    """Reviews of four neutral words and two that say what they are."""
    generator = np.random.default_rng(seed)
    made = []
    for at in range(count):
        good = at % 3 > 0
        own = [*generator.choice(NEITHER, 4), *generator.choice(GOOD if good else BAD, 2)]
        text = " ".join(generator.permutation([*own, *["zzz"] * unknown]))
        part = ("test" if at % 4 == 0 else "train") if split else ""
        made.append(Review(text, good, part))  # type: ignore[arg-type]
    return ReviewSet("toy", "Toy reviews", "en", "Toy (2026)", "None needed.", tuple(made))


def embedding(
    strength: float = 1.0, *, seed: int = 0, name: str = "toy", ball: bool = False
) -> Embedding:
    """Small random vectors; good words lie `strength` along the first axis, bad ones against it."""
    keys = [*GOOD, *BAD, *NEITHER]
    vectors = 0.1 * np.random.default_rng(seed).normal(size=(len(keys), 6))
    vectors[:, 0] += strength * np.repeat([1, -1, 0], [len(GOOD), len(BAD), len(NEITHER)])
    if ball:
        vectors = Poincare(1.0).exp0(vectors)
        return Embedding(keys, vectors, Poincare(1.0), name, languages=("en",))
    return from_arrays(keys, vectors, name=name, language="en")
