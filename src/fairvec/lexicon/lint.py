"""Lint suites and concepts: find what could make a list measure something other than it says.

lint_suite      overlapping or unequal lists, too few words, tests that repeat another
lint_concept    repeated or reversed pairs, lists too short for a direction
word_findings   quotation marks, several words, foreign letters, unnormalised text in one word
with_waivers    findings that the file itself explains, and waivers that explain nothing
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import comb
from operator import itemgetter

from fairvec.languages.language import language as language_named
from fairvec.languages.language import script, script_of_language, scripts
from fairvec.languages.spelling import JOINERS, Spelling, normalize
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon.concepts import Concept, Definition
from fairvec.lexicon.suites import Suite, Test, Waiver

Forms = Callable[[Word], frozenset[str]]

# Around a word on both sides; the double ones belong into no word at all.
_DOUBLE_QUOTES = '"“”„‟«»＂「」『』'
_QUOTES = _DOUBLE_QUOTES + "'‘’‚‛‹›`´＇"


def spelling_forms(language: str, *, cased: bool = False) -> Forms:
    """Return the function that gives a word's forms: two entries that share one are one word.

    Some vocabulary would send both to one key; `cased` ones keep Dad and dad apart.
    """
    spelling = language_named(language).spelling

    def forms(word: Word) -> frozenset[str]:
        found = map(spelling.fold, word.spellings)
        return frozenset(form if cased else form.casefold() for form in found)

    return forms


def duplicates(words: Iterable[Word], forms: Forms) -> Iterator[tuple[Word, Word]]:
    """Give each word of a list that repeats an earlier one, with that one."""
    seen: dict[str, Word] = {}
    for word in words:
        earlier = next((seen[form] for form in sorted(forms(word)) if form in seen), None)
        if earlier is not None:
            yield word, earlier
        for form in forms(word):
            seen.setdefault(form, word)


def word_findings(word: Word, expected: str, spelling: Spelling) -> Iterator[tuple[str, str]]:
    """Give the code and the message of all that is odd in a word's spellings."""
    seen = JOINERS if spelling.keeps_joiners else ""
    for text in word.spellings:
        if (unquoted := _without_quotes(text)) != text:
            remedy = f"write {unquoted!r}" if unquoted else "take it out"
            yield "quoted", f"{text!r} has quotation marks, which belong to no word; {remedy}"
        if len(text.split()) > 1:
            message = f"{text!r} is more than one word, and most vocabularies have only its parts"
            yield "multi-word", message
        if found := scripts(text) - {expected}:
            yield "mixed-scripts", _script_message(text, expected, found)
        if hidden := [letter for letter in text if _is_hidden(letter) and letter not in seen]:
            names = ", ".join(_character_name(letter) for letter in dict.fromkeys(hidden))
            yield "unnormalised", f"{text!r} holds what cannot be seen: {names}"
        elif (normal_form := spelling.normalize(text)) != text:
            yield "unnormalised", f"{text!r} is not in NFC; write it as {normal_form!r}"


def _is_hidden(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf")


def _without_quotes(text: str) -> str:
    """Return the text without quotation marks; an apostrophe at one end only is none."""
    unquoted = text.translate(dict.fromkeys(map(ord, _DOUBLE_QUOTES)))
    enclosed = len(unquoted) > 1 and unquoted[0] in _QUOTES and unquoted[-1] in _QUOTES
    return unquoted.strip(_QUOTES + " ") if enclosed or unquoted != text else text


def _script_message(text: str, expected: str, found: set[str]) -> str:
    if expected not in scripts(text):
        return (
            f"{text!r} is written in {' and '.join(sorted(found)).title()}, not {expected.title()}"
        )
    letters = dict.fromkeys(letter for letter in text if script(letter) in found)
    names = ", ".join(f"{letter} ({_character_name(letter)})" for letter in letters)
    return f"{text!r} has letters that are not {expected.title()}: {names}"


def _character_name(letter: str) -> str:
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'unnamed')}"


@dataclass(frozen=True)
class Finding:
    """One thing about a list that a reader should know; `waived` is the suite's reason for it."""

    code: str
    where: str
    words: tuple[str, ...]
    text: str
    place: str = ""
    """How a file calls where it is, if the text does not name it."""
    waived: str | None = None

    @property
    def message(self) -> str:
        """The text with the place."""
        return f"{self.text} ({self.place})" if self.place else self.text


def with_waivers(findings: Iterable[Finding], waivers: Sequence[Waiver]) -> Iterator[Finding]:
    """Give each finding with the reason that waives it, then a finding per idle waiver."""
    found = tuple(findings)
    for finding in found:
        reasons = (waiver.reason for waiver in waivers if _covers(waiver, finding))
        yield replace(finding, waived=next(reasons, None))
    for waiver in waivers:
        covered = [finding for finding in found if _covers(waiver, finding)]
        words = {_nfc(word) for finding in covered for word in finding.words}
        idle = tuple(word for word in waiver.words if _nfc(word) not in words)
        if idle or not covered:
            of_words = f" of {', '.join(idle)}" if idle else ""
            message = f"the waiver of {waiver.finding}{of_words} has nothing to waive; remove it"
            yield Finding("unused-waiver", waiver.where, idle, message)


def _covers(waiver: Waiver, finding: Finding) -> bool:
    if (waiver.finding, waiver.where) != (finding.code, finding.where):
        return False
    return not waiver.words or {*map(_nfc, finding.words)} <= {*map(_nfc, waiver.words)}


def _nfc(word: str) -> str:
    return normalize(word, keeps_joiners=True)


USUAL_LEVEL = 0.05
"""Lists whose smallest p is not below it can show nothing, not even alone."""

# Which two sides of a test must not share a word.
_DISJOINT_ROLES = (
    ("target-overlap", ("x",), ("y",)),
    ("attribute-overlap", ("a",), ("b",)),
    ("target-attribute-overlap", ("x", "y", "words"), ("a", "b")),
)

_EXCHANGES = {
    "yxab": "with x and y exchanged: it has the same effect with the other sign",
    "xyba": "with a and b exchanged: it has the same effect with the other sign",
    "yxba": "with x and y, and a and b, exchanged: it has the same effect",
    "xyab": "once more: it has the same effect",
}


def lint_suite(suite: Suite) -> tuple[Finding, ...]:
    """Return every finding about a suite's lists, waived ones included, then idle waivers."""
    return tuple(with_waivers(_suite_findings(suite), suite.waivers))


def _suite_findings(suite: Suite) -> Iterator[Finding]:
    forms = spelling_forms(suite.language)
    all_words = (word.word for wordset in suite.sets.values() for word in wordset.words)
    expected = script_of_language(suite.language, all_words)
    used = {wordset.id for test in suite.tests for wordset in test.sets.values()}
    for wordset in suite.sets.values():
        yield from _list_findings(wordset, suite.language, expected)
        if wordset.id not in used:
            yield Finding("unused-set", wordset.id, (), f"no test uses the set {wordset.id}")
    for test in suite.tests:
        found = (*_overlaps(test, forms), *_unequal_sizes(test), *_too_few(test, forms))
        for code, words, message in found:
            yield Finding(code, test.name, words, message, f"test {test.name}")
    for other, message in _exchanged_tests(suite.tests, forms):
        yield Finding("exchanged-lists", other.name, (), message)


def _list_findings(wordset: WordSet, language: str, expected: str) -> Iterator[Finding]:
    place, spelling = f"list {wordset.id}", language_named(language).spelling
    for word, earlier in duplicates(wordset.words, spelling_forms(language)):
        message = f"{word.word!r} repeats {earlier.word!r} and will count once"
        yield Finding("duplicate-word", wordset.id, (word.word,), message, place)
    for word in wordset.words:
        for code, message in word_findings(word, expected, spelling):
            yield Finding(code, wordset.id, (word.word,), message, place)


def _overlaps(test: Test, forms: Forms) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for code, left_roles, right_roles in _DISJOINT_ROLES:
        for left, right in _role_pairs(test, product(left_roles, right_roles)):
            right_forms = {form for word in right.words for form in forms(word)}
            for word in dict.fromkeys(left.words):
                if right_forms & forms(word):
                    message = f"{word.word!r} is in {left.title} and in {right.title}"
                    yield code, (word.word,), message


def _unequal_sizes(test: Test) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for left, right in _role_pairs(test, (("x", "y"), ("a", "b"))):
        if len(left.words) != len(right.words):
            message = (
                f"{left.title} has {len(left.words)} words and {right.title} {len(right.words)}"
            )
            yield "unequal-sizes", (), message


def _too_few(test: Test, forms: Forms) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for x, y in _role_pairs(test, (("x", "y"),)):
        nx, ny = (
            len(wordset.words) - len([*duplicates(wordset.words, forms)]) for wordset in (x, y)
        )
        smallest = smallest_p(nx, ny)
        if smallest >= USUAL_LEVEL:
            message = (
                f"{x.title} has {nx} and {y.title} {ny} different words, with which p is never "
                f"below {smallest:.2g}; take more, at best eight or more of each"
            )
            yield "too-few-words", (), message


def smallest_p(nx: int, ny: int) -> float:
    """Return the smallest two-sided p of a permutation test of lists of nx and ny words.

    One regrouping in all of them; two where the lists are equally long, since exchanging them
    always ties.
    """
    return (2 if nx == ny else 1) / comb(nx + ny, nx)


def _exchanged_tests(tests: Sequence[Test], forms: Forms) -> list[tuple[Test, str]]:
    """Return the tests that ask what an earlier one asks, with or without the other sign."""
    earlier_tests: dict[tuple[frozenset[frozenset[str]], ...], tuple[int, str]] = {}
    found = []
    for index, test in enumerate(tests):
        if not {*"xyab"} <= test.sets.keys():
            continue
        lists = {role: frozenset(map(forms, test.sets[role].words)) for role in "xyab"}
        if earlier := earlier_tests.get(tuple(lists.values())):
            first, how = earlier
            found.append((first, test, f"test {test.name} is test {tests[first].name} {how}"))
            continue
        for roles, how in _EXCHANGES.items():
            earlier_tests.setdefault(tuple(lists[role] for role in roles), (index, how))
    return [(test, message) for _, test, message in sorted(found, key=itemgetter(0))]


def _role_pairs(test: Test, roles: Iterable[tuple[str, str]]) -> Iterator[tuple[WordSet, WordSet]]:
    for left, right in roles:
        if left in test.sets and right in test.sets:
            yield test.sets[left], test.sets[right]


FEWEST_WORDS = 3
"""So many words a plain list needs to have a direction."""


def lint_concept(concept: Concept) -> tuple[Finding, ...]:
    """Return every finding about a concept's words, waived ones included, then idle waivers.

    A finding is about variants.NAME, keep.NAME, equalise or specific, as the file writes them.
    """
    return tuple(with_waivers(_concept_findings(concept), concept.waivers))


def _concept_findings(concept: Concept) -> Iterator[Finding]:
    # Published lists have Dad and dad on purpose, and a model may know both.
    forms = spelling_forms(concept.language, cased=True)
    definitions: dict[str, Definition] = {
        f"{kind}.{name}": definition
        for kind, definitions_of_kind in (("variants", concept.variants), ("keep", concept.keep))
        for name, definition in definitions_of_kind.items()
    }
    words = {place: definition.entries for place, definition in definitions.items()}
    words["equalise"] = tuple(word for definition in concept.equalise for word in definition)
    words["specific"] = concept.specific
    expected = script_of_language(
        concept.language, (word.word for definition in words.values() for word in definition)
    )
    spelling = language_named(concept.language).spelling
    for place, listed in words.items():
        for word in dict.fromkeys(listed):
            for code, message in word_findings(word, expected, spelling):
                yield Finding(code, place, (word.word,), message, place)
    for place, definition in definitions.items():
        yield from _aligned_findings(place, definition.pairs, forms)
        yield from _aligned_findings(place, definition.sets, forms, shared=True)
        yield from _duplicate_findings(place, definition.words, forms)
        if 0 < len(definition.words) < FEWEST_WORDS:
            message = f"{place} has {len(definition.words)} words, and a list needs {FEWEST_WORDS}"
            yield Finding("too-few-words", place, (), message)
    yield from _aligned_findings("equalise", concept.equalise, forms)
    yield from _duplicate_findings("specific", concept.specific, forms)


def _duplicate_findings(place: str, words: Iterable[Word], forms: Forms) -> Iterator[Finding]:
    for word, earlier in duplicates(words, forms):
        message = f"{word.word!r} repeats {earlier.word!r} and will count once"
        yield Finding("duplicate-word", place, (word.word,), message, place)


def _aligned_findings(
    place: str, sets: Sequence[tuple[Word, ...]], forms: Forms, *, shared: bool = False
) -> Iterator[Finding]:
    """Find pairs and sets that stand there twice or turned round, or share a word if none may."""
    seen: dict[tuple[frozenset[str], ...], str] = {}
    owners: dict[str, str] = {}
    for words in sets:
        label, spelling = " - ".join(word.word for word in words), tuple(map(forms, words))
        listed = tuple(word.word for word in words)
        taken = [
            (word.word, owners[form]) for word in words for form in forms(word) if form in owners
        ]
        if spelling in seen:
            message = f"{label} is in {place} twice and will count once"
            yield Finding("duplicate-word", place, listed, message)
        elif len(words) == 2 and spelling[::-1] in seen:
            message = f"{label} in {place} is {seen[spelling[::-1]]} turned round, and is left out"
            yield Finding("reversed-pair", place, listed, message)
        elif taken and not shared:
            (word, earlier), *_ = taken
            message = f"{word!r} in {place} is in {earlier} already, so {label} is left out"
            yield Finding("duplicate-word", place, listed, message)
        seen.setdefault(spelling, label)
        for form in (form for each in spelling for form in each):
            owners.setdefault(form, label)
