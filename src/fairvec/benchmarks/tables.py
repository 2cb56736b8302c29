"""Tables of texts, in CSV or TSV, whose first line names the columns."""

import csv
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from io import StringIO

from fairvec.core.errors import LexiconError
from fairvec.core.io.read_files import long_csv_cells
from fairvec.core.text import short_repr

MOST_LISTED = 8


def table_rows(text: str, where: str, what: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank with the number of its first line.

    Cells are separated by tabs, commas or semicolons, whichever the first line has. One in quotes
    may hold line breaks; in a tab-separated file whose quotes do not close they are letters. `what`
    says in errors what the table is of.
    """
    first = text.lstrip("\r\n").partition("\n")[0]
    mark = next((mark for mark in "\t,;" if mark in first), ",")
    try:
        yield from _read_table(text, mark, quoted=True)
    except csv.Error as error:
        if mark != "\t":
            raise LexiconError(
                f"{where}: this is no table of {what} ({error}); close every quote, and write a "
                "quote within a field twice."
            ) from None
        yield from _read_table(text, mark, quoted=False)


def _read_table(text: str, mark: str, *, quoted: bool) -> list[tuple[int, list[str]]]:
    rows = []
    with long_csv_cells():
        reader = csv.reader(
            StringIO(text, newline=""),
            delimiter=mark,
            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
            strict=True,
        )
        line = 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, cells))
            line = reader.line_num + 1
    return rows


def column_index(column: str, names: Sequence[str], where: str, remedy: str) -> int:
    """Return the index of a column, by its name as it is, then ignoring case."""
    stripped = [name.strip() for name in names]
    for known, name in ((stripped, column), ([name.lower() for name in stripped], column.lower())):
        if known.count(name) > 1:
            raise LexiconError(
                f"{where}: two columns are named {short_repr(column)}; rename one of them."
            )
        if name in known:
            return known.index(name)
    shown = ", ".join(stripped[:MOST_LISTED])
    near = get_close_matches(column, stripped, n=1)
    offer = f"did you mean {near[0]}" if near else f"there are {shown}"
    raise LexiconError(f"{where}: there is no column {short_repr(column)} ({offer}); {remedy}.")


def table_records(
    text: str, where: str, what: str, columns: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield each row as its cells by column; a column that is named with ? may be missing.

    Rows that repeat the names are left out, so that parts of a table may follow one another.
    """
    rows = table_rows(text, where, what)
    header = next(rows, None)
    if header is None:
        raise LexiconError(f"{where}: the file is empty; it should hold {what}.")
    names = header[1]
    lowered = {name.strip().lower() for name in names}
    places = {
        column: column_index(column, names, where, "name the columns in the first line")
        for column in (name.removesuffix("?") for name in columns)
        if column in lowered or f"{column}?" not in columns
    }
    for line, cells in rows:
        if cells == names:
            continue
        if len(cells) != len(names):
            raise LexiconError(
                f"{where}, line {line}: the row has {len(cells)} cells where {len(names)} columns "
                "are named; put a text that holds the separator into quotes."
            )
        row = {column: " ".join(cells[place].split()) for column, place in places.items()}
        yield {name.removesuffix("?"): "" for name in columns} | row | {"line": str(line)}
