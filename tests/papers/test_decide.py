"""How a claim is decided."""

from collections import Counter
from itertools import product
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.messages.claims import BEFORE_AND_AFTER
from fairvec.papers.claims.decide import (
    Decision,
    Estimate,
    PairedChange,
    decide_best,
    decide_change,
    decide_comparable,
    decide_difference,
    decide_each,
    decide_greater,
    decide_leaning,
    decide_threshold,
    decide_unchanged,
)
from fairvec.stats import Interval, ScoredLists, joint_test, permutation_test
from tests.toys import between

# --- What holds of every kind of test: as much is asked of `holds` as of `fails` ---


OTHER = {"holds": "fails", "fails": "holds", "undecided": "undecided"}
effects = st.floats(-2, 2).map(lambda value: round(value, 3))
chances = st.one_of(st.floats(0, 0.1), st.floats(0, 1), st.just(0.05))
reaches = st.floats(0, 1).map(lambda value: round(value, 3))


def lean(effect: float, p: float, interval: Interval | None = None, **more: bool) -> Estimate:
    return Estimate("", effect, interval, p, **more)


def estimate(name: str, effect: float, p: float, interval: Interval | None = None) -> Estimate:
    return Estimate(name, effect, interval, p)


def change_of(
    before: float,
    after: float,
    p: float | None,
    ends: Interval | None,
    *,
    name: str = "",
    at_most: bool = False,
) -> PairedChange:
    return PairedChange(before, after, p, ends, at_most=at_most, name=name)


def lowered(
    before: float,
    after: float,
    p: float,
    ends: Interval | None,
    *,
    at_most: bool = False,
    sides: tuple[str, str] = BEFORE_AND_AFTER,
) -> Decision:
    change = change_of(before, after, p, ends, at_most=at_most)
    return decide_change(change, claimed="lowered", margin=0.2, sides=sides)


def raised(before: float, after: float, p: float, ends: Interval | None) -> Decision:
    return decide_change(change_of(before, after, p, ends), claimed="raised", margin=0.2)


@st.composite
def intervals(draw: st.DrawFn, around: float) -> Interval | None:
    """Ends that hold a figure, or none."""
    if draw(st.booleans()):
        return None
    return between((around - draw(reaches), around + draw(reaches)))


@st.composite
def several(draw: st.DrawFn) -> list[Estimate]:
    """Up to five tests of any effect."""
    found = []
    for number in range(draw(st.integers(1, 5))):
        effect = draw(effects)
        found.append(estimate(f"t{number}", effect, draw(chances), draw(intervals(effect))))
    return found


def mirrored(test: Estimate) -> Estimate:
    ends = test.interval and test.interval.scaled(-1)
    return Estimate(test.name, -test.value, ends, test.p)


@given(effects, chances)
def test_a_lean_the_other_way_fails_where_this_one_holds(effect: float, p: float) -> None:
    one, other = decide_leaning(lean(effect, p), "+"), decide_leaning(lean(effect, p), "-")
    assert other.grade == OTHER[one.grade]
    assert decide_leaning(lean(-effect, p), "-").grade == one.grade
    assert (one.grade == "undecided") == (p > 0.05 * (1 + 1e-12) or effect == 0)


def test_a_p_of_just_the_level_decides_and_what_is_ruled_out_is_reported() -> None:
    interval = Interval(low=-0.31, high=0.52, level=0.95, kind="inverted", method="inverted")
    assert decide_leaning(lean(0.4, 0.05), "+").grade == "holds"
    message = decide_leaning(lean(0.1, 0.6, interval), "+").sentence
    assert "effects above +0.52 and below −0.31 are ruled out (95 %)" in message


def test_a_p_that_no_draw_undercuts_is_a_bound_in_the_sentence_and_in_the_table() -> None:
    for effect in (0.9, -0.9, 0.0):
        leaning = decide_leaning(lean(effect, 1e-5, at_most=True), "+")
        change = lowered(effect, 0.1, 1e-5, None, at_most=True)
        for decision in (leaning, change):
            assert decision.at_most
            assert "p ≤ 0.00001" in decision.sentence
    assert not decide_leaning(lean(0.9, 1e-5), "+").at_most


def test_one_test_is_not_told_as_several() -> None:
    for effect, p in ((0.1, 0.6), (0.9, 0.01), (-0.9, 0.01)):
        assert decide_leaning(lean(effect, p), "+").sentence.startswith("The words ")
        several_tests = decide_leaning(lean(effect, p), "+", tests=3)
        assert several_tests.sentence.startswith("Together the tests ")
        assert several_tests.grade == decide_leaning(lean(effect, p), "+").grade
    alone = decide_each([estimate("E1", 1.0, 0.001)], "+")
    assert alone.sentence == "1 of 1 significant as claimed (p = 0.0010); d +1.00."
    kept = decide_unchanged(
        [change_of(0.7, 0.702, None, between((-0.004, 0.008)), name="MC")], 0.01
    )
    assert "largest" not in kept.sentence


@given(several())
def test_each_is_the_same_from_the_other_side(some: list[Estimate]) -> None:
    assert decide_each(some, "+").grade == decide_each([mirrored(one) for one in some], "-").grade


@given(several())
def test_each_holds_where_holm_by_hand_says_so(some: list[Estimate]) -> None:
    ordered = sorted(some, key=lambda one: one.p or 0)
    passed = all(
        (one.p or 0) * (len(some) - place) <= 0.05 * (1 + 1e-12)
        for place, one in enumerate(ordered)
    )
    expected = passed and all(one.value > 0 for one in some)
    decision = decide_each(some, "+")
    absent = any(
        one.interval and one.interval.high < 0.2 and not (expected and one.value > 0)
        for one in some
    )
    assert (decision.grade == "holds") == (expected and not absent)
    assert decide_each(some, "+", ["another"]).grade != "holds"


def test_each_counts_and_names() -> None:
    some = [
        estimate("E1", 1.0, 0.001),
        estimate("E2", 0.3, 0.4),
        estimate("E, 3", -1, 0.9),
    ]
    assert decide_each(some, "+").sentence == (
        "1 of 3 (E1) significant as claimed, corrected over the claim; d −1.00 to +1.00."
    )
    some[2] = estimate("E, 3", -1.0, 0.001)
    assert decide_each(some, "+").grade == "fails"
    assert "the other way: “E, 3”" in decide_each(some, "+").sentence
    some[2] = estimate("E3", 0.05, 0.8, between((-0.1, 0.19)))
    assert "an effect of 0.2 or more is ruled out in E3" in decide_each(some, "+").sentence


rows = st.lists(st.tuples(effects, effects), min_size=1, max_size=9)


@given(rows)
def test_greater_is_the_share_of_all_swaps(pairs: list[tuple[float, float]]) -> None:
    left, right = (list(side) for side in zip(*pairs, strict=True))
    decision = decide_greater(left, right, "value")
    steps = np.subtract(left, right)
    sums = np.array([abs(np.dot(signs, steps)) for signs in product((1, -1), repeat=len(steps))])
    assert decision.p == pytest.approx(float(np.mean(sums >= abs(steps.sum()) - 1e-9)))
    assert decide_greater(right, left, "value").grade == OTHER[decision.grade]
    if len(pairs) < 6:
        assert decision.grade == "undecided"
        assert "so few pairs cannot decide: it takes 6" in decision.sentence


def test_six_pairs_decide_and_five_do_not() -> None:
    assert decide_greater([2.0] * 6, [1.0, 1.1, 1.2, 0.9, 0.8, 0.7], "value").grade == "holds"
    assert decide_greater([2.0] * 5, [1.0, 1.1, 1.2, 0.9, 0.8], "value").grade == "undecided"
    by_size = decide_greater([-2.0] * 6, [1.0, 1.1, 1.2, 0.9, 0.8, 0.7], "size")
    assert by_size.grade == "holds"


@given(effects, effects, chances, st.data())
def test_a_change_undone_is_the_claim_turned(
    before: float, after: float, p: float, data: st.DataObject
) -> None:
    ends = data.draw(intervals(after - before))
    there = lowered(before, after, p, ends)
    back = raised(after, before, p, ends and ends.scaled(-1))
    assert there.grade == back.grade
    turned = lowered(-before, -after, p, ends and ends.scaled(-1))
    assert turned.grade == there.grade


def test_what_turned_around_is_not_lowered() -> None:
    assert lowered(1.0, 0.2, 0.01, None).grade == "holds"
    assert lowered(1.0, -0.8, 0.01, None).grade == "undecided"
    assert lowered(1.0, -2.5, 0.01, None).grade == "fails"
    near = lowered(1.0, 0.9, 0.01, between((-0.15, -0.05)))
    assert near.grade == "fails"
    assert near.sentence.startswith("No change worth a word")
    nothing = lowered(0.03, -0.1, 0.01, between((-0.2, -0.05)))
    assert nothing.grade == "undecided"
    assert nothing.sentence.startswith("Next to nothing before and after")


def test_what_could_not_have_held_does_not_fail() -> None:
    """An effect that is none worth a claim before cannot be lowered by one that is."""
    ends = between((-0.02, 0.13))
    small = lowered(0.18, 0.24, 0.16, ends)
    assert small.grade == "undecided"
    assert small.sentence.startswith("Next to nothing to be lowered: +0.18 before")
    assert lowered(0.28, 0.34, 0.16, ends).grade == "fails"
    grown = lowered(0.18, 0.9, 0.01, between((0.3, 1.1)))
    assert grown.grade == "fails"


@given(effects, effects, chances, st.data())
def test_a_tie_that_is_not_there_is_neither_lowered_nor_kept(
    before: float, after: float, p: float, data: st.DataObject
) -> None:
    """Words that lean the other way leave it open, and else the sign changes nothing."""
    change = change_of(before, after, p, data.draw(intervals(after - before)))
    plain = decide_change(change, claimed="lowered", margin=0.2).grade
    denied = decide_change(change, claimed="not-lowered", margin=0.2).grade
    signed = decide_change(change, claimed="lowered", margin=0.2, sign="+").grade
    assert denied == OTHER[plain]
    assert signed == (plain if before > 0 else "undecided")


@given(effects, effects, chances, st.data())
def test_the_greater_of_two_effects_is_the_lesser_from_the_other_side(
    first: float, second: float, p: float, data: st.DataObject
) -> None:
    ends = data.draw(intervals(second - first))
    there = decide_difference(change_of(first, second, p, ends), margin=0.2)
    back = decide_difference(change_of(second, first, p, ends and ends.scaled(-1)), margin=0.2)
    within = ends is not None and ends.is_within(0.2)
    assert there.grade == (back.grade if within else OTHER[back.grade])
    if max(first, second) < 0.2 or (not within and p > 0.0501):
        assert there.grade == "undecided"


def test_two_effects_that_both_go_the_other_way_are_not_compared() -> None:
    assert decide_difference(change_of(-0.9, 0.1, 0.001, None), margin=0.2).grade == "undecided"
    assert decide_difference(change_of(-0.9, 0.9, 0.001, None), margin=0.2).grade == "holds"
    assert decide_difference(change_of(0.9, -0.9, 0.001, None), margin=0.2).grade == "fails"


changes = st.lists(st.tuples(effects, chances), min_size=1, max_size=5)


@given(changes, effects, effects)
def test_the_best_is_better_than_each_after_holm(
    others: list[tuple[float, float]], own: float, original: float
) -> None:
    """A best that holds is better than any fewer; one rival that is better speaks against it."""
    compared = [change_of(other, own, p, None, name=str(n)) for n, (other, p) in enumerate(others)]

    def decided(some: list[PairedChange], claimed: Literal["least", "most"] = "least") -> str:
        return decide_best(some, original=original, sign="+", claimed=claimed).grade

    assert decided(compared, "most") == OTHER[decided(compared)] or len(others) > 1
    if original < 0.2:
        assert decided(compared) == "undecided"
    elif decided(compared) == "holds":
        assert all(decided([one]) == "holds" for one in compared)
        assert all(abs(own) < abs(other) for other, _ in others)
        assert max(p for _, p in others) <= 0.05 * (1 + 1e-12)
        assert (
            decide_best(
                compared, original=original, sign="+", claimed="least", missing=["another"]
            ).grade
            == "undecided"
        )
    if decided(compared) == "fails":
        assert any(abs(own) > abs(other) and p <= 0.0501 for other, p in others)


def test_a_share_of_an_effect_is_held_against_both_intervals() -> None:
    def grade(left: tuple[float, float, float], right: tuple[float, float, float]) -> str:
        both = [Estimate("", at, between((low, high))) for low, at, high in (left, right)]
        return decide_comparable(both[0], both[1], 0.5).grade

    meaning = (1.4, 1.6, 1.8)
    assert grade((0.9, 1.1, 1.3), meaning) == "holds"
    assert grade((0.89, 1.1, 1.3), meaning) == "undecided"
    assert grade((0.1, 0.3, 0.69), meaning) == "fails"
    assert grade((0.1, 0.3, 0.7), meaning) == "undecided"
    assert grade((0.1, 0.3, 0.69), (-0.1, 1.6, 1.8)) == "undecided"
    assert decide_comparable(Estimate("", 1.0), Estimate("", 1.0), 0.5).grade == "undecided"


def test_two_models_are_no_before_and_after() -> None:
    sides = ("in one", "in other")
    for p, ends in ((0.01, None), (0.6, None), (0.6, between((-0.1, 0.1)))):
        found = lowered(1.0, 0.95, p, ends, sides=sides)
        assert "+1.00 in one, +0.95 in other, a difference of" in found.sentence
        assert "before" not in found.sentence
        assert "change" not in found.sentence


@given(effects, effects, st.data(), st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_wider_margin_keeps_what_a_narrow_one_kept(
    before: float, after: float, data: st.DataObject, one: float, other: float
) -> None:
    kept = [change_of(before, after, None, data.draw(intervals(after - before)), name="d")]
    narrow, wide = (decide_unchanged(kept, margin).grade for margin in sorted((one, other)))
    assert narrow != "holds" or wide == "holds"
    assert wide != "fails" or narrow == "fails"
    assert kept[0].difference or narrow == "undecided"
    assert decide_unchanged(kept, one, ["another"]).grade != "holds"


def test_one_figure_lost_is_enough_and_all_must_be_kept() -> None:
    kept = change_of(0.7, 0.702, None, between((-0.004, 0.008)), name="MC")
    lost = change_of(0.8, 0.7, None, between((-0.15, -0.05)), name="RG")
    open_ = change_of(0.8, 0.79, None, between((-0.03, 0.01)), name="RW")
    assert decide_unchanged([kept], 0.01).grade == "holds"
    assert decide_unchanged([kept, open_], 0.01).grade == "undecided"
    found = decide_unchanged([kept, lost, open_], 0.01)
    assert found.grade == "fails"
    assert found.sentence.startswith("1 of 3 (MC) kept within 0.01; moved further: RG; open: RW")


@given(effects, effects, st.data())
def test_a_limit_from_above_is_one_from_below(
    value: float, limit: float, data: st.DataObject
) -> None:
    ends = data.draw(intervals(value))
    one = decide_threshold([Estimate("rho", value, ends)], at_least=limit)
    turned = Estimate("rho", -value, ends and ends.scaled(-1))
    assert decide_threshold([turned], at_most=-limit).grade == one.grade
    if ends is None:
        assert one.grade == ("holds" if value >= limit else "fails")
        assert "no uncertainty is known" in one.sentence
    else:
        inside = ends.low < limit <= ends.high
        assert (one.grade == "undecided") == inside


@given(st.floats(-2, 2), st.sampled_from([-1.0, 0.0, 0.2, 0.5]), st.booleans())
def test_a_figure_is_reported_on_its_own_side_of_the_limit(
    value: float, limit: float, low: bool
) -> None:
    at_least, at_most = (limit, None) if low else (None, limit)
    decision = decide_threshold([Estimate("rho", value)], at_least=at_least, at_most=at_most)
    value_shown = float(decision.shown.replace("\N{MINUS SIGN}", "-"))
    assert "-" not in decision.shown.partition("e")[0]
    assert value_shown == pytest.approx(value, rel=0.005, abs=1e-300)
    if abs(value - limit) > 1e-9:
        assert (value_shown > limit) == (value > limit)
        assert value_shown != limit


def test_pairs_of_equal_figures_decide_nothing() -> None:
    """Of six pairs five differ, all one way: p is 1/16, as of five."""
    decision = decide_greater([2.0] * 6, [1.0, 1.1, 1.2, 0.9, 0.8, 2.0], "value")
    assert (decision.grade, decision.p) == ("undecided", 1 / 16)
    assert "so few pairs that differ cannot decide" in decision.sentence
    open_ = decide_greater([2.0] * 6, [1.0, 3.1, 1.2, 0.9, 0.8, 0.7], "value")
    assert (open_.grade, "so few" in open_.sentence) == ("undecided", False)


# --- Planted nulls: where there is nothing, a kind with a p decides in 5 % of all cases at the most
# Two cases are no errors and are left out: where no word leans, an interval may truly show that
# there is no effect, and where nothing was changed, that there is no change.


TRIED = 600
ALLOWED = 0.05 + 3 * np.sqrt(0.05 * 0.95 / TRIED)
"""Three standard errors of the drawing above the level."""


def leaning(draw: np.random.Generator) -> str:
    """Three tests of the same eight and of eight further words."""
    keys = [f"w{n}" for n in range(16)]
    lists = []
    for start in (0, 4, 8):
        some = keys[start : start + 8]
        scores = draw.standard_t(3, size=8)
        lists.append(ScoredLists(tuple(some[:4]), tuple(some[4:]), scores[:4], scores[4:]))
    found = joint_test(lists, samples=999, seed=int(draw.integers(2**31)), interval=False)
    return decide_leaning(lean(found.effect, found.p.value), "+").grade


def each_of_one(draw: np.random.Generator) -> str:
    """One test of words that do not lean."""
    return each(draw, 1)


def each_of_six(draw: np.random.Generator) -> str:
    """Six of them: without a correction one in seven claims would fail by chance."""
    return each(draw, 6)


def each(draw: np.random.Generator, asked: int) -> str:
    """So many tests that are asked of words which do not lean."""
    tests = []
    for number in range(asked):
        x, y = draw.standard_t(3, size=(2, 6))
        p = permutation_test(x, y, sides="two").value
        tests.append(estimate(str(number), float(x.mean() - y.mean()), p))
    return decide_each(tests, "+").grade


def greater(draw: np.random.Generator) -> str:
    """Seven pairs of figures that might as well be swapped."""
    left, right = draw.exponential(size=(2, 7))
    return decide_greater(left.tolist(), right.tolist(), "value").grade


def change(draw: np.random.Generator) -> str:
    """Six words a list, before and after, whose changes do not depend on their list."""
    before, after = draw.standard_t(3, size=(2, 2, 6))
    p = permutation_test(*(after - before)).value
    old, new = (float(x.mean() - y.mean()) for x, y in (before, after))
    return lowered(old, new, p, None).grade


def difference(draw: np.random.Generator) -> str:
    """Six words a list in two models, whose differences do not depend on their list."""
    first, second = draw.standard_t(3, size=(2, 2, 6))
    p = permutation_test(*(second - first)).value
    old, new = (float(x.mean() - y.mean()) for x, y in (first, second))
    return decide_difference(change_of(old, new, p, None), margin=0.2).grade


def best_of_ten(draw: np.random.Generator) -> str:
    """One change beside nine others: without a correction it loses to some too often."""
    own, *others = draw.standard_t(3, size=(10, 2, 6))
    compared = [
        change_of(
            float(np.subtract(*other.mean(axis=1))),
            float(np.subtract(*own.mean(axis=1))),
            permutation_test(*(own - other)).value,
            None,
            name=str(number),
        )
        for number, other in enumerate(others)
    ]
    return decide_best(compared, original=1.0, sign="+", claimed="least").grade


NULLS = [leaning, each_of_one, each_of_six, greater, change, difference, best_of_ten]


@pytest.mark.parametrize("kind", NULLS)
def test_where_there_is_nothing_little_is_decided(kind) -> None:  # type: ignore[no-untyped-def]
    draw = np.random.default_rng(7)
    grades = Counter(kind(draw) for _ in range(TRIED))
    assert (grades["holds"] + grades["fails"]) / TRIED <= ALLOWED, grades


@pytest.mark.parametrize("sign", ["+", "-"])
def test_where_there_is_something_it_is_found_either_way(sign: str) -> None:
    """The control: the same words shifted apart hold, and fail for who claims the other way."""
    draw = np.random.default_rng(8)
    shift = 3 if sign == "+" else -3
    grades: Counter[str] = Counter()
    for _ in range(60):
        x, y = draw.normal(size=(2, 8))
        p = permutation_test(x + shift, y, sides="two").value
        test = estimate("one", float((x + shift).mean() - y.mean()), p)
        grades[decide_each([test], "+").grade] += 1
    assert grades["holds" if sign == "+" else "fails"] >= 55
