"""The answers for categories in two runs: what became of each, over the tests that both share."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairvec.evaluation.categories.answering import category_answers
from fairvec.evaluation.categories.categories import category_of, way_of
from fairvec.evaluation.categories.poolable import Poolable, poolable
from fairvec.evaluation.changes.kinds_of_change import Facts, common_level
from fairvec.evaluation.changes.paired_words import same_leanings
from fairvec.evaluation.changes.pooled_words import PairedTests, pooled_change
from fairvec.evaluation.changes.tested_change import TestedChange
from fairvec.geometry import FloatArray
from fairvec.ground.level import significant
from fairvec.results import CategoryAnswer, ChangeKind, Interval, Outcome, PairedP
from fairvec.stats import Ends


@dataclass(frozen=True, eq=False)
class CategoryComparison(TestedChange):
    """The answer for one category before and after, over the same tests.

    A test has one weight in both effects here, the mean of its weights in the two answers, so that
    a test which only came to weigh more is no change. `paired` swaps before and after word by
    word, a word in all of its tests at once.
    """

    before: CategoryAnswer
    after: CategoryAnswer
    tests: PairedTests
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
        return pooled_change(self.tests, self._weights, seed=self.after.seed) or (None, None)

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
        alpha = common_level(self.before, self.after)
        p_before, p_after = self.p_before, self.p_after
        if p_before is None or p_after is None:
            return "no-answer"
        ends = self.difference
        difference = Ends(ends.low, ends.high) if ends else None
        if self.effect_before == self.effect_after and all(
            same_leanings(was.result, is_now.result) for was, is_now in self.tests
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
    """Answer each category in both runs by the tests that can be pooled in both, and pair them.

    A test that is of another category in the other run, as files of strangers may have it, is in
    none.
    """
    ways: dict[Hashable, list[tuple[Outcome, Outcome]]] = {}
    for pair in pairs:
        before, after = map(category_of, pair)
        if before == after is not None:
            ways.setdefault(tuple(map(way_of, pair)), []).append(pair)
    return tuple(one for asked in ways.values() for one in _of_one_way(asked))


def _of_one_way(asked: Sequence[tuple[Outcome, Outcome]]) -> list[CategoryComparison]:
    tests: dict[Hashable, list[tuple[Poolable, Poolable]]] = {}
    left_out: dict[Hashable, list[str]] = defaultdict(list)
    for before, after in asked:
        name = category_of(after)
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
