"""Cells of tables for people: text that a spreadsheet would run is told to be text."""

import re
from collections.abc import Mapping
from typing import Any

FORMULAS = "=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"
"""What a spreadsheet takes for the beginning of a formula, in either width."""

_UNSEEN = " \xa0\u2000\u2007\u200b\u202f\u3000\ufeff"
"""Blanks that some spreadsheets pass over."""

# Where numbers have decimal commas a semicolon ends a cell, and a mark that does not open one
# quotes nothing.
_NEXT_CELL = re.compile(r"([;\t\r\n][\s'\"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20][^\s;])")


def guarded(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a table with an apostrophe before each text that could be a formula.

    Numbers are none: a negative one stays a number. Text that is a number (-0.31 as a paper prints
    it) stays as it is too.
    """
    return {
        name: guarded_text(cell) if isinstance(cell, str) else cell for name, cell in row.items()
    }


def guarded_text(text: str) -> str:
    """Return text as a cell that no spreadsheet runs; a sign alone is not a formula."""
    inside = _NEXT_CELL.sub(r"\1'", text)
    plain = text.strip(" ").lstrip(_UNSEEN)
    runs = len(plain) > 1 and plain[0] in FORMULAS and not _is_number(plain)
    return f"'{inside}" if runs else inside


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text
