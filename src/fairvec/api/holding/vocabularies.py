"""A vocabulary beside a matrix: a list of words, or a dict from words to rows."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fairvec.api.holding.kinds import called
from fairvec.embedding.rows_of_words import rows_of_words
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
    # A list of numpy's array holds plain text, which the array itself does not give.
    words = vocabulary.tolist() if isinstance(vocabulary, np.ndarray) else list(vocabulary)
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
    found = rows_of_words(places.items(), len(array), name)
    if found.rows == list(range(len(array))):
        return Held(found.words, array, source)
    return Held(found.words, array[found.rows], source, found.notes)
