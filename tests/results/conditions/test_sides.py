"""What cannot be true of any row is refused, because a gate would pass in silence."""

import pytest

from fairvec.core.errors import ExpressionError
from fairvec.results import Condition, Outcome, to_row
from fairvec.results.conditions.gate import results_gate
from tests.results.make import measured, skipped

RUN: list[Outcome] = [measured(effect=-0.8, p=0.01, p_holm=0.04), skipped()]
ROW = to_row(RUN[0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("verdict == ['biased']", "it compares a list as if it were one value; write 'in'"),
        ("verdict != ('biased',)", "('biased',) makes no sense in a condition: it compares a list"),
        ("[effect] > [3]", "it compares a list as if it were one value"),
        ("count(verdict == ['biased']) > 0", "it compares a list as if it were one value"),
        (
            "verdict in ['biased', ['mixed']]",
            "it has the list ['mixed'] for a value; name one value",
        ),
        ("verdict in []", "an empty list; name some values in it"),
        ("[verdict] in ['biased']", "it has the list [verdict] for a value"),
        ("verdict in 'biased'", "write == 'biased' or in ['biased']"),
        ("category not in 'gendre'", "write != 'gendre' or not in ['gendre']"),
        ("abs(effect) == '0.5'", "abs(effect), a number, with the text '0.5'"),
        ("mean(effect) != 'large'", "mean(effect), a number, with the text 'large'"),
        ("'0.5' == effect * 2", "effect * 2, a number, with the text '0.5'"),
        ("abs(effect) in [1, 'large']", "abs(effect), a number, with the text 'large'"),
    ],
    ids=range(13),
)
def test_a_comparison_that_no_row_can_meet_is_refused(text: str, said: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        Condition(text)
    assert said in str(refused.value)


@pytest.mark.parametrize("text", ["'bias' in [verdict]", "'skiped' not in (status,)"])
def test_a_value_that_no_column_of_a_list_has_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="is no value of"):
        Condition(text)


def test_a_column_in_a_list_is_asked_as_one_before_it() -> None:
    assert Condition("'biased' in [verdict]")(ROW)
    assert "No row has category 'gendre'" in Condition("'gendre' in [category]").unheard_of([ROW])


@pytest.mark.parametrize("text", ["effect in [p_holm]", "effect not in [p_holm, 7]"])
def test_a_list_with_a_missing_value_decides_only_what_the_others_do(text: str) -> None:
    assert Condition(text).decided(ROW | {"p_holm": None}) is None
    assert Condition("effect in [p_holm, effect]").decided(ROW | {"p_holm": None}) is True
    assert Condition("effect not in [p_holm, effect]").decided(ROW | {"p_holm": None}) is False
    assert Condition("1 > effect in [p_holm]").decided(ROW | {"p_holm": None}) is None
    assert Condition("-9 > effect in [p_holm]").decided(ROW | {"p_holm": None}) is False


@pytest.mark.parametrize(
    "text", ["1 > 2", "False", "not True", "'biased' == 'mixed'", "count(1 > 2) > 0", "mean(1) > 2"]
)
def test_a_condition_that_asks_nothing_of_the_run_is_not_decided(text: str) -> None:
    gate = results_gate(RUN, Condition(text))
    assert "cannot be decided: it names no column" in gate.undecided


@pytest.mark.parametrize("text", ["count() > 9", "effect > 9 and 1 > 2", "count(where=p > 2) > 0"])
def test_a_condition_that_asks_something_is_decided(text: str) -> None:
    assert results_gate(RUN, Condition(text)).undecided == ""
