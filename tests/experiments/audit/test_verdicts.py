"""Verdicts, and the families they are corrected over."""

import re
from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from fairvec.core.format import format_signed, is_significant
from fairvec.experiments.audit import verdicts as families
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.inference import Inference
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_tests
from fairvec.experiments.audit.verdicts import (
    correct_families,
    decidable,
    decide_verdict,
    verdict_of_test,
)
from fairvec.lexicon import SelectedTest, resolve
from fairvec.messages.verdicts import MINUS, SAME_WORDS, excluded_effects
from fairvec.metrics import Score, effect_size
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Interval, PValue, Result
from fairvec.results.identities import Convention
from fairvec.stats import permutation_test, smallest_attainable_p
from tests import toys
from tests.laws.helpers import law
from tests.results.toys import TEST

# --- verdict ---


STANDARDISED = Convention(name="caliskan", ddof=1, denominator="leanings")
PLAIN = Convention(name="mean-difference", ddof=0, denominator="none")
GROUPS = resolve(toys.suite().tests[0], toys.embedding())


def inference_of(p: PValue, sizes: tuple[int, int], effect: float = 1.0) -> Inference:
    return Inference(
        Score(effect, (), None), p=p, p_two_sided=p, means=(1.0, -1.0), sizes=sizes, scale=1.0
    )


def kind_of(inference: Inference, p_holm: float | None, alpha: float) -> str:
    assert inference.p_two_sided
    message = verdict_of_test(
        inference,
        inference.p_two_sided,
        GROUPS,
        p_holm=p_holm,
        alpha=alpha,
        family="bias tests of toy",
        candidates=3,
        detectable=None,
    )
    assert (message.p, message.p_holm, message.alpha) == (
        inference.p_two_sided.value,
        p_holm,
        alpha,
    )
    return message.kind


@law
@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.floats(1e-9, 1),
)
def test_a_p_that_equals_the_level_is_significant_alone_and_corrected(
    x: list[int], y: list[int], more: float
) -> None:
    p = permutation_test(np.array(x, np.float64), np.array(y, np.float64))
    assume(p.value < 1)
    inference = inference_of(p, (len(x), len(y)))
    larger = p.value + more * (1 - p.value)
    assert kind_of(inference, p.value, p.value) == "biased"
    assert kind_of(inference, larger, larger) == "biased"
    assert kind_of(inference, larger, p.value) == "inconclusive"
    assert kind_of(inference, larger, p.value * (1 - 1e-9)) == "no-evidence"
    assert kind_of(inference, None, p.value) == "too-few-words"


@pytest.mark.parametrize(
    ("effect", "opening"),
    [
        (0.1, "Biased, a negligible effect: "),
        (-0.2, "Biased, a small effect: "),
        (0.5, "Biased, a medium effect: "),
        (-0.8, "Biased, a large effect: "),
    ],
)
def test_an_effect_that_is_claimed_has_a_size_in_words(effect: float, opening: str) -> None:
    message = sentence_of(effect, STANDARDISED)
    assert message.startswith(opening)
    assert sentence_of(effect, PLAIN) == message.replace(opening, "Biased: ")


def sentence_of(effect: float, convention: Convention) -> str:
    p = permutation_test(*2 * [np.arange(4.0)])
    return verdict_of_test(
        inference_of(p, (4, 4), effect),
        p,
        GROUPS,
        p_holm=0.01,
        alpha=0.05,
        family="bias tests of toy",
        candidates=3,
        detectable=None,
        convention=convention,
    ).sentence


@pytest.mark.parametrize("spelt", [str, str.upper, str.title], ids=["the same", "upper", "title"])
def test_lists_that_reach_the_same_words_rule_nothing_out(spelt: Callable[[str], str]) -> None:
    words = toys.WORDS | {"y": [spelt(word) for word in reversed(toys.WORDS["x"])]}
    (found,) = audit(toys.embedding(0.5), suites=toys.suite(words=words), categories=False)
    assert isinstance(found, Result)
    assert found.effect == pytest.approx(0, abs=1e-12)
    assert found.verdict.sentence == SAME_WORDS


@pytest.mark.parametrize(
    ("bias", "sides", "message"),
    [
        (2.0, {"a": ["x", "x"]}, "; but 2 target words are "),
        (2.0, {"b": ["y"]}, "; but 1 target word is "),
        (-2.0, {"a": ["y"], "b": ["x"]}, "; but 2 target words are "),
        (2.0, {"b": ["x"], "a": ["y"]}, ""),
        (2.0, {}, ""),
    ],
    ids=["x in a", "y in b", "the other way", "against the claim", "none"],
)
def test_targets_that_are_attributes_of_their_side_are_reported(
    bias: float, sides: dict[str, list[str]], message: str
) -> None:
    words = {role: [*some] for role, some in toys.WORDS.items()}
    for attribute, targets in sides.items():
        for place, target in enumerate(targets):
            words[attribute].append(toys.WORDS[target][place].upper())
    (found,) = audit(toys.embedding(bias), suites=toys.suite(words=words), categories=False)
    assert isinstance(found, Result)
    assert found.verdict.kind == "biased"
    assert message in found.verdict.sentence
    assert ("target word" in found.verdict.sentence) == bool(message)


# --- the ladder ---


SHARES = st.floats(0, 1)
CORRECTED = st.none() | SHARES
LEVEL = st.floats(0.001, 0.5)
KINDS = st.sampled_from(["bias", "meaningful-encoding", "baseline"])
STRENGTH = ["no-evidence", "mixed", "inconclusive", "associated", "biased"]


@law
@given(SHARES, CORRECTED, LEVEL, KINDS, st.sampled_from(["", "a doubt"]), st.integers(0, 3))
def test_each_kind_of_verdict_stands_for_one_case(
    p: float, p_holm: float | None, alpha: float, test_kind: str, doubt: str, biased: int
) -> None:
    """Every kind is given in its own case alone, and the cases are told apart without an order."""
    alone, sure = is_significant(p, alpha), p_holm is not None and not doubt
    corrected = p_holm is not None and is_significant(p_holm, alpha)
    cases = {
        "no-verdict": bool(doubt),
        "too-few-words": not doubt and p_holm is None,
        "biased": sure and corrected and test_kind == "bias",
        "associated": sure and corrected and test_kind != "bias",
        "inconclusive": sure and not corrected and alone,
        "mixed": sure and not corrected and not alone and biased > 0,
        "no-evidence": sure and not corrected and not alone and biased == 0,
    }
    kind = decide_verdict(
        p=p, p_holm=p_holm, alpha=alpha, test_kind=test_kind, doubt=doubt, biased_tests=biased
    )
    assert [name for name, holds in cases.items() if holds] == [kind]


@law
@given(SHARES, SHARES, SHARES, LEVEL, KINDS, st.integers(0, 3))
def test_a_smaller_p_never_weakens_a_verdict(
    p: float, p_holm: float, share: float, alpha: float, test_kind: str, biased: int
) -> None:
    def strength(p: float, p_holm: float) -> int:
        kind = decide_verdict(
            p=p, p_holm=p_holm, alpha=alpha, test_kind=test_kind, biased_tests=biased
        )
        return STRENGTH.index(kind)

    assert strength(p * share, p_holm) >= strength(p, p_holm)
    assert strength(p, p_holm * share) >= strength(p, p_holm)


# --- families ---


LEVELS = ("0.1", "0.05", "0.025", "0.01", "0.005")
sizes = st.tuples(st.integers(1, 14), st.integers(1, 20))


def at_the_level() -> list[tuple[tuple[int, int], int, str]]:
    """All sizes and numbers of tests whose smallest corrected p is the level itself."""
    return [
        ((nx, ny), tests, level)
        for nx in range(1, 8)
        for ny in range(nx, 20)
        for tests in range(1, 30)
        for level in LEVELS
        if tests * Fraction(1 + (nx == ny), comb(nx + ny, nx)) == Fraction(level)
    ]


@law
@given(sizes, st.integers(1, 30), st.sampled_from(LEVELS))
def test_a_test_is_decidable_just_where_its_smallest_p_can_be_significant(
    lists: tuple[int, int], tests: int, level: str
) -> None:
    smallest = Fraction(1 + (lists[0] == lists[1]), comb(sum(lists), lists[0]))
    expected = tests * smallest <= Fraction(level)
    assert decidable(lists, tests, float(level)) is expected
    p = smallest_attainable_p(*lists)
    found = correct_families([families.FamilyMember("m", TEST, p, p, lists)] * tests, float(level))
    assert {one.candidates for one in found} == {tests}
    for one in found:
        assert one.family == (tests if expected else 0)
        assert (one.holm_two_sided is not None) is expected
        assert one.holm_two_sided is None or is_significant(one.holm_two_sided, float(level))


def test_a_smallest_p_at_its_level_is_significant_whatever_floats_make_of_it() -> None:
    exactly = at_the_level()
    assert len(exactly) > 15
    for lists, tests, level in exactly:
        p = smallest_attainable_p(*lists)
        (first, *_) = correct_families(
            [families.FamilyMember("m", TEST, p, p, lists)] * tests, float(level)
        )
        assert first.holm_two_sided is not None
        assert is_significant(first.holm_two_sided, float(level))
        assert not decidable(lists, tests + 1, float(level))


@law
@given(st.fractions(0, 1), st.floats(1e-9, 0.5))
@example(Fraction(1, 20), 1e-9)
def test_a_p_is_significant_up_to_its_level_and_no_further(p: Fraction, more: float) -> None:
    assume(p > 0)
    assert is_significant(float(p), float(p))
    assert is_significant(float(p) * (1 - more), float(p))
    assert not is_significant(float(p) * (1 + more), float(p))


def test_one_in_doubt_costs_the_others_nothing() -> None:
    tests = [
        families.FamilyMember("m", TEST, 0.01, 0.02, (8, 8), doubt)
        for doubt in (False, True, False)
    ]
    sure, doubted, _ = correct_families(tests, 0.05)
    assert (sure.holm, sure.holm_two_sided, sure.family) == (0.02, 0.04, 2)
    assert sure.benjamini_hochberg == pytest.approx(0.01)
    assert (doubted.holm, doubted.holm_two_sided, doubted.benjamini_hochberg) == (None,) * 3


@pytest.mark.parametrize(
    ("pairs", "tests", "answered"), [(5, 1, False), (6, 1, True), (6, 2, False)]
)
def test_pairs_are_decidable_where_all_leaning_one_way_is_significant(
    pairs: int, tests: int, answered: bool
) -> None:
    p = 2 / 2**pairs
    found = correct_families([families.FamilyMember("m", TEST, p, p, pairs=pairs)] * tests, 0.05)
    assert [one.holm is not None for one in found] == [answered] * tests
    assert [one.candidates for one in found] == [tests] * tests


def step_down(p: float, family: list[float]) -> float:
    """Holm (1979): the largest of (tests not rejected before it) x p, over all p up to this one."""
    return min(1.0, max((len(family) - sum(q < o for q in family)) * o for o in family if o <= p))


suites_of_a_test = st.permutations("abc").flatmap(lambda all_: st.sampled_from([all_[:1], all_]))
standing_for_others = st.tuples(
    st.sampled_from("mn"),
    suites_of_a_test,
    st.sampled_from(["bias", "baseline"]),
    st.integers(1, 60).map(lambda p: p / 1000),
    st.sampled_from([None, 0.001, 0.02]),
)


@law
@given(st.lists(standing_for_others, min_size=1, max_size=8))
def test_a_test_that_stands_for_others_is_corrected_over_its_own_suite(
    drawn: list[tuple[str, list[str], str, float, float | None]],
) -> None:
    """It counts in the families of the others, and its own p is that of its own family."""
    members = [
        families.FamilyMember(
            model,
            TEST.model_copy(
                update={"suite": own, "kind": kind, "also": tuple(f"{suite}/t" for suite in others)}
            ),
            p,
            p / 2,
            smallest=smallest,
        )
        for model, (own, *others), kind, p, smallest in drawn
    ]

    def family(model: str, own: str, kind: str) -> list[int]:
        return [
            i
            for i, (other, suites, its_kind, *_) in enumerate(drawn)
            if (other, its_kind) == (model, kind) and own in suites
        ]

    own_families = [family(model, own, kind) for model, (own, *_), kind, *_ in drawn]
    smallest_p = [smallest or 0 for *_, smallest in drawn]
    decided = {i for i, own in enumerate(own_families) if smallest_p[i] * len(own) <= 0.05}
    p = [p for *_, p, _ in drawn]
    for i, found in enumerate(correct_families(members, 0.05)):
        among = [p[j] for j in own_families[i] if j in decided]
        assert (found.family, found.candidates) == (len(among), len(own_families[i]))
        if i in decided:
            assert found.holm == pytest.approx(step_down(p[i], among))
            halves = [q / 2 for q in among]
            assert found.holm_two_sided == pytest.approx(step_down(p[i] / 2, halves))
        else:
            assert (found.holm, found.holm_two_sided) == (None, None)
        others = sorted(q for q, (model, *_) in zip(p, drawn, strict=True) if model == drawn[i][0])
        rates = [len(others) * q / (rank + 1) for rank, q in enumerate(others) if q >= p[i]]
        assert found.benjamini_hochberg == pytest.approx(min(1, *rates))


# --- ruled out ---


ENDS = st.lists(st.floats(-2, 2), min_size=2, max_size=2).map(sorted)


def interval(low: float, high: float, level: float = 0.95) -> Interval:
    return Interval(
        low=low, high=high, level=level, kind="inverted", method="inverted permutation test, exact"
    )


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (-0.41, 0.63, "effects above +0.63 and below −0.41 are ruled out (95 %)"),
        (-0.4101, 0.6301, "effects above +0.64 and below −0.42 are ruled out (95 %)"),
        (0.2, 1.2, "effects above +1.20 are ruled out (95 %)"),
        (-1.2, -0.2, "effects below −1.20 are ruled out (95 %)"),
        (-0.3, 1.9, "effects below −0.30 are ruled out (95 %)"),
        (-1.93, 1.93, ""),
        (-1e-12, 0.0, "effects below −0.01 are ruled out (95 %)"),
        (0.0, 0.0, ""),
    ],
)
def test_what_is_out_is_named_and_nothing_more(low: float, high: float, message: str) -> None:
    assert excluded_effects(interval(low, high), (-1.93, 1.93)) == message


def test_the_level_is_that_of_the_interval() -> None:
    assert excluded_effects(interval(-1, 1, 0.995)).endswith("(99.5 %)")
    assert excluded_effects(None) == ""


def out_of(message: str) -> dict[str, float]:
    found = re.findall(rf"(above|below) ([+{MINUS}][0-9.]+)", message)
    return {side: float(end.replace(MINUS, "-")) for side, end in found}


@law
@given(ENDS, st.floats(0.1, 3))
def test_no_effect_inside_the_interval_is_ruled_out(ends: list[float], reach: float) -> None:
    low, high = ends
    claimed = out_of(excluded_effects(interval(low, high), (-reach, reach)))
    assert claimed.get("above", high) >= high
    assert claimed.get("below", low) <= low
    # Nor is zero, for it is said where there is no evidence.
    assert claimed.get("above", 1.0) > 0 > claimed.get("below", -1.0)
    assert all(abs(end) < reach for end in claimed.values())
    # And what is said is as sharp as its digits.
    assert claimed.get("above", high) - high < 0.01 + 1e-9
    assert low - claimed.get("below", low) < 0.01 + 1e-9


def test_ends_of_any_size_are_rounded_outwards() -> None:
    assert interval(-1e300, 1e300).rules_out() == (-1e300, 1e300)
    assert interval(-0.001, 12345.671).rules_out() == (-0.01, 12345.68)


@law
@given(ENDS, st.floats(0.1, 3), st.floats(0.1, 3))
def test_turning_the_signs_mirrors_the_sentence(ends: list[float], down: float, up: float) -> None:
    low, high = ends
    one = out_of(excluded_effects(interval(low, high), (-down, up)))
    other = out_of(excluded_effects(interval(-high, -low), (-up, down)))
    names = {"above": "below", "below": "above"}
    assert {names[side]: -end for side, end in one.items()} == other


@pytest.mark.parametrize("convention", ["caliskan", "population", "raw-similarity"])
@pytest.mark.parametrize("level", [0.95, 0.999])
def test_a_run_says_it_of_its_own_interval(convention: str, level: float) -> None:
    """At 99.9 % ten words reject nothing: the interval is all that is possible."""
    suite = toys.suite()
    weat = Weat(effect_size=effect_size(convention))
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(toys.embedding(0.0), tests, weat, Statistics(level=level))
    assert isinstance(outcome, Result)
    assert outcome.interval is not None
    assert outcome.verdict.kind == "no-evidence"
    fields = outcome.verdict.ruled_out_below, outcome.verdict.ruled_out_above
    low, high = outcome.interval.low, outcome.interval.high
    assert f"from {format_signed(low)} to {format_signed(high)}" in outcome.verdict.sentence
    if level > 0.99:
        assert fields == (None, None)
    else:
        assert fields == (np.floor(100 * low) / 100, np.ceil(100 * high) / 100)
