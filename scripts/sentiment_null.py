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
from fairvec.benchmarks import reviews_of
from fairvec.geometry import FloatArray
from fairvec.ground.level import significant
from fairvec.stats import paired_test
from fairvec.stats.pairing.crossed import CrossedRatio, crossed_difference
from fairvec.tasks.sentiment.networks import LstmNetwork, MeansNetwork
from fairvec.tasks.sentiment.predictions import predictions

PAIRS = 2_000
SIZES = (1, 3, 5, 10)
SWAPS = 2_000
"""So many swaps tell whether p is under .05 to half a point."""


def shares(correct: FloatArray, size: int) -> tuple[float, float]:
    """Return how often both tests call two sets of passes different."""
    generator = np.random.default_rng(size)
    found = np.zeros(2)
    for _ in range(PAIRS):
        drawn = generator.permutation(correct.shape[1])[: 2 * size]
        before, after = correct[:, drawn[:size]], correct[:, drawn[size:]]
        tables = [CrossedRatio(each, np.ones_like(each)) for each in (before, after)]
        items = len(correct)
        naive = paired_test(before.mean(axis=1) / items, after.mean(axis=1) / items, samples=SWAPS)
        ps = crossed_difference(tables[0], tables[1]).p, naive.value
        found += [significant(p, 0.05) for p in ps]
    both, items_alone = found / PAIRS
    return float(both), float(items_alone)


def main() -> None:
    """Print one line a network and number of passes."""
    folder, *rest = sys.argv[1:]
    model = rest[0] if rest else "glove-hi-small"
    passes, folds = int(rest[1]) if rest[1:] else 40, int(rest[2]) if rest[2:] else 2
    embedding, reviews = load(model), reviews_of("iitp-movie-reviews")
    for network in (MeansNetwork(), LstmNetwork()):
        found = predictions(
            reviews, embedding, network, range(passes), folds, folder=Path(folder)
        ).correct
        of_passes = found.mean(axis=0)
        sys.stdout.write(
            f"{network.name}, {model}: accuracy {of_passes.mean():.3f}, deviation of a pass "
            f"{of_passes.std(ddof=1):.4f}, range {of_passes.min():.3f} to {of_passes.max():.3f}\n"
        )
        for size in SIZES:
            both, items = shares(found, size)
            sys.stdout.write(
                f"  {size} against {size} passes: p <= .05 in {both:.1%} over reviews and "
                f"trainings, {items:.1%} over reviews alone\n"
            )


if __name__ == "__main__":
    main()
