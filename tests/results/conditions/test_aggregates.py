"""Figures over rows, held against a few lines of their own."""

from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import ExpressionError, UnknownNameError
from fairvec.results import COLUMNS, Condition, to_row
from tests.results.make import measured, skipped

RUN = [
    to_row(measured(effect=-0.8, p_holm=0.01)),
    to_row(measured(effect=0.2, p_holm=0.5, test="toy/two")),
    to_row(measured(effect=0.6, p_holm=0.02, test="toy/three")),
    to_row(skipped(test="toy/four")),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count(verdict == 'biased') == 2", True),
        ("count(verdict == 'biased') > 2", False),
        ("count() == 4", True),
        ("count(status == 'skipped') / count() == 0.25", True),
        ("abs(mean(effect)) < 1e-9", True),
        ("0.53 < mean(abs(effect)) < 0.54", True),
        ("max(p_holm) < 0.01", False),
        ("min(p_holm) <= 0.01", True),
        ("max(abs(effect)) - min(abs(effect)) > 0.59", True),
        ("mean(p_holm < 0.05) > 0.6", True),
        ("mean(max(effect, 0)) > 0.26", True),
        ("mean(max([effect, 0])) > 0.26", True),
        ("mean(abs(effect), where=verdict == 'biased') == 0.7", True),
        ("count(effect > 0, where=p_holm < 0.05) == 1", True),
        ("count(where=p_holm < 0.05) == count(p_holm < 0.05)", True),
        ("count(where=category == 'caste') == 0", True),
        ("count(verdict == 'biased') > 3 or not max(effect) > 1", True),
        ("count(verdict == 'biased') in [2, 3]", True),
        ("max(effect, where=suite == 'toy') == 0.6", True),
        ("mean(effect, where=category == 'caste') > 0", None),
        ("not mean(effect, where=category == 'caste') > 0", None),
        ("mean(effect, where=category == 'caste') > 0 or count() > 3", True),
        ("mean(effect, where=category == 'caste') > 0 and count() > 9", False),
        ("count(verdict == 'biased', where=category == 'caste') > 3", None),
        ("count(change == 'removed') > 0", None),
        ("count(where=change == 'removed') > 0", None),
        ("max(p_paired) < 0.1", None),
    ],
)
def test_a_condition_over_rows_means_what_it_says(text: str, expected: bool | None) -> None:
    ruling = Condition(text).ruling(RUN)
    assert ruling.over_rows
    assert ruling.answers == (expected,)
    assert ruling.decides is (expected is not None)


def test_the_figures_say_what_they_rest_on() -> None:
    first, second = Condition("mean(effect) > 1 or count() < 2").ruling(RUN).figures
    assert (first.text, first.rows, first.left_out) == ("mean(effect)", (0, 1, 2), (3,))
    assert (second.text, second.value, second.left_out) == ("count()", 4, ())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("count(verdict == 'biased') > 3 and effect > 1", "effect is of one row"),
        ("effect > mean(effect)", r"as in max\(effect\)"),
        ("max(effect, mean(effect)) > 1", "effect is of one row"),
        ("count(effect > mean(effect)) > 1", "inside of another"),
        ("mean(effect, where=effect > max(effect)) > 1", "inside of another"),
        ("max(max(effect)) > 1", "inside of another"),
        ("count(effect) > 1", "no condition"),
        ("count(effect and p < 1) > 1", "no condition"),
        ("mean(effect, where=effect) > 1", "no condition"),
        ("count(verdict == 'biased')", "compare it with another"),
        ("mean(effect) and count() > 1", "compare it with another"),
        ("mean() > 1", "has one argument"),
        ("mean(effect, category == 'gender') > 1", "a choice of rows is written where="),
        ("max(effect, p, where=p < 1) > 1", "has one argument"),
        ("count(p < 1, of=2) > 1", "has one argument"),
        ("count(**p) > 1", "has one argument"),
        ("count(*[p]) > 1", "no condition"),
        ("mean(*[p]) > 1", "not allowed"),
        ("count(verdict == 'bias') > 1", "is no value of verdict"),
        ("mean(p, where=size == 'big') > 1", "is no value of size"),
        ("median(effect) > 1", "not allowed"),
        ("abs(effect, where=p < 1) > 1", "not allowed"),
    ],
)
def test_what_is_not_clear_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ExpressionError, match=sentence):
        Condition(text)


@pytest.mark.parametrize("text", ["mean(effct) > 1", "count(p < 1, where=effct > 1) > 1"])
def test_a_misspelt_column_gets_an_offer_inside_too(text: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean effect"):
        Condition(text)


@pytest.mark.parametrize("text", ["mean(verdict) > 1", "max(suite) > 1", "max(effect / 0) > 1"])
def test_nonsense_over_rows_is_said_to_be_nonsense(text: str) -> None:
    with pytest.raises(ExpressionError, match="no sense on these rows"):
        Condition(text).ruling(RUN)


def test_no_single_row_meets_what_is_about_all() -> None:
    with pytest.raises(ExpressionError, match="no single row"):
        Condition("count() > 1")(RUN[0])


NUMBERS = st.none() | st.floats(-2, 2)
TABLES = st.lists(
    st.fixed_dictionaries({"effect": NUMBERS, "p": st.none() | st.floats(0, 1)}), max_size=12
).map(lambda rows: [dict.fromkeys(COLUMNS) | row for row in rows])
ABOUT_A_ROW = st.sampled_from(
    [
        "effect > 0",
        "abs(effect) > 0.5 and p < 0.5",
        "not (p < 0.3 or effect > 1)",
        "p == p",
        "1 < 2",
    ]
)


@given(TABLES, ABOUT_A_ROW, ABOUT_A_ROW)
def test_laws_of_counting(rows: list[dict[str, Any]], one: str, other: str) -> None:
    def figure(text: str) -> Any:
        return Condition(f"{text} > 0").ruling(rows).figures[0].value

    assert figure("count()") == len(rows)
    assert (figure("count(1 == 1)") or 0) == len(rows)
    alone = Condition(one)
    answers = [alone.decided(row) for row in rows]
    assert answers == [*alone.ruling(rows).answers]
    assert [alone(row) for row in rows] == [answer is True for answer in answers]
    counted = figure(f"count({one})")
    assert counted == (None if set(answers) <= {None} else answers.count(True))
    assert figure(f"count(not ({one}))") == (None if counted is None else answers.count(False))
    both = [row for row in rows if alone(row) and Condition(other).decided(row) is not None]
    kept = figure(f"count({other}, where={one})")
    assert kept == (sum(map(Condition(other), both)) if both else None)


@given(TABLES)
def test_the_figures_agree_with_a_second_reckoning(rows: list[dict[str, Any]]) -> None:
    chosen = [row["effect"] for row in rows if row["p"] is not None and row["p"] < 0.5]
    known = [abs(effect) for effect in chosen if effect is not None]
    for name, function in (("mean", mean), ("max", max), ("min", min)):
        text = f"{name}(abs(effect), where=p < 0.5) >= 0"
        (figure,) = Condition(text).ruling(rows).figures
        expected = function(known) if known else None
        assert figure.value == (expected if expected is None else pytest.approx(expected))
        assert len(figure.rows) == len(known)


@given(TABLES, st.randoms())
def test_the_order_of_rows_is_irrelevant(rows: list[dict[str, Any]], random: Any) -> None:
    asked = Condition("mean(effect) > 0.1 or max(p) < 0.5 or count(effect > 0) > 3")
    mixed = [*rows]
    random.shuffle(mixed)
    assert asked.ruling(mixed).answers == asked.ruling(rows).answers
