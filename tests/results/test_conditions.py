"""Conditions: meaning, figures over rows, refusals."""

from contextlib import nullcontext, suppress
from itertools import product
from statistics import mean
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.core.errors import ExpressionError, FairvecError, UnknownNameError
from fairvec.messages.gates import why_undecided
from fairvec.results import Outcome
from fairvec.results.conditions.checks import KNOWN_VALUES
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import results_gate
from fairvec.results.rows import COLUMNS, to_row
from fairvec.results.verdicts import ChangeKind
from tests.loops import loop_over
from tests.results.toys import compared, measured, skipped

# --- conditions ---


ROW = to_row(measured(effect=-0.8, p=0.01, p_holm=0.04))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p_holm < 0.05 and abs(effect) > 0.5", True),
        ("p_holm < 0.05 and effect > 0.5", False),
        ("not effect > 0 or p > 0.9", True),
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
    assert Condition("p > 0.9 and 1 / (p - p) > 0")(ROW) is False


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
def test_broken_text_is_called_broken(text: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read"):
        Condition(text)


def test_a_misspelt_column_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean p_holm"):
        Condition("p_hom < 1")


@pytest.mark.parametrize(
    "text",
    ["effect > 'a'", "1 / (p - p) > 0", "'a' in 3", "'a' * 99999999999999 == 'b'", "-suite == 1"],
)
def test_nonsense_on_a_row_is_called_nonsense(text: str) -> None:
    with pytest.raises(ExpressionError, match="no sense"):
        Condition(text)(ROW)


# --- Figures over rows, held against a few lines of their own ---


RUN = [
    to_row(measured(effect=-0.8, p_holm=0.01)),
    to_row(measured(effect=0.2, p_holm=0.5, test="toy/two")),
    to_row(measured(effect=0.6, p_holm=0.02, test="toy/three")),
    to_row(skipped(test="toy/four")),
]


@loop_over(
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


@loop_over(
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
def test_nonsense_over_rows_is_called_nonsense(text: str) -> None:
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


# --- No text, however large or odd, ends in anything but an answer or one sentence ---


ROWS = [to_row(measured(effect=-0.8)), to_row(skipped())]
TOO_MUCH = {
    "900 sums": " + ".join(["effect"] * 900) + " > 1",
    "900 signs": "-" * 900 + "effect > 1",
    "900 denials": "not " * 900 + "effect > 1",
    "900 brackets": "abs(" * 900 + "effect" + ")" * 900 + " > 1",
    "90 brackets": "abs(" * 90 + "effect" + ")" * 90 + " > 1",
    "900 lists": "effect in " + "[" * 900 + "]" * 900,
    "400 digits": f"effect > {'9' * 400}",
    "400 digits over rows": f"mean(effect * {'9' * 400}) > 1",
    "5000 digits": f"effect > {'9' * 5000}",
    "much text": f"suite == '{'x' * 20_000}'",
    "a zero byte": "p < 1\0",
    "half a character": "suite == '\udcff'",
    "an infinite number": "effect < 1e999",
    "deep and not allowed": "effect" + ".real" * 900,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_is_one_short_sentence(name: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read") as caught:
        Condition(TOO_MUCH[name])
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


def test_many_side_by_side_are_not_deep() -> None:
    asked = Condition(" or ".join(f"test == 'toy/{number}'" for number in range(400)))
    assert not asked(ROWS[0])
    assert Condition(f"test in [{', '.join(['0'] * 2000)}, 'toy/one']")(ROWS[0])
    assert Condition(" + ".join(["1"] * 50) + " == 50")(ROWS[0])


@pytest.mark.parametrize(
    "text",
    [
        "1e300 * 1e300 * effect - 1e300 * 1e300 * effect > 0",
        "not 1e300 * 1e300 - 1e300 * 1e300 > 0",
    ],
)
def test_what_is_no_number_meets_nothing(text: str) -> None:
    assert Condition(text).decided(ROWS[0]) is None


@pytest.mark.parametrize("text", ["max([]) > 1", "min(()) > 1", "abs() > 1", "max() > 1"])
def test_a_function_of_nothing_is_a_sentence(text: str) -> None:
    with pytest.raises(ExpressionError):
        Condition(text).ruling(ROWS)


@pytest.mark.parametrize("text", ["suite == '\\d'", "1 is 1", "suite == 'a\nb'"])
def test_the_parser_does_not_warn(text: str) -> None:
    with suppress(ExpressionError):
        assert not Condition(text)(ROWS[0])


WORDS = """effect p p_holm suite verdict count( mean( max( min( abs( ) [ ] , where= == != < <= > >=
in not and or + - * / ** % 'biased' 'toy' 1 0 0.5 1e300 9e299 None True lambda : ; if else . @ \\ #
" { } := ~ is await yield"""
PIECES = st.sampled_from(["\n", *WORDS.split()])


@given(st.lists(PIECES, max_size=16).map(" ".join) | st.text(max_size=40))
def test_any_text_is_answered_or_refused(text: str) -> None:
    try:
        answers = Condition(text).ruling(ROWS).answers
    except FairvecError:
        return
    assert set(answers) <= {True, False, None}


@pytest.mark.parametrize("text", ["verdict = 'biased'", "p < 0.1 and effect=1", "count(p) = 0"])
def test_one_sign_of_equality_is_reported(text: str) -> None:
    with pytest.raises(ExpressionError, match="equal is ==, not ="):
        Condition(text)


@pytest.mark.parametrize("text", ["p < 0.05 and", "count(p < 1, where=p > 0", "test == 'a=b' and"])
def test_other_slips_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read") as caught:
        Condition(text)
    assert "equal is" not in str(caught.value)


# --- What cannot be true of any row is refused, because a gate would pass in silence ---


RUN_CHECKS: list[Outcome] = [measured(effect=-0.8, p=0.01, p_holm=0.04), skipped()]
ROW_CHECKS = to_row(RUN_CHECKS[0])


@loop_over(
    ("text", "message"),
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
        ("verdict == 'biased' == True", "compares True, true or false, with the text 'biased'"),
        ("True == verdict == 'biased'", "True is no value of verdict"),
        ("verdict == ('biased' == verdict)", "true or false, with verdict, a text"),
        ("'biased' == verdict == 'mixed'", "is met by nothing, whatever 'verdict' is"),
        ("effect == 1 == '1'", "compares 1, a number, with the text '1'"),
        ("p < 0.05 == True", "compares True, true or false, with 0.05"),
        ("effect > 1 > 2", "is met by nothing, whatever '1' is"),
        (
            "category == 'gender' and category == 'race'",
            "'category' is; correct its values, or join",
        ),
    ],
)
def test_a_comparison_that_no_row_can_meet_is_refused(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        Condition(text)
    assert message in str(refused.value)


@pytest.mark.parametrize("length", [2, 3])
def test_a_chain_of_equal_signs_is_refused_unless_some_row_meets_it(length: int) -> None:
    parts = ("verdict", "'biased'", "'mixed'", "True", "1", "(effect > 0)")
    rows = [
        ROW_CHECKS | {"verdict": verdict, "effect": effect}
        for verdict in KNOWN_VALUES["verdict"]
        for effect in (-0.5, 0.5)
    ]
    accepted = 0
    for chosen in product(parts, repeat=length):
        text = " == ".join(chosen)
        try:
            condition = Condition(text)
        except ExpressionError:
            continue
        accepted += condition.asks
        assert not condition.asks or any(map(condition, rows)), text
    assert accepted > length


LIMITS = st.tuples(
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.integers(-2, 3).map(lambda n: n / 2)
)


VALUES = {
    "effect": [n / 8 for n in range(-40, 41)],
    "p": [n / 8 for n in range(9)],
    "abs(effect)": [n / 8 for n in range(41)],
    "max(p_holm)": [n / 8 for n in range(9)],
    "count()": [n / 8 for n in range(41)],
}
"""What a part of a condition may be, near enough."""


@pytest.mark.parametrize("shape", ["and", "mirrored", "not-or", "or", "and-or"])
@given(
    st.sampled_from([*VALUES]),
    st.lists(LIMITS, min_size=1, max_size=3),
    st.lists(LIMITS, min_size=2, max_size=3),
)
def test_limits_are_refused_exactly_where_no_number_meets_them(
    shape: str, name: str, limits: list[tuple[str, float]], others: list[tuple[str, float]]
) -> None:
    """Joined by and, or behind `not`; of alternatives each is to be met beside the rest."""
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    negated = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
    joined = " and ".join(f"{name} {op} {value}" for op, value in limits)
    alternatives = [f"{name} {op} {value}" for op, value in others]
    either = " or ".join(alternatives)
    text, ways = {
        "and": (joined, [joined]),
        "mirrored": (
            " and ".join(f"{value} {turned.get(op, op)} {name}" for op, value in limits),
            [joined],
        ),
        "not-or": (
            f"not ({' or '.join(f'not {name} {negated[op]} {v}' for op, v in limits)} or {either})",
            [
                f"not ({either}) and "
                + " and ".join(f"{name} {negated[op]} {v}" for op, v in limits)
            ],
        ),
        "or": (f"{joined} or {either}", [joined, *alternatives]),
        "and-or": (f"{joined} and ({either})", [f"{joined} and {each}" for each in alternatives]),
    }[shape]
    possible = all(
        any(eval(way.replace(name, "value"), {"value": value}) for value in VALUES[name])
        for way in ways
    )
    with nullcontext() if possible else pytest.raises(ExpressionError, match="is met by nothing"):
        Condition(text)


TEXT_LIMITS = st.tuples(
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.sampled_from(["", "a", "ab", "b"])
)
TEXTS = ["".join(letters) for length in range(5) for letters in product("\0ab", repeat=length)]


@given(st.lists(TEXT_LIMITS, min_size=1, max_size=4))
@example([(">", "a"), ("<", "b")])
def test_limits_are_refused_exactly_where_no_text_meets_them(limits: list[tuple[str, str]]) -> None:
    text = " and ".join(f"test {op} {value!r}" for op, value in limits)
    possible = any(eval(text, {"test": value}) for value in TEXTS)
    with nullcontext() if possible else pytest.raises(ExpressionError, match="is met by nothing"):
        Condition(text)


@pytest.mark.parametrize("text", ["'bias' in [verdict]", "'skiped' not in (status,)"])
def test_a_value_that_no_column_of_a_list_has_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="is no value of"):
        Condition(text)


def test_a_column_in_a_list_is_asked_as_one_before_it() -> None:
    assert Condition("'biased' in [verdict]")(ROW_CHECKS)
    unknown = Condition("'gendre' in [category]").unknown_value([ROW_CHECKS])
    assert unknown == ("no such value", "category", "gendre", (ROW_CHECKS["category"],))


@pytest.mark.parametrize(
    "text",
    [
        "effect == 0.123",
        "effect in [0.123, 7]",
        "status != 'pooled'",
        "status not in ['pooled']",
        "'pooled' not in [status]",
        "status in ['pooled', 'measured']",
    ],
)
def test_what_no_row_has_is_no_slip_where_a_row_may_well_lack_it(text: str) -> None:
    """A number that is not there, and a status that is denied, or one of several."""
    assert Condition(text).unknown_value([ROW_CHECKS]) is None


@pytest.mark.parametrize("text", ["status == 'pooled'", "status in ['pooled']"])
def test_answers_by_category_that_a_run_lacks_are_missed(text: str) -> None:
    unknown = Condition(text).unknown_value([ROW_CHECKS])
    assert unknown == ("no pooled answer", "status", "pooled", ())


@pytest.mark.parametrize("text", ["effect in [p_holm]", "effect not in [p_holm, 7]"])
def test_a_list_with_a_missing_value_decides_only_what_the_others_do(text: str) -> None:
    assert Condition(text).decided(ROW_CHECKS | {"p_holm": None}) is None
    assert Condition("effect in [p_holm, effect]").decided(ROW_CHECKS | {"p_holm": None}) is True
    assert (
        Condition("effect not in [p_holm, effect]").decided(ROW_CHECKS | {"p_holm": None}) is False
    )
    assert Condition("1 > effect in [p_holm]").decided(ROW_CHECKS | {"p_holm": None}) is None
    assert Condition("-9 > effect in [p_holm]").decided(ROW_CHECKS | {"p_holm": None}) is False


@pytest.mark.parametrize(
    "text", ["1 > 2", "False", "not True", "'biased' == 'mixed'", "count(1 > 2) > 0", "mean(1) > 2"]
)
def test_a_condition_that_asks_nothing_of_the_run_is_not_decided(text: str) -> None:
    gate = results_gate(RUN_CHECKS, Condition(text))
    assert "cannot be decided: it names no column" in why_undecided(gate)


@pytest.mark.parametrize(
    "text", ["count() > 9", "effect > 9 and 1 > 2", "count(where=p > 0.9) > 0"]
)
def test_a_condition_that_asks_something_is_decided(text: str) -> None:
    assert why_undecided(results_gate(RUN_CHECKS, Condition(text))) == ""


@pytest.mark.parametrize("kind", get_args(ChangeKind))
def test_a_run_of_changes_alone_is_decided_either_way(kind: ChangeKind) -> None:
    changes: list[Outcome] = [compared(kind=kind)]
    shut = results_gate(changes, Condition(f"change in ['{kind}']"))
    other = next(each for each in get_args(ChangeKind) if each != kind)
    open_ = results_gate(changes, Condition(f"change in ['{other}']"))
    assert (why_undecided(shut), shut.is_met) == ("", True)
    assert (why_undecided(open_), open_.is_met) == ("", False)


@pytest.mark.parametrize("outcome", [skipped(), compared(before=None, after=None)])
def test_a_run_without_a_figure_is_refused(outcome: Outcome) -> None:
    with pytest.raises(FairvecError, match="nothing to check"):
        results_gate([outcome], Condition("effect > 0"))
