import re
from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.experiments.audit import verdicts as families
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.inference import Evidence
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.experiments.audit.verdicts import correct_families, decidable, decide_verdict
from fairvec.lexicon import SelectedTest, resolve
from fairvec.messages.verdicts import MINUS, excluded_effects
from fairvec.metrics import Weat, effect_size
from fairvec.results import Convention, Interval, PValue, Result
from fairvec.stats import permutation_test, smallest_attainable_p
from tests import toys
from tests.laws.test_stats_laws import law
from tests.results.toys import TEST

# --- verdict ---


STANDARDISED = Convention(name="caliskan", ddof=1, denominator="leanings")
PLAIN = Convention(name="mean-difference", ddof=0, denominator="none")
GROUPS = resolve(toys.suite().tests[0], toys.embedding())


def kind_of(evidence: Evidence, p_holm: float | None, alpha: float) -> str:
    said = decide_verdict(
        1.0,
        evidence,
        GROUPS,
        p_holm=p_holm,
        alpha=alpha,
        family="bias tests of toy",
        candidates=3,
        detectable=None,
    )
    assert (said.p, said.p_holm, said.alpha) == (evidence.p_two_sided.value, p_holm, alpha)
    return said.kind


@law
@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.floats(1e-9, 1),
)
def test_a_p_that_equals_the_level_is_significant_alone_and_corrected(
    x: list[int], y: list[int], more: float
) -> None:
    found = permutation_test(np.array(x, np.float64), np.array(y, np.float64))
    p = PValue.model_validate(found, from_attributes=True)
    assume(p.value < 1)
    evidence = Evidence((1.0, -1.0), p, p, (len(x), len(y)), 1.0)
    larger = p.value + more * (1 - p.value)
    assert kind_of(evidence, p.value, p.value) == "biased"
    assert kind_of(evidence, larger, larger) == "biased"
    assert kind_of(evidence, larger, p.value) == "inconclusive"
    assert kind_of(evidence, larger, p.value * (1 - 1e-9)) == "no-evidence"
    assert kind_of(evidence, None, p.value) == "too-few-words"


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
    said = sentence_of(effect, STANDARDISED)
    assert said.startswith(opening)
    assert sentence_of(effect, PLAIN) == said.replace(opening, "Biased: ")


def sentence_of(effect: float, convention: Convention) -> str:
    p = PValue.model_validate(permutation_test(*2 * [np.arange(4.0)]), from_attributes=True)
    evidence = Evidence((1.0, -1.0), p, p, (4, 4), 1.0)
    return decide_verdict(
        effect,
        evidence,
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
    assert found.verdict.sentence == (
        "No evidence: both lists reach the same words, so that nothing can differ."
    )


@pytest.mark.parametrize(
    ("bias", "sides", "said"),
    [
        (2.0, {"a": ["x", "x"]}, "; but 2 target words are attributes of that side too, and noth"),
        (2.0, {"b": ["y"]}, "; but 1 target word is an attribute of that side too, and nothing "),
        (-2.0, {"a": ["y"], "b": ["x"]}, "; but 2 target words are attributes of that side too"),
        (2.0, {"b": ["x"], "a": ["y"]}, ""),
        (2.0, {}, ""),
    ],
    ids=["x in a", "y in b", "the other way", "against the claim", "none"],
)
def test_targets_that_are_attributes_of_their_side_are_told(
    bias: float, sides: dict[str, list[str]], said: str
) -> None:
    words = {role: [*some] for role, some in toys.WORDS.items()}
    for attribute, targets in sides.items():
        for place, target in enumerate(targets):
            words[attribute].append(toys.WORDS[target][place].upper())
    (found,) = audit(toys.embedding(bias), suites=toys.suite(words=words), categories=False)
    assert isinstance(found, Result)
    assert found.verdict.kind == "biased"
    assert said in found.verdict.sentence
    assert ("too, and nothing is nearer to a word than itself" in found.verdict.sentence) == bool(
        said
    )


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


# --- ruled out ---


ENDS = st.lists(st.floats(-2, 2), min_size=2, max_size=2).map(sorted)


def interval(low: float, high: float, level: float = 0.95) -> Interval:
    return Interval(low=low, high=high, level=level, method="inverted permutation test, exact")


@pytest.mark.parametrize(
    ("low", "high", "said"),
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
def test_what_is_out_is_named_and_nothing_more(low: float, high: float, said: str) -> None:
    assert excluded_effects(interval(low, high), (-1.93, 1.93)) == said


def test_the_level_is_that_of_the_interval() -> None:
    assert excluded_effects(interval(-1, 1, 0.995)).endswith("(99.5 %)")
    assert excluded_effects(None) == ""


def out_of(said: str) -> dict[str, float]:
    found = re.findall(rf"(above|below) ([+{MINUS}][0-9.]+)", said)
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
    """At 99.9 % ten words reject nothing: the interval is all that is possible, and unsaid."""
    suite = toys.suite()
    weat = Weat(effect_size=effect_size(convention))
    audit = Audit(toys.embedding(0.0), (SelectedTest(suite, suite.tests[0]),), weat)
    (outcome,) = run(Plan((audit,), Statistics(level=level)))
    assert isinstance(outcome, Result)
    assert outcome.interval is not None
    assert outcome.verdict.kind == "no-evidence"
    claimed = out_of(outcome.verdict.sentence)
    if level > 0.99:
        assert claimed == {}
        assert "ruled out" not in outcome.verdict.sentence
    else:
        assert claimed["above"] == np.ceil(100 * outcome.interval.high) / 100
        assert claimed["below"] == np.floor(100 * outcome.interval.low) / 100
        assert re.fullmatch(
            r"No evidence; effects above \+.* and below −.* are ruled out \(95 %\); these lists "
            r"reliably show only effects of .* or more\.",
            outcome.verdict.sentence,
        )
