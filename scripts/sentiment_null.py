"""How often two models are told apart where there is one: the figures of docs/tasks.md.

The same embedding is trained on in many passes. Two sets of passes that share none are compared as
two models would be: every difference is luck, so p should be at most .05 in 5 % of the pairs at the
most. Pairs are drawn from the same passes and so are not independent; their share has an error of
its own, which is that of the passes.

FAIRVEC_DATA=... python -m scripts.sentiment_null FOLDER [model] [passes] [folds]
"""

import sys
from pathlib import Path

import numpy as np

from fairvec import load
from fairvec.benchmarks import load_reviews
from fairvec.core.format import is_significant
from fairvec.geometry import FloatArray
from fairvec.stats import paired_test
from fairvec.stats.crossed import CrossedRatio, crossed_difference
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork, encode_reviews
from fairvec.tasks.sentiment.predictions import cross_validate
from fairvec.tasks.sentiment.task import classification_scores

PAIRS = 600
SIZES = (1, 2, 3, 5, 10)
SWAPS = 2_000
"""So many tell whether p is under .05 to half a point."""

MORE = 5
"""A regression takes so little time that so many times more passes are made of it."""


def shares(figure: CrossedRatio, size: int) -> float:
    """Return how often two sets of so many passes are called different."""
    generator = np.random.default_rng(size)
    found = 0
    for _ in range(PAIRS):
        drawn = generator.permutation(figure.above.shape[1])[: 2 * size]
        before, after = (
            CrossedRatio(figure.above[:, own], figure.below[:, own])
            for own in (drawn[:size], drawn[size:])
        )
        found += is_significant(crossed_difference(before, after).p, 0.05)
    return found / PAIRS


def shares_over_items(correct: FloatArray, size: int) -> float:
    """Return how often the exact paired test over reviews alone does so, of the accuracy."""
    generator = np.random.default_rng(size)
    found = 0
    for _ in range(PAIRS):
        drawn = generator.permutation(correct.shape[1])[: 2 * size]
        before, after = (
            correct[:, own].mean(axis=1) / len(correct) for own in (drawn[:size], drawn[size:])
        )
        found += is_significant(paired_test(before, after, samples=SWAPS).value, 0.05)
    return found / PAIRS


def main() -> None:
    """Print one line a network and figure."""
    folder, *rest = sys.argv[1:]
    model = rest[0] if rest else "glove-hi-small"
    passes, folds = int(rest[1]) if rest[1:] else 40, int(rest[2]) if rest[2:] else 2
    encoded = encode_reviews(load_reviews("iitp-movie-reviews"), load(model))
    sys.stdout.write(f"Share of p <= .05, with {', '.join(map(str, SIZES))} passes a side\n")
    for network, more in ((MeansNetwork(), MORE), (LstmNetwork(), 1)):
        seeds = range(passes * more)
        found = cross_validate(encoded, network, seeds, folds, folder=Path(folder))
        for part, figure in classification_scores(found).items():
            each = figure.by_pass
            row = " ".join(f"{shares(figure, size):6.1%}" for size in SIZES)
            sys.stdout.write(
                f"{network.name}, {part}: {row}; passes {each.min():.3f} to {each.max():.3f}\n"
            )
        row = " ".join(f"{shares_over_items(found.correct, size):6.1%}" for size in SIZES)
        sys.stdout.write(f"{network.name}, accuracy over reviews alone: {row}\n")


if __name__ == "__main__":
    main()
