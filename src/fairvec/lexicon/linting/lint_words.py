"""What could be wrong with a word, or with words that stand together, whatever they are for."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator

from fairvec.languages.scripts import script, scripts
from fairvec.languages.spelling import RULES, folded, plain
from fairvec.lexicon.words import Word

Forms = Callable[[Word], frozenset[str]]

# Around a word on both sides; the double ones belong into no word at all.
_DOUBLE_QUOTES = '"“”„‟«»＂「」『』'
_QUOTES = _DOUBLE_QUOTES + "'‘’‚‛‹›`´＇"


def forms_of(language: str, *, cased: bool = False) -> Forms:
    """Return the function that gives a word's forms: two entries that share one are one word.

    Some vocabulary would send both to one key; `cased` ones keep Dad and dad apart.
    """
    rules = RULES.get(language, ())

    def forms(word: Word) -> frozenset[str]:
        found = (folded(spelling, rules) for spelling in word.spellings)
        return frozenset(form if cased else form.casefold() for form in found)

    return forms


def repeated(words: Iterable[Word], forms: Forms) -> Iterator[tuple[Word, Word]]:
    """Give each word of a list that repeats an earlier one, with that one."""
    seen: dict[str, Word] = {}
    for word in words:
        earlier = next((seen[form] for form in sorted(forms(word)) if form in seen), None)
        if earlier is not None:
            yield word, earlier
        for form in forms(word):
            seen.setdefault(form, word)


def troubles(word: Word, expected: str) -> Iterator[tuple[str, str]]:
    """Give the code and the message of all that is odd in a word's spellings."""
    for text in word.spellings:
        if (bare := _bare(text)) != text:
            remedy = f"write {bare!r}" if bare else "take it out"
            yield "quoted", f"{text!r} has quotation marks, which belong to no word; {remedy}"
        if len(text.split()) > 1:
            message = f"{text!r} is more than one word, and most vocabularies have only its parts"
            yield "multi-word", message
        if found := scripts(text) - {expected}:
            yield "mixed-scripts", _foreign(text, expected, found)
        if hidden := [letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf")]:
            names = ", ".join(_named(letter) for letter in dict.fromkeys(hidden))
            yield "unnormalised", f"{text!r} holds what cannot be seen: {names}"
        elif plain(text) != text:
            yield "unnormalised", f"{text!r} is not in NFC; write it as {plain(text)!r}"


def _bare(text: str) -> str:
    """Return the text without quotation marks; an apostrophe at one end only is none."""
    unquoted = text.translate(dict.fromkeys(map(ord, _DOUBLE_QUOTES)))
    enclosed = len(unquoted) > 1 and unquoted[0] in _QUOTES and unquoted[-1] in _QUOTES
    return unquoted.strip(_QUOTES + " ") if enclosed or unquoted != text else text


def _foreign(text: str, expected: str, found: set[str]) -> str:
    if expected not in scripts(text):
        return (
            f"{text!r} is written in {' and '.join(sorted(found)).title()}, not {expected.title()}"
        )
    letters = dict.fromkeys(letter for letter in text if script(letter) in found)
    names = ", ".join(f"{letter} ({_named(letter)})" for letter in letters)
    return f"{text!r} has letters that are not {expected.title()}: {names}"


def _named(letter: str) -> str:
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'unnamed')}"
