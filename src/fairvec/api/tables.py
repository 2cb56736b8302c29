"""Results as rows: one a record, or one a target word."""

from collections.abc import Iterable

from fairvec.api.row_list import COUNT, NUMBER, TEXT, RowList
from fairvec.results import COLUMNS, Description, Outcome, Result, WordScore, flat
from fairvec.results.rows import Plain

_COUNTS = {"family", "words_found", "words_wanted"}
_NUMBERS = {
    "effect",
    "interval_low",
    "interval_high",
    "statistic",
    "p",
    "p_low",
    "p_high",
    "p_smallest",
    "p_holm",
    "p_bh",
    "detectable",
    "coverage",
    "effect_before",
    "effect_after",
    "p_paired",
    "difference_low",
    "difference_high",
}
KINDS = {
    name: COUNT if name in _COUNTS else NUMBER if name in _NUMBERS else TEXT for name in COLUMNS
}
"""The type of each column of a record's row."""

WORD_KINDS = {
    "test": TEXT,
    "model": TEXT,
    "metric": TEXT,
    "word": TEXT,
    "key": TEXT,
    "role": TEXT,
    "score": NUMBER,
    "effect": NUMBER,
    "without": NUMBER,
    "to_a": NUMBER,
    "to_b": NUMBER,
    "transliteration": TEXT,
    "gloss": TEXT,
}
"""The columns of a word's row, and the type of each."""


def rows_of(outcomes: Iterable[Outcome]) -> RowList:
    """Return one row a record, with every column of results.COLUMNS."""
    return RowList([flat(outcome) for outcome in outcomes], KINDS)


def words_of(outcomes: Iterable[Outcome]) -> RowList:
    """Return one row a target word of each measured or described test."""
    return RowList(
        [
            {"test": one.test.id, "model": one.model.name, "metric": one.metric, **_row(word)}
            for one in outcomes
            if isinstance(one, Result | Description)
            for word in one.words
        ],
        WORD_KINDS,
    )


def _row(word: WordScore) -> dict[str, Plain]:
    told = word.model_dump()
    # Off the Latin script only; an empty text would look like one that was given.
    return told | {name: told[name] or None for name in ("transliteration", "gloss")}
