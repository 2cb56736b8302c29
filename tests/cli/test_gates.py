"""Gates in the shell: exit codes, JUnit, Markdown."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fairvec.cli.gates import MOST_ROWS, gate_as_junit, gate_as_markdown
from fairvec.core.text import escape_control, escaped_markdown, markdown_code
from fairvec.results import Outcome
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import Gate
from fairvec.results.rows import to_row
from tests.cli.conftest import Shell
from tests.results.toys import measured, skipped

# --- Small gates for tests ---


OUTCOMES: tuple[Outcome, ...] = (
    measured(effect=1.2, p_holm=0.01),
    measured(effect=0.1, p_holm=0.9, test="toy/two"),
    skipped(test="toy/three"),
)


def gate(text: str, outcomes: Sequence[Outcome] = OUTCOMES) -> Gate:
    """A gate over results, as check makes it."""
    return Gate(
        command="fairvec check",
        things="results",
        condition=Condition(text),
        rows=[to_row(outcome) for outcome in outcomes],
        shown=("model", "test", "effect", "reason"),
        place=lambda row: str(row["model"]),
        name=lambda row: str(row["test"]),
        unanswered=lambda row: str(row["reason"] or ""),
    )


# --- junit ---


def ends(text: str) -> dict[str, str]:
    """Each case with how it ended, as a reader of the file sees it."""
    return {
        case.attrib["name"]: case[0].tag if len(case) else "passed"
        for case in ET.fromstring(text).iter("testcase")
    }


def test_each_row_is_a_case() -> None:
    text = gate_as_junit(gate("effect > 1"))
    assert ends(text) == {"toy/one": "failure", "toy/two": "passed", "toy/three": "skipped"}
    (suite,) = ET.fromstring(text)
    counts = [suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["3", "1", "0", "1"]
    failure, skipped = suite[0][0].attrib["message"], suite[2][0].attrib["message"]
    assert failure == "effect > 1: model model, test toy/one, effect 1.2"
    assert skipped == "Only 1 of 4 x were found."


def test_a_skipped_row_that_is_asked_for_has_failed() -> None:
    assert ends(gate_as_junit(gate("status == 'skipped'")))["toy/three"] == "failure"
    assert ends(gate_as_junit(gate("suite == 'other'")))["toy/three"] == "skipped"


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("mean(effect) > 0.6", "failure"),
        ("mean(effect) > 0.7", "passed"),
        ("mean(p_paired) > 0.7", "error"),
    ],
)
def test_all_rows_together_are_one_case(text: str, ended: str) -> None:
    assert ends(gate_as_junit(gate(text))) == {text: ended}


def test_what_no_row_decides_is_an_error() -> None:
    found = ends(gate_as_junit(gate("change == 'removed'")))
    assert found.pop("change == 'removed'") == "error"
    assert set(found.values()) == {"skipped"}


def test_cases_of_one_name_can_be_distinguished() -> None:
    text = gate_as_junit(gate("effect > 1", [measured(), measured(), measured(effect=2)]))
    assert ends(text) == {"toy/one": "passed", "toy/one #2": "passed", "toy/one #3": "failure"}


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_name_is_read_back(model: str, test: str) -> None:
    text = gate_as_junit(gate("effect > 0", [measured(model=model, test=test)]))
    (case,) = ET.fromstring(text.encode()).iter("testcase")
    assert case[0].tag == "failure"
    plain = escape_control(model + test, but="") == model + test
    if plain and all(letter not in "\ufffe\uffff" for letter in model + test):
        assert (case.attrib["classname"], case.attrib["name"]) == (model, test)


def test_what_xml_cannot_hold_is_shown_by_number() -> None:
    odd = "a\0\x1b[31m\uffff <&>\"' हिन्दी \U0001f600 ]]> \n\x9b\u202e"
    (case,) = ET.fromstring(gate_as_junit(gate("p < 1", [measured(model=odd)]))).iter("testcase")
    assert case.attrib["classname"] == (
        "a\\u0000\\u001b[31m\\uffff <&>\"' हिन्दी \U0001f600 ]]> \\u000a\\u009b\\u202e"
    )


def test_only_xml_is_written_over(shell: Shell, tmp_path: Path) -> None:
    precious = tmp_path / "results.jsonl"
    precious.write_text("precious")
    answer = shell("check", tmp_path, "--fail-if", "p < 1", "--junit", precious)
    assert answer.code == 2
    assert "a JUnit file ends in .xml; name it results.xml" in answer.err
    assert precious.read_text() == "precious"


# --- markdown ---


page = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def cells(text: str) -> list[list[str]]:
    """The cells of the table that a reader sees."""
    found: list[list[str]] = []
    for token in page.parse(text):
        if token.type == "tr_open":
            found.append([])
        if token.type == "inline" and found and token.level == 4:
            assert {child.type for child in token.children or []} <= {"text", "code_inline"}
            found[-1].append("".join(child.content for child in token.children or []))
    return found


def test_the_rows_that_meet_it_are_a_table() -> None:
    text = gate_as_markdown(gate("effect > 1"))
    assert text.startswith("**fairvec check: Failed.** 1 of 3 results meets: `effect > 1`\n\n|")
    assert cells(text) == [["model", "test", "effect"], ["model", "toy/one", "1.2"]]
    assert "1 of 3 results has no value" in text


def test_a_figure_is_shown_with_what_it_rests_on() -> None:
    text = gate_as_markdown(gate("count(verdict == 'biased') > 3 or mean(effect) > 3"))
    assert text.startswith("**fairvec check: Passed.** Not met over all 3 results: `count(")
    assert cells(text)[1:] == [
        ["count(verdict == 'biased')", "1", "over 2 of 3 results; 1 has no value"],
        ["mean(effect)", "0.65", "over 2 of 3 results; 1 has no value"],
    ]


def test_what_cannot_be_decided_says_so() -> None:
    text = gate_as_markdown(gate("mean(effect, where=category == 'caste') > 0"))
    assert text.startswith("**fairvec check: Not decided.**")
    assert cells(text)[1][1:] == ["unknown", "over 0 of 3 results"]
    assert "cannot be decided" in text


def test_a_long_table_ends_and_says_so() -> None:
    many = [measured(test=f"toy/{number}") for number in range(MOST_ROWS + 7)]
    text = gate_as_markdown(gate("p < 1", many))
    assert len(cells(text)) == MOST_ROWS + 1
    assert "\n\nAnd 7 more.\n\n" in f"{text}\n\n"


@pytest.mark.parametrize(
    "name",
    [
        "a|b",
        "<script>alert(1)</script>",
        "[x](http://a.example)",
        "*b* _c_ ~~d~~ `e`",
        "\\|",
        "a\\",
        "&lt; &amp;",
        "![x](y)",
        "<!-- x",
    ],
)
def test_a_name_is_only_text(name: str) -> None:
    text = gate_as_markdown(gate("p < 1", [measured(model=name)]))
    assert cells(text)[1][0] == name


def test_nobody_is_called_and_nothing_is_linked() -> None:
    text = escaped_markdown("@team #12 :tada: https://a.example Www.a.example \u202eabc\x1b[0m")
    assert not re.search(r"@team|(?<!&)#12|:tada|https:|[Ww]ww\.|\u202e|\x1b", text)


@given(st.text(max_size=30))
def test_any_text_stays_in_its_cell(name: str) -> None:
    text = gate_as_markdown(gate("p < 1", [measured(model=name)]))
    (head, row) = cells(text)
    assert len(head) == len(row)
    assert len(escaped_markdown(name).splitlines()) <= 1


@given(st.text(alphabet="`|a ", min_size=1, max_size=12).filter(str.strip))
def test_code_is_shown_as_it_is(text: str) -> None:
    shown = [
        child.content
        for token in page.parse(f"x {markdown_code(text)}")
        for child in token.children or []
        if child.type == "code_inline"
    ]
    assert [each.strip() for each in shown] == [" ".join(text.split())]
