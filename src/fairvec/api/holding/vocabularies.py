"""A vocabulary beside a matrix: a list of words, or a dict from words to rows."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fairvec.api.holding.kinds import called
from fairvec.ground.errors import FileFormatError, SettingError


@dataclass(frozen=True, eq=False)
class Held:
    """Words, their vectors, and what a reader of the history should know of them."""

    words: list[str]
    vectors: ArrayLike
    source: str
    notes: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    language: str | None = None


def with_vocabulary(vocabulary: Any, matrix: ArrayLike, source: str, name: str) -> Held:
    """Return the words of a list with its rows, or of a dict with the rows that it names."""
    if isinstance(vocabulary, str | bytes | Set) or not isinstance(vocabulary, Iterable):
        why = " has no order" if isinstance(vocabulary, Set) else " is no list of words"
        raise SettingError(
            f"{name}: {called(vocabulary)}{why}; give the words in the order of the rows, or a "
            "dict from each word to its row."
        )
    if isinstance(vocabulary, Mapping):
        return at_rows(vocabulary, matrix, source, name)
    words = list(vocabulary)
    if words and isinstance(words[0], list | tuple | float | np.ndarray | np.floating):
        raise SettingError(
            f"{name}: {words[0]!r} stands where a word should; give (words, matrix), the words "
            "first."
        )
    return Held(words, matrix, source)


def at_rows(places: Mapping[Any, Any], matrix: ArrayLike, source: str, name: str) -> Held:
    """Return words with the row that each is said to have; several words may share one.

    The history counts rows that no word names, and names two words where a row is shared.
    """
    array = np.asarray(matrix)
    if array.ndim != 2:
        raise FileFormatError(
            f"{name}: the vectors have shape {array.shape}; give a matrix with a row for each word."
        )
    rows = []
    for word, row in places.items():
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise FileFormatError(
                f"{name}: the vocabulary gives {row!r} for {word!r}; give each word the number of "
                "its row."
            )
        if not 0 <= row < len(array):
            raise FileFormatError(
                f"{name}: the vocabulary gives row {row} for {word!r}, and the matrix has rows 0 "
                f"to {len(array) - 1}; give the vocabulary that belongs to it."
            )
        rows.append(int(row))
    words = list(places)
    # In the order of the rows, which is most often that of frequency.
    order = sorted(range(len(rows)), key=rows.__getitem__)
    words, rows = [words[each] for each in order], [rows[each] for each in order]
    if rows == list(range(len(array))):
        return Held(words, array, source)
    notes = {"rows without a word": len(array) - len(set(rows))} | shared(words, rows)
    return Held(words, array[rows], source, {what: said for what, said in notes.items() if said})


def shared(words: list[str], rows: list[int]) -> dict[str, Any]:
    """Say how many words have a row that is another word's too, and name the first two."""
    first: dict[int, str] = {}
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
