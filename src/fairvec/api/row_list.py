"""Rows of plain values: a list of dicts, and a table of pandas where that is installed."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from fairvec.ground.errors import SettingError
from fairvec.results.rows import Plain

NUMBER, COUNT, TEXT = "Float64", "Int64", "string"
"""Types of columns in which a missing value is missing, and no nan, None or empty text."""


class RowList(list[dict[str, Plain]]):
    """Rows that all have the same columns; a missing value is None, and NA in a frame."""

    def __init__(self, rows: Iterable[dict[str, Plain]] = (), columns: Mapping[str, str] = {}):
        super().__init__(rows)
        self.columns = dict(columns)

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame, also of no rows with all its columns.

        Numbers are `Float64`, counts `Int64` and text `string`, all of which know NA.
        """
        pandas = _pandas()
        return pandas.DataFrame(
            {
                name: pandas.array(column, dtype=kind if _fit(column) else NUMBER)
                for name, kind in self.columns.items()
                for column in [[row[name] for row in self]]
            }
        )


def _fit(column: Iterable[Plain]) -> bool:
    """Say whether the whole numbers of a column fit into 64 bits, as no record's need to."""
    return all(abs(one) < 2**63 for one in column if isinstance(one, int))


def _pandas() -> Any:
    try:
        return import_module("pandas")
    except ImportError as absent:
        raise SettingError(
            f"A frame needs pandas, which cannot be imported here ({absent}); run 'pip install "
            "pandas', or take the rows as a list of dicts with .rows() or .words()."
        ) from absent
