"""Conditions on a row: Python's own answer where all is known, and none that could be wrong."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import ExpressionError, UnknownNameError
from fairvec.results import COLUMNS, Condition

NAMES = ("effect", "p", "p_holm")


def _larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(parts, parts)
    return st.one_of(
        parts.map(lambda a: f"abs({a})"),
        parts.map(lambda a: f"-({a})"),
        two.map(lambda ab: f"({ab[0]} + {ab[1]})"),
        two.map(lambda ab: f"({ab[0]} * {ab[1]})"),
        two.map(lambda ab: f"max({ab[0]}, {ab[1]})"),
        two.map(lambda ab: f"min([{ab[0]}, {ab[1]}])"),
    )


FIGURES = st.recursive(st.sampled_from([*NAMES, "0.5", "1", "0"]), _larger, max_leaves=4)
COMPARED = st.one_of(
    st.tuples(FIGURES, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), FIGURES).map(" ".join),
    st.tuples(FIGURES, FIGURES, FIGURES).map(lambda abc: f"{abc[0]} < {abc[1]} <= {abc[2]}"),
    st.tuples(FIGURES, FIGURES).map(lambda ab: f"{ab[0]} in [{ab[1]}, 1]"),
    st.sampled_from(["suite == 'toy'", "'o' in suite", "suite not in ['toy', 'other']"]),
)
CONDITIONS = st.recursive(
    COMPARED,
    lambda parts: st.one_of(
        parts.map(lambda a: f"not ({a})"),
        st.tuples(parts, parts).map(lambda ab: f"({ab[0]}) and ({ab[1]})"),
        st.tuples(parts, parts).map(lambda ab: f"({ab[0]}) or ({ab[1]})"),
    ),
    max_leaves=4,
)
VALUES = st.sampled_from([-1.5, -0.5, 0.0, 0.25, 0.5, 1.0])
ROWS = st.fixed_dictionaries(
    {**dict.fromkeys(NAMES, VALUES), "suite": st.sampled_from(["toy", "other"])}
).map(lambda row: dict.fromkeys(COLUMNS) | row)


@given(CONDITIONS, ROWS)
def test_what_is_known_is_answered_as_python_would(text: str, row: dict[str, Any]) -> None:
    assert Condition(text).decided(row) is bool(eval(text, {}, row))


@given(CONDITIONS, ROWS, ROWS, st.sets(st.sampled_from([*NAMES, "suite"])))
def test_an_answer_holds_whatever_the_missing_values_are(
    text: str, row: dict[str, Any], other: dict[str, Any], missing: set[str]
) -> None:
    asked = Condition(text)
    answer = asked.decided(row | dict.fromkeys(missing))
    filled = asked.decided(row | {name: other[name] for name in missing})
    assert filled is not None
    assert answer is None or answer is filled


@given(CONDITIONS, st.lists(ROWS, min_size=1, max_size=8))
def test_a_count_asks_each_row_the_same(text: str, rows: list[dict[str, Any]]) -> None:
    met = sum(Condition(text)(row) for row in rows)
    assert Condition(f"count({text}) == {met}").ruling(rows).answers == (True,)
    assert Condition(f"count({text}) + count(not ({text})) == count()").ruling(rows).answers == (
        True,
    )
    share = Condition(f"mean({text}) >= 0").ruling(rows).figures[0].value
    assert share == met / len(rows)


MARKS = ["effect", "p_holm", "verdict", "'biased'", "abs(", "max(", "min(", "count(", "mean("]
MARKS += ["where=", ")", "(", "[", "]", ",", "+", "-", "*", "/", "**", "<", ">=", "==", "in", "not"]
MARKS += ["and", "or", "1", "0.5", "1e999", "9" * 400, "True", "None", "lambda:", "if", ":=", "1j"]
MARKS += [
    "f'{1}'",
    "'\\ud800'",
    "\\",
    "\n",
    "\x00",
    "\u202e",
    "{",
    "'",
    "#",
    "await",
    "effect.real",
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(MARKS), max_size=14).map(" ".join), st.lists(ROWS, max_size=2))
def test_any_text_is_a_condition_or_refused_in_one_sentence(
    text: str, rows: list[dict[str, Any]]
) -> None:
    said = ""
    try:
        Condition(text).ruling(rows)
    except (ExpressionError, UnknownNameError) as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 1500


@pytest.mark.parametrize(
    "text",
    [
        "effect > " + "1 + " * 900 + "1",
        "effect > " + "-" * 900 + "1",
        "not " * 900 + "effect > 1",
        "(" * 900 + "effect > 1" + ")" * 900,
        "abs(" * 90 + "effect" + ")" * 90 + " > 1",
        "effect > " + "9" * 400,
        "effect > " + "9" * 5000,
        "effect > 1e999",
        "effect > -1e999",
        "verdict == '" + "x" * 9000 + "'",
        "x" * 9000 + " > 1",
        "effect > 1" + " or effect > 1" * 900,
    ],
    ids=range(12),
)
def test_what_is_too_deep_too_long_or_too_large_is_refused(text: str) -> None:
    with pytest.raises((ExpressionError, UnknownNameError)) as refused:
        Condition(text)
    assert len(str(refused.value)) < 1500
