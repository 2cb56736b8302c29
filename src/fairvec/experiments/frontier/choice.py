"""Which point of a frontier to take: chosen by some tests, judged by held-out ones.

The Pareto front weighs bias left against information kept. Tests are grouped into folds that share
no words; what the other folds choose is judged on each fold in turn.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Annotated

from pydantic import Field
from scipy.special import stdtrit

from fairvec.core.settings import Share
from fairvec.embedding import Embedding, Lookup
from fairvec.experiments.frontier.points import bias_before, bias_left
from fairvec.languages.words import Word
from fairvec.lexicon import Test
from fairvec.messages.frontiers import (
    ALL_HARMFUL,
    CHANCE_OBJECTION,
    NO_METHOD,
    cannot_be_judged,
    does_not_hold_up,
    gain_objection,
    harm_objection,
    holds_up,
    least_bias,
    nothing_keeps,
    nothing_lowers,
)
from fairvec.results.frontier import (
    FoldSeparation,
    FrontierPoint,
    HeldOutCheck,
    HeldOutFold,
    PointEffect,
)

NOTICEABLE = 0.1
"""A mean |d| that is lower by less than this is not lower in a way that matters."""

KEEP = 0.95
Keep = Annotated[
    Share, Field(description="Share of the information that a recommended point must keep.")
]


@dataclass(frozen=True)
class Recommendation:
    """The point to take, if there is one, and why."""

    point: FrontierPoint | None
    reason: str


def dominates(one: FrontierPoint, other: FrontierPoint) -> bool:
    """Return whether a point is at least as good as another in both figures, and better in one."""
    better = one.bias_left < other.bias_left or one.information_kept > other.information_kept
    return (
        better
        and one.bias_left <= other.bias_left
        and one.information_kept >= other.information_kept
    )


def front(points: Sequence[FrontierPoint]) -> list[FrontierPoint]:
    """Return the points that no other one dominates, least bias first."""
    best = [one for one in points if not any(dominates(other, one) for other in points)]
    return sorted(best, key=lambda point: (point.bias_left, -point.information_kept))


def recommend(points: Sequence[FrontierPoint], *, keep: Keep = KEEP) -> Recommendation:
    """Choose the point that leaves least bias among those that keep enough and harm nothing.

    A point that turns an effect round or introduces one is never recommended: it is not better
    than one that leaves the effect as it is. Nor is one that hardly lowers the bias. A
    point that was fitted on tested words, or calibrated on the tests, is recommended only where no
    other one was tried, because the tests do not judge it.
    """
    if not points:
        return Recommendation(None, NO_METHOD)
    points = [point for point in points if point.evidence] or points
    harmless = [point for point in points if not point.harms]
    if not harmless:
        return Recommendation(None, ALL_HARMFUL)
    helpful = [point for point in harmless if point.bias_left <= point.bias_before - NOTICEABLE]
    if not helpful:
        return Recommendation(None, nothing_lowers(NOTICEABLE))
    acceptable = [point for point in helpful if point.information_kept >= keep]
    if not acceptable:
        best_kept = max(helpful, key=lambda point: (point.information_kept, *_tie_break(point)))
        return Recommendation(None, nothing_keeps(keep, best_kept))
    best = min(
        acceptable,
        key=lambda point: (point.bias_left, -point.information_kept, *_tie_break(point)),
    )
    return Recommendation(best, least_bias(best, len(acceptable), len(points), keep))


def _tie_break(point: FrontierPoint) -> tuple[float, str]:
    """Return the key that decides between points of equal figures, independent of their order."""
    return point.strength, point.method


ALPHA = 0.05
"""How often a choice that does nothing to unseen tests may be taken for one that does.

Two-sided: what is chosen without one fold and without another is mostly the same, so that folds are
not independent. In simulations of methods that change effects at random the one-sided level would
be 7 to 13 % instead of 5 %, the two-sided one is 2 to 8 %.
"""


def advise(
    points: Sequence[FrontierPoint], held_out_result: HeldOutCheck, *, keep: float
) -> Recommendation:
    """Recommend what the tests choose, if such a choice holds up on tests it has not seen.

    It does if it harms no fold and lowers the bias of the folds by 0.1 or more on average, surely
    by more than nothing (Student's t over the folds, two-sided). Otherwise the answer says what the
    tests would have chosen and why that is not enough.
    """
    chosen = recommend(points, keep=keep)
    if chosen.point is None:
        return chosen
    if held_out_result.share is None:
        return Recommendation(None, cannot_be_judged(chosen.point))
    if objection := _doubt(held_out_result):
        return Recommendation(None, does_not_hold_up(chosen.point, held_out_result, objection))
    return Recommendation(chosen.point, holds_up(held_out_result, chosen.reason))


def _doubt(held_out_result: HeldOutCheck) -> str:
    """Return why a choice by these tests does not hold up on others; empty if it does."""
    harmed_tests = [test for fold in held_out_result.folds for test in fold.harmed]
    gains = [fold.before - fold.left for fold in held_out_result.folds]
    if harmed_tests:
        return harm_objection(harmed_tests)
    if fmean(gains) < NOTICEABLE:
        return gain_objection(NOTICEABLE)
    if not surely_above_zero(gains):
        return CHANCE_OBJECTION
    return ""


def surely_above_zero(gains: Sequence[float]) -> bool:
    """Return whether the mean of at least two gains exceeds what chance gives, by Student's t."""
    standard_error = stdev(gains) / sqrt(len(gains))
    return fmean(gains) > float(stdtrit(len(gains) - 1, 1 - ALPHA / 2)) * standard_error


ENOUGH_FOLDS = 3
"""With fewer folds a looser split is tried: two cannot show how much they scatter."""


@dataclass(frozen=True)
class TestFold:
    """Tests that share words, directly or by way of one another.

    `near` are tests of other concepts that share words with them: they are hidden with the fold.
    """

    __test__ = False  # pytest: this is not a test class

    tests: tuple[str, ...]
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folds:
    """All folds, and the rule by which they are apart."""

    apart: FoldSeparation
    each: tuple[TestFold, ...]


@dataclass(frozen=True)
class _TestWords:
    """A test's words, by all the forms in which another test may have them."""

    id: str
    targets: frozenset[str]
    attributes: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.targets | self.attributes


_Linked = Callable[[_TestWords, _TestWords], bool]


def _share_word(one: _TestWords, other: _TestWords) -> bool:
    return not one.words.isdisjoint(other.words)


def _share_target_anywhere(one: _TestWords, other: _TestWords) -> bool:
    return not (one.targets.isdisjoint(other.words) and other.targets.isdisjoint(one.words))


def _share_target(one: _TestWords, other: _TestWords) -> bool:
    return not one.targets.isdisjoint(other.targets)


LINK_RULES: dict[FoldSeparation, _Linked] = {
    "all-words": _share_word,
    "targets-anywhere": _share_target_anywhere,
    "targets": _share_target,
}
"""The rules by which two tests belong to one fold, the strictest separation first."""


def folds_of(own: Sequence[Test], others: Sequence[Test], embedding: Embedding) -> Folds:
    """Group the tests of a concept into the connected components of shared words.

    A word is shared under any of its spellings, as the key it reached, or as a part of an entry of
    several words. Tests of one concept mostly have the same attributes (he, she), so that keeping
    all words apart may leave a single fold. Then a looser way is tried: no target word of one fold
    stands in any list of another; and last: no target word is a target of another. The strictest
    way that gives three folds is taken, or else the strictest of those that give most.
    """
    own_words, other_words = (
        [_test_words(test, embedding.lookup(test.language)) for test in tests]
        for tests in (own, others)
    )
    candidates = [_folds(rule, own_words, other_words) for rule in LINK_RULES]
    most_folds = max(candidates, key=lambda folds: len(folds.each))
    return next((folds for folds in candidates if len(folds.each) >= ENOUGH_FOLDS), most_folds)


def _folds(
    rule: FoldSeparation, listed: Sequence[_TestWords], others: Sequence[_TestWords]
) -> Folds:
    linked = LINK_RULES[rule]
    return Folds(
        rule,
        tuple(
            TestFold(
                tuple(test.id for test in group),
                tuple(test.id for test in others if any(linked(test, member) for member in group)),
            )
            for group in _components(listed, linked)
        ),
    )


def _components(listed: Sequence[_TestWords], linked: _Linked) -> list[list[_TestWords]]:
    """Return the connected components, tests and components in the order given."""
    groups: list[list[_TestWords]] = []
    for test in listed:
        linked_groups = [group for group in groups if any(linked(test, member) for member in group)]
        groups = [group for group in groups if group not in linked_groups]
        groups.append([*(member for group in linked_groups for member in group), test])
    order = {test.id: number for number, test in enumerate(listed)}
    ordered = [sorted(group, key=lambda test: order[test.id]) for group in groups]
    return sorted(ordered, key=lambda group: order[group[0].id])


def _test_words(test: Test, lookup: Lookup) -> _TestWords:
    def forms(*roles: str) -> frozenset[str]:
        lists = (test.sets[role] for role in roles if role in test.sets)
        return frozenset(
            form for wordset in lists for word in wordset.words for form in _forms(word, lookup)
        )

    return _TestWords(test.id, forms("x", "y", "words"), forms("a", "b"))


def _forms(word: Word, lookup: Lookup) -> set[str]:
    """Return the forms of a word: spellings, their parts, and the keys that were reached."""
    match = lookup.find(word.spellings, word.pos)
    parts = (part for spelling in word.spellings for part in spelling.split())
    forms = (*word.spellings, *parts, *(match.keys if match else ()))
    return {lookup.spelling.fold(form).casefold() for form in forms}


def held_out(
    points: Sequence[FrontierPoint], folds: Folds, *, evident: Collection[str], keep: float
) -> HeldOutCheck:
    """Choose without each fold, and judge the choice on it.

    `evident` are the tests that were significant before. If the other folds choose nothing, the
    model stays unchanged, with all its bias. A single fold has no others to choose by.
    """
    fold_results, clean = [], True
    for fold in folds.each if len(folds.each) > 1 and points else ():
        chosen = _choose_without(fold, folds, points, evident, keep)
        fold_results.append(_judge_fold(fold, chosen, points[0]))
        clean = clean and (chosen is None or chosen.evidence)
    result = HeldOutCheck(apart=folds.apart, clean=clean, folds=tuple(fold_results), share=None)
    if not any(fold.before for fold in fold_results):
        return result
    return result.model_copy(update={"share": result.left / result.before})


def _choose_without(
    fold: TestFold,
    folds: Folds,
    points: Sequence[FrontierPoint],
    evident: Collection[str],
    keep: float,
) -> FrontierPoint | None:
    """Return the point that all tests but those of a fold, and near it, recommend."""
    others = {
        test for other_fold in folds.each if other_fold is not fold for test in other_fold.tests
    }
    restricted = [
        _restrict_effects(point, others, hidden={*fold.tests, *fold.near}) for point in points
    ]
    if others.isdisjoint(evident):
        return None
    chosen = recommend(restricted, keep=keep).point
    return next(
        (
            other_fold
            for other_fold, restricted_point in zip(points, restricted, strict=True)
            if restricted_point is chosen
        ),
        None,
    )


def _restrict_effects(
    point: FrontierPoint, tests: Collection[str], *, hidden: Collection[str]
) -> FrontierPoint:
    """Return a point with the figures of some of the concept's tests alone."""
    effects = tuple(effect for effect in point.effects if effect.test not in hidden)
    own_effects = _effects_of(effects, tests)
    restricted = {
        "effects": effects,
        "bias_left": bias_left(own_effects),
        "bias_before": bias_before(own_effects),
    }
    return point.model_copy(update=restricted)


def _judge_fold(
    fold: TestFold, chosen: FrontierPoint | None, reference: FrontierPoint
) -> HeldOutFold:
    own_effects = _effects_of((chosen or reference).effects, fold.tests)
    hidden = {*fold.tests, *fold.near}
    return HeldOutFold(
        tests=fold.tests,
        chosen=chosen.label if chosen else "",
        before=bias_before(own_effects),
        left=bias_left(own_effects) if chosen else bias_before(own_effects),
        harmed=tuple(effect.test for effect in chosen.harms if effect.test in hidden)
        if chosen
        else (),
    )


def _effects_of(effects: Sequence[PointEffect], tests: Collection[str]) -> list[PointEffect]:
    return [effect for effect in effects if effect.test in tests]
