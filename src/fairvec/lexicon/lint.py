"""The linter: what could make a list measure something other than it says."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from fairvec.embedding.spelling import RULES, folded, plain
from fairvec.lexicon.scripts import script, script_of_language, scripts
from fairvec.lexicon.suite import Suite, Test
from fairvec.lexicon.waivers import Finding, with_waivers
from fairvec.lexicon.words import Word, WordSet

Forms = Callable[[Word], frozenset[str]]

# Which two sides of a test must not share a word.
_SIDES = (
    ("target-overlap", ("x",), ("y",)),
    ("attribute-overlap", ("a",), ("b",)),
    ("target-attribute-overlap", ("x", "y", "words"), ("a", "b")),
)


def lint(suite: Suite) -> tuple[Finding, ...]:
    """Return every finding about a suite's lists, waived ones included, then idle waivers."""
    return tuple(with_waivers(_findings(suite), suite.waivers))


def _findings(suite: Suite) -> Iterator[Finding]:
    rules = RULES.get(suite.language, ())

    # Two entries are one word when some vocabulary would send both to one key.
    def forms(word: Word) -> frozenset[str]:
        return frozenset(folded(spelling, rules).casefold() for spelling in word.spellings)

    listed = (word.word for wordset in suite.sets.values() for word in wordset.words)
    expected = script_of_language(suite.language, listed)
    used = {wordset.id for test in suite.tests for wordset in test.sets.values()}
    for wordset in suite.sets.values():
        yield from _repeated(wordset, forms)
        for word in wordset.words:
            for code, message in _troubles(word, expected):
                yield Finding(code, wordset.id, (word.word,), message)
        if wordset.id not in used:
            yield Finding("unused-set", wordset.id, (), f"no test uses the set {wordset.id}")
    for test in suite.tests:
        yield from _shared(test, forms)
        yield from _unequal(test)


def _repeated(wordset: WordSet, forms: Forms) -> Iterator[Finding]:
    seen: dict[str, Word] = {}
    for word in wordset.words:
        earlier = next((seen[form] for form in sorted(forms(word)) if form in seen), None)
        if earlier is not None:
            message = f"{word.word!r} repeats {earlier.word!r} and will count once"
            yield Finding("duplicate-word", wordset.id, (word.word,), message)
        for form in forms(word):
            seen.setdefault(form, word)


def _troubles(word: Word, expected: str) -> Iterator[tuple[str, str]]:
    for text in word.spellings:
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


def _shared(test: Test, forms: Forms) -> Iterator[Finding]:
    for code, these, those in _SIDES:
        for left, right in _filled(test, product(these, those)):
            there = {form for word in right.words for form in forms(word)}
            for word in dict.fromkeys(left.words):
                if there & forms(word):
                    message = f"{word.word!r} is in {left.title} and in {right.title}"
                    yield Finding(code, test.name, (word.word,), message)


def _unequal(test: Test) -> Iterator[Finding]:
    for left, right in _filled(test, (("x", "y"), ("a", "b"))):
        if len(left.words) != len(right.words):
            message = (
                f"{left.title} has {len(left.words)} words and {right.title} {len(right.words)}"
            )
            yield Finding("unequal-sizes", test.name, (), message)


def _filled(test: Test, roles: Iterable[tuple[str, str]]) -> Iterator[tuple[WordSet, WordSet]]:
    for one, other in roles:
        if one in test.sets and other in test.sets:
            yield test.sets[one], test.sets[other]
