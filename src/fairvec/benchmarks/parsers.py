"""The kinds of benchmarks, and parsers of the files in which they are published.

Words stay as the file writes them; `find_words` looks them up by the rules of the language.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Literal

from fairvec.benchmarks.reviews import ReviewColumns, parse_reviews
from fairvec.benchmarks.sets import (
    AnalogyQuestion,
    AnalogySet,
    BenchmarkSet,
    Choice,
    RatedPair,
    ReviewSet,
    Section,
    SectionKind,
    SemBiasSet,
    SimilaritySet,
)
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr

SEPARATORS = ("\t", ";", ",", None)
SCORE_NAMES = ("score", "sim", "similarity")


def parse_similarity(text: str, where: str) -> tuple[RatedPair, ...]:
    """Return the pairs of a table with two words and a score a line.

    Cells are separated by tabs, semicolons, commas or blanks, whichever the first line has. If that
    line names word1 and word2 it is a header, and the columns may be in any order and among others.
    """
    lines = list(_lines(text))
    first = lines[0][1] if lines else ""
    separator = next(mark for mark in SEPARATORS if mark is None or mark in first)
    rows = [(number, _cells(line, separator)) for number, line in lines]
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
        raise _empty_error(where, "pairs")
    return tuple(pairs)


def parse_analogies(text: str, where: str, kinds: Mapping[str, SectionKind]) -> tuple[Section, ...]:
    """Return the sections of a file of four words a line, headed by lines like `: family`.

    `kinds` says which sections are semantic and which syntactic. Blank lines mean nothing, and
    questions before the first heading are a section without a name.
    """
    questions_by_section: dict[str, list[AnalogyQuestion]] = {}
    current = ""
    for number, line in _lines(text):
        if line.startswith(":"):
            current = line.removeprefix(":").strip()
            if current in questions_by_section:
                raise LexiconError(
                    f"{where}, line {number}: the section {short_repr(current)} begins twice; "
                    "rename one."
                )
            questions_by_section[current] = []
            continue
        words = line.split()
        if len(words) != 4:
            raise LexiconError(
                f"{where}, line {number}: a question has four words, not {len(words)}; a heading "
                "begins with a colon."
            )
        questions_by_section.setdefault(current, []).append(AnalogyQuestion(*words))
    sections = tuple(
        Section(name, kinds.get(name, ""), tuple(questions))
        for name, questions in questions_by_section.items()
        if questions
    )
    if not sections:
        raise _empty_error(where, "questions")
    return sections


def parse_sembias(text: str, where: str) -> tuple[Choice, ...]:
    """Return the rows of four tab-separated pairs `he:she`: definition, none, none, stereotype."""
    rows = []
    for number, line in _lines(text):
        pairs = [tuple(_cells(cell, ":")) for cell in _cells(line, "\t")]
        if len(pairs) != 4 or any(len(pair) != 2 or not all(pair) for pair in pairs):
            raise LexiconError(
                f"{where}, line {number}: a row has four pairs like 'king:queen' with tabs between "
                "them; correct it."
            )
        definition, none, another, stereotype = ((one, other) for one, other in pairs)
        rows.append(Choice(definition, (none, another), stereotype))
    if not rows:
        raise _empty_error(where, "rows")
    return tuple(rows)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line that is not blank with its number."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            # The first or last cell may be empty, so tabs are not stripped.
            yield number, line.strip(" \r")


def _cells(line: str, separator: str | None) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(separator)]


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


def _empty_error(where: str, what: str) -> LexiconError:
    return LexiconError(f"{where}: the file holds no {what}; check that it is the right one.")


Wanted = Literal["more", "less", "neither"]
Shares = Literal["mean", "rank-correlation"]


@dataclass(frozen=True)
class BenchmarkText:
    """The text of a file, its path for errors, and the options of its parser."""

    about: tuple[str, str, str, str, str]
    """Name, title, language, source and licence."""
    text: str
    where: str
    sections: Mapping[str, SectionKind]
    held_out: int
    columns: ReviewColumns = field(default_factory=ReviewColumns)


@dataclass(frozen=True)
class BenchmarkKind:
    """What all benchmarks of a kind have in common."""

    name: str
    title: str
    """As a heading."""
    plain: str
    """What its main figure is called within a sentence."""
    family: str
    """The kind of information that it counts as in a frontier."""
    shares: Shares
    """How an item contributes to the figure: as to a mean, or to a rank correlation."""
    read: Callable[[BenchmarkText], BenchmarkSet]
    counted: str = ""
    """The part whose figure represents the benchmark in its family; empty: all of it."""
    parts: Mapping[str, Wanted] = field(default_factory=dict)
    """Whether more or less of a part's figure is better; more of any part not named."""
    unnamed: bool = True
    """Whether it is run by default where it is on this machine; a task must be named."""

    def wanted(self, part: str = "") -> Wanted:
        """Return whether more or less of a part's figure is better.

        After a comma a part says which items it is of, as in "definition, held out".
        """
        return self.parts.get(part.partition(",")[0], "more")


def _read_similarity(file: BenchmarkText) -> SimilaritySet:
    return SimilaritySet(*file.about, parse_similarity(file.text, file.where))


def _read_analogies(file: BenchmarkText) -> AnalogySet:
    return AnalogySet(*file.about, parse_analogies(file.text, file.where, file.sections))


def _read_sembias(file: BenchmarkText) -> SemBiasSet:
    rows = parse_sembias(file.text, file.where)
    if not 0 <= file.held_out <= len(rows):
        raise SettingError(
            f"{file.where}: {file.held_out} rows cannot be held out of {len(rows)}; give fewer."
        )
    return SemBiasSet(*file.about, rows, file.held_out)


def _read_reviews(file: BenchmarkText) -> ReviewSet:
    reviews, dropped = parse_reviews(file.text, file.where, file.columns)
    return ReviewSet(*file.about, reviews, dropped)


BENCHMARK_KINDS: dict[str, BenchmarkKind] = {
    kind.name: kind
    for kind in (
        BenchmarkKind(
            SimilaritySet.kind,
            title="Word similarity",
            plain="word similarity",
            family="similarity",
            shares="rank-correlation",
            read=_read_similarity,
        ),
        BenchmarkKind(
            AnalogySet.kind,
            title="Word analogy",
            plain="word analogy",
            family="analogy",
            shares="mean",
            read=_read_analogies,
        ),
        BenchmarkKind(
            SemBiasSet.kind,
            title="SemBias",
            plain="definitions in SemBias",
            family="definitions",
            shares="mean",
            read=_read_sembias,
            counted="definition",
            parts={"definition": "more", "stereotype": "less", "none": "less"},
        ),
        BenchmarkKind(
            ReviewSet.kind,
            title="Sentiment of reviews",
            plain="sentiment of reviews",
            family="sentiment",
            shares="mean",
            read=_read_reviews,
            counted="accuracy",
            unnamed=False,
        ),
    )
}


def benchmark_kind(name: str) -> BenchmarkKind:
    """Return the kind of this name, or raise UnknownNameError with the nearest ones."""
    if name not in BENCHMARK_KINDS:
        raise UnknownNameError("kind of benchmark", name, BENCHMARK_KINDS)
    return BENCHMARK_KINDS[name]
