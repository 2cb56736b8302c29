"""Tests made of word lists, and the suites that publish them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, field_validator

from fairvec.lexicon.in_python import (
    LICENCE,
    OWN,
    SOURCE,
    UNNAMED,
    UNSAID,
    ListOfWords,
    digest,
    one_sentence,
)
from fairvec.lexicon.suite_lists.own_tests import (
    id_of,
    language_of,
    listed_tests,
    lists_of_a_test,
    of_suite,
    refuse_both,
    sets_of,
    title_of,
    version_of,
)
from fairvec.lexicon.words import Frozen, Id, Text, WordSet

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


def _check_language(code: str) -> str:
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise ValueError(f"is {code!r} and must be an ISO 639 code, such as en or hi")
    return code


Language = Annotated[str, AfterValidator(_check_language)]
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
    >>> test.positive_means
    'engineer/pilot lean more to male words, nurse/maid more to female words'
    """

    language: Language
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
        given = {"x": x, "y": y, "words": words, "a": a, "b": b}
        if sets is None:
            sets = lists_of_a_test(given, titles, paired=paired)
        else:
            refuse_both(given)
        with one_sentence(f"The test {title or id}".strip()):
            said: dict[str, Any] = {
                "id": id_of(id, title, sets),
                "title": title or title_of(sets),
                "category": category,
                "kind": kind,
                "tags": tags,
                "paired": paired,
                "language": language,
                "sets": sets,
            }
            super().__init__(**said)

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
        return self._leaning("a", "b")

    @property
    def negative_means(self) -> str:
        """What a negative effect says."""
        return self._leaning("b", "a")

    @property
    def sensitive_reason(self) -> str:
        """Why its words are sensitive; empty if none of its lists is."""
        reasons = (wordset.sensitive_reason for wordset in self.sets.values())
        return " ".join(dict.fromkeys(reason for reason in reasons if reason))

    def _leaning(self, this: str, that: str) -> str:
        titles = {role: wordset.title for role, wordset in self.sets.items()}
        this, that = titles[this], titles[that]
        if "x" in titles:
            return f"{titles['x']} lean more to {this}, {titles['y']} more to {that}"
        if "words" in titles:
            return f"{titles['words']} lean to {this} rather than to {that}"
        return f"{this} are set against {that}"


class SuiteHead(Frozen):
    """What a suite says about itself, in the file and in memory."""

    id: Id
    version: Text
    language: Language
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
    def _named_by_heading(cls, sets: Any) -> Any:
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
        given = listed_tests(tests, Test, id)
        language = language_of(given) if language == UNSAID else language
        own = of_suite(given, id, language)
        if sets is None:
            sets = sets_of(own)
        with one_sentence(f"The suite {id}"):
            said: dict[str, Any] = {
                "id": id,
                "version": version or digest([(one.id, version_of(one.sets)) for one in own])[:12],
                "language": language,
                "title": title,
                "source": source,
                "licence": licence,
                "doi": doi,
                "notes": notes,
                "sets": sets,
                "waivers": waivers,
                "tests": own,
            }
            super().__init__(**said)
