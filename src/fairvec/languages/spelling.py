"""Spelling: Unicode normalisation, case, and the differences that a language does not count."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Literal, get_args


@dataclass(frozen=True)
class SpellingRule:
    """A difference of spelling that a language does not count: `fold` removes it."""

    name: str
    fold: Callable[[str], str]


def replaced(text: str, letters: Mapping[str, str]) -> str:
    """Return the text with some letters replaced."""
    # Several times faster than str.translate, which matters where a whole vocabulary is folded.
    for letter, other in letters.items():
        text = text.replace(letter, other)
    return text


# The universal parts of speech (universaldependencies.org/u/pos), as they are tagged on to keys.
PartOfSpeech = Literal[
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
]  # fmt: skip
UPOS: frozenset[str] = frozenset(get_args(PartOfSpeech))


JOINERS = "\u200c\u200d"
"""ZWNJ and ZWJ, which forbid or ask for the joined shape of two letters."""


def normalize(text: str, *, keeps_joiners: bool = False) -> str:
    """Return `text` in NFC, without joiners (ZWJ, ZWNJ) where they change the look alone."""
    if text.isascii():
        return text
    if not keeps_joiners:
        text = replaced(text, dict.fromkeys(JOINERS, ""))
    return unicodedata.normalize("NFC", text)


@dataclass(frozen=True)
class Spelling:
    """How a language is spelt: the differences that it does not count, and what joiners are to it.

    In Hindi a joiner (ZWJ, ZWNJ) changes the look of a word; where it makes another word, as in
    Malayalam, Bengali, Persian and Urdu, it is kept.
    """

    rules: tuple[SpellingRule, ...] = ()
    keeps_joiners: bool = False

    def normalize(self, text: str) -> str:
        """Return `text` in NFC, without joiners if they do not count."""
        return normalize(text, keeps_joiners=self.keeps_joiners)

    def fold(self, text: str) -> str:
        """Return the one form that all spellings which count as equal share."""
        text = self.normalize(text)
        folded = reduce(lambda form, rule: rule.fold(form), self.rules, text)
        # What a rule leaves may compose with a mark that follows, and then be foldable once more.
        return text if folded == text else self.fold(folded)

    def rules_between(self, text: str, other: str) -> tuple[str, ...]:
        """Name the fewest rules under which the two spellings are one."""
        for count in range(len(self.rules)):
            for subset in combinations(self.rules, count):
                spelling = Spelling(subset, self.keeps_joiners)
                if spelling.fold(text) == spelling.fold(other):
                    return tuple(rule.name for rule in subset)
        return tuple(rule.name for rule in self.rules)


def case_variants(text: str) -> Iterator[str]:
    """Give the lower, Title and UPPER case of `text` where they differ from it."""
    seen = {text}
    for form in (text.lower(), text.title(), text.upper()):
        if form not in seen:
            seen.add(form)
            yield form


def edit_distance(text: str, other: str) -> int:
    """Count the letters to change, add or drop to get from one spelling to the other."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(text, start=1):
        above = row
        row = [i]
        for j, facing in enumerate(other, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != facing)))
    return row[-1]
