"""How often the interval of a pooled effect covers the true one: docs/categories.md.

Scores are normal numbers. Those of a word in two tests are correlated, because the attributes of
such tests are alike; every test has the same true d.

python -m scripts.category_coverage [studies]
"""

import sys
from math import sqrt

import numpy as np

from fairvec.core.format import is_significant
from fairvec.stats import ScoredLists, joint_test
from scripts.category_null import DRAWS, category

CATEGORIES = (("en", "gender"), ("en", "race"), ("hi", "religion"), ("ru", "gender"))
EFFECTS = (0.0, 0.5, 1.0, 1.5)
CORRELATIONS = (0.0, 0.7)
Lists = list[tuple[tuple[str, ...], tuple[str, ...]]]


def study(
    lists: Lists, effect: float, correlation: float, generator: np.random.Generator
) -> list[ScoredLists]:
    """Draw the scores of all tests, X so far from Y that d is the effect on average."""
    words = {word: generator.normal() for x, y in lists for word in (*x, *y)}
    tests = []
    for x, y in lists:
        common = np.array([words[word] for word in (*x, *y)])
        own = generator.normal(size=len(common))
        scores = sqrt(correlation) * common + sqrt(1 - correlation) * own
        share = len(x) * len(y) / (len(x) + len(y)) ** 2
        scores[: len(x)] += effect / sqrt(1 - effect**2 * share)
        tests.append(ScoredLists(x, y, scores[: len(x)], scores[len(x) :]))
    return tests


def covered(lists: Lists, effect: float, correlation: float, studies: int) -> tuple[float, float]:
    """Return how often the interval covers the effect, and how often it disagrees with p."""
    generator = np.random.default_rng(0)
    hits = disagreements = 0
    for seed in range(studies):
        tests = study(lists, effect, correlation, generator)
        found = joint_test(tests, samples=DRAWS, seed=seed)
        if found.interval is None:
            raise SystemExit("Every study of normal scores has an interval.")
        hits += found.interval.low <= effect <= found.interval.high
        zero_inside = found.interval.low <= 0 <= found.interval.high
        disagreements += zero_inside is is_significant(found.p.value, 0.05)
    return hits / studies, disagreements / studies


def main(studies: int) -> None:
    """Print one line for each category and correlation."""
    print(f"{studies} studies each; coverage of the 95 % interval at a true d of", *EFFECTS)
    for key in CATEGORIES:
        lists = [(test["x"], test["y"]) for test in category(*key).tests]
        for correlation in CORRELATIONS:
            found = [covered(lists, effect, correlation, studies) for effect in EFFECTS]
            disagreed = max(share for _, share in found)
            shares = "  ".join(f"{share:.3f}" for share, _ in found)
            print(
                *key,
                f"correlation {correlation}: {shares}  disagreement with p {disagreed:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
