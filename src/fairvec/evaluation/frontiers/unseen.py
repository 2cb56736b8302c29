"""What a choice by some tests does to others: every fold is judged by a choice made without it.

share left of unseen tests = mean over folds of bias left / mean over folds of bias before

Every point is measured on all tests and fitted without their words, so that only the choice has to
be made again: by the other folds alone, in the same way. 1 says that such a choice is worth nothing
on other lists, 0 that nothing is left there. The share left of the tests that chose is smaller,
because they flatter what they choose (Stone 1974, Cross-validatory choice and assessment of
statistical predictions, Journal of the Royal Statistical Society B 36).
"""

from collections.abc import Collection, Sequence

from fairvec.evaluation.frontiers.folds import Folds, TestFold
from fairvec.evaluation.frontiers.front import NOTHING_TO_REMOVE, recommend
from fairvec.evaluation.frontiers.point import bias_before, bias_left
from fairvec.results import Point, TestedEffect, Unseen, UnseenFold


def unseen(
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
