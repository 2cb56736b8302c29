"""Tables of pandas and polars: words in the index or in a column of text, numbers in the rest."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.api.holding.vocabularies import Held
from fairvec.embedding.formats.delimited.fields import no_dimension
from fairvec.ground.errors import FileFormatError, SettingError
from fairvec.ground.text.shown_values import shown

PANDAS = "DataFrame of pandas"
FEWEST_NUMBERED = 3
"""Fewer rows than these may be numbered 0, 1 or 1, 2 by chance."""
INDEX_TEXT = "set the words as its index, frame.set_index('word')"


def pandas_frame(frame: Any, name: str) -> Held:
    """Return the words of the index, or else of the first column of text, with all other columns.

    A second column of text is refused, and so are numbers written as text.
    """
    if getattr(frame.index, "nlevels", 1) > 1:
        raise SettingError(f"{name}: the table has an index of several levels; {INDEX_TEXT}.")
    names = [str(each) for each in frame.columns]
    columns = [frame.iloc[:, place] for place in range(len(names))]
    index = list(frame.index)
    words = index if any(isinstance(word, str) for word in index) else None
    return _held(words, names, columns, name, PANDAS)


def polars_frame(frame: Any, name: str) -> Held:
    """Return the words of the first column of text with all other columns."""
    columns = frame.get_columns()
    return _held(None, [each.name for each in columns], columns, name, "DataFrame of polars")


def _held(
    words: list[Any] | None, names: list[str], columns: Sequence[Any], name: str, source: str
) -> Held:
    numbers, taken, whole = [], "", []
    for label, column in zip(names, columns, strict=True):
        kind = _kind(column)
        if kind in "fiub":
            numbers.append(_numbers(column))
            whole += [(label, numbers[-1])] if kind in "iu" else []
        elif words is None and kind == "text":
            words, taken = _listed(column), label
        else:
            raise FileFormatError(_stray(label, column, kind, taken, name))
    if words is None:
        indexed = f"{INDEX_TEXT}, or " if source == PANDAS else ""
        raise SettingError(
            f"{name}: the table holds no words; {indexed}let its first column be the words."
        )
    if not numbers:
        raise FileFormatError(
            f"{name}: the table has words and no column of numbers; give one column a dimension."
        )
    for row, word in enumerate(words):
        if not isinstance(word, str | bytes):
            raise FileFormatError(
                f"{name}, row {row + 1}: {word!r} stands where a word should; remove that row, or "
                "write the word as text."
            )
    if len(whole) < len(numbers):
        _refuse_counts(whole, name)
    notes = {"words of column": taken} if taken else {}
    return Held(words, np.column_stack(numbers), source, notes)


def _refuse_counts(whole: Sequence[tuple[str, NDArray[Any]]], name: str) -> None:
    """Refuse whole numbers beside floats that count words or rows: they would drown the vectors."""
    for label, column in whole:
        rows = np.arange(len(column))
        numbered = len(column) >= FEWEST_NUMBERED and (
            np.array_equal(column, rows) or np.array_equal(column, rows + 1)
        )
        if numbered or no_dimension(label):
            what = "the numbers of rows" if numbered else "counts"
            raise FileFormatError(
                f"{name}: the column {label!r} holds {what} beside the floats of vectors; drop it, "
                "or convert it to floats if it is one of their dimensions."
            )


def _stray(label: str, column: Any, kind: str, taken: str, name: str) -> str:
    if kind == "rows":
        return (
            f"{name}: the column {label!r} holds a whole vector in each cell; give (words, matrix) "
            f"with np.stack(frame[{label!r}]) as the matrix."
        )
    if kind == "objects":
        return (
            f"{name}: the column {label!r} holds Python objects; convert it to floats first, "
            "or drop it."
        )
    if kind != "text":
        return (
            f"{name}: the column {label!r} holds {column.dtype}, which are no numbers of a vector; "
            "drop that column."
        )
    first = next((str(each) for each in _listed(column) if not _missing(each)), "")
    if _like_number(first):
        comma = " with a decimal comma" if "," in first else ""
        return (
            f"{name}: the column {label!r} holds numbers written as text{comma}, such as "
            f"{first!r}; convert them to floats first."
        )
    where = f"the column {taken!r}" if taken else "the index"
    return (
        f"{name}: the column {label!r} holds text, such as {shown(first, 40)}, beside the words of "
        f"{where}; drop the one that is not wanted."
    )


def _like_number(text: str) -> bool:
    try:
        float(text.strip().replace(",", ".", 1))
    except ValueError:
        return False
    return True


def _kind(column: Any) -> str:
    """Return numpy's letter for a column's numbers, "text", "rows" of numbers, or else "?".

    Numbers that are kept as "objects" of Python are told apart, since they can be converted.
    """
    kind = str(getattr(column.dtype, "kind", ""))
    if kind and kind in "fiub":
        return kind
    for letter, types in (("f", ("Float", "Boolean")), ("i", ("Int", "UInt"))):
        if not kind and str(column.dtype).startswith(types):
            return letter  # polars
    if kind in ("c", "M", "m"):
        return "?"
    met = [each for each in _listed(column) if not _missing(each)]
    if met and all(isinstance(each, str | bytes) for each in met):
        return "text"
    if met and all(hasattr(each, "__len__") and not isinstance(each, str | bytes) for each in met):
        return "rows"
    return "objects" if kind == "O" else "?"


def _missing(value: Any) -> bool:
    # pandas' NA may not even be asked whether it equals itself.
    if hasattr(value, "__len__"):
        return False  # an array has no one answer to whether it equals itself
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _listed(column: Any) -> list[Any]:
    found: list[Any] = column.to_list()
    return found


def _numbers(column: Any) -> NDArray[Any]:
    """Return a column as an array; a missing number becomes NaN, which is refused with its word."""
    array = np.asarray(column.to_numpy())
    if array.dtype.kind in "fiub":
        return array
    values = [_number(each) for each in _listed(column)]
    return np.array(values, dtype=np.float64)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")
