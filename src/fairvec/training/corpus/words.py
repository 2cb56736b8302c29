"""The words of a line, as a model of a language shall know them."""

from collections.abc import Callable
from typing import Literal

from fairvec.languages.tokens import token_pattern

Case = Literal["lower", "keep"]
WordsOf = Callable[[str], list[str]]
"""Gives the words of a line of text."""


def plain_words(case: Case = "lower") -> WordsOf:
    """Return what finds words as they stand: letters, their marks and digits, joined by - and '.

    The line is in NFC without joiners, as `lines_of` gives it; Devanagari keeps its vowel signs.
    """
    find = token_pattern().findall
    if case == "keep":
        return find
    return lambda line: find(line.lower())
