"""The change of several tests' pooled effect, word by word."""

import numpy as np

from fairvec.evaluation.categories.poolable import Poolable
from fairvec.evaluation.changes.paired_words import LEVEL, allowed, paired
from fairvec.geometry import FloatArray
from fairvec.results import Interval, PairedP

PairedTests = tuple[tuple[Poolable, Poolable], ...]
"""The same tests before and after a change."""

SharesOfWords = tuple[FloatArray, FloatArray, FloatArray]


def pooled_change(
    tests: PairedTests, weights: FloatArray, *, seed: int, level: float = LEVEL
) -> tuple[PairedP, Interval | None] | None:
    """Test the change of a pooled effect; None where a test shares no words before and after.

    Before and after are swapped word by word, a word in all of its tests at once. The interval
    holds the changes that this test allows.
    """
    shares = shares_of_words(tests, weights)
    if shares is None:
        return None
    p = paired(shares[0], shares[1], seed=seed)
    return p, allowed(*shares, p, level=level)


def shares_of_words(tests: PairedTests, weights: FloatArray) -> SharesOfWords | None:
    """Return each word's share in the pooled effect before and after, and in a common change.

    A word's share is the sum over its tests of weight times score over spread and list length,
    positive in X and negative in Y; None where a list of a test has no word in both runs. The
    shares add up to the effects over the words of both runs.
    """
    shares: dict[str, FloatArray] = {}
    for (before, after), weight in zip(tests, weights, strict=True):
        was, is_now = (_standardised(one) for one in (before, after))
        keys = {(word.role, word.word): word.key for word in after.result.words}
        for role, sign in (("x", 1), ("y", -1)):
            both = [word for word in keys if word[0] == role and word in was and word in is_now]
            if not both:
                return None
            for word in both:
                own = np.array([sign * was[word], sign * is_now[word], 0.5]) / len(both)
                shares[keys[word]] = shares.get(keys[word], np.zeros(3)) + weight * own
    table = np.array([*shares.values()])
    return table[:, 0], table[:, 1], table[:, 2]


def _standardised(test: Poolable) -> dict[tuple[str, str], float]:
    """Return the scores of a test's words in units of their own spread, as d has them."""
    scores = np.concatenate([test.lists.x_scores, test.lists.y_scores])
    spread = float(scores.std(ddof=1))
    return {(word.role, word.word): word.score / spread for word in test.result.words}
