"""Spelling: Unicode normalisation, case, and differences that Hindi and Russian do not count.

Hindi: nukta and nasal may be written or not. Russian: yo may be written as ye.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
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


_NUKTA = "\N{DEVANAGARI SIGN NUKTA}"
# NFC keeps these three composed; every other nukta letter is a consonant followed by the sign.
_WITHOUT_NUKTA = {_NUKTA: "", "\u0929": "न", "\u0931": "र", "\u0934": "ळ"}

# A half nasal is an anusvara in disguise only before a stop of its own class, and never where an
# anusvara could not stand (first in the word, or after another half consonant).
_STOPS = {"ङ": "कखगघ", "ञ": "चछजझ", "ण": "टठडढ", "न": "तथदध", "म": "पफबभ"}
_HALF_NASALS = "|".join(f"{nasal}\u094d(?=[{stops}])" for nasal, stops in _STOPS.items())
_NASAL = re.compile(rf"\u0901|(?<=[\u0904-\u094c\u0958-\u0963])(?:{_HALF_NASALS})")
_ANUSVARA = "\u0902"

HINDI_RULES = (
    SpellingRule("nukta", lambda text: replaced(text, _WITHOUT_NUKTA)),
    SpellingRule("nasal", lambda text: _NASAL.sub(_ANUSVARA, text)),
)


_WITHOUT_YO = {"ё": "е", "Ё": "Е"}

RUSSIAN_RULES = (SpellingRule("yo", lambda text: replaced(text, _WITHOUT_YO)),)


# The universal parts of speech (universaldependencies.org/u/pos), as they are tagged on to keys.
PartOfSpeech = Literal[
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
]  # fmt: skip
UPOS: frozenset[str] = frozenset(get_args(PartOfSpeech))

RULES: dict[str, tuple[SpellingRule, ...]] = {"hi": HINDI_RULES, "ru": RUSSIAN_RULES}


def normalize(text: str) -> str:
    """Return `text` in NFC without joiners (ZWJ, ZWNJ): they change the look, not the word."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.replace("\u200c", "").replace("\u200d", ""))


def fold_spelling(text: str, rules: Sequence[SpellingRule]) -> str:
    """Return the one form that all spellings which `rules` hold equal share."""
    text = normalize(text)
    fold = reduce(lambda form, rule: rule.fold(form), rules, text)
    # What a rule leaves may compose with a mark that follows, and then be foldable once more.
    return text if fold == text else fold_spelling(fold, rules)


def rules_between(text: str, other: str, rules: Sequence[SpellingRule]) -> tuple[str, ...]:
    """Name the fewest of `rules` under which the two spellings are one."""
    for count in range(len(rules)):
        for subset in combinations(rules, count):
            if fold_spelling(text, subset) == fold_spelling(other, subset):
                return tuple(rule.name for rule in subset)
    return tuple(rule.name for rule in rules)


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
