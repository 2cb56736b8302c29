"""The answers for categories in two runs: what became of each, over the tests that both share."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairvec.evaluation.categories.answering import category_answers
from fairvec.evaluation.categories.categories import way_of
from fairvec.evaluation.categories.poolable import Poolable, poolable
from fairvec.evaluation.changes.kinds_of_change import Facts
from fairvec.evaluation.changes.paired_words import allowed, paired
from fairvec.evaluation.changes.tested_change import TestedChange
from fairvec.geometry import FloatArray
from fairvec.ground.level import significant
from fairvec.results import CategoryAnswer, ChangeKind, Interval, Outcome, PairedP
from fairvec.stats import Ends

Tests = tuple[tuple[Poolable, Poolable], ...]
Shares = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class CategoryComparison(TestedChange):
    """The answer for one category before and after, over the same tests.

    A test has one weight in both effects here, the mean of its weights in the two answers, so that
    a test which only came to weigh more is no change. `paired` swaps before and after word by
    word, a word in all of its tests at once.
    """

    before: CategoryAnswer
    after: CategoryAnswer
    tests: Tests
    left_out: tuple[str, ...] = ()
    """Tests of the category that both runs asked and that cannot be pooled in both."""

    @cached_property
    def _weights(self) -> FloatArray:
        both = [[test.weight for test in one.tests] for one in (self.before, self.after)]
        weights: FloatArray = np.mean(both, axis=0)
        return weights

    @property
    def effect_before(self) -> float:
        """The pooled effect before, with the weights of both."""
        return float(self._weights @ [test.effect for test in self.before.tests])

    @property
    def effect_after(self) -> float:
        """The pooled effect after, with the weights of both."""
        return float(self._weights @ [test.effect for test in self.after.tests])

    @property
    def p_before(self) -> float | None:
        """The p before, Holm-corrected over the categories that are compared."""
        return self.before.p_holm

    @property
    def p_after(self) -> float | None:
        """The same after."""
        return self.after.p_holm

    @cached_property
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        shares = _shares(self.tests, self._weights)
        if shares is None:
            return None, None
        p = paired(shares[0], shares[1], seed=self.after.seed)
        return p, allowed(*shares, p)

    @property
    def same_words(self) -> bool:
        """Whether both runs found the same words: otherwise the words may be what changed."""
        words = (
            [{(word.role, word.word) for word in pair[side].result.words} for pair in self.tests]
            for side in (0, 1)
        )
        return next(words) == next(words)

    @cached_property
    def change(self) -> ChangeKind:
        """What happened to the pooled effect, in one word, as `kinds_of_change` has it."""
        alpha = self.before.verdict.alpha
        p_before, p_after = self.p_before, self.p_after
        if p_before is None or p_after is None:
            return "no-answer"
        ends = self.difference
        difference = Ends(ends.low, ends.high) if ends else None
        if (
            self.before.model.sha256 == self.after.model.sha256
            and self.effect_before == self.effect_after
        ):
            difference = Ends(0.0, 0.0)  # the same vectors, however few the words are
        return Facts(
            before=self.effect_before,
            after=self.effect_after,
            evident_before=significant(p_before, alpha),
            evident_after=significant(p_after, alpha),
            proven=self.paired is not None and significant(self.paired.value, alpha),
            difference=difference,
        ).kind()


def category_changes(pairs: Iterable[tuple[Outcome, Outcome]]) -> tuple[CategoryComparison, ...]:
    """Answer each category in both runs by the tests that can be pooled in both, and pair them."""
    ways: dict[Hashable, list[tuple[Outcome, Outcome]]] = {}
    for pair in pairs:
        if pair[1].test.kind == "bias":
            ways.setdefault(tuple(map(way_of, pair)), []).append(pair)
    return tuple(one for asked in ways.values() for one in _of_one_way(asked))


def _of_one_way(asked: Sequence[tuple[Outcome, Outcome]]) -> list[CategoryComparison]:
    tests: dict[tuple[str, str], list[tuple[Poolable, Poolable]]] = {}
    left_out: dict[tuple[str, str], list[str]] = defaultdict(list)
    for before, after in asked:
        name = after.test.language, after.test.category
        was, is_now = poolable(before), poolable(after)
        if isinstance(was, Poolable) and isinstance(is_now, Poolable):
            tests.setdefault(name, []).append((was, is_now))
        else:
            left_out[name].append(after.test.id)
    # Both runs have the same tests in the same order, so that their answers come in one order too.
    ordered = [pair for some in tests.values() for pair in some]
    answers = (category_answers([pair[side].result for pair in ordered]) for side in (0, 1))
    return [
        CategoryComparison(was, is_now, tuple(some), tuple(left_out[name]))
        for was, is_now, (name, some) in zip(*answers, tests.items(), strict=True)
        if isinstance(was, CategoryAnswer) and isinstance(is_now, CategoryAnswer)
    ]


def _shares(tests: Tests, weights: FloatArray) -> Shares | None:
    """Return each word's share in the pooled effect before and after, and in a common change.

    A word's share is the sum over its tests of weight times score over spread and list length,
    positive in X and negative in Y; None where a list of a test has no word in both runs.
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
