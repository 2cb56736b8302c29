"""Points of made-up methods, whose effects on every test are drawn at random."""

from statistics import fmean

import numpy as np

from fairvec.experiments.frontier.choice import Folds, TestFold
from fairvec.experiments.frontier.points import bias_left
from fairvec.results import Point
from tests.results.points import effect, point


def folds(*sizes: int) -> Folds:
    """So many folds, of so many tests each."""
    return Folds(
        "targets",
        tuple(TestFold(tuple(f"toy/{f}-{i}" for i in range(n))) for f, n in enumerate(sizes)),
    )


def points(of: Folds, *, removed: float, noise: float, seed: int, methods: int = 12) -> list[Point]:
    """Methods that take a share of every effect, and add noise that tests of a fold have in common.

    With nothing removed they do nothing to a test on average, and one to each by chance.
    """
    rng = np.random.default_rng(seed)
    before = {test: 1 + rng.normal(0, 0.2) for fold in of.each for test in fold.tests}
    found = []
    for method in range(methods):
        common = [rng.normal(0, noise) for _ in of.each]
        drawn = {
            t: common[f] + rng.normal(0, noise / 2)
            for f, one in enumerate(of.each)
            for t in one.tests
        }
        for strength in (0.25, 0.5, 0.75, 1.0):
            effects = []
            for test, was in before.items():
                now = was * (1 - removed * strength) + strength * drawn[test]
                kind = "reversed" if now < -0.8 else "reduced" if now < was else "increased"
                effects.append(effect(was, now, kind, test))
            found.append(
                point(
                    f"m{method}",
                    bias_left(effects),
                    0.99,
                    strength=strength,
                    effects=tuple(effects),
                    bias_before=fmean(abs(was) for was in before.values()),
                )
            )
    return found


def ids_of(of: Folds) -> list[str]:
    """The ids of all tests."""
    return [test for fold in of.each for test in fold.tests]
