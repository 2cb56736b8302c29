"""How one word may be written: Unicode forms, letters a language treats as optional, case."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import Literal, get_args

from fairvec.languages import hindi, russian
from fairvec.languages.rule import Rule

# The universal parts of speech (universaldependencies.org/u/pos), as they are tagged on to keys.
PartOfSpeech = Literal[
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
]  # fmt: skip
UPOS: frozenset[str] = frozenset(get_args(PartOfSpeech))

RULES: dict[str, tuple[Rule, ...]] = {"hi": hindi.RULES, "ru": russian.RULES}


def plain(text: str) -> str:
    """Return `text` in NFC without joiners (ZWJ, ZWNJ): they change the look, not the word."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.replace("\u200c", "").replace("\u200d", ""))


def folded(text: str, rules: Sequence[Rule]) -> str:
    """Return the one form that all spellings which `rules` hold equal share."""
    text = plain(text)
    fold = reduce(lambda form, rule: rule.fold(form), rules, text)
    # What a rule leaves may compose with a mark that follows, and then be foldable once more.
    return text if fold == text else folded(fold, rules)


def rules_between(text: str, other: str, rules: Sequence[Rule]) -> tuple[str, ...]:
    """Name the fewest of `rules` under which the two spellings are one."""
    for count in range(len(rules)):
        for some in combinations(rules, count):
            if folded(text, some) == folded(other, some):
                return tuple(rule.name for rule in some)
    return tuple(rule.name for rule in rules)


def other_cases(text: str) -> Iterator[str]:
    """Give the lower, Title and UPPER case of `text` where they differ from it."""
    seen = {text}
    for form in (text.lower(), text.title(), text.upper()):
        if form not in seen:
            seen.add(form)
            yield form


def edits(text: str, other: str) -> int:
    """Count the letters to change, add or drop to get from one spelling to the other."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(text, start=1):
        above = row
        row = [i]
        for j, facing in enumerate(other, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != facing)))
    return row[-1]
