"""How often an interval over combinations holds the true share, and one over items.

    python -m scripts.combined_coverage

SemBias combines 20 pairs with 22, analogies the pairs of a section with one another. An item is
right with the chance logistic(m + a + b + c): a and b of the two things, c of the combination.
"""

from itertools import permutations, product

import numpy as np

from fairvec.core.numeric import FloatArray
from fairvec.stats import bootstrap_interval
from fairvec.stats.proportions import two_way_share_interval

CASES, RESAMPLES = 400, 400
SPREADS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 0.5))
MIDDLES = (0.0, 2.0)
"""Deviations of things and of combinations, and the logit of the middle item."""


def chances(
    names: list[tuple[str, str]], middle: float, spreads: tuple[float, float], seed: int
) -> FloatArray:
    """Draw the chance of each item."""
    draw = np.random.default_rng(seed)
    thing = {name: draw.normal() * spreads[0] for name in {n: None for two in names for n in two}}
    logits = [middle + thing[one] + thing[two] + draw.normal() * spreads[1] for one, two in names]
    found: FloatArray = 1 / (1 + np.exp(-np.array(logits)))
    return found


def true_share(middle: float, spreads: tuple[float, float]) -> float:
    """Return the mean chance over all things that there could be."""
    deviation = np.sqrt(2 * spreads[0] ** 2 + spreads[1] ** 2)
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    return float((weights / (1 + np.exp(-middle - deviation * points))).sum() / weights.sum())


def main() -> None:
    """Print a line a case."""
    semantics = [(f"d{i}", f"s{j}") for i, j in product(range(20), range(22))]
    questions = [(f"p{i}", f"p{j}") for i, j in permutations(range(20), 2)]
    print("items             share  things combined  over combinations  over items")
    for name, names in (("SemBias 20 x 22", semantics), ("analogies of 20", questions)):
        for middle, spreads in product(MIDDLES, SPREADS):
            target, covered = true_share(middle, spreads), [0, 0]
            for case in range(CASES):
                draw = np.random.default_rng((case, 1))
                right = (draw.random(len(names)) < chances(names, middle, spreads, case)).astype(
                    float
                )
                items = bootstrap_interval(
                    [right[:, None]], lambda rows: rows.mean(axis=(-2, -1)), resamples=RESAMPLES
                )
                for which, interval in enumerate((two_way_share_interval(right, names), items)):
                    covered[which] += interval is None or interval.contains(target)
            label = f"{spreads[0]:.1f}, {spreads[1]:.1f}"
            print(
                f"{name:16}  {target:.3f}  {label:15}  {covered[0] / CASES:17.1%}  "
                f"{covered[1] / CASES:10.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
