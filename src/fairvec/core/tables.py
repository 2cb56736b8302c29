"""A table: title, columns, rows and notes, which each medium sets in its own way."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, Literal, NamedTuple

from fairvec.core.text import escape_formulas

Style = Literal["", "strong", "alarm", "faint"]


class Span(NamedTuple):
    """A piece of a cell that is set in one way; `alarm` is strong and in the colour of harm."""

    text: str
    style: Style = ""


Cell = str | tuple[Span, ...]


class Column(NamedTuple):
    """A heading, and how the cells below it are set."""

    heading: str
    align: Literal["left", "right"] = "left"
    width: Literal["", "fixed", "rest"] = ""
    """`fixed` cells are never broken, and `rest` takes the room that the other columns leave."""


class Row(NamedTuple):
    """Cells in the order of the columns; the last one of a shorter row has all that are left."""

    cells: tuple[Cell, ...]
    kind: str = ""
    """What the row is about: `section` for a heading of the rows below it, or a kind of result."""
    source: str = ""
    """The id of what is shown, for a comment where there is room for one."""


@dataclass(frozen=True)
class Table:
    """What is shown; `ruled` if a line parts the headings from the rows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    ruled: bool = False

    def map_text(self, change: Callable[[str], str]) -> "Table":
        """Return the same table with the text of every cell changed; headings stay."""
        return replace(
            self,
            rows=tuple(
                row._replace(cells=tuple(change(plain_text(cell)) for cell in row.cells))
                for row in self.rows
            ),
        )


def table_of(
    headings: Iterable[str | Column], rows: Iterable[Sequence[Cell] | Row], *, title: str = ""
) -> Table:
    """Return a table of headings and cells."""
    return Table(
        tuple(each if isinstance(each, Column) else Column(each) for each in headings),
        tuple(each if isinstance(each, Row) else Row(tuple(each)) for each in rows),
        title,
    )


def strong(text: str) -> Cell:
    """Return a cell in bold."""
    return (Span(text, "strong"),)


def alarm(text: str) -> Cell:
    """Return a cell that warns."""
    return (Span(text, "alarm"),)


def plain_text(cell: Cell) -> str:
    """Return the text of a cell without its styles."""
    return cell if isinstance(cell, str) else "".join(span.text for span in cell)


def to_markdown(table: Table) -> str:
    """Return the columns and rows of a table whose cells are Markdown already."""
    heads = [column.heading for column in table.columns]
    rows = [[plain_text(cell) for cell in row.cells] for row in table.rows]
    written = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return values, unrounded, for a spreadsheet.

    Text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    text = StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(escape_formulas, rows))
    return text.getvalue()
