from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.robustness import qualify_by_robustness
from fairvec.experiments.audit.run import run
from fairvec.lexicon import SelectedTest
from fairvec.results import (
    Condition,
    FrequencyControl,
    Result,
    Robustness,
    Swap,
    Verdict,
    VerdictKind,
    to_row,
)
from tests import toys
from tests.laws.test_stats_laws import law

FOUND = "Biased, a large effect: x lean more to a"


def said(kind: VerdictKind = "biased") -> Verdict:
    return Verdict(kind=kind, sentence=f"{FOUND}.", p=0.01, p_holm=0.02, alpha=0.05)


def tried(**changes: Any) -> Robustness:
    plain: dict[str, Any] = {
        "draws": 200,
        "kept": 0.8,
        "low": 0.4,
        "high": 1.6,
        "same_sign": 1.0,
        "significant": 0.9,
        "expected": 0.95,
        "swaps": (),
        "frequency": None,
    }
    return Robustness(**plain | changes)


def swap(effect: float, p: float = 0.3, source: str = "other/one") -> Swap:
    return Swap(lists=("a", "b"), source=source, effect=effect, p=p)


def control(effect: float, *, explains: bool = True) -> FrequencyControl:
    return FrequencyControl(correlation=0.5, effect=effect, p=0.21, explains=explains)


TABLE = [
    ({}, "firm", "it holds with shorter lists (significant in 90 %)"),
    (
        {"significant": 0.995, "swaps": (swap(0.4), swap(-0.1))},
        "firm",
        "it holds with shorter lists (significant in 99.5 %), and 1 of 2 other lists agree in sign",
    ),
    (
        {"significant": 0.385, "expected": 0.4234},
        "thin",
        "but the evidence is thin: significant in 38.5 % of shorter lists, where about 42 % would "
        "be if every word counted alike",
    ),
    (
        {"significant": 0.39, "expected": None},
        "thin",
        "but the evidence is thin: significant in 39 % of shorter lists, which are too short to "
        "show much",
    ),
    (
        {"significant": 0.39, "expected": 0.8},
        "fragile",
        "but it is fragile: significant in 39 % of shorter lists, where about 80 % would be if "
        "every word counted alike",
    ),
    (
        {"same_sign": 0.94},
        "fragile",
        "but it is fragile: shorter lists keep its sign in 94 %",
    ),
    (
        {"swaps": (swap(0.4), swap(0.4), swap(-0.9, 0.04, "other/two"))},
        "fragile",
        "but it is fragile: it turns round with the lists of other/two",
    ),
    (
        {"swaps": (swap(-0.1),)},
        "fragile",
        "but it is fragile: only 0 of 1 other list agrees in sign",
    ),
    (
        {"frequency": control(0.31)},
        "frequency",
        "but word frequency may explain it (at equal frequency 31 % of the effect is left)",
    ),
    (
        {"frequency": control(-0.2), "significant": 0.39, "expected": 0.8},
        "frequency",
        "but word frequency may explain it (at equal frequency nothing of it is left), and it is "
        "fragile: significant in 39 % of shorter lists, where about 80 % would be if every word "
        "counted alike",
    ),
    (
        {"frequency": control(0.9)},
        "frequency",
        "but at equal word frequency the evidence is lost (p = 0.21), while 90 % of the effect is "
        "left",
    ),
    (
        {"frequency": control(0.1, explains=False)},
        "firm",
        "it holds with shorter lists (significant in 90 %)",
    ),
]


@pytest.mark.parametrize(("changes", "holds", "clause"), TABLE, ids=range(len(TABLE)))
def test_each_doubt_has_its_word_and_its_clause(
    changes: dict[str, Any], holds: str, clause: str
) -> None:
    verdict, robustness = qualify_by_robustness(said(), 1.0, tried(**changes))
    assert robustness is not None
    assert (robustness.holds, verdict.sentence) == (holds, f"{FOUND}; {clause}.")


@pytest.mark.parametrize("kind", ["no-evidence", "inconclusive", "too-few-words", "no-verdict"])
def test_where_nothing_is_claimed_nothing_can_hold(kind: VerdictKind) -> None:
    asked = tried(significant=0.0, frequency=control(0.1))
    assert qualify_by_robustness(said(kind), 1.0, asked) == (said(kind), asked)
    assert qualify_by_robustness(said(), 1.0, None) == (said(), None)


SHARES = st.floats(0, 1)


@law
@given(
    st.floats(0.01, 2),
    SHARES,
    SHARES,
    st.none() | SHARES,
    st.lists(st.builds(swap, st.floats(-2, 2), SHARES), max_size=3),
    st.none() | st.builds(control, st.floats(-2, 2), explains=st.booleans()),
)
def test_other_words_change_neither_kind_nor_p_and_signs_mirror(
    effect: float,
    same_sign: float,
    significant: float,
    expected: float | None,
    swaps: list[Swap],
    frequency: FrequencyControl | None,
) -> None:
    shares = {"same_sign": same_sign, "significant": significant, "expected": expected}
    asked = tried(**shares, swaps=tuple(swaps), frequency=frequency)
    mirrored = tried(
        **shares,
        swaps=tuple(swap(-one.effect, one.p) for one in swaps),
        frequency=frequency and control(-frequency.effect, explains=frequency.explains),
    )
    verdict, robustness = qualify_by_robustness(said(), effect, asked)
    other, turned = qualify_by_robustness(said(), -effect, mirrored)
    assert verdict.model_copy(update={"sentence": said().sentence}) == said()
    assert robustness is not None
    assert turned is not None
    assert robustness.model_copy(update={"holds": None}) == asked
    assert (verdict.sentence, robustness.holds) == (other.sentence, turned.holds)
    # Whatever else is found, it is firm only if most shorter lists show it, with its sign.
    assert robustness.holds != "firm" or min(significant / 0.8, same_sign / 0.95) >= 1


def outcome_of(robust: bool, bias: float = 1.0) -> Result:
    suite = toys.suite()
    audit = Audit(toys.embedding(bias), (SelectedTest(suite, suite.tests[0]),))
    (outcome,) = run(Plan((audit,), Statistics(robust=robust)))
    assert isinstance(outcome, Result)
    return outcome


def test_what_a_run_says_of_a_test_does_not_depend_on_robustness_being_asked() -> None:
    plain, robust = outcome_of(False), outcome_of(True)
    assert robust.verdict.sentence.startswith(plain.verdict.sentence.removesuffix("."))
    assert robust.verdict.sentence.endswith("it holds with shorter lists (significant in 100 %).")
    unsaid = {"sentence": plain.verdict.sentence}
    assert robust.verdict.model_copy(update=unsaid) == plain.verdict
    changed = {"verdict": plain.verdict, "robustness": None}
    assert robust.model_copy(update=changed) == plain


def test_a_gate_may_ask_whether_it_holds() -> None:
    gate = Condition("verdict == 'biased' and holds == 'firm'")
    assert gate(to_row(outcome_of(True)))
    assert not gate(to_row(outcome_of(False)))
    assert to_row(outcome_of(True, 0.0))["holds"] is None
