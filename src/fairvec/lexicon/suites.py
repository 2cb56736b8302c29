"""Tests made of word lists, and suites of tests.

Test    two target lists (x, y) or one (words), against two attribute lists (a, b)
Suite   tests of one source, with its licence, version and waivers

Both can be made in Python from lists alone: ids, titles and versions then follow from the words.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import field_validator

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.format import pluralize
from fairvec.core.io.cache import digest_of
from fairvec.core.validation import Frozen
from fairvec.languages.words import Id, LanguageCode, Text, WordSet
from fairvec.lexicon.python_lists import (
    LICENCE,
    OWN,
    SOURCE,
    UNNAMED,
    UNSAID,
    ListOfWords,
    as_id,
    as_wordset,
    errors_as_sentence,
    type_name,
)

_PAIRED_ROLES = (("x", "y"), ("a", "b"))


def sets_by_role(
    lists: Mapping[str, ListOfWords | None],
    titles: Mapping[str, str] | None,
    *,
    paired: bool,
) -> dict[str, WordSet]:
    """Return the lists by role; lists that cannot measure anything are refused."""
    filled = {role: words for role, words in lists.items() if words is not None}
    if titles is not None and not isinstance(titles, Mapping):
        raise LexiconError(
            f'titles is {type_name(titles)}; say it by list, as in {{"a": "male words"}}.'
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
    for first, second in _PAIRED_ROLES:
        if first in sets and _spellings(sets[first]) == _spellings(sets[second]):
            raise LexiconError(
                f"{first} and {second} hold the same words, so that nothing can differ; give two "
                "lists."
            )
    sizes = [len(sets[role].words) for role in ("a", "b")]
    if paired and sizes[0] != sizes[1]:
        raise LexiconError(
            f"a has {pluralize(sizes[0], 'word')} and b {sizes[1]}, which are no pairs; give word "
            "i of b for word i of a, or leave out paired=."
        )
    return sets


def check_lists_or_sets(lists: Mapping[str, object]) -> None:
    """Refuse lists by role together with sets=, which has the lists of every role."""
    if filled := [role for role, words in lists.items() if words is not None]:
        raise LexiconError(f"A test has sets= and {filled[0]}=; give one of them.")


def sets_of(tests: "Sequence[Test]") -> dict[str, WordSet]:
    """Return the lists of tests by their ids."""
    found: dict[str, WordSet] = {}
    for wordset in (item for test in tests for item in test.sets.values()):
        if found.setdefault(wordset.id, wordset).words != wordset.words:
            raise LexiconError(
                f"Two different lists have the id {wordset.id!r}; give one of them another id."
            )
    return found


def default_title(sets: Mapping[str, WordSet]) -> str:
    """Return the titles of the lists as the title of their test."""
    sides = (("x", "y"), ("words",), ("a", "b"))
    titles = (" and ".join(sets[role].title for role in side if role in sets) for side in sides)
    return ", ".join(filter(None, titles))


def full_test_id(id: str, title: str, sets: Mapping[str, WordSet]) -> str:
    """Return the full id: the one given, else from the title, else from first words and a hash."""
    for field, value in (("id", id), ("title", title)):
        if not isinstance(value, str):
            raise LexiconError(
                f"The test: {field} must be text, and is {value!r}; say {field}={str(value)!r}."
            )
    if id:
        return id if "/" in id else f"{OWN}/{id}"
    if name := as_id(title):
        return f"{OWN}/{name}"
    first = as_id(" ".join(wordset.words[0].word for wordset in sets.values()))
    return f"{OWN}/{f'{first}-' if first else ''}{version_of(sets)[:6]}"


def version_of(sets: Mapping[str, WordSet]) -> str:
    """Return a version that depends on the words alone."""
    words = {role: [word.spellings for word in wordset.words] for role, wordset in sets.items()}
    return digest_of(words)[:12]


def as_tests(tests: "Iterable[Test] | Test", kind: type, suite: str) -> "list[Test]":
    """Return the tests of a suite that is made in Python: of a list, of a generator, or one."""
    try:
        # A Test is a model of pydantic, which gives its fields when it is gone through.
        found: list[Test] = [tests] if isinstance(tests, kind) else [*tests]  # type: ignore[list-item]
    except TypeError:
        found = [tests]  # type: ignore[list-item]
    for item in found:
        if not isinstance(item, kind):
            raise LexiconError(
                f"The suite {suite} is made of Test objects, not of {type_name(item)}; give "
                "tests=[Test(x=[...], y=[...], a=[...], b=[...])]."
            )
    return found


def shared_language(tests: "Sequence[Test]") -> str:
    """Return the language that the tests state, which must be one; undetermined if none does."""
    languages = sorted({test.language for test in tests} - {UNSAID})
    if len(languages) > 1:
        raise LexiconError(
            f"The tests are in {' and '.join(languages)}; make a suite for each language."
        )
    return languages[0] if languages else UNSAID


def adopt_tests(tests: "Sequence[Test]", suite: str, language: str) -> "tuple[Test, ...]":
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
    for first, second in _PAIRED_ROLES:
        if (first in filled) != (second in filled):
            present, absent = (first, second) if first in filled else (second, first)
            raise LexiconError(f"There is a list {present} and none {absent}; give both.")
    if "a" not in filled:
        raise LexiconError("There are no attributes; give a= and b=, two lists of words.")
    if "x" not in filled and "words" not in filled and not paired:
        raise LexiconError("There are no targets; give x= and y=, or one list words=.")


def _spellings(wordset: WordSet) -> set[str]:
    return {word.word.strip() for word in wordset.words}


ROLES = ("x", "y", "words", "a", "b")

FindingCode = Literal[
    "duplicate-word",
    "target-overlap",
    "attribute-overlap",
    "target-attribute-overlap",
    "unequal-sizes",
    "too-few-words",
    "exchanged-lists",
    "reversed-pair",
    "quoted",
    "multi-word",
    "mixed-scripts",
    "unnormalised",
    "unused-set",
]
"""All that the linter may find and a file may waive; reversed pairs are those of concepts."""


TestKind = Literal["bias", "meaningful-encoding", "baseline"]


class Waiver(Frozen):
    """A finding of the linter that a published list is allowed to have, and why."""

    finding: FindingCode
    where: Text
    words: tuple[Text, ...] = ()
    reason: Text


class TestHead(Frozen):
    """What a test says about itself, in the file and in memory."""

    __test__ = False  # pytest: this is not a test class

    id: Text
    title: Text
    category: Text
    kind: TestKind
    tags: tuple[Text, ...] = ()
    paired: bool = False


class Test(TestHead):
    """Two target lists (x, y), or one (words), measured against two attribute lists (a, b).

    `id` is the full id, as in `caliskan2017/weat-1`. `paired` says that the attributes are pairs:
    word i of a and word i of b differ in nothing but what is measured, as he and she do. Measures
    of lists take no notice of it. A test without targets only lends its pairs to others.

    In Python the lists are given by role, and all else may be left out: `titles` are what single
    lists are called in sentences, and without a `language` it is that of the model.

    >>> from fairvec import Test
    >>> test = Test(
    ...     x=["engineer", "pilot"], y=["nurse", "maid"], a=["he", "him"], b=["she", "her"],
    ...     titles={"a": "male words", "b": "female words"}, category="gender",
    ... )
    >>> test.positive_means.partition(" rather than ")[0]
    'engineer/pilot are associated with male words'
    """

    language: LanguageCode
    sets: dict[str, WordSet]

    def __init__(
        self,
        *,
        x: ListOfWords | None = None,
        y: ListOfWords | None = None,
        words: ListOfWords | None = None,
        a: ListOfWords | None = None,
        b: ListOfWords | None = None,
        id: str = "",
        title: str = "",
        category: str = UNNAMED,
        kind: TestKind = "bias",
        tags: Sequence[str] = (),
        paired: bool = False,
        language: str = UNSAID,
        titles: Mapping[str, str] | None = None,
        sets: Mapping[str, WordSet] | None = None,
    ) -> None:
        lists = {"x": x, "y": y, "words": words, "a": a, "b": b}
        if sets is None:
            sets = sets_by_role(lists, titles, paired=paired)
        else:
            check_lists_or_sets(lists)
        with errors_as_sentence(f"The test {title or id}".strip()):
            fields: dict[str, Any] = {
                "id": full_test_id(id, title, sets),
                "title": title or default_title(sets),
                "category": category,
                "kind": kind,
                "tags": tags,
                "paired": paired,
                "language": language,
                "sets": sets,
            }
            super().__init__(**fields)

    def __hash__(self) -> int:
        """Return the hash of its id, which equal tests share: a dict of lists has none."""
        return hash(self.id)

    @property
    def suite(self) -> str:
        """The id of the suite it belongs to."""
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        """The id within its suite."""
        return self.id.partition("/")[2]

    def filling(self, role: str) -> tuple[str, ...]:
        """Return the lists that fill a role; x and y together fill `words` if it has no list."""
        lists = ("x", "y") if role == "words" and role not in self.sets else (role,)
        return tuple(name for name in lists if name in self.sets)

    @property
    def positive_means(self) -> str:
        """What a positive effect says."""
        return self.effect_means("a")

    @property
    def negative_means(self) -> str:
        """What a negative effect says."""
        return self.effect_means("b")

    @property
    def sensitive_reason(self) -> str:
        """Why its words are sensitive; empty if none of its lists is."""
        reasons = (wordset.sensitive_reason for wordset in self.sets.values())
        return " ".join(dict.fromkeys(reason for reason in reasons if reason))

    def effect_means(self, side: Literal["a", "b"], by: Literal["x", "y"] = "x") -> str:
        """Return what an effect says by which x leans to one side, or which is said of y."""
        titles = {role: wordset.title for role, wordset in self.sets.items()}
        toward, other = titles[side], titles["b" if side == "a" else "a"]
        if "x" in titles:
            subject, rest = titles[by], titles["y" if by == "x" else "x"]
            return (
                f"{subject} are associated with {toward} rather than {other} more strongly than "
                f"{rest} are"
            )
        if "words" in titles:
            return f"{titles['words']} are associated with {toward} more than with {other}"
        return f"{toward} compared with {other}"


class SuiteHead(Frozen):
    """What a suite says about itself, in the file and in memory."""

    id: Id
    version: Text
    language: LanguageCode
    title: Text
    source: Text
    doi: str = ""
    licence: Text
    notes: str = ""
    sets: dict[str, WordSet]
    waivers: tuple[Waiver, ...] = ()

    def __hash__(self) -> int:
        """Return the hash of its id and version, which equal suites share."""
        return hash((self.id, self.version))

    @field_validator("sets", mode="before")
    @classmethod
    def _set_ids_from_headings(cls, sets: Any) -> Any:
        if not isinstance(sets, dict):
            return sets
        for name, body in sets.items():
            if isinstance(body, dict) and "id" in body:
                raise ValueError(f"{name} takes its id from its heading; remove the key id")
        return {
            name: {"id": name, **body} if isinstance(body, dict) else body
            for name, body in sets.items()
        }


class Suite(SuiteHead):
    """Published word lists and the tests made of them.

    In Python only `tests` must be given: they become tests of this suite, and p-values are
    corrected over them together. Without a `version` other words are another one.

    >>> from fairvec import Suite, Test
    >>> jobs = Test(x=["engineer"], y=["nurse"], a=["he"], b=["she"], id="jobs")
    >>> [test.id for test in Suite(tests=[jobs], id="mine").tests]
    ['mine/jobs']
    """

    tests: tuple[Test, ...]

    def __init__(
        self,
        *,
        tests: Test | Iterable[Test],
        id: str = OWN,
        version: str = "",
        language: str = UNSAID,
        title: str = "Own lists",
        source: str = SOURCE,
        licence: str = LICENCE,
        doi: str = "",
        notes: str = "",
        sets: Mapping[str, WordSet] | None = None,
        waivers: Sequence[Waiver] = (),
    ) -> None:
        own_tests = as_tests(tests, Test, id)
        language = shared_language(own_tests) if language == UNSAID else language
        adopted = adopt_tests(own_tests, id, language)
        if sets is None:
            sets = sets_of(adopted)
        with errors_as_sentence(f"The suite {id}"):
            fields: dict[str, Any] = {
                "id": id,
                "version": version
                or digest_of([(test.id, version_of(test.sets)) for test in adopted])[:12],
                "language": language,
                "title": title,
                "source": source,
                "licence": licence,
                "doi": doi,
                "notes": notes,
                "sets": sets,
                "waivers": waivers,
                "tests": adopted,
            }
            super().__init__(**fields)
