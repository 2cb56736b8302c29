"""Columns of words print what rich's table without a box prints."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from fairvec.cli import console as columns
from fairvec.cli.console import WordColumns

WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=6)


def printed(shown: RenderableType, width: int, *, colour: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        soft_wrap=True,
    )
    console.print(shown)
    return file.getvalue()


def table_of(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    table = Table(*headings, box=None, header_style="bold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


@given(rows=st.lists(st.tuples(WORDS, WORDS), max_size=5), width=st.sampled_from([8, 20, 500]))
@example(rows=[("日本語", "क\u094d\u200dष"), ("a\nb", ""), ("\t", "x\x1b[2J")], width=500)
@example(rows=[("a long word here", "b")], width=8)
def test_they_are_those_of_rich(rows: list[tuple[str, ...]], width: int) -> None:
    headings = ("word", "nächster")
    assert printed(WordColumns(headings, rows), width) == printed(table_of(headings, rows), width)


def test_rows_beyond_one_batch_follow_and_headings_are_bold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "ROWS_AT_A_TIME", 2)
    rows = [(f"word{number}", f"{number}") for number in range(5)]
    shown = printed(WordColumns(("word", "n"), rows), 80, colour=True)
    assert shown.splitlines()[1:] == [f" {word}  {number} " for word, number in rows]
    assert shown.splitlines()[0].startswith("\x1b[1m word")


def test_a_plain_table_is_not_drawn_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "Table", None)
    assert printed(WordColumns(("word", "n"), [("a", "1")]), 80) == " word  n \n a     1 \n"
