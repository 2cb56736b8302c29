"""The linter: what could make a list measure something other than it says."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import comb
from operator import itemgetter

from fairvec.languages.scripts import script_of_language
from fairvec.lexicon.linting.lint_words import Forms, forms_of, repeated, troubles
from fairvec.lexicon.linting.waivers import LintFinding, with_waivers
from fairvec.lexicon.suite_lists.suite import Suite, Test
from fairvec.lexicon.words import WordSet

USUAL_LEVEL = 0.05
"""Lists whose smallest p is not below it can show nothing, not even alone."""

# Which two sides of a test must not share a word.
_SIDES = (
    ("target-overlap", ("x",), ("y",)),
    ("attribute-overlap", ("a",), ("b",)),
    ("target-attribute-overlap", ("x", "y", "words"), ("a", "b")),
)

_TURNED = {
    "yxab": "with x and y exchanged: it has the same effect with the other sign",
    "xyba": "with a and b exchanged: it has the same effect with the other sign",
    "yxba": "with x and y, and a and b, exchanged: it has the same effect",
    "xyab": "once more: it has the same effect",
}


def lint(suite: Suite) -> tuple[LintFinding, ...]:
    """Return every finding about a suite's lists, waived ones included, then idle waivers."""
    return tuple(with_waivers(_findings(suite), suite.waivers))


def _findings(suite: Suite) -> Iterator[LintFinding]:
    forms = forms_of(suite.language)
    listed = (word.word for wordset in suite.sets.values() for word in wordset.words)
    expected = script_of_language(suite.language, listed)
    used = {wordset.id for test in suite.tests for wordset in test.sets.values()}
    for wordset in suite.sets.values():
        yield from _of_list(wordset, forms, expected)
        if wordset.id not in used:
            yield LintFinding("unused-set", wordset.id, (), f"no test uses the set {wordset.id}")
    for test in suite.tests:
        found = (*_shared(test, forms), *_unequal(test), *_too_few(test, forms))
        for code, words, message in found:
            yield LintFinding(code, test.name, words, f"{message} (test {test.name})")
    for other, message in _turned_round(suite.tests, forms):
        yield LintFinding("exchanged-lists", other.name, (), message)


def _of_list(wordset: WordSet, forms: Forms, expected: str) -> Iterator[LintFinding]:
    place = f"list {wordset.id}"
    for word, earlier in repeated(wordset.words, forms):
        message = f"{word.word!r} repeats {earlier.word!r} in {place} and will count once"
        yield LintFinding("duplicate-word", wordset.id, (word.word,), message)
    for word in wordset.words:
        for code, message in troubles(word, expected):
            yield LintFinding(code, wordset.id, (word.word,), f"{message} ({place})")


def _shared(test: Test, forms: Forms) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for code, these, those in _SIDES:
        for left, right in _filled(test, product(these, those)):
            there = {form for word in right.words for form in forms(word)}
            for word in dict.fromkeys(left.words):
                if there & forms(word):
                    message = f"{word.word!r} is in {left.title} and in {right.title}"
                    yield code, (word.word,), message


def _unequal(test: Test) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for left, right in _filled(test, (("x", "y"), ("a", "b"))):
        if len(left.words) != len(right.words):
            message = (
                f"{left.title} has {len(left.words)} words and {right.title} {len(right.words)}"
            )
            yield "unequal-sizes", (), message


def _too_few(test: Test, forms: Forms) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for x, y in _filled(test, (("x", "y"),)):
        nx, ny = (len(one.words) - len([*repeated(one.words, forms)]) for one in (x, y))
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


def _turned_round(tests: Sequence[Test], forms: Forms) -> list[tuple[Test, str]]:
    """Return the tests that ask what an earlier one asks, with or without the other sign."""
    asked: dict[tuple[frozenset[frozenset[str]], ...], tuple[int, str]] = {}
    found = []
    for place, test in enumerate(tests):
        if not {*"xyab"} <= test.sets.keys():
            continue
        lists = {role: frozenset(map(forms, test.sets[role].words)) for role in "xyab"}
        if earlier := asked.get(tuple(lists.values())):
            first, how = earlier
            found.append((first, test, f"test {test.name} is test {tests[first].name} {how}"))
            continue
        for roles, how in _TURNED.items():
            asked.setdefault(tuple(lists[role] for role in roles), (place, how))
    return [(test, message) for _, test, message in sorted(found, key=itemgetter(0))]


def _filled(test: Test, roles: Iterable[tuple[str, str]]) -> Iterator[tuple[WordSet, WordSet]]:
    for one, other in roles:
        if one in test.sets and other in test.sets:
            yield test.sets[one], test.sets[other]
