"""How often a change of an effect is found where there is none, and where there is one.

A word's score is half the difference of the lists, its own part and an error of each run, of equal
variance: s_i = +-D/2 + u_i + e_i, D so large that the true d is the one asked for. After the change
D is another, or none; with an offset all words lose two standard deviations as well. Of an encoder
half of u and e is the word's and half that of each of its sentences; a score is the mean over them,
and d divides by the spread of all sentences, as SEAT does. Compared are the permutation of the
changes between the lists, which fairvec uses, and signs flipped word by word; `covers` is how often
the interval of the change holds the true one: docs/statistics.md.

python -m scripts.change_null [studies] [seed]
"""

import sys
from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from fairvec.core.format import is_significant
from fairvec.geometry import FloatArray
from fairvec.stats import ScoredLists, paired_test
from fairvec.stats.joint.joint_test import joint_difference_test

Draw = Callable[[np.random.Generator, int], FloatArray]


def normal(generator: np.random.Generator, words: int) -> FloatArray:
    """Draw standard normal errors."""
    return generator.normal(size=words)


def heavy(generator: np.random.Generator, words: int) -> FloatArray:
    """Draw errors with Student's t of three degrees of freedom, of variance 1."""
    return generator.standard_t(3, size=words) / sqrt(3)


class Case(NamedTuple):
    """One line of the table: true d before and after, and what is unlike the usual."""

    name: str
    before: float
    after: float
    sizes: tuple[int, int] = (8, 8)
    offset: float = 0.0
    noise: Draw = normal
    noise_after: float = 1.0
    tests: int = 1
    sentences: int = 1


CASES = (
    *(Case("no change", d, d) for d in (0.0, 0.9, 1.5)),
    *(Case("no change, 6 + 12 words", d, d, sizes=(6, 12)) for d in (0.0, 0.9)),
    Case("no change, heavy tails", 0.9, 0.9, noise=heavy),
    Case("no change, twice the error after", 0.0, 0.0, noise_after=2.0),
    Case("no change, an offset goes", 0.9, 0.9, offset=2.0),
    *(Case("no change, three tests", d, d, tests=3) for d in (0.0, 0.9)),
    *(Case("no change, six sentences a word", d, d, sentences=6) for d in (0.0, 0.9)),
    Case("gone", 1.5, 0.0),
    Case("gone, with an offset", 1.5, 0.0, offset=2.0),
    Case("gone, 6 + 12 words", 1.5, 0.0, sizes=(6, 12)),
    Case("gone, three tests", 0.9, 0.0, tests=3),
    Case("gone, six sentences a word", 1.5, 0.0, sentences=6),
    Case("smaller", 1.5, 0.9),
)


class Study(NamedTuple):
    """The changes of the words of each test, and the true change of d."""

    tests: list[ScoredLists]
    true: float


def draw(case: Case, generator: np.random.Generator) -> Study:
    """Draw the scores of one study; three tests share half of the words of a list each."""
    nx, ny = case.sizes
    share = nx * ny / (nx + ny) ** 2
    side = np.repeat([ny / (nx + ny), -nx / (nx + ny)], [nx, ny])
    own = generator.normal(size=(case.tests + 1, nx + ny)) * sqrt(0.5)
    # The share of a word and of its sentences in each deviation; a word vector has no sentences.
    of_word, of_sentence = (sqrt(0.5), sqrt(0.5)) if case.sentences > 1 else (1.0, 0.0)
    sentences = (nx + ny, case.sentences)
    own_of_sentences = sqrt(0.5) * generator.normal(size=sentences) if of_sentence else 0.0
    half = np.arange(nx + ny) % 2 == 0
    tests = []
    for test in range(case.tests):
        words = [
            f"{0 if shared and case.tests > 1 else test + 1} {place}"
            for place, shared in enumerate(half)
        ]
        parts = np.where(half & (case.tests > 1), own[0], own[test + 1])
        scores = []
        for d, error, offset in (
            (case.before, 1.0, case.offset),
            (case.after, case.noise_after, 0.0),
        ):
            spread = sqrt(0.5 + 0.5 * error**2)
            shift = spread * d / sqrt(1 - d**2 * share)
            varying = parts + error * sqrt(0.5) * case.noise(generator, nx + ny)
            found = np.tile(offset + shift * side + of_word * varying, (case.sentences, 1)).T
            if of_sentence:
                errors = error * sqrt(0.5) * generator.normal(size=sentences)
                found = found + of_sentence * (own_of_sentences + errors)
            scores.append(found.mean(axis=1) / found.std(ddof=1))
        changes = (scores[1] - scores[0]) / case.tests
        tests.append(ScoredLists(tuple(words[:nx]), tuple(words[nx:]), changes[:nx], changes[nx:]))
    return Study(tests, case.after - case.before)


def flip_signs(tests: list[ScoredLists], seed: int) -> float:
    """Return p of the signs of each word's share in the change, a word in all tests at once."""
    shares: dict[str, float] = {}
    for test in tests:
        for words, scores, sign in ((test.x, test.x_scores, 1), (test.y, test.y_scores, -1)):
            for word, score in zip(words, scores.tolist(), strict=True):
                shares[word] = shares.get(word, 0.0) + sign * score / len(words)
    return paired_test(
        np.zeros(len(shares)), np.array([*shares.values()]), samples=999, seed=seed
    ).value


class Rates(NamedTuple):
    """The shares of studies in which either test finds a change, and of intervals that hold it."""

    permuted: float
    flipped: float
    covers: float


def rates(case: Case, studies: int, seed: int) -> Rates:
    """Draw so many studies of a case, and return what was found in them."""
    generator = np.random.default_rng(seed)
    weights = np.full(case.tests, 1 / case.tests)
    found = np.zeros(3)
    for at in range(studies):
        study = draw(case, generator)
        tested = joint_difference_test(study.tests, weights, samples=999, seed=at)
        found += (
            is_significant(tested.p.value, 0.05),
            is_significant(flip_signs(study.tests, at), 0.05),
            tested.interval is None or tested.interval.contains(study.true),
        )
    return Rates(*(found / studies).tolist())


def main(studies: int, seed: int) -> None:
    """Print one line a case."""
    print(f"{studies} studies a line, standard error at 5 % {sqrt(0.05 * 0.95 / studies):.2%}")
    for case in CASES:
        permuted, signs, covers = rates(case, studies, seed)
        name = f"{case.name}, d {case.before} to {case.after}"
        print(
            f"{name}: permuted {permuted:.1%}, signs {signs:.1%}, covers {covers:.1%}", flush=True
        )


if __name__ == "__main__":
    main(*(int(each) for each in (sys.argv[1:] + ["2000", "0"][len(sys.argv) - 1 :])))
