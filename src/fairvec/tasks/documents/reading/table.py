"""Tables: every row of a column is a document."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from threading import Lock

from fairvec.ground.errors import FileFormatError, SettingError, UnknownNameError
from fairvec.ground.text.enumerations import first_of
from fairvec.ground.text.shown_values import shown
from fairvec.tasks.documents.reading.encodings import Coding
from fairvec.tasks.documents.reading.source import TextSource

_DELIMITERS = (",", ";", "\t")
_LONGEST_CELL = 2**30
_SHOWN = 40
"""So much of a column's name is shown."""
_limit = Lock()


def rows_of_table(
    text: str, name: str, column: str | None, coding: Coding
) -> tuple[list[TextSource], int]:
    """Return the texts of a column, and how many of its rows are empty.

    Row numbers are those of a spreadsheet, in which the header is row 1. Cells are parted by
    commas, semicolons or tabs, whichever has the column in the header.
    """
    headers = {delimiter: _header(text, delimiter, name) for delimiter in _DELIMITERS}
    likely = max(headers.values(), key=len)
    if column is None:
        raise SettingError(
            f"{name} is a table, and each row of one column is a document; say which, as in "
            f"--column text (it has {_named(likely)})."
        )
    delimiter = next((each for each, has in headers.items() if column in has), None)
    if delimiter is None:
        raise UnknownNameError(f"column of {name}", column, [each[:_SHOWN] for each in likely])
    if headers[delimiter].count(column) > 1:
        raise SettingError(f"{name}: two columns are named {shown(column)}; rename one of them.")
    place = headers[delimiter].index(column)
    found: list[TextSource] = []
    empty = 0
    with _long_cells(name):
        # Not splitlines: a cell may hold a Unicode line separator.
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        next(rows)
        for number, row in enumerate(rows, 2):
            cell = row[place] if place < len(row) else ""
            if cell.strip():
                found.append(TextSource(f"{name}, row {number}", cell, cell, coding, of_table=True))
            else:
                empty += 1
    return found, empty


@contextmanager
def _long_cells(name: str) -> Iterator[None]:
    """Let cells be long while rows are read: that limit belongs to the whole process."""
    with _limit:
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            yield
        except csv.Error as error:
            raise FileFormatError(
                f"{name}: this table cannot be read ({error}); save it as CSV anew."
            ) from None
        finally:
            csv.field_size_limit(before)


def _header(text: str, delimiter: str, name: str) -> list[str]:
    line = StringIO(text, newline=None).readline()
    with _long_cells(name):
        return next(csv.reader([line], delimiter=delimiter), [])


def _named(columns: list[str]) -> str:
    return first_of([each[:_SHOWN] for each in columns], 12)
