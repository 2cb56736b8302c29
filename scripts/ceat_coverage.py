"""How often CEAT's interval covers the true effect: the figures of docs/statistics.md.

Words and contexts are drawn anew in every study; the words of A and B are taken as given, and the
true effect is the one that they would show if their contexts were without number. X and Y differ
along a direction of bias and along another one, which says nothing about A and B but through the
chance of their contexts.

python -m scripts.ceat_coverage [studies]
"""

import sys
from dataclasses import replace
from math import sqrt

import numpy as np

from fairvec.experiments.audit.inference import infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.geometry import COSINE, Euclidean, FloatArray
from fairvec.metrics import Score, TwoSamples
from fairvec.metrics.bias.ceat import attribute_standard_error, context_similarities
from fairvec.metrics.bias.weat import CALISKAN, leanings

DIMENSIONS, WORDS, MANY = 20, 8, 2_000
CASES = (
    # contexts a target, contexts an attribute, bias, other difference
    *((30, 30, bias, 1.0) for bias in (0.0, 1.0, 3.0)),
    *((30, 3, bias, 1.0) for bias in (0.0, 1.0, 3.0)),
    *((30, 3, bias, 4.0) for bias in (0.0, 1.0, 3.0)),
    *((3, 30, bias, 1.0) for bias in (0.0, 1.0, 3.0)),
)
BOTH = np.array([1.0, -1.0])


def contexts(generator: np.random.Generator, centres: FloatArray, count: int) -> FloatArray:
    """Give every word so many contexts: the word and noise as large."""
    found: FloatArray = centres[:, None] + generator.normal(size=(len(centres), count, DIMENSIONS))
    return found


def observed(generator: np.random.Generator, centres: FloatArray, count: int) -> FloatArray:
    """Return for each word the mean of its contexts at length one, all that cosines look at."""
    samples = contexts(generator, centres, count)
    means: FloatArray = (samples / np.linalg.norm(samples, axis=-1, keepdims=True)).mean(axis=1)
    return means


def words(generator: np.random.Generator, count: int, *along: float) -> FloatArray:
    """Draw words around a point."""
    samples = generator.normal(size=(count, DIMENSIONS))
    samples[:, : len(along)] += along
    return samples


def true_effect(all_x: FloatArray, all_y: FloatArray, direction: FloatArray) -> float:
    """Return d of all words, in lists of equal size."""
    x, y = all_x @ direction, all_y @ direction
    shift = float(x.mean() - y.mean())
    return shift / sqrt((x.var() + y.var()) / 2 + shift**2 / 4)


def covered(of_targets: int, of_attributes: int, bias: float, other: float, studies: int) -> str:
    """Say the mean true effect, and how often it is covered without and with the other error."""
    generator = np.random.default_rng(0)
    sides = {"x": (bias / 2, other / 2), "y": (-bias / 2, -other / 2)}
    every = {
        role: observed(generator, words(generator, MANY, *side), of_targets)
        for role, side in sides.items()
    }
    effects, hits = [], np.zeros(2)
    for _ in range(studies):
        attributes = {"a": words(generator, WORDS, 1.0), "b": words(generator, WORDS, -1.0)}
        a, b = (observed(generator, centres, MANY).mean(axis=0) for centres in attributes.values())
        truth = true_effect(every["x"], every["y"], a - b)
        read = {
            role: [*contexts(generator, words(generator, WORDS, *side), of_targets)]
            for role, side in sides.items()
        } | {role: [*contexts(generator, one, of_attributes)] for role, one in attributes.items()}
        x, y = (
            context_similarities(read[role], read["a"], read["b"], COSINE, Euclidean())
            for role in ("x", "y")
        )
        samples = TwoSamples(x.by_word.means, y.by_word.means, leanings, CALISKAN)
        error = attribute_standard_error(x, y)
        effects.append(truth)
        for at, known in enumerate((samples, replace(samples, error=error))):
            score = Score(float(samples.effect(samples.x, samples.y)), (), known)
            interval = infer(score, Statistics()).interval
            if interval is None:
                raise SystemExit("Every study has an interval.")
            hits[at] += interval.low <= truth <= interval.high
    without, with_it = hits / studies
    return f"{np.mean(effects):.2f}  {without:.3f}  {with_it:.3f}"


def main(studies: int) -> None:
    """Print one line a case."""
    print(f"{studies} studies each; {WORDS} words a list; coverage of the 95 % interval")
    print("contexts of targets, attributes; other difference: mean true d, without, with the error")
    for of_targets, of_attributes, bias, other in CASES:
        found = covered(of_targets, of_attributes, bias, other, studies)
        print(f"{of_targets:3} {of_attributes:3}  {other}:  {found}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
