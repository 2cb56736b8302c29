"""The sampled answer: the tails are counted among random splits."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import IntArray
from fairvec.stats.regrouping.subset_sums import Question

NUMBERS_AT_A_TIME = 2**22


@dataclass(frozen=True, eq=False)
class Draws:
    """Random subsets: the sum of each, and how many of its scores stood in the first list."""

    sums: IntArray
    stayed: IntArray


def draws(scores: IntArray, size: int, samples: int, seed: int) -> Draws:
    """Draw subsets of `size` scores, of which the first `size` are the first list.

    No score is drawn twice into one subset. The same seed draws the same places whatever the
    scores are, and however many subsets are drawn at a time.
    """
    if samples < 1:
        raise SettingError(f"A sampled p-value needs at least one sample, not {samples}.")
    return _draws(scores.tobytes(), size, samples, seed, NUMBERS_AT_A_TIME)


# A p-value and its interval ask for the same draws, one after the other.
@lru_cache(maxsize=1)
def _draws(numbers: bytes, size: int, samples: int, seed: int, at_a_time: int) -> Draws:
    # Here, because it imports numba.
    from fairvec.stats.regrouping.sampled_kernel import draw_subsets

    scores = np.frombuffer(numbers, np.int64).copy()
    words = len(scores)
    fewer = min(size, words - size)
    generator = np.random.default_rng(seed)
    sums, stayed = np.empty(samples, np.int64), np.empty(samples, np.int64)
    order = np.arange(words)
    block = max(1, at_a_time // max(fewer, 1))
    for start in range(0, samples, block):
        some = slice(start, min(start + block, samples))
        random = generator.integers(2**32, size=(some.stop - start, fewer), dtype=np.uint32)
        draw_subsets(scores, size, random, order, sums[some], stayed[some])
    if fewer < size:  # the scores that are left out were drawn
        return Draws(int(scores.sum()) - sums, size - stayed)
    return Draws(sums, stayed)


def count(question: Question, samples: int, seed: int) -> int:
    """Return how many of `samples` random subsets lie in the tails."""
    sums = draws(question.scores, question.size, samples, seed).sums
    found = 0
    if question.above is not None:
        found += int((sums >= question.above).sum())
    if question.below is not None:
        found += int((sums <= question.below).sum())
    return found
