"""Reviews as an embedding sees them: the rows of the words that it knows, in their order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding, lookup_of
from fairvec.geometry import FloatArray
from fairvec.languages.tokens import token_pattern
from fairvec.stats.arrays import IntArray


@dataclass(frozen=True, eq=False)
class TextsRead:
    """Texts as rows of one table of vectors; `unknown` counts the tokens that were dropped.

    In the ball the vectors are those of the tangent space at the origin (log0), as the flat methods
    of debiasing have them; flat space is its own.
    """

    table: NDArray[np.float32]
    texts: tuple[IntArray, ...]
    tokens: int
    unknown: Counter[str]

    @property
    def known(self) -> int:
        """How many tokens have a vector."""
        return self.tokens - self.unknown.total()

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Which texts have no known token."""
        return np.array([not len(text) for text in self.texts], dtype=bool)

    def means(self) -> FloatArray:
        """Return the mean vector of each text; zeros of one without a known token."""
        rows = np.zeros((len(self.texts), self.table.shape[1]))
        for row, text in zip(rows, self.texts, strict=True):
            if len(text):
                row[:] = self.table[text].mean(axis=0, dtype=np.float64)
        return rows

    def some(self, places: Sequence[int] | NDArray[Any]) -> "TextsRead":
        """Return some of the texts, with the same table and counts."""
        return TextsRead(
            self.table, tuple(self.texts[place] for place in places), self.tokens, self.unknown
        )


def read_texts(texts: Sequence[str], embedding: Embedding, language: str = "") -> TextsRead:
    """Look up every token of the texts by the rules of the language; unknown ones are dropped."""
    lookup = lookup_of(embedding, language)
    places: dict[str, int] = {}
    reached: dict[str, int | None] = {}
    rows, tokens = [], 0
    unknown: Counter[str] = Counter()
    for text in texts:
        found = token_pattern().findall(text)
        tokens += len(found)
        for token in found:
            if token not in reached:
                match = lookup.find([token])
                reached[token] = places.setdefault(match.key, len(places)) if match else None
            if reached[token] is None:
                unknown[token] += 1
        known = (reached[token] for token in found)
        rows.append(np.array([place for place in known if place is not None], dtype=np.int64))
    vectors = embedding.geometry.log0(embedding.rows([*places])) if places else None
    shape = (0, embedding.dimensions)
    table = np.zeros(shape, np.float32) if vectors is None else vectors.astype(np.float32)
    return TextsRead(table, tuple(rows), tokens, unknown)
