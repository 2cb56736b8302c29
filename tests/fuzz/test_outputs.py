"""What would act in a spreadsheet, a paper, a comment or a page is noticed, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz.mutations.odd_values import SCRIPT
from fuzz.outputs import (
    check_csv,
    check_json,
    check_latex,
    check_markdown,
    check_printed,
    check_written,
)
from fuzz.verdicts import BadAnswerError

BAD: list[tuple[Callable[[str], None], str]] = [
    (check_csv, 'a,b\n1,"=1+1"\n'),
    (check_csv, "a,b\n1, @x\n"),
    (check_latex, "a & b \\\\\n[x] & c"),
    (check_latex, "\\input{x}"),
    (check_markdown, "| a | b |\n|---|---|\n| x|y | z |\n"),
    (check_markdown, "an <script> here"),
    (check_markdown, "a [link](there)"),
    (check_json, '{"a": NaN}'),
    (check_json, "{"),
]
GOOD: list[tuple[Callable[[str], None], str]] = [
    (check_csv, "a,b\n-1.5,'=1+1\n+2e-3,-\n"),
    (check_latex, "a & b \\\\\n{[x]} & c"),
    (check_markdown, "| a | b |\n|---|---|\n| x\\|y | z |\n\nA text | with one.\n"),
    (check_json, '{"a": null}\n{"b": 1e300}\n'),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_acts_is_noticed(number: int) -> None:
    check, text = BAD[number]
    with pytest.raises(BadAnswerError):
        check(text)


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_what_only_shows_is_let_through(number: int) -> None:
    check, text = GOOD[number]
    check(text)


@pytest.mark.parametrize(
    ("name", "text"), [("a.html", SCRIPT), ("a.xml", "<a>"), ("b.xml", "\x1b")]
)
def test_a_page_that_acts_is_noticed_unless_it_was_there(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    check_written(tmp_path, [name])
    with pytest.raises(BadAnswerError):
        check_written(tmp_path, [])


def test_what_is_printed_is_looked_at_unless_it_is_help() -> None:
    check_printed(["audit", "--json", "--help"], "Usage: ...")
    check_printed(["audit"], "=1+1")
    with pytest.raises(BadAnswerError):
        check_printed(["audit", "--json"], "Usage: ...")
