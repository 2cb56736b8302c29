"""Words of a vocabulary that begin as what was typed, in any script."""

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

LAST = "\U0010ffff"
"""No word begins with what comes after this."""


class Completion:
    """A vocabulary sorted by folded words; those that stand first in the model come first.

    Models list their words by frequency, as a rule, so that the commonest are proposed.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        folded = [folded_of(key) for key in keys]
        order = sorted(range(len(keys)), key=folded.__getitem__)
        self._keys = keys
        self._folded = [folded[place] for place in order]
        self._rows = np.array(order, dtype=np.int64)

    def of(self, beginning: str, most: int = 12) -> list[str]:
        """Return up to `most` words that begin so; none for nothing."""
        start = folded_of(beginning.strip())
        if not start:
            return []
        first = bisect_left(self._folded, start)
        last = bisect_left(self._folded, start + LAST, lo=first)
        rows = self._rows[first:last]
        if len(rows) > most:
            rows = np.partition(rows, most - 1)[:most]
        return [self._keys[row] for row in np.sort(rows)]


def folded_of(word: str) -> str:
    """Return a word as it is compared: composed, without case."""
    return unicodedata.normalize("NFC", word).casefold()
