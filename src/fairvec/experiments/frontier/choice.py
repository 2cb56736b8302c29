"""What to take from a frontier: chosen by some tests, judged by others."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from scipy.special import stdtrit

from fairvec.embedding import Embedding, Lookup, lookup_of
from fairvec.experiments.frontier.points import bias_before, bias_left
from fairvec.languages.spelling import fold_spelling
from fairvec.languages.words import Word
from fairvec.lexicon import Test
from fairvec.results import WHAT_IS_APART, Apart, Point, TestedEffect, Unseen, UnseenFold

# The Pareto front of bias left against information kept, and what to take from it.


NOTICEABLE = 0.1
"""A mean |d| that is lower by less than this is not lower in a way that matters."""

KEEP = 0.95
"""Information that a recommended method must keep, unless told otherwise."""


@dataclass(frozen=True)
class Recommendation:
    """The point to take, if there is one, and why."""

    point: Point | None
    reason: str


NOTHING_TO_REMOVE = Recommendation(
    None,
    "No bias test of the concept is significant in this model, so that there is nothing of which "
    "these tests could show that it was removed.",
)


def dominates(one: Point, other: Point) -> bool:
    """Say whether a point is at least as good in both ways as another, and better in one."""
    better = one.bias_left < other.bias_left or one.information_kept > other.information_kept
    return (
        better
        and one.bias_left <= other.bias_left
        and one.information_kept >= other.information_kept
    )


def front(points: Sequence[Point]) -> list[Point]:
    """Return the points that no other one dominates, least bias first."""
    best = [one for one in points if not any(dominates(other, one) for other in points)]
    return sorted(best, key=lambda point: (point.bias_left, -point.information_kept))


def recommend(points: Sequence[Point], *, keep: float = KEEP) -> Recommendation:
    """Choose the point that leaves least bias among those that keep enough and harm nothing.

    A point that turns an effect round or makes one appear is never recommended: it is not better
    than one that leaves the effect as it is. Nor is one that hardly lowers the bias. A
    point that was fitted on tested words, or calibrated on the tests, is recommended only where no
    other one was tried, because the tests do not judge it.
    """
    if not points:
        return Recommendation(None, "No method could be tried on this model.")
    points = [point for point in points if point.evidence] or points
    harmless = [point for point in points if not point.harms]
    if not harmless:
        return Recommendation(
            None,
            "Every method and strength that was tried turns an effect round or makes one appear; "
            "the model is better left as it is.",
        )
    helpful = [one for one in harmless if one.bias_left <= one.bias_before - NOTICEABLE]
    if not helpful:
        return Recommendation(
            None,
            f"Nothing that was tried lowers the mean |d| by {NOTICEABLE:g} or more without doing "
            "harm elsewhere; the model is better left as it is.",
        )
    careful = [point for point in helpful if point.information_kept >= keep]
    if not careful:
        most = max(helpful, key=lambda point: (point.information_kept, *_in_no_order(point)))
        return Recommendation(
            None,
            f"Nothing that lowers the bias without harm keeps {keep:.0%} of the information; the "
            f"model is better left as it is. {most.label} keeps most, "
            f"{most.information_kept:.1%}, and leaves {share_left(most)} of the bias.",
        )
    best = min(
        careful,
        key=lambda point: (point.bias_left, -point.information_kept, *_in_no_order(point)),
    )
    return Recommendation(
        best,
        f"It leaves {share_left(best)} of the bias of the tests that choose it and keeps "
        f"{best.information_kept:.1%} of the information: the least bias among the {len(careful)} "
        f"of {len(points)} points that lower it, keep {keep:.0%} and neither turn round nor make "
        "an effect.",
    )


def _in_no_order(point: Point) -> tuple[float, str]:
    """Return what decides between points of the same figures, in whatever order they were tried."""
    return point.strength, point.method


def share_left(point: Point) -> str:
    """Return the share of the bias that a point leaves of the tests it was measured by."""
    return f"{point.bias_left / point.bias_before:.0%}"


ALPHA = 0.05
"""How often a choice that does nothing to unseen tests may be taken for one that does.

Two-sided: what is chosen without one fold and without another is mostly the same, so that folds are
not independent. In simulations of methods that change effects at random the one-sided level would
be 7 to 13 % instead of 5 %, the two-sided one is 2 to 8 %.
"""
ALONE = (
    "no test stands apart from those, sharing no word with them, so that nothing can judge the "
    "choice."
)
MORE = "Add tests with words of their own ('fairvec suites new')"


def advise(points: Sequence[Point], judged: Unseen, *, keep: float) -> Recommendation:
    """Recommend what the tests choose, if such a choice holds up on tests it has not seen.

    It does if it harms no fold and lowers the bias of the folds by 0.1 or more on average, surely
    by more than nothing (Student's t over the folds, two-sided). Otherwise the answer says what the
    tests would have chosen and why that is not enough.
    """
    chosen = recommend(points, keep=keep)
    if chosen.point is None:
        return chosen
    share = share_left(chosen.point)
    flattered = f"{chosen.point.label} leaves {share} of the bias of the tests that choose it"
    if judged.share is None:
        return Recommendation(None, f"{flattered}, but {ALONE} {MORE}.")
    honest, doubt = _honest(judged), _doubt(judged)
    if doubt:
        little = f"That {flattered} says nothing of others."
        return Recommendation(
            None, f"{honest}: {doubt} {little} {MORE}, or leave the model as it is."
        )
    return Recommendation(chosen.point, f"{honest}. {chosen.reason} {_stable(judged)}")


def caveats(judged: Unseen) -> tuple[str, ...]:
    """Return what a reader must know of the folds before believing the figure they give."""
    said = []
    if len(judged.folds) == 2:
        said.append(
            "The tests form only two folds: each was judged by a choice that one other fold made "
            "alone, and two figures say next to nothing about a third."
        )
    if not judged.clean:
        said.append(
            "The folds are not clean: what they judge was fitted on their words or calibrated on "
            "them, so that the bias left of unseen tests is flattered too."
        )
    return tuple(said)


def spread(judged: Unseen) -> str:
    """Return the share left of the best and of the worst fold: 31% to 85% on 3 folds."""
    shares = [fold.share for fold in judged.folds if fold.share is not None]
    return f"{min(shares):.0%} to {max(shares):.0%} on {len(judged.folds)} folds"


def _doubt(judged: Unseen) -> str:
    """Say why a choice by these tests does not hold up on others; nothing if it does."""
    harmed = [test for fold in judged.folds for test in fold.harmed]
    gains = [fold.before - fold.left for fold in judged.folds]
    if harmed:
        return f"it turns round or makes an effect in {', '.join(harmed)}."
    if fmean(gains) < NOTICEABLE:
        return f"it does not lower their mean |d| by {NOTICEABLE:g}."
    if not surely_above_zero(gains):
        return "with so few folds so far apart that may be chance."
    return ""


def surely_above_zero(gains: Sequence[float]) -> bool:
    """Return whether the mean of at least two gains exceeds what chance gives, by Student's t."""
    error = stdev(gains) / sqrt(len(gains))
    return fmean(gains) > float(stdtrit(len(gains) - 1, 1 - ALPHA / 2)) * error


def _honest(judged: Unseen) -> str:
    return (
        f"A choice by such tests leaves {judged.share:.0%} of the bias of tests it has not seen "
        f"({spread(judged)} {WHAT_IS_APART[judged.apart]})"
    )


def _stable(judged: Unseen) -> str:
    """Say what was chosen without each fold."""
    times = Counter(fold.chosen or "nothing" for fold in judged.folds)
    said = [f"{label}{f' ({count} times)' if count > 1 else ''}" for label, count in times.items()]
    return f"Without a fold the others choose {', '.join(said)}."


# Tests grouped into folds by the words they share, so that some judge what others chose.


ENOUGH = 3
"""Folds under which a looser split is tried; of fewer nobody can tell how much they scatter."""


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
    """All folds, and in which way those of two folds stand apart."""

    apart: Apart
    each: tuple[TestFold, ...]


@dataclass(frozen=True)
class _Listed:
    """A test's words, by all the forms in which another test may have them."""

    id: str
    targets: frozenset[str]
    attributes: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.targets | self.attributes


_Joined = Callable[[_Listed, _Listed], bool]


def _share_a_word(one: _Listed, other: _Listed) -> bool:
    return not one.words.isdisjoint(other.words)


def _lend_a_target(one: _Listed, other: _Listed) -> bool:
    return not (one.targets.isdisjoint(other.words) and other.targets.isdisjoint(one.words))


def _share_a_target(one: _Listed, other: _Listed) -> bool:
    return not one.targets.isdisjoint(other.targets)


WAYS: dict[Apart, _Joined] = {
    "all-words": _share_a_word,
    "targets-anywhere": _lend_a_target,
    "targets": _share_a_target,
}
"""What makes two tests stand in one fold, the strictest way first."""


def folds_of(own: Sequence[Test], others: Sequence[Test], embedding: Embedding) -> Folds:
    """Group the tests of a concept into the connected components of shared words.

    A word is shared under any of its spellings, as the key it reached, or as a part of an entry of
    several words. Tests of one concept mostly have the same attributes (he, she), so that keeping
    all words apart may leave a single fold. Then a looser way is tried: no target word of one fold
    stands in any list of another; and last: no target word is a target of another. The strictest
    way that gives three folds is taken, or else the strictest of those that give most.
    """
    listed, strangers = (
        [_listed(test, lookup_of(embedding, test.language)) for test in tests]
        for tests in (own, others)
    )
    found = [_folds(way, listed, strangers) for way in WAYS]
    most = max(found, key=lambda folds: len(folds.each))
    return next((folds for folds in found if len(folds.each) >= ENOUGH), most)


def _folds(way: Apart, listed: Sequence[_Listed], strangers: Sequence[_Listed]) -> Folds:
    joined = WAYS[way]
    return Folds(
        way,
        tuple(
            TestFold(
                tuple(one.id for one in group),
                tuple(one.id for one in strangers if any(joined(one, each) for each in group)),
            )
            for group in _components(listed, joined)
        ),
    )


def _components(listed: Sequence[_Listed], joined: _Joined) -> list[list[_Listed]]:
    """Return the connected components, tests and components in the order given."""
    groups: list[list[_Listed]] = []
    for one in listed:
        near = [group for group in groups if any(joined(one, each) for each in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(each for group in near for each in group), one])
    place = {one.id: number for number, one in enumerate(listed)}
    ordered = [sorted(group, key=lambda one: place[one.id]) for group in groups]
    return sorted(ordered, key=lambda group: place[group[0].id])


def _listed(test: Test, lookup: Lookup) -> _Listed:
    def forms(*roles: str) -> frozenset[str]:
        lists = (test.sets[role] for role in roles if role in test.sets)
        return frozenset(
            form for each in lists for word in each.words for form in _forms(word, lookup)
        )

    return _Listed(test.id, forms("x", "y", "words"), forms("a", "b"))


def _forms(word: Word, lookup: Lookup) -> set[str]:
    """Return the forms of a word: spellings, their parts, and the keys that were reached."""
    match = lookup.find(word.spellings, word.pos)
    parts = (part for spelling in word.spellings for part in spelling.split())
    every = (*word.spellings, *parts, *(match.keys if match else ()))
    return {fold_spelling(form, lookup.rules).casefold() for form in every}


# What a choice by some tests does to others: every fold is judged by a choice made without it.


def held_out(
    points: Sequence[Point], folds: Folds, *, evident: Collection[str], keep: float
) -> Unseen:
    """Choose without each fold, and see what the choice does to it.

    `evident` are the tests that were significant before. Where the other folds choose nothing the
    model stays as it is, and so does all its bias. A single fold leaves nothing to choose by.
    """
    judged, clean = [], True
    for fold in folds.each if len(folds.each) > 1 and points else ():
        chosen = _chosen_without(fold, folds, points, evident, keep)
        judged.append(_judged(fold, chosen, points[0]))
        clean = clean and (chosen is None or chosen.evidence)
    found = Unseen(apart=folds.apart, clean=clean, folds=tuple(judged), share=None)
    if not any(fold.before for fold in judged):
        return found
    return found.model_copy(update={"share": found.left / found.before})


def _chosen_without(
    fold: TestFold, folds: Folds, points: Sequence[Point], evident: Collection[str], keep: float
) -> Point | None:
    """Return the point that all tests but those of a fold, and near it, recommend."""
    others = {test for one in folds.each if one is not fold for test in one.tests}
    blind = [_seen_by(point, others, hidden={*fold.tests, *fold.near}) for point in points]
    if others.isdisjoint(evident):
        return NOTHING_TO_REMOVE.point
    chosen = recommend(blind, keep=keep).point
    return next((one for one, other in zip(points, blind, strict=True) if other is chosen), None)


def _seen_by(point: Point, tests: Collection[str], *, hidden: Collection[str]) -> Point:
    """Return a point as it looks to one who knows only some of the concept's tests."""
    effects = tuple(effect for effect in point.effects if effect.test not in hidden)
    own = _of(effects, tests)
    seen = {"effects": effects, "bias_left": bias_left(own), "bias_before": bias_before(own)}
    return point.model_copy(update=seen)


def _judged(fold: TestFold, chosen: Point | None, any_point: Point) -> UnseenFold:
    own = _of((chosen or any_point).effects, fold.tests)
    hidden = {*fold.tests, *fold.near}
    return UnseenFold(
        tests=fold.tests,
        chosen=chosen.label if chosen else "",
        before=bias_before(own),
        left=bias_left(own) if chosen else bias_before(own),
        harmed=tuple(one.test for one in chosen.harms if one.test in hidden) if chosen else (),
    )


def _of(effects: Sequence[TestedEffect], tests: Collection[str]) -> list[TestedEffect]:
    return [effect for effect in effects if effect.test in tests]
