"""How often the interval of an effect covers the true one: the figures of docs/statistics.md.

python -m scripts.coverage [studies]
"""

import sys
from collections.abc import Callable
from math import sqrt

import numpy as np

from fairvec.core.format import is_significant
from fairvec.experiments.audit.inference import infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.metrics import Score, TwoSamples, effect_size
from fairvec.metrics.bias.weat import leanings

SIZES = ((5, 5), (8, 8), (15, 15), (6, 12), (32, 32))
EFFECTS = (0.0, 0.5, 1.0, 1.5)
Draw = Callable[[np.random.Generator, int], FloatArray]
SHAPES: dict[str, Draw] = {
    "normal": lambda generator, words: generator.normal(size=words),
    "skewed": lambda generator, words: generator.exponential(size=words) - 1,
}


def covered(nx: int, ny: int, effect: float, draw: Draw, studies: int) -> tuple[float, float]:
    """Return how often the interval covers the effect, and how often it disagrees with p."""
    generator = np.random.default_rng(0)
    share = nx * ny / (nx + ny) ** 2
    shift = effect / sqrt(1 - effect**2 * share)
    hits = disagreements = 0
    for _ in range(studies):
        x, y = draw(generator, nx) + shift, draw(generator, ny)
        of_x, of_y = (np.column_stack([each, np.zeros(len(each))]) for each in (x, y))
        samples = TwoSamples(of_x, of_y, leanings, effect_size("caliskan"))
        score = Score(float(samples.effect(of_x, of_y)), (), samples)
        inference = infer(score, Statistics())
        interval, p = inference.interval, inference.p_two_sided
        if interval is None or p is None:
            raise SystemExit("Every study of normal scores has an interval.")
        hits += interval.low <= effect <= interval.high
        rejected = is_significant(p.value, 0.05)
        disagreements += (interval.low <= 0 <= interval.high) is rejected
    return hits / studies, disagreements / studies


def main(studies: int) -> None:
    """Print one line for each shape of scores and size of lists."""
    print(f"{studies} studies each; coverage of the 95 % interval at a true d of", *EFFECTS)
    for name, draw in SHAPES.items():
        for nx, ny in SIZES:
            found = [covered(nx, ny, effect, draw, studies) for effect in EFFECTS]
            disagreed = max(share for _, share in found)
            shares = "  ".join(f"{share:.3f}" for share, _ in found)
            print(f"{name:7} {nx:2} + {ny:2}  {shares}  disagreement with p {disagreed:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
