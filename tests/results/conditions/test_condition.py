from typing import get_args

import pytest

from fairvec.core.errors import ExpressionError, UnknownNameError
from fairvec.results import ChangeKind, Condition, to_row
from tests.results.make import compared, measured, skipped

ROW = to_row(measured(effect=-0.8, p=0.01, p_holm=0.04))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p_holm < 0.05 and abs(effect) > 0.5", True),
        ("p_holm < 0.05 and effect > 0.5", False),
        ("not effect > 0 or p > 1", True),
        ("0 < p <= 0.01", True),
        ("0 < p < 0.01", False),
        ("category == 'gender' and verdict != 'biased'", False),
        ("test in ['toy/one', 'toy/two']", True),
        ("suite not in ('other',)", True),
        ("-effect * 2 + 1 - 0.6 / 2 > 2.2", True),
        ("max(p, p_holm) == 0.04 and min(p, p_holm) == 0.01", True),
        ("interval_low < 0 < interval_high", True),
    ],
)
def test_a_condition_means_what_it_says(text: str, expected: bool) -> None:
    assert Condition(text)(ROW) is expected


@pytest.mark.parametrize(
    "text",
    [
        "effect > 0",
        "effect <= 0",
        "effect != 3",
        "abs(effect) > 0",
        "not effect > 0",
        "not (effect > 0 and suite == 'toy')",
        "not (effect > 0 or suite == 'other')",
    ],
)
def test_a_missing_value_meets_nothing_not_even_a_denial(text: str) -> None:
    assert Condition(text)(to_row(skipped())) is False


def test_what_is_known_decides_beside_what_is_missing() -> None:
    row = to_row(skipped())
    assert Condition("effect > 0 or suite == 'toy'")(row)
    assert Condition("not (effect > 0 and suite == 'other')")(row)


def test_the_left_side_guards_the_right() -> None:
    assert Condition("p < 0 and 1 / (p - p) > 0")(ROW) is False


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("change == 'INTRODUCED'", "'INTRODUCED' is no value of change; known: removed, "),
        ("'bias' != verdict", "'bias' is no value of verdict; known: biased, associated, "),
        ("p < 1 and status in ('skipped', 'Measured')", "'Measured' is no value of status"),
        ("not change not in ['removed', 3]", "3 is no value of change"),
    ],
)
def test_a_value_that_a_column_never_has_is_refused(text: str, value: str) -> None:
    with pytest.raises(ExpressionError, match=value):
        Condition(text)


def test_every_value_and_every_part_of_one_can_be_asked_for() -> None:
    for kind in get_args(ChangeKind):
        asked = Condition(f"change == '{kind}'")
        assert asked(to_row(compared(kind=kind)))
        assert not asked(to_row(compared(kind="lost" if kind == "kept" else "kept")))
    assert Condition("status in ['measured', 'described', 'skipped', 'compared', 'viewed']")(ROW)
    assert Condition("'bias' in verdict and category != 'Gender' and suite == 'TOY' or p < 1")(ROW)


def test_skipped_tests_can_be_asked_for() -> None:
    assert Condition("status == 'skipped'")(to_row(skipped()))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "(lambda: 1)()",
        "p.__class__",
        "[x for x in (1, 2)]",
        "effect if p else 1",
        "effect ** 1000000000",
        "open('x')",
        "f'{p}'",
        "p := 1",
        "abs(x=1)",
    ],
)
def test_nothing_else_is_understood(text: str) -> None:
    with pytest.raises((ExpressionError, UnknownNameError)):
        Condition(text)


@pytest.mark.parametrize("text", ["", "p <", "p < 0.05 or", "(" * 5000])
def test_broken_text_is_said_to_be_broken(text: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read"):
        Condition(text)


def test_a_misspelt_column_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean p_holm"):
        Condition("p_hom < 1")


@pytest.mark.parametrize(
    "text",
    ["effect > 'a'", "1 / (p - p) > 0", "'a' in 3", "'a' * 99999999999999 == 'b'", "-suite == 1"],
)
def test_nonsense_on_a_row_is_said_to_be_nonsense(text: str) -> None:
    with pytest.raises(ExpressionError, match="no sense"):
        Condition(text)(ROW)
