import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.lexicon import SelectedTest
from fairvec.messages.verdicts import MINUS, excluded_effects
from fairvec.metrics import Weat, effect_size
from fairvec.results import Interval, Result
from tests import toys
from tests.laws.test_stats_laws import law

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
