"""How often CEAT finds bias where there is none: the figures of docs/metrics.md.

All words of all lists are drawn alike, and every context is its word plus noise, so that X and Y
differ by chance alone.

python -m scripts.ceat_null [studies]
"""

import sys

import numpy as np

from fairvec.core.format import is_significant
from fairvec.geometry import COSINE, Euclidean, FloatArray
from fairvec.metrics.bias.ceat import (
    CombinedEffect,
    context_similarities,
    sample_contexts,
    similarities_by_draw,
)
from fairvec.metrics.bias.weat import CALISKAN, leanings
from fairvec.stats import permutation_test

DIMENSIONS, CONTEXTS = 50, 30
CASES = (
    # words a list, length of a context's noise over that of a word, draws
    (8, 0.5, 1_000),
    (8, 1.0, 1_000),
    (15, 1.0, 1_000),
    (8, 2.0, 1_000),
    (8, 1.0, 10_000),
    (8, 2.0, 10_000),
)
LISTS = ("x", "y", "a", "b")
MORE = 5
"""Regrouping words takes so little time that so many times more studies are drawn for it."""


def study(generator: np.random.Generator, words: int, noise: float) -> dict[str, list[FloatArray]]:
    """Draw words and their contexts."""
    drawn = {}
    for role in LISTS:
        centres = generator.normal(size=(words, 1, DIMENSIONS))
        around = noise * generator.normal(size=(words, CONTEXTS, DIMENSIONS))
        drawn[role] = [*(centres + around)]
    return drawn


def as_published(lists: dict[str, list[FloatArray]], draws: int, seed: int) -> tuple[float, float]:
    """Return the published p, one-sided as the authors' program has it, and two-sided."""
    chosen = {
        role: sample_contexts(
            [f"{role}{at}" for at in range(len(own))], [*map(len, own)], role, draws, seed
        )
        for role, own in lists.items()
    }
    rows = similarities_by_draw(lists, chosen, COSINE, Euclidean())
    found = CombinedEffect(CALISKAN).combined(rows["x"], rows["y"])
    return float(found.p_above), float(found.p_either)


def by_words(lists: dict[str, list[FloatArray]]) -> float:
    """Return the exact p of regrouping words."""
    x, y = (
        leanings(
            context_similarities(
                lists[role], lists["a"], lists["b"], COSINE, Euclidean()
            ).by_word.means
        )
        for role in ("x", "y")
    )
    return permutation_test(x, y).value


def main(studies: int) -> None:
    """Print one line a case."""
    print(f"{studies} studies without bias each; share with p <= 0.05")
    print("words a list, noise, draws: published one-sided, two-sided; words regrouped")
    for words, noise, draws in CASES:
        generator = np.random.default_rng(0)
        alarms = np.zeros(2)
        for seed in range(studies):
            p = as_published(study(generator, words, noise), draws, seed)
            alarms += [is_significant(one, 0.05) for one in p]
        more = np.random.default_rng(1)
        by_word = [by_words(study(more, words, noise)) for _ in range(MORE * studies)]
        regrouped = np.mean([is_significant(one, 0.05) for one in by_word])
        shares = "  ".join(f"{share:.3f}" for share in (*alarms / studies, regrouped))
        print(f"{words:2}  {noise}  {draws:5}  {shares}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
