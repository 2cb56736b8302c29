"""The change of an effect or a pooled effect, word by word, with its interval."""

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
"""The role of two persons whose difference is one number, where others are X or Y."""


def paired_words(before: Outcome, after: Outcome) -> tuple[PairedP, Interval | None] | None:
    """Test the change of d over the words that both runs found; None if there are none.

    Each leaning is divided by the spread that its own run divides by, so that the shares of the
    words add up to d before and d after: whatever a change does to the scale of all similarities is
    no change of d. A change of d is shared by all words, X one half and Y the other; where the
    words are pairs of persons and the effect their mean, by all alike. What was trained with luck
    is tested over trainings too.
    """
    if not (isinstance(before, Result) and isinstance(after, Result)):
        return None
    found = _compared(before, after)
    if found is None:
        return None
    was, is_now, weights = found
    if before.trainings or after.trainings:
        return _over_trainings(is_now - was, before, after)
    p = paired(was, is_now, seed=after.seed)
    return p, paired_limits(was, is_now, weights, p)


def same_leanings(before: Outcome, after: Outcome) -> bool:
    """Say whether these are the same vectors, and each word leans as it did.

    By another similarity the words of one model lean otherwise, if only in some of them.
    """
    scores = [
        [(word.role, word.word, word.score) for word in one.words]
        for one in (before, after)
        if isinstance(one, Result)
    ]
    return before.model.sha256 == after.model.sha256 and scores[:1] == scores[1:]


def paired_over_words(before: Outcome, after: Outcome) -> PairedP | None:
    """Return the test that leaves out the luck of training; None where there is no such luck."""
    if not (isinstance(before, Result) and isinstance(after, Result)):
        return None
    found = _compared(before, after) if before.trainings or after.trainings else None
    return paired(found[0], found[1], seed=after.seed) if found else None


def _over_trainings(
    steps: FloatArray, before: Result, after: Result
) -> tuple[PairedP, Interval | None] | None:
    """Test a change over pairs of persons and trainings at once; None if one is all there is.

    Classifiers that are trained anew lean otherwise by luck, and all pairs with them: pairs alone
    would take that for a change of the embedding.
    """
    passes = max(len(before.trainings), len(after.trainings))
    was, is_now = (np.array(one.trainings or (one.effect,) * passes) for one in (before, after))
    items = len(steps)
    if len(was) != len(is_now) or passes < 2 or items < 2:
        return None
    found = CrossedEstimate(
        float(steps.sum()),
        float((items * steps).var(ddof=1) / items),
        float((is_now - was).var(ddof=1) / passes),
        items,
        passes,
    )
    changed = int((steps != 0).sum())
    p = PairedP(value=found.p, low=found.p, high=found.p, method="two-way", changed=changed)
    ends = found.interval(LEVEL)
    how = "Student's t over pairs of persons and trainings"
    known = isfinite(ends.low) and isfinite(ends.high)
    return p, Interval(low=ends.low, high=ends.high, level=LEVEL, method=how) if known else None


def _compared(before: Result, after: Result) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the shares of the words that both runs found, and their weights; None if none are.

    Neither has shares that are no numbers, as those of immense scores would be.
    """
    leanings = [{(w.role, w.word): w.score for w in one.words} for one in (before, after)]
    shared = [word for word in leanings[0] if word in leanings[1]]
    roles = np.array([role for role, _ in shared])
    if {*roles} != {PAIR} and not {"x", "y"} <= {*roles}:
        return None
    with np.errstate(
        over="ignore", divide="ignore", invalid="ignore"
    ):  # of figures that no model has
        was, is_now = (
            _shares(np.array([each[word] for word in shared]) / _spread(one), roles)
            for each, one in zip(leanings, (before, after), strict=True)
        )
    return (was, is_now, _weights(roles)) if np.isfinite([was, is_now]).all() else None


def paired_limits(
    before: FloatArray, after: FloatArray, weights: FloatArray, p: PairedP, level: float = LEVEL
) -> Interval | None:
    """Return the changes that the paired test does not reject; None where it rejects none."""
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
    own = mean_difference_contributions(leanings[roles == "x"], leanings[roles == "y"])
    shares[roles == "x"], shares[roles == "y"] = np.split(own, [int((roles == "x").sum())])
    return shares


def _weights(roles: FloatArray) -> FloatArray:
    """Return each word's share in a change that is the same for all."""
    if {*roles} == {PAIR}:
        return np.full(len(roles), 1 / len(roles))
    weights: FloatArray = np.where(
        roles == "x", 0.5 / (roles == "x").sum(), 0.5 / (roles == "y").sum()
    )
    return weights


def _spread(result: Result) -> float:
    """Return what the difference of means was divided by to give d; 1 if by nothing.

    Where both are about zero their ratio says nothing, and the deviation of the scores stands in.
    """
    if not result.convention.standardised:
        return 1.0
    if result.effect * result.statistic > 0 and abs(result.effect) > 1e-9:
        return result.statistic / result.effect
    return _deviation(result.words, result.convention.ddof) or 1.0


def _deviation(words: Sequence[WordScore], ddof: int) -> float:
    return float(np.std([word.score for word in words], ddof=min(ddof, len(words) - 1)))


# The change of several tests' pooled effect, word by word.


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
    return p, paired_limits(*shares, p, level=level)


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
