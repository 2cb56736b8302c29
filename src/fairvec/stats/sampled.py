"""The sampled answer: the tails are counted among random splits."""

import numpy as np

from fairvec.errors import SettingError
from fairvec.stats.subset_sums import Question

NUMBERS_AT_A_TIME = 2**20


def count(question: Question, samples: int, seed: int) -> int:
    """Return how many of `samples` random subsets lie in the tails.

    Each draw shuffles all the scores and keeps the first ones, so a word is never drawn twice into
    one subset; the draws are the same however many are made at a time.
    """
    if samples < 1:
        raise SettingError(f"A sampled p-value needs at least one sample, not {samples}.")
    generator = np.random.default_rng(seed)
    block = max(1, NUMBERS_AT_A_TIME // len(question.scores))
    found = 0
    for start in range(0, samples, block):
        rows = np.tile(question.scores, (min(block, samples - start), 1))
        sums = generator.permuted(rows, axis=1)[:, : question.size].sum(axis=1)
        if question.above is not None:
            found += int((sums >= question.above).sum())
        if question.below is not None:
            found += int((sums <= question.below).sum())
    return found
