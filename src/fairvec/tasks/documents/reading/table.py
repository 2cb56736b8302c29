"""Tables: every row of a column is a document."""

import csv
from collections.abc import Iterator
from io import StringIO
from threading import Lock

from fairvec.ground.enumerations import first_of
from fairvec.ground.errors import FileFormatError, SettingError, UnknownNameError
from fairvec.tasks.documents.reading.encodings import Coding
from fairvec.tasks.documents.reading.source import TextSource

_DELIMITERS = (",", ";", "\t")
_LONGEST_CELL = 2**30
_limit = Lock()


def rows_of_table(
    text: str, name: str, column: str | None, coding: Coding
) -> tuple[list[TextSource], int]:
    """Return the texts of a column, and how many of its rows are empty.

    Row numbers are those of a spreadsheet, in which the header is row 1. Cells are parted by
    commas, semicolons or tabs, whichever has the column in the header.
    """
    if column is None:
        raise SettingError(
            f"{name} is a table, and each row of one column is a document; say which, as in "
            f"--column text (it has {_named(_header(text, _likely(text)))})."
        )
    delimiter = next((each for each in _DELIMITERS if column in _header(text, each)), None)
    if delimiter is None:
        raise UnknownNameError(f"column of {name}", column, _header(text, _likely(text)))
    found: list[TextSource] = []
    empty = 0
    rows = _rows(text, delimiter, name)
    header = next(rows)
    if header.count(column) > 1:
        raise SettingError(f"{name}: two columns are named {column!r}; rename one of them.")
    place = header.index(column)
    for number, row in enumerate(rows, 2):
        cell = row[place] if place < len(row) else ""
        if cell.strip():
            found.append(TextSource(f"{name}, row {number}", cell, cell, coding, of_table=True))
        else:
            empty += 1
    return found, empty


def _rows(text: str, delimiter: str, name: str) -> Iterator[list[str]]:
    # The limit belongs to the whole process: it is set for as long as rows are read.
    with _limit:
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            # Not splitlines: a cell may hold a Unicode line separator.
            yield from csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        except csv.Error as error:
            raise FileFormatError(f"{name}: this table cannot be read ({error}).") from None
        finally:
            csv.field_size_limit(before)


def _header(text: str, delimiter: str) -> list[str]:
    line = StringIO(text, newline=None).readline()
    return next(csv.reader([line], delimiter=delimiter), [])


def _likely(text: str) -> str:
    return max(_DELIMITERS, key=lambda each: len(_header(text, each)))


def _named(columns: list[str]) -> str:
    return first_of([each[:40] for each in columns], 12)
