"""Pareto fronts, recommendations and held-out folds."""

from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.experiments.frontier import points as frontier_point
from fairvec.experiments.frontier.choice import (
    ENOUGH_FOLDS,
    KEEP,
    NOTICEABLE,
    Folds,
    Recommendation,
    TestFold,
    advise,
    dominates,
    folds_of,
    front,
    held_out,
    recommend,
    surely_above_zero,
)
from fairvec.experiments.frontier.points import bias_left
from fairvec.languages.words import WordSet
from fairvec.lexicon import Test
from fairvec.messages import frontiers as messages
from fairvec.messages.frontiers import fold_caveats
from fairvec.results.frontier import FrontierPoint, HeldOutCheck, HeldOutFold, InformationFigure
from tests.experiments.toys import folds, ids_of, points
from tests.results.toys import effect, point

# --- pareto ---


SHARES = st.integers(0, 10).map(lambda tenths: tenths / 10)
POINTS = st.lists(st.builds(lambda left, kept: point("m", left, kept), SHARES, SHARES), min_size=1)
HARM = (effect(1.0, -1.0, "reversed"),)


@given(POINTS)
def test_the_front_is_what_nothing_beats(points: list) -> None:  # type: ignore[type-arg]
    best = front(points)
    for one in points:
        beaten = any(
            (other.bias_left, -other.information_kept) != (one.bias_left, -one.information_kept)
            and other.bias_left <= one.bias_left
            and other.information_kept >= one.information_kept
            for other in points
        )
        assert (one in best) == (not beaten)
    assert not any(dominates(one, other) for one in best for other in best)
    assert best == sorted(best, key=lambda one: one.bias_left)


TRIED = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from([0.2, 0.4]), SHARES, st.sampled_from([0.5, 1.0])
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda one: (one[0], one[3]),
)


@given(TRIED, st.randoms(use_true_random=False))
def test_the_order_in_which_methods_are_tried_decides_nothing(
    tried: list[tuple[str, float, float, float]], shuffler: Random
) -> None:
    points = [point(name, left, kept, strength=at) for name, left, kept, at in tried]
    shuffled = [*points]
    shuffler.shuffle(shuffled)
    for keep in (0.5, 1.0):
        assert recommend(points, keep=keep) == recommend(shuffled, keep=keep)


def test_least_bias_among_those_that_keep_enough() -> None:
    points = [point("a", 0.1, 0.90), point("b", 0.3, 0.96), point("c", 0.5, 0.99)]
    assert recommend(points).point == points[1]
    assert recommend(points, keep=0.98).point == points[2]
    assert recommend(points).reason == messages.least_bias(points[1], 2, 3, KEEP)


def test_an_effect_turned_round_is_no_improvement() -> None:
    points = [point("a", 0.1, 0.99, effects=HARM), point("b", 0.8, 0.97)]
    assert recommend(points).point == points[1]
    advice = recommend(points[:1])
    assert (advice.point, advice.reason) == (None, messages.ALL_HARMFUL)


def test_what_the_tests_cannot_judge_is_recommended_last() -> None:
    seen = point("a", 0.0, 1.0, held_out=False)
    tuned = point("b", 0.0, 1.0, calibrated=True)
    honest = point("c", 0.5, 0.99)
    assert recommend([seen, tuned, honest]).point == honest
    assert recommend([seen]).point == seen


def test_nothing_helpful_is_reported() -> None:
    assert recommend([point("a", 1.0, 1.0)]).point is None
    costly = [point("a", 0.2, 0.5), point("b", 0.4, 0.7)]
    advice = recommend(costly)
    assert (advice.point, advice.reason) == (None, messages.nothing_keeps(KEEP, costly[1]))
    assert recommend(costly, keep=0.7).point == costly[1]


def test_where_nothing_was_tried_nothing_is_blamed() -> None:
    advice = recommend([])
    assert (advice.point, advice.reason) == (None, messages.NO_METHOD)


# --- recommendation ---


def advised(found: list[FrontierPoint], of: Folds) -> tuple[Recommendation, HeldOutCheck]:
    judged = held_out(found, of, evident=ids_of(of), keep=KEEP)
    return advise(found, judged, keep=KEEP), judged


def judged(*shares: float, harmed: tuple[str, ...] = (), clean: bool = True) -> HeldOutCheck:
    """Folds of a bias of 1 with so much left."""
    each = tuple(
        HeldOutFold(tests=(f"toy/{i}",), chosen="m at 1", before=1.0, left=share, harmed=harmed)
        for i, share in enumerate(shares)
    )
    share = fmean(shares) if shares else None
    return HeldOutCheck(apart="all-words", clean=clean, folds=each, share=share)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.integers(0, 10_000), st.floats(0, 1))
def test_what_is_recommended_holds_up_on_unseen_tests(
    sizes: list[int], seed: int, removed: float
) -> None:
    found = points(folds(*sizes), removed=removed, noise=0.3, seed=seed, methods=4)
    advice, answer = advised(found, folds(*sizes))
    if advice.point is None:
        return
    gains = [fold.before - fold.left for fold in answer.folds]
    assert advice.point is recommend(found).point
    assert len(gains) > 1
    assert fmean(gains) >= NOTICEABLE
    assert not any(fold.harmed for fold in answer.folds)
    assert surely_above_zero(gains)
    honest, flattered = (
        advice.reason.index(text) for text in ("without a fold", "it was chosen by")
    )
    assert honest < flattered


@pytest.mark.parametrize("noise", [0.15, 0.4])
def test_methods_that_change_effects_at_random_are_rarely_recommended(noise: float) -> None:
    of = folds(3, 5, 2)
    every = [points(of, removed=0.0, noise=noise, seed=seed) for seed in range(60)]
    tempting = sum(recommend(found).point is not None for found in every)
    taken = sum(advised(found, of)[0].point is not None for found in every)
    assert tempting > 40  # the tests that choose find something nearly always
    assert taken <= 6


def test_methods_that_remove_bias_everywhere_are_recommended() -> None:
    of = folds(3, 5, 2)
    every = [points(of, removed=0.6, noise=0.1, seed=seed) for seed in range(20)]
    assert sum(advised(found, of)[0].point is not None for found in every) > 15


def test_the_answer_says_why_a_choice_is_not_recommended() -> None:
    found = [point("m", 0.3, 0.99)]

    def said(answer: HeldOutCheck) -> str:
        advice = advise(found, answer, keep=KEEP)
        assert advice.point is None
        return advice.reason

    assert said(judged()) == messages.cannot_be_judged(found[0])
    for answer, objection in (
        (judged(0.3, 0.3, harmed=("toy/0",)), messages.harm_objection(["toy/0", "toy/0"])),
        (judged(0.93, 0.97), messages.gain_objection(NOTICEABLE)),
        (judged(0.2, 0.2, 1.2), messages.CHANCE_OBJECTION),
        (judged(0.2, 0.9), messages.CHANCE_OBJECTION),
    ):
        assert said(answer) == messages.does_not_hold_up(found[0], answer, objection)
    held_up = judged(0.4, 0.5, 0.6)
    advice = advise(found, held_up, keep=KEEP)
    assert advice.point is found[0]
    assert advice.reason == messages.holds_up(held_up, messages.least_bias(found[0], 1, 1, KEEP))


def test_few_or_unclean_folds_are_reported() -> None:
    assert fold_caveats(judged(0.4, 0.5, 0.6)) == ()
    few, unclean = fold_caveats(judged(0.4, 0.5)), fold_caveats(judged(0.4, 0.5, 0.6, clean=False))
    assert (len(few), len(unclean)) == (1, 1)
    assert fold_caveats(judged(0.4, 0.5, clean=False)) == (*few, *unclean)


def test_what_the_tests_do_not_choose_is_not_recommended() -> None:
    advice = advise([point("m", 1.0, 1.0)], judged(0.4, 0.5, 0.6), keep=KEEP)
    assert (advice.point, advice.reason) == (None, messages.nothing_lowers(NOTICEABLE))


# --- folds ---


POOL = [f"w{i}" for i in range(14)]
KEYS = [*POOL[:10], "new_york"]
KNOWN = Embedding(KEYS, np.random.default_rng(0).normal(size=(len(KEYS), 4)), name="toy")
LISTS = st.lists(st.sampled_from(POOL), min_size=1, max_size=3, unique=True)
TESTS = st.lists(st.fixed_dictionaries(dict.fromkeys("xyab", LISTS)), min_size=1, max_size=7)


def a_test(id: str, lists: dict[str, list[Any]], language: str = "en") -> Test:
    sets = {
        role: WordSet(id=f"set-{role}", title=role, words=tuple(words))
        for role, words in lists.items()
    }
    return Test(
        id=f"toy/{id}", title=id, category="gender", kind="bias", language=language, sets=sets
    )


def of(lists: list[dict[str, list[Any]]]) -> Folds:
    return folds_of([a_test(f"t{i}", each) for i, each in enumerate(lists)], (), KNOWN)


def joined(apart: str, one: dict[str, list[str]], other: dict[str, list[str]]) -> bool:
    (x, a), (y, b) = (({*e["x"], *e["y"]}, {*e["a"], *e["b"]}) for e in (one, other))
    match apart:
        case "all-words":
            return bool((x | a) & (y | b))
        case "targets-anywhere":
            return bool(x & (y | b) or y & (x | a))
    return bool(x & y)


@given(TESTS)
def test_folds_share_nothing_and_cannot_be_split(lists: list[dict[str, list[str]]]) -> None:
    found = of(lists)
    named = {f"toy/t{i}": each for i, each in enumerate(lists)}
    assert sorted(test for fold in found.each for test in fold.tests) == sorted(named)
    for one, other in combinations(found.each, 2):
        assert not any(
            joined(found.apart, named[t], named[u]) for t in one.tests for u in other.tests
        )
    for fold in found.each:
        reached, waiting = {fold.tests[0]}, {*fold.tests[1:]}
        while near := {
            t for t in waiting if any(joined(found.apart, named[t], named[u]) for u in reached)
        }:
            reached, waiting = reached | near, waiting - near
        assert not waiting


@given(TESTS, st.randoms())
def test_the_order_of_tests_is_irrelevant(lists: list[dict[str, list[str]]], random: Any) -> None:
    tests = [a_test(f"t{i}", each) for i, each in enumerate(lists)]
    mixed = random.sample(tests, len(tests))
    one, other = folds_of(tests, (), KNOWN), folds_of(mixed, (), KNOWN)
    assert one.apart == other.apart
    assert {frozenset(fold.tests) for fold in one.each} == {
        frozenset(fold.tests) for fold in other.each
    }


@given(TESTS)
def test_the_strictest_way_that_gives_enough_is_taken(lists: list[dict[str, list[str]]]) -> None:
    found = of(lists)
    stricter = {"all-words": [], "targets-anywhere": ["all-words"]}.get(
        found.apart, ["all-words", "targets-anywhere"]
    )
    for way in stricter:
        groups = [{i} for i in range(len(lists))]
        for i, j in combinations(range(len(lists)), 2):
            if joined(way, lists[i], lists[j]):
                one, other = (next(g for g in groups if k in g) for k in (i, j))
                groups = [g for g in groups if g not in (one, other)] + [one | other]
        assert len(groups) < min(ENOUGH_FOLDS, len(found.each))


def test_shared_attributes_do_not_join_what_targets_keep_apart() -> None:
    shared: dict[str, list[Any]] = {"a": ["he"], "b": ["she"]}
    lists: list[dict[str, list[Any]]] = [
        {"x": [f"x{i}"], "y": [f"y{i}"], **shared} for i in range(4)
    ]
    found = of(lists)
    assert (found.apart, len(found.each)) == ("targets-anywhere", 4)
    # Names against careers, and careers against he and she, are about the same words.
    names = {"x": ["john"], "y": ["amy"], "a": ["x0"], "b": ["y0"]}
    assert of([*lists, names]).each[0].tests == ("toy/t0", "toy/t4")


def test_a_word_is_shared_under_any_of_its_spellings() -> None:
    rest: dict[str, list[Any]] = {"y": ["u"], "a": ["he"], "b": ["she"]}
    apart = {"x": ["v"], "y": ["w"], "a": ["he"], "b": ["she"]}

    def number(one: Any, other: Any, language: str = "en") -> int:
        lists = [{"x": [one], **rest}, {"x": [other], "y": ["t"], "a": ["he"], "b": ["she"]}, apart]
        tests = [a_test(f"t{i}", each, language) for i, each in enumerate(lists)]
        return len(folds_of(tests, (), KNOWN).each)

    assert number("nurse", "doctor") == 3
    assert number("nurse", "Nurse") == 2
    assert number("head nurse", "nurse") == 2
    assert number("new york", "new_york") == 2
    assert number({"word": "colour", "variants": ["color"]}, "color") == 2
    assert number({"word": "one", "variants": ["w1"]}, {"word": "two", "variants": ["w1"]}) == 2
    assert number("कमज़ोर", "कमजोर", "hi") == 2


def test_tests_of_other_concepts_are_hidden_with_the_fold_they_touch() -> None:
    lists = [{"x": [f"x{i}"], "y": [f"y{i}"], "a": ["he"], "b": ["she"]} for i in range(3)]
    tests = [a_test(f"t{i}", each) for i, each in enumerate(lists)]
    near = a_test("near", {"x": ["x1"], "y": ["z"], "a": ["good"], "b": ["bad"]})
    far = a_test("far", {"x": ["q"], "y": ["z"], "a": ["he"], "b": ["she"]})
    found = folds_of(tests, [near, far], KNOWN)
    assert [fold.near for fold in found.each] == [(), ("toy/near",), ()]


# --- held out ---


SIZES = st.lists(st.integers(1, 3), min_size=2, max_size=4)
SEEDS = st.integers(0, 10_000)
SHARES_HELD_OUT = st.floats(0, 1)


def judged_held_out(found: list[FrontierPoint], of: Folds) -> HeldOutCheck:
    return held_out(found, of, evident=ids_of(of), keep=KEEP)


@given(SIZES, SEEDS, SHARES_HELD_OUT, st.data())
def test_a_fold_has_no_say_in_what_is_chosen_without_it(
    sizes: list[int], seed: int, removed: float, data: st.DataObject
) -> None:
    of = folds(*sizes)
    found = points(of, removed=removed, noise=0.4, seed=seed, methods=3)
    place = data.draw(st.integers(0, len(sizes) - 1))
    number = st.floats(-2, 2).filter(bool)
    kinds = st.sampled_from(["reduced", "reversed", "introduced", "removed"])

    def other(one: FrontierPoint) -> FrontierPoint:
        effects = tuple(
            effect(each.before, data.draw(number), data.draw(kinds), each.test)
            if each.test in of.each[place].tests
            else each
            for each in one.effects
        )
        return one.model_copy(update={"effects": effects, "bias_left": bias_left(effects)})

    changed = judged_held_out([other(one) for one in found], of)
    assert changed.folds[place].chosen == judged_held_out(found, of).folds[place].chosen


@given(SIZES, SEEDS, SHARES_HELD_OUT)
def test_every_fold_is_measured_at_what_the_others_chose(
    sizes: list[int], seed: int, removed: float
) -> None:
    of = folds(*sizes)
    found = points(of, removed=removed, noise=0.4, seed=seed, methods=3)
    answer = judged_held_out(found, of)
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
    answer = judged_held_out(points(of, removed=0.8, noise=0.1, seed=0), of)
    assert (answer.folds, answer.share) == ((), None)
    assert judged_held_out([], folds(1, 1)).share is None


def test_harm_to_a_test_near_the_fold_counts_and_is_not_seen() -> None:
    of = folds(1, 1, 1)
    harm = effect(1.0, -1.0, "reversed", "toy/near")
    found = [
        one.model_copy(update={"effects": (*one.effects, harm)})
        for one in points(of, removed=0.8, noise=0.1, seed=0)
    ]
    near = Folds(of.apart, tuple(TestFold(fold.tests, ("toy/near",)) for fold in of.each))
    assert not any(fold.chosen for fold in judged_held_out(found, of).folds)
    assert [fold.harmed for fold in judged_held_out(found, near).folds] == [("toy/near",)] * 3


def test_what_was_fitted_on_the_words_of_a_fold_is_not_clean() -> None:
    of = folds(1, 1, 1)
    found = points(of, removed=0.8, noise=0.1, seed=0)
    assert judged_held_out(found, of).clean
    seen = [one.model_copy(update={"held_out": False}) for one in found]
    assert not judged_held_out(seen, of).clean
    assert judged_held_out([*seen, *found], of).clean


def test_no_bias_at_all_has_no_share() -> None:
    of = folds(1, 1)
    nothing = tuple(effect(0.0, 0.0, "not-shown", test) for test in ids_of(of))
    answer = judged_held_out([point("m", 0.0, 1.0, effects=nothing, bias_before=0.0)], of)
    assert answer.share is None
    assert [fold.share for fold in answer.folds] == [None, None]


# --- points ---


def test_what_was_turned_round_counts_as_much_as_it_did() -> None:
    found = [
        effect(1.0, 0.2, "removed"),
        effect(-1.5, 0.9, "reversed"),
        effect(0.1, -0.8, "introduced"),
        effect(1.2, None, "removed"),
        effect(0.7, None, "no-answer"),
    ]
    assert frontier_point.bias_left(found) == pytest.approx((0.2 + 1.5 + 0.8 + 0.0 + 0.7) / 5)
    assert frontier_point.bias_before(found) == pytest.approx((1.0 + 1.5 + 0.1 + 1.2 + 0.7) / 5)


def test_a_category_without_tests_is_judged_by_all() -> None:
    found = [effect(1.0, 0.2, "removed")]
    assert (
        frontier_point.of_category(found, "gender")
        == frontier_point.of_category(found, "caste")
        == found
    )


def test_families_count_alike_and_gains_do_not_pay_for_losses() -> None:
    def figure(family: str, before: float, after: float) -> InformationFigure:
        return InformationFigure.model_validate(
            {"family": family, "test": "t", "before": before, "after": after}
        )

    kept = frontier_point.shares_kept(
        [
            figure("similarity", 0.6, 0.3),
            figure("similarity", 0.2, 0.3),
            figure("analogy", 0.5, 0.6),
            figure("meaning", 1.0, -0.4),
            figure("definitions", 0.0, 0.2),
        ]
    )
    assert kept == {"similarity": pytest.approx(0.75), "analogy": 1.0, "meaning": 0.0}


def test_what_guessing_gives_is_no_information() -> None:
    def kept(after: float, before: float = 0.9, chance: float = 0.5) -> dict[str, float]:
        one = InformationFigure(
            family="sentiment", test="t", before=before, after=after, chance=chance
        )
        return frontier_point.shares_kept([one])

    assert kept(0.9) == {"sentiment": 1.0}
    assert kept(0.7) == {"sentiment": pytest.approx(0.5)}
    assert kept(0.5) == {"sentiment": 0.0}
    assert kept(0.4) == {"sentiment": 0.0}
    assert kept(0.7, before=0.5) == {}  # who knew nothing has nothing to lose
