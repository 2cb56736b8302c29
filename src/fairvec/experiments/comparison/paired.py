"""Tests of a change: of an effect, of a pooled effect, or of a figure over items, with intervals.

An effect of two lists of words is mean(X) - mean(Y) of scores in the unit of d. Its change is that
of each word's change; under the null hypothesis a word's change does not depend on its list, so the
changes are permuted between the lists. What all words share, such as an offset, is no change of d.
A figure that is a sum over items (pairs of persons, rated pairs, questions) has one list only:
there the two values of an item, before and after, might as well be swapped.
"""

from collections.abc import Mapping, Sequence
from math import log10

import numpy as np

from fairvec.experiments.audit.categories import SAMPLES, Poolable
from fairvec.geometry import FloatArray
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer, WordScore
from fairvec.stats import Interval, PairedP, ScoredLists, paired_interval, paired_test
from fairvec.stats.crossed import CrossedEstimate
from fairvec.stats.joint.joint_test import joint_difference_test
from fairvec.stats.permutation.two_sample import ROUNDING_BITS

LEVEL = 0.95

PAIR = "pair"
"""The role of a pair of persons, whose difference is one number, in place of X or Y."""

ChangeTest = tuple[PairedP, Interval | None]
"""The test of a change, and its interval; None where so few words leave it without bounds."""

ScoresByWord = Mapping[tuple[str, str], float]
"""The score of each word of a test, in the unit of d, by its role and the word."""


def change_test(before: Outcome, after: Outcome) -> ChangeTest | None:
    """Test the change of an effect over the words that both runs found; None if there are none.

    With s and t the scores of a word before and after, each over the spread that its own run
    divides by, the change of d is the mean over X less the mean over Y of

        t_i / sd(t) - s_i / sd(s),

    and p is that of the two-sample permutation test of these changes, whose inversion is the
    interval. Words that all lean alike have the score 0. Where the words are pairs of persons, and
    the effect is their mean, before and after are swapped pair by pair; where training is random,
    the change is tested over trainings too.
    """
    if isinstance(before, Result) and isinstance(after, Result) and _is_of_pairs(before, after):
        return _change_test_of_pairs(before, after)
    old, new = (
        _scores_by_word(outcome, other) for outcome, other in ((before, after), (after, before))
    )
    if old is None or new is None:
        return None
    keys = {(word.role, word.word): word.key for word in (*_words(before), *_words(after))}
    lists = _changes_between(old, new, keys)
    if lists is None:
        return None
    seed, samples = after.seed, samples_of(after, before)
    return _joint_change_test([lists], np.ones(1), samples=samples, seed=seed, level=LEVEL)


def samples_of(*outcomes: Outcome) -> int:
    """Return how many regroupings the p-values of outcomes drew; the usual number if none did."""
    drawn = (
        outcome.p.samples for outcome in outcomes if isinstance(outcome, Result | CategoryAnswer)
    )
    return next((samples for samples in drawn if samples), SAMPLES)


def _is_of_pairs(before: Result, after: Result) -> bool:
    return {word.role for word in (*before.words, *after.words)} == {PAIR}


def _words(outcome: Outcome) -> tuple[WordScore, ...]:
    return outcome.words if isinstance(outcome, Result) else ()


def _scores_by_word(outcome: Outcome, other: Outcome) -> ScoresByWord | None:
    """Return the score of each word of X and Y in the unit of d; None where there is none.

    Where all words lean alike, those of the other run have the score 0.
    """
    if isinstance(outcome, Skipped) and outcome.cause == "no-spread":
        return {(word.role, word.word): 0.0 for word in _words(other)}
    if not isinstance(outcome, Result):
        return None
    spread = _spread(outcome)
    with np.errstate(over="ignore", divide="ignore"):
        scores = np.array([word.score for word in outcome.words]) / spread
    return {
        (w.role, w.word): score for w, score in zip(outcome.words, scores.tolist(), strict=True)
    }


def _changes_between(
    before: ScoresByWord,
    after: ScoresByWord,
    keys: Mapping[tuple[str, str], str],
    weights: tuple[float, float] = (1.0, 1.0),
) -> ScoredLists | None:
    """Return the change of each word that both runs found, after times its weight less before.

    None where a list has no such word, or a score overflows. Changes that differ by the rounding of
    the scores alone are equal.
    """
    words = [
        sorted(w for w in keys if w[0] == role and w in before and w in after)
        for role in ("x", "y")
    ]
    if not all(words):
        return None
    old, new = (
        weight * np.array([scores[word] for word in (*words[0], *words[1])])
        for scores, weight in zip((before, after), weights, strict=True)
    )
    with np.errstate(over="ignore", invalid="ignore"):
        changes = new - old
    largest = max(float(np.abs(old).max()), float(np.abs(new).max()))
    if not np.isfinite(changes).all():
        return None
    if np.ptp(changes) <= np.ldexp(largest, 4 - ROUNDING_BITS):
        changes = np.zeros_like(changes)
    x, y = np.split(changes, [len(words[0])])
    keys_x, keys_y = (tuple(keys[word] for word in words_of) for words_of in words)
    return ScoredLists(keys_x, keys_y, x, y)


def _joint_change_test(
    tests: Sequence[ScoredLists], weights: FloatArray, *, samples: int, seed: int, level: float
) -> ChangeTest:
    found = joint_difference_test(tests, weights, level=level, samples=samples, seed=seed)
    changed = len(
        {
            key
            for test in tests
            for keys, changes in ((test.x, test.x_scores), (test.y, test.y_scores))
            for key, change in zip(keys, changes.tolist(), strict=True)
            if change
        }
    )
    return PairedP.from_permutation(found.p, changed), found.interval


def _change_test_of_pairs(before: Result, after: Result) -> ChangeTest | None:
    shares = _shares_of_pairs(before, after)
    if shares is None:
        return None
    if before.trainings or after.trainings:
        return _over_trainings(shares[1] - shares[0], before, after)
    p = paired(*shares, seed=after.seed)
    weights = np.full(len(shares[0]), 1 / len(shares[0]))
    return p, paired_interval(*shares, weights, p=p.value)


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
    trained = _is_of_pairs(before, after) and (before.trainings or after.trainings)
    shares = _shares_of_pairs(before, after) if trained else None
    return paired(*shares, seed=after.seed) if shares else None


def _over_trainings(differences: FloatArray, before: Result, after: Result) -> ChangeTest | None:
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
    # A difference of probabilities lies within -1 and 1, and its change within -2 and 2.
    interval = estimate.interval("pairs of persons and trainings", LEVEL, within=(-2, 2))
    return estimate.p_value(changed, "two-way"), interval


def _shares_of_pairs(before: Result, after: Result) -> tuple[FloatArray, FloatArray] | None:
    """Return the shares of the pairs that both runs found in their mean; None if none are.

    Shares that overflow, of immense scores, give None too.
    """
    old, new = (
        {word.word: word.score / _spread(result) for word in result.words}
        for result in (before, after)
    )
    shared = [pair for pair in old if pair in new]
    if not shared:
        return None
    shares = [np.array([scores[pair] for pair in shared]) / len(shared) for scores in (old, new)]
    return (shares[0], shares[1]) if np.isfinite(shares).all() else None


def paired(before: FloatArray, after: FloatArray, *, seed: int) -> PairedP:
    """Test the change of a figure, given the share of each item in it before and after."""
    p = paired_test(before, after, seed=seed)
    return PairedP.from_permutation(p, round(p.log10_partitions / log10(2)))


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


def pooled_change(
    tests: PairedTests,
    weights: tuple[FloatArray, FloatArray],
    *,
    samples: int,
    seed: int,
    level: float = LEVEL,
) -> ChangeTest | None:
    """Test the change of a pooled effect; None where a test shares no words before and after.

    `weights` are those of the tests in the effect before and in the effect after. A word's change
    in a test is weight t_i / sd(t) after, less the same before; the changes are permuted between
    the lists, those of a word in all of its tests at once, as `joint_test` regroups words. The
    interval inverts this test; a shift falls on the tests by the mean of their weights.
    """
    lists = _changes_of_tests(tests, weights)
    if lists is None:
        return None
    common = np.mean(weights, axis=0)
    return _joint_change_test(lists, common, samples=samples, seed=seed, level=level)


def effects_over_shared_words(
    tests: PairedTests, weights: tuple[FloatArray, FloatArray]
) -> tuple[float, float] | None:
    """Return the pooled effects before and after over the words that both runs found.

    None where a test has none. Where both found the same words, they are the pooled effects.
    """
    effects = []
    for sign, run in ((-1, (weights[0], 0 * weights[1])), (1, (0 * weights[0], weights[1]))):
        lists = _changes_of_tests(tests, run)
        if lists is None:
            return None
        effects.append(sign * sum(float(t.x_scores.mean() - t.y_scores.mean()) for t in lists))
    return effects[0], effects[1]


def _changes_of_tests(
    tests: PairedTests, weights: tuple[FloatArray, FloatArray]
) -> list[ScoredLists] | None:
    """Return the weighted changes of the words of each test; None where a test shares none."""
    lists = []
    for (before, after), old_weight, new_weight in zip(tests, *weights, strict=True):
        keys = {(word.role, word.word): word.key for word in after.result.words}
        old, new = (_standardised(test) for test in (before, after))
        changes = _changes_between(old, new, keys, (old_weight, new_weight))
        if changes is None:
            return None
        lists.append(changes)
    return lists


def _standardised(test: Poolable) -> ScoresByWord:
    """Return the scores of a test's words in units of their own spread, as d has them."""
    scores = np.concatenate([test.lists.x_scores, test.lists.y_scores])
    spread = float(scores.std(ddof=1)) / test.lists.scale
    return {(word.role, word.word): word.score / spread for word in test.result.words}
