import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fairvec.cli.gates import MOST_ROWS, gate_as_markdown
from fairvec.core.text import escaped_markdown, markdown_code
from tests.cli.gates.make import gate
from tests.results.make import measured

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
    assert "1 of 3 results lacks what the condition asks about" in text


def test_a_figure_is_shown_with_what_it_rests_on() -> None:
    text = gate_as_markdown(gate("count(verdict == 'biased') > 3 or mean(effect) > 3"))
    assert text.startswith("**fairvec check: Passed.** Not met, over all 3 results: `count(")
    assert cells(text)[1:] == [
        ["count(verdict == 'biased')", "1", "over 2 of 3 results; 1 lacks what it asks about"],
        ["mean(effect)", "0.65", "over 2 of 3 results; 1 lacks what it asks about"],
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
