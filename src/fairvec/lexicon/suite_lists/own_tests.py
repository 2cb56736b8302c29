"""What a test and a suite made in Python are called where nobody said it, and what they refuse."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fairvec.ground.errors import LexiconError, UnknownNameError
from fairvec.ground.numbers import counted
from fairvec.lexicon.in_python import OWN, UNSAID, ListOfWords, a_kind, as_id, as_wordset, digest
from fairvec.lexicon.words import WordSet

if TYPE_CHECKING:
    from fairvec.lexicon.suite_lists.suite import Test

_SAME = (("x", "y"), ("a", "b"))


def lists_of_a_test(
    given: Mapping[str, ListOfWords | None],
    titles: Mapping[str, str] | None,
    *,
    paired: bool,
) -> dict[str, WordSet]:
    """Return the lists by role, or refuse those that can measure nothing."""
    filled = {role: words for role, words in given.items() if words is not None}
    if titles is not None and not isinstance(titles, Mapping):
        raise LexiconError(
            f'titles is {a_kind(titles)}; say it by list, as in {{"a": "male words"}}.'
        )
    for role in titles or ():
        if role not in filled:
            raise UnknownNameError("list to give a title to", role, filled)
    _check_roles(filled, paired=paired)
    if paired and any(isinstance(filled[role], set | frozenset) for role in ("a", "b")):
        raise LexiconError("a and b are pairs, and a set has no order; give two lists.")
    sets = {
        role: as_wordset(role, words, (titles or {}).get(role, ""))
        for role, words in filled.items()
    }
    for one, other in _SAME:
        if one in sets and _spelt(sets[one]) == _spelt(sets[other]):
            raise LexiconError(
                f"{one} and {other} hold the same words, so that nothing can differ; give two "
                "lists."
            )
    sizes = [len(sets[role].words) for role in ("a", "b")]
    if paired and sizes[0] != sizes[1]:
        raise LexiconError(
            f"a has {counted(sizes[0], 'word')} and b {sizes[1]}, which are no pairs; give word "
            "i of b for word i of a, or leave out paired=."
        )
    return sets


def refuse_both(given: Mapping[str, object]) -> None:
    """Refuse lists by role beside sets=, which has the lists of every role."""
    if said := [role for role, words in given.items() if words is not None]:
        raise LexiconError(f"A test has sets= and {said[0]}=; give one of them.")


def sets_of(tests: "Sequence[Test]") -> dict[str, WordSet]:
    """Return the lists of tests by their ids."""
    found: dict[str, WordSet] = {}
    for wordset in (one for test in tests for one in test.sets.values()):
        if found.setdefault(wordset.id, wordset).words != wordset.words:
            raise LexiconError(
                f"Two different lists have the id {wordset.id!r}; give one of them another id."
            )
    return found


def title_of(sets: Mapping[str, WordSet]) -> str:
    """Return the titles of the lists as the title of their test."""
    sides = (("x", "y"), ("words",), ("a", "b"))
    said = (" and ".join(sets[role].title for role in side if role in sets) for side in sides)
    return ", ".join(filter(None, said))


def id_of(id: str, title: str, sets: Mapping[str, WordSet]) -> str:
    """Return the full id: as said, else of the title, else of the first words and a hash."""
    for part, said in (("id", id), ("title", title)):
        if not isinstance(said, str):
            raise LexiconError(
                f"The test: {part} must be text, and is {said!r}; say {part}={str(said)!r}."
            )
    if id:
        return id if "/" in id else f"{OWN}/{id}"
    if name := as_id(title):
        return f"{OWN}/{name}"
    first = as_id(" ".join(wordset.words[0].word for wordset in sets.values()))
    return f"{OWN}/{f'{first}-' if first else ''}{version_of(sets)[:6]}"


def version_of(sets: Mapping[str, WordSet]) -> str:
    """Return a version that other words change."""
    words = {role: [word.spellings for word in one.words] for role, one in sets.items()}
    return digest(sorted(words.items()))[:12]


def listed_tests(tests: "Iterable[Test] | Test", kind: type, suite: str) -> "list[Test]":
    """Return the tests of a suite that is made in Python: of a list, of a generator, or one."""
    try:
        # A Test is a model of pydantic, which gives its fields when it is gone through.
        found: list[Test] = [tests] if isinstance(tests, kind) else [*tests]  # type: ignore[list-item]
    except TypeError:
        found = [tests]  # type: ignore[list-item]
    for one in found:
        if not isinstance(one, kind):
            raise LexiconError(
                f"The suite {suite} is made of Test objects, not of {a_kind(one)}; give "
                "tests=[Test(x=[...], y=[...], a=[...], b=[...])]."
            )
    return found


def language_of(tests: "Sequence[Test]") -> str:
    """Return the one language that tests say; unsaid where none does."""
    said = sorted({test.language for test in tests} - {UNSAID})
    if len(said) > 1:
        raise LexiconError(
            f"The tests are in {' and '.join(said)}; make a suite for each language."
        )
    return said[0] if said else UNSAID


def of_suite(tests: "Sequence[Test]", suite: str, language: str) -> "tuple[Test, ...]":
    """Return tests as those of a suite: under its id, and in its language where they say none."""
    if not tests:
        raise LexiconError(f"The suite {suite} has no tests; give it one, as in tests=[Test(...)].")
    names = [test.name for test in tests]
    for name in names:
        if names.count(name) > 1:
            raise LexiconError(
                f"{names.count(name)} tests of the suite {suite} are called {name!r}; give each "
                "an id of its own."
            )
    return tuple(
        test.model_copy(
            update={
                "id": f"{suite}/{test.name}",
                "language": language if test.language == UNSAID else test.language,
            }
        )
        for test in tests
    )


def _check_roles(filled: Mapping[str, object], *, paired: bool) -> None:
    for one, other in _SAME:
        if (one in filled) != (other in filled):
            here, gone = (one, other) if one in filled else (other, one)
            raise LexiconError(f"There is a list {here} and none {gone}; give both.")
    if "a" not in filled:
        raise LexiconError("There are no attributes; give a= and b=, two lists of words.")
    if "x" not in filled and "words" not in filled and not paired:
        raise LexiconError("There are no targets; give x= and y=, or one list words=.")


def _spelt(wordset: WordSet) -> set[str]:
    return {word.word.strip() for word in wordset.words}
