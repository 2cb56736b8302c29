"""Word similarity: pairs of words rated by people."""

from dataclasses import dataclass
from math import isfinite, nan
from typing import Any, ClassVar, NamedTuple

from fairvec.benchmarks.base import (
    About,
    BenchmarkKind,
    BenchmarkSet,
    distinct,
    empty_error,
    numbered_lines,
    split_cells,
)
from fairvec.core.errors import LexiconError
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr

SEPARATORS = ("\t", ";", ",", None)
SCORE_NAMES = ("score", "sim", "similarity")


class RatedPair(NamedTuple):
    """Two words and how alike people find them; only the order of the scores means anything."""

    one: str
    other: str
    score: float


@dataclass(frozen=True)
class SimilaritySet(BenchmarkSet):
    """Pairs of words rated by people."""

    kind: ClassVar[str] = "similarity"
    items: ClassVar[str] = "pairs"

    pairs: tuple[RatedPair, ...]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every word once."""
        return distinct(word for one, other, _ in self.pairs for word in (one, other))


def parse_similarity(text: str, where: str) -> tuple[RatedPair, ...]:
    """Return the pairs of a table with two words and a score a line.

    Cells are separated by tabs, semicolons, commas or blanks, whichever the first line has. If that
    line names word1 and word2 it is a header, and the columns may be in any order and among others.
    """
    lines = list(numbered_lines(text))
    first = lines[0][1] if lines else ""
    separator = next(mark for mark in SEPARATORS if mark is None or mark in first)
    rows = [(number, split_cells(line, separator)) for number, line in lines]
    columns, places = 3, (0, 1, 2)
    if rows and (header_places := _header_places(rows[0][1], where)):
        columns, places = len(rows[0][1]), header_places
        rows = rows[1:]
    pairs = []
    for number, cells in rows:
        if len(cells) != columns:
            stand = pluralize(len(cells), "cell stands", "cells stand")
            raise LexiconError(
                f"{where}, line {number}: {stand} where {columns} should; write "
                "word, word and score with the separator of the first line."
            )
        one, other, score = (cells[place] for place in places)
        if not (one and other):
            raise LexiconError(f"{where}, line {number}: a word is empty; complete the pair.")
        pairs.append(RatedPair(one, other, _parse_score(score, f"{where}, line {number}")))
    if not pairs:
        raise empty_error(where, "pairs")
    return tuple(pairs)


def _header_places(cells: list[str], where: str) -> tuple[int, int, int] | None:
    """Return the columns of the two words and the score; None if the line is no header."""
    names = [cell.lower().replace(" ", "") for cell in cells]
    if not {"word1", "word2"} <= set(names):
        return None
    for score in SCORE_NAMES:
        if score in names:
            return names.index("word1"), names.index("word2"), names.index(score)
    raise LexiconError(
        f"{where}, line 1: the header names no score; call that column {' or '.join(SCORE_NAMES)}."
    )


def _parse_score(cell: str, where: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise LexiconError(
            f"{where}: the score {short_repr(cell)} is not a number; write it like 7.35."
        )
    return number


def _read(about: About, text: str, where: str, **_: Any) -> SimilaritySet:
    return SimilaritySet(*about, parse_similarity(text, where))


SIMILARITY = BenchmarkKind(
    SimilaritySet.kind,
    title="Word similarity",
    plain="word similarity",
    family="similarity",
    shares="rank-correlation",
    read=_read,
)
