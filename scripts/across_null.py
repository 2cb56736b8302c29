"""How often two models are called different across geometries that are not, and that are.

A word leans by its own, u ~ N(+-d/2, 1), which both models read with an error of their own, e ~
N(0, error^2); the second passes it through an increasing function, as another similarity may. For
the power the leanings of X are `more` larger in the second model: docs/curvature.md.

python -m scripts.across_null [studies] [seed]
"""

import sys
from collections.abc import Callable
from math import sqrt

import numpy as np

from fairvec.experiments.comparison.across_geometries import UNITS
from fairvec.geometry import FloatArray
from fairvec.stats import permutation_test

SHAPES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "as it is": lambda leanings: leanings,
    "exp": np.exp,
    "cube": lambda leanings: leanings**3,
    "tanh": np.tanh,
}
ERROR = 0.5
PERMUTATIONS = 999
"""Permutations a p-value: with these, 5 % is a level that it can have."""


def rejected(
    rng: np.random.Generator,
    words: int,
    d: float,
    more: float,
    shape: Callable[[FloatArray], FloatArray],
) -> list[bool]:
    """Draw one study, and return which units call its two models different."""
    side = np.repeat([d / 2, -d / 2], words)
    leans = side + rng.normal(size=2 * words)
    grown = leans + np.repeat([more, 0.0], words)
    one, other = (each + ERROR * rng.normal(size=2 * words) for each in (leans, grown))
    found = []
    for unit in UNITS.values():
        changes = unit(shape(other)) - unit(one)
        seed = int(rng.integers(2**31))
        p = permutation_test(
            *np.split(changes, 2), method="sampled", samples=PERMUTATIONS, seed=seed
        ).value
        found.append(p <= 0.05)
    return found


def main(studies: int, seed: int) -> None:
    """Print the share of studies with p <= .05 by either unit."""
    rng = np.random.default_rng(seed)
    print(f"{studies} studies a cell, standard error at 5 % {sqrt(0.05 * 0.95 / studies):.2%}")
    for words in (8, 25):
        for d, more in ((0, 0), (1, 0), (2, 0), (0, 0.5), (0, 1), (0.5, 0.5)):
            cells = []
            for name, shape in SHAPES.items():
                found = np.mean(
                    [rejected(rng, words, d, more, shape) for _ in range(studies)], axis=0
                )
                cells.append(f"{name} {found[0]:.1%} / {found[1]:.1%}")
            print(f"{words}+{words} words, d {d}, more {more}: {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main(*(int(each) for each in (sys.argv[1:] + ["1000", "0"][len(sys.argv) - 1 :])))
