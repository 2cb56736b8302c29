"""Paired tests of a change: of an effect, or of a pooled effect, word by word, with its interval.

An effect is a sum of the shares of its words. Under the null hypothesis the two shares of a word,
before and after, might as well be swapped; the interval inverts that test.
"""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from fairvec.experiments.audit.categories import Poolable
from fairvec.geometry import FloatArray
from fairvec.results import Interval, Outcome, PairedP, Result, WordScore
from fairvec.stats import mean_difference_contributions, paired_interval, paired_test
from fairvec.stats.crossed import CrossedEstimate

LEVEL = 0.95

PAIR = "pair"
"""The role of a pair of persons, whose difference is one number, in place of X or Y."""


def paired_words(before: Outcome, after: Outcome) -> tuple[PairedP, Interval | None] | None:
    """Test the change of d over the words that both runs found; None if there are none.

    Each leaning is divided by the spread that its own run divides by, so that the shares of the
    words add up to d before and d after, and a change of the scale of all similarities is no change
    of d. A common change of d falls on all words, one half on X and one on Y; where the words are
    pairs of persons and the effect their mean, equally on all. Where training is random, the
    change is tested over trainings too.
    """
    if not (isinstance(before, Result) and isinstance(after, Result)):
        return None
    shares = _shares_of_runs(before, after)
    if shares is None:
        return None
    old, new, weights = shares
    if before.trainings or after.trainings:
        return _over_trainings(new - old, before, after)
    p = paired(old, new, seed=after.seed)
    return p, paired_limits(old, new, weights, p)


def same_leanings(before: Outcome, after: Outcome) -> bool:
    """Return whether the vectors are the same and every word has the same leaning.

    The leanings differ where the same vectors were measured by another similarity.
    """
    scores = [
        [(word.role, word.word, word.score) for word in outcome.words]
        for outcome in (before, after)
        if isinstance(outcome, Result)
    ]
    return before.model.sha256 == after.model.sha256 and scores[:1] == scores[1:]


def paired_over_words(before: Outcome, after: Outcome) -> PairedP | None:
    """Return the test that ignores the randomness of training; None where there is none."""
    if not (isinstance(before, Result) and isinstance(after, Result)):
        return None
    shares = _shares_of_runs(before, after) if before.trainings or after.trainings else None
    return paired(shares[0], shares[1], seed=after.seed) if shares else None


def _over_trainings(
    differences: FloatArray, before: Result, after: Result
) -> tuple[PairedP, Interval | None] | None:
    """Test a change over pairs of persons and trainings at once; None if there is only one.

    A classifier that is trained again leans differently by chance, and all pairs with it: a test
    over pairs alone would take that for a change of the embedding.
    """
    trainings = max(len(before.trainings), len(after.trainings))
    old, new = (
        np.array(result.trainings or (result.effect,) * trainings) for result in (before, after)
    )
    items = len(differences)
    if len(old) != len(new) or trainings < 2 or items < 2:
        return None
    estimate = CrossedEstimate(
        float(differences.sum()),
        float((items * differences).var(ddof=1) / items),
        float((new - old).var(ddof=1) / trainings),
        items,
        trainings,
    )
    changed = int((differences != 0).sum())
    p = PairedP(
        value=estimate.p, low=estimate.p, high=estimate.p, method="two-way", changed=changed
    )
    ends = estimate.interval(LEVEL)
    method = "Student's t over pairs of persons and trainings"
    finite = isfinite(ends.low) and isfinite(ends.high)
    return p, Interval(low=ends.low, high=ends.high, level=LEVEL, method=method) if finite else None


def _shares_of_runs(
    before: Result, after: Result
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the shares of the words that both runs found, and their weights; None if none are.

    Shares that overflow, of immense scores, give None too.
    """
    leanings = [
        {(word_score.role, word_score.word): word_score.score for word_score in result.words}
        for result in (before, after)
    ]
    shared = [word for word in leanings[0] if word in leanings[1]]
    roles = np.array([role for role, _ in shared])
    if {*roles} != {PAIR} and not {"x", "y"} <= {*roles}:
        return None
    with np.errstate(
        over="ignore", divide="ignore", invalid="ignore"
    ):  # of figures that no model has
        old, new = (
            _shares(np.array([scores[word] for word in shared]) / _spread(result), roles)
            for scores, result in zip(leanings, (before, after), strict=True)
        )
    return (old, new, _equal_weights(roles)) if np.isfinite([old, new]).all() else None


def paired_limits(
    before: FloatArray, after: FloatArray, weights: FloatArray, p: PairedP, level: float = LEVEL
) -> Interval | None:
    """Return the changes that the paired test does not reject; None where it is unbounded."""
    ends = paired_interval(before, after, weights, p=p.value, level=level)
    if not (isfinite(ends.low) and isfinite(ends.high)):
        return None
    return Interval(low=ends.low, high=ends.high, level=level, method="inverted paired test")


def paired(before: FloatArray, after: FloatArray, *, seed: int) -> PairedP:
    """Test the change of a figure, given the share of each item in it before and after."""
    p = paired_test(before, after, seed=seed)
    return PairedP(
        value=p.value,
        low=p.low,
        high=p.high,
        method="sampled" if p.method == "sampled" else "exact",
        changed=p.partitions.bit_length() - 1,
        smallest=p.smallest,
        samples=p.samples,
        standard_error=p.standard_error,
        seed=p.seed,
    )


def _shares(leanings: FloatArray, roles: FloatArray) -> FloatArray:
    """Return each word's share in the effect, in the order of the roles."""
    if {*roles} == {PAIR}:
        return leanings / len(leanings)
    shares = np.empty(len(leanings))
    contributions = mean_difference_contributions(leanings[roles == "x"], leanings[roles == "y"])
    shares[roles == "x"], shares[roles == "y"] = np.split(
        contributions, [int((roles == "x").sum())]
    )
    return shares


def _equal_weights(roles: FloatArray) -> FloatArray:
    """Return each word's share in a common change."""
    if {*roles} == {PAIR}:
        return np.full(len(roles), 1 / len(roles))
    weights: FloatArray = np.where(
        roles == "x", 0.5 / (roles == "x").sum(), 0.5 / (roles == "y").sum()
    )
    return weights


def _spread(result: Result) -> float:
    """Return the spread by which the difference of means was divided to give d; 1 if by none.

    Where both are about zero their ratio is undefined, and it is the deviation of the scores.
    """
    if not result.convention.standardised:
        return 1.0
    if result.effect * result.statistic > 0 and abs(result.effect) > 1e-9:
        return result.statistic / result.effect
    return _deviation(result.words, result.convention.ddof) or 1.0


def _deviation(words: Sequence[WordScore], ddof: int) -> float:
    return float(np.std([word.score for word in words], ddof=min(ddof, len(words) - 1)))


PairedTests = tuple[tuple[Poolable, Poolable], ...]
"""The same tests before and after a change."""

SharesOfWords = tuple[FloatArray, FloatArray, FloatArray]


def pooled_change(
    tests: PairedTests, weights: FloatArray, *, seed: int, level: float = LEVEL
) -> tuple[PairedP, Interval | None] | None:
    """Test the change of a pooled effect; None where a test shares no words before and after.

    Before and after are swapped word by word, a word in all of its tests at once. The interval
    inverts this test.
    """
    word_shares = shares_of_words(tests, weights)
    if word_shares is None:
        return None
    p = paired(word_shares[0], word_shares[1], seed=seed)
    return p, paired_limits(*word_shares, p, level=level)


def shares_of_words(tests: PairedTests, weights: FloatArray) -> SharesOfWords | None:
    """Return each word's share in the pooled effect before and after, and in a common change.

    A word's share is the sum over its tests of weight times score over spread and list length,
    positive in X and negative in Y; None where a list of a test has no word in both runs. The
    shares add up to the effects over the words of both runs.
    """
    by_key: dict[str, FloatArray] = {}
    for (before, after), weight in zip(tests, weights, strict=True):
        old, new = (_standardised(test) for test in (before, after))
        keys = {(word.role, word.word): word.key for word in after.result.words}
        for role, sign in (("x", 1), ("y", -1)):
            shared_words = [
                word for word in keys if word[0] == role and word in old and word in new
            ]
            if not shared_words:
                return None
            for word in shared_words:
                share = np.array([sign * old[word], sign * new[word], 0.5]) / len(shared_words)
                by_key[keys[word]] = by_key.get(keys[word], np.zeros(3)) + weight * share
    table = np.array([*by_key.values()])
    return table[:, 0], table[:, 1], table[:, 2]


def _standardised(test: Poolable) -> dict[tuple[str, str], float]:
    """Return the scores of a test's words in units of their own spread, as d has them."""
    scores = np.concatenate([test.lists.x_scores, test.lists.y_scores])
    spread = float(scores.std(ddof=1))
    return {(word.role, word.word): word.score / spread for word in test.result.words}
