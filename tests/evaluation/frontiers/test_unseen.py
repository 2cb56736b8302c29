from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.experiments.frontier.choice import KEEP, Folds, TestFold, held_out
from fairvec.experiments.frontier.points import bias_left
from fairvec.results import Point, Unseen
from tests.evaluation.frontiers.made import folds, ids_of, points
from tests.results.points import effect, point

SIZES = st.lists(st.integers(1, 3), min_size=2, max_size=4)
SEEDS = st.integers(0, 10_000)
SHARES = st.floats(0, 1)


def judged(found: list[Point], of: Folds) -> Unseen:
    return held_out(found, of, evident=ids_of(of), keep=KEEP)


@given(SIZES, SEEDS, SHARES, st.data())
@settings(max_examples=40, deadline=None)
def test_a_fold_has_no_say_in_what_is_chosen_without_it(
    sizes: list[int], seed: int, removed: float, data: st.DataObject
) -> None:
    of = folds(*sizes)
    found = points(of, removed=removed, noise=0.4, seed=seed, methods=3)
    place = data.draw(st.integers(0, len(sizes) - 1))
    number = st.floats(-2, 2).filter(bool)
    kinds = st.sampled_from(["reduced", "reversed", "introduced", "removed"])

    def other(one: Point) -> Point:
        effects = tuple(
            effect(each.before, data.draw(number), data.draw(kinds), each.test)
            if each.test in of.each[place].tests
            else each
            for each in one.effects
        )
        return one.model_copy(update={"effects": effects, "bias_left": bias_left(effects)})

    changed = judged([other(one) for one in found], of)
    assert changed.folds[place].chosen == judged(found, of).folds[place].chosen


@given(SIZES, SEEDS, SHARES)
@settings(max_examples=40, deadline=None)
def test_every_fold_is_measured_at_what_the_others_chose(
    sizes: list[int], seed: int, removed: float
) -> None:
    of = folds(*sizes)
    found = points(of, removed=removed, noise=0.4, seed=seed, methods=3)
    answer = judged(found, of)
    for fold, known in zip(answer.folds, of.each, strict=True):
        assert fold.tests == known.tests
        chosen = next((one for one in found if one.label == fold.chosen), None)
        effects = [one for one in (chosen or found[0]).effects if one.test in fold.tests]
        assert fold.before == pytest.approx(fmean(abs(one.before) for one in effects))
        if chosen:
            assert fold.left == pytest.approx(bias_left(effects))
            assert {*fold.harmed} == {one.test for one in chosen.harms if one.test in fold.tests}
        else:
            assert (fold.left, fold.harmed) == (fold.before, ())
    left, before = (sum(getattr(one, name) for one in answer.folds) for name in ("left", "before"))
    assert answer.share == pytest.approx(left / before)


def test_without_anything_to_remove_elsewhere_the_model_is_left_as_it_is() -> None:
    of = folds(2, 1, 1)
    found = points(of, removed=0.8, noise=0.1, seed=0)
    answer = held_out(found, of, evident=[*of.each[0].tests], keep=KEEP)
    assert [bool(fold.chosen) for fold in answer.folds] == [False, True, True]
    assert answer.folds[0].share == 1


def test_a_single_fold_is_judged_by_nothing() -> None:
    of = folds(3)
    answer = judged(points(of, removed=0.8, noise=0.1, seed=0), of)
    assert (answer.folds, answer.share) == ((), None)
    assert judged([], folds(1, 1)).share is None


def test_harm_to_a_test_near_the_fold_counts_and_is_not_seen() -> None:
    of = folds(1, 1, 1)
    harm = effect(1.0, -1.0, "reversed", "toy/near")
    found = [
        one.model_copy(update={"effects": (*one.effects, harm)})
        for one in points(of, removed=0.8, noise=0.1, seed=0)
    ]
    near = Folds(of.apart, tuple(TestFold(fold.tests, ("toy/near",)) for fold in of.each))
    assert not any(fold.chosen for fold in judged(found, of).folds)
    assert [fold.harmed for fold in judged(found, near).folds] == [("toy/near",)] * 3


def test_what_was_fitted_on_the_words_of_a_fold_is_not_clean() -> None:
    of = folds(1, 1, 1)
    found = points(of, removed=0.8, noise=0.1, seed=0)
    assert judged(found, of).clean
    seen = [one.model_copy(update={"held_out": False}) for one in found]
    assert not judged(seen, of).clean
    assert judged([*seen, *found], of).clean


def test_no_bias_at_all_has_no_share() -> None:
    of = folds(1, 1)
    nothing = tuple(effect(0.0, 0.0, "no-evidence", test) for test in ids_of(of))
    answer = judged([point("m", 0.0, 1.0, effects=nothing, bias_before=0.0)], of)
    assert answer.share is None
    assert [fold.share for fold in answer.folds] == [None, None]
