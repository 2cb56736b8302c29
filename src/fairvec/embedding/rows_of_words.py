"""A dict from words to rows of a matrix, in which words may share a row and rows lack a word."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.shown_values import shown


class RowsOfWords(NamedTuple):
    """Words, the row of each, and what a reader of the history should know of them."""

    words: list[Any]
    rows: list[int]
    notes: dict[str, Any]


def rows_of_words(places: Iterable[tuple[Any, Any]], count: int, name: str) -> RowsOfWords:
    """Return words in the order of their rows, which is most often that of frequency.

    The notes count rows that no word names, and name two words where a row is shared.
    """
    found = []
    for word, row in places:
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise FileFormatError(
                f"{name}: the vocabulary gives {shown(row)} for {shown(word)}; give each "
                "word the number of its row."
            )
        if not 0 <= row < count:
            raise FileFormatError(
                f"{name}: the vocabulary gives row {shown(row)} for {shown(word)}, and the "
                f"matrix has rows 0 to {count - 1}; give the vocabulary that belongs to it."
            )
        found.append((word, int(row)))
    found.sort(key=lambda pair: pair[1])
    words, rows = [word for word, _ in found], [row for _, row in found]
    unnamed = count - len(set(rows))
    return RowsOfWords(
        words, rows, ({"rows without a word": unnamed} if unnamed else {}) | _shared(words, rows)
    )


def _shared(words: list[Any], rows: list[int]) -> dict[str, Any]:
    """Say how many words have a row that is another word's too, and name the first two."""
    first: dict[int, Any] = {}
    alike: dict[int, int] = {}
    example = ""
    for word, row in zip(words, rows, strict=True):
        if row in first:
            alike[row] = alike.get(row, 1) + 1
            example = example or f"{first[row]} and {word}"
        else:
            first[row] = word
    if not alike:
        return {}
    return {
        "rows shared by several words": len(alike),
        "words that share a row": sum(alike.values()),
        "such as": example,
    }
