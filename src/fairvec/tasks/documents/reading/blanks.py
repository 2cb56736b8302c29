"""Blanking out what is not read, without moving what is."""

import re
from functools import cache

from fairvec.languages.tokens import token_pattern

GLUE = "\x00"
"""Stands where markup may stand within a word; no text holds a zero."""
APOSTROPHE = "\x01"
"""Stands where an apostrophe is written as an entity."""
LETTER = "\x02"
"""Stands where a letter is written as an entity."""

_MARKS = GLUE + APOSTROPHE + LETTER
_CLITICS = frozenset(["s", "d", "ll", "re", "ve", "m"])


@cache
def _word_with_marks() -> re.Pattern[str]:
    # Letters as a token has them, and what may stand between them.
    letters = token_pattern().pattern[1:].partition("]+")[0]
    return re.compile(f"[{letters}'’\\-‐‑{_MARKS}]+")


def without_glue(text: str) -> str:
    """Return the text with blanks for the marks of markup, and for words that they stand within.

    A word broken by markup is not read at all: half of it might be another word. Of `he&#39;s` the
    part before the apostrophe is read.
    """
    if not any(mark in text for mark in _MARKS):
        return text
    return _word_with_marks().sub(_unglued, text)


def _unglued(match: re.Match[str]) -> str:
    run = match.group()
    if run.isalpha():
        return run
    word = run.strip(GLUE + APOSTROPHE)
    before = len(run) - len(run.lstrip(GLUE + APOSTROPHE))
    if any(mark in word for mark in _MARKS):
        first, _, last = word.partition(APOSTROPHE)
        rest = last.lstrip(APOSTROPHE).lower()
        whole = not any(mark in first for mark in _MARKS)
        word = first if whole and rest in _CLITICS else ""
    return (" " * before + word).ljust(len(run))
