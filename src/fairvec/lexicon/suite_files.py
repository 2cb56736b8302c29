"""Suites as TOML files, read and written; tests selected by suite, id, language or path."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

from pydantic import model_validator

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.format import pluralize
from fairvec.core.io.read_files import is_file, is_pipe
from fairvec.core.io.toml_files import parse_toml, read_toml, toml_string
from fairvec.core.validation import Location, as_list, suggest_key
from fairvec.languages.language import language_folders
from fairvec.languages.words import Id, Word, WordSet
from fairvec.lexicon.python_lists import OWN
from fairvec.lexicon.suites import ROLES, Suite, SuiteHead, Test, TestHead, Waiver, version_of


class TestEntry(TestHead):
    """One [[tests]] table: x and y, or words, are the targets, a and b the attributes."""

    id: Id
    x: str | None = None
    y: str | None = None
    words: str | None = None
    a: str
    b: str

    @property
    def roles(self) -> dict[str, str]:
        """The id of the list in each role that is filled."""
        filled = ((role, getattr(self, role)) for role in ROLES)
        return {role: name for role, name in filled if name is not None}

    @model_validator(mode="after")
    def _check_targets(self) -> Self:
        if (self.x is None) != (self.y is None):
            raise ValueError(f"needs both x and y, and {'x' if self.x is None else 'y'} is missing")
        if self.x is None and self.words is None and not self.paired:
            raise ValueError("needs targets: x and y, or words")
        return self


class SuiteFile(SuiteHead):
    """A file of suites as it is written."""

    tests: tuple[TestEntry, ...]

    @model_validator(mode="after")
    def _check_references(self) -> Self:
        if not self.tests:
            raise ValueError("tests must not be empty")
        for name, times in Counter(test.id for test in self.tests).items():
            if times > 1:
                raise ValueError(f"the test id {name} is used {times} times")
        for test in self.tests:
            for role, name in test.roles.items():
                if name not in self.sets:
                    offer = suggest_key(name, self.sets)
                    raise ValueError(f"test {test.id} has no set {name!r} to use as {role}{offer}")
            a, b = (len(self.sets[name].words) for name in (test.a, test.b))
            if test.paired and a != b:
                raise ValueError(
                    f"test {test.id} is paired, but a has {pluralize(a, 'word')} and b has {b}"
                )
        return self

    def suite(self) -> Suite:
        """Return the suite with every test's lists in place."""
        tests = tuple(
            Test(
                **test.model_dump(include=set(TestHead.model_fields) - {"id"}),
                id=f"{self.id}/{test.id}",
                language=self.language,
                sets={role: self.sets[name] for role, name in test.roles.items()},
            )
            for test in self.tests
        )
        head = {name: getattr(self, name) for name in SuiteHead.model_fields}
        return Suite(**head, tests=tests)


def known_keys(location: Location) -> Iterable[str]:
    """Return the keys allowed in the table of the one at `location`."""
    match location:
        case ("tests", _, _):
            return TestEntry.model_fields
        case ("waivers", _, _):
            return Waiver.model_fields
        case ("sets", _, "words", _, _):
            return Word.model_fields
        case ("sets", _, _):
            return WordSet.model_fields.keys() - {"id"}
        case _:
            return SuiteFile.model_fields


Selector = str | Path | Suite | Test
"""What selects tests: a name, a file, a Suite or a Test."""
Selectors = Selector | Iterable[Selector]
"""One of them, or several."""


@dataclass(frozen=True)
class SelectedTest:
    """A test, the suite it comes from, and the ids of tests elsewhere that have the same lists."""

    suite: Suite
    test: Test
    also: tuple[str, ...] = ()


def parse_suite(text: str, where: str = "suite") -> Suite:
    """Return the suite that `text` (TOML) describes; `where` names it in errors."""
    return parse_toml(text, where, SuiteFile, known_keys).suite()


def read_suite(path: str | Path | Traversable) -> Suite:
    """Return the suite in the TOML file at `path`."""
    return parse_suite(read_toml(path, "suite"), str(path))


def shipped_suites() -> tuple[Suite, ...]:
    """Return the suites that come with fairvec or stand in the folder of a language, by id."""
    folders = (folder / "suites" for folder in language_folders().values())
    return _suites_in(*(folder for folder in folders if folder.is_dir()))


@cache
def _suites_in(*more_folders: Path) -> tuple[Suite, ...]:
    folders = (files("fairvec.lexicon") / "data" / "suites", *more_folders)
    listed = (file for folder in folders for file in folder.iterdir())
    found = (read_suite(file) for file in listed if file.name.endswith(".toml"))
    return tuple(sorted(found, key=lambda suite: suite.id))


def select_tests(selectors: Selectors) -> list[SelectedTest]:
    """Return the chosen tests, each once, in the given order.

    A selector is a suite id (`pestova`), a test id (`pestova/e1`), a language (`ru`), the path of a
    suite file of one's own (ending in .toml), or a Suite or Test. Tests without a suite of their
    own are of the suite `own` together, and each has a version that its words decide.
    """
    chosen: dict[str, SelectedTest] = {}
    suites: dict[str, Suite] = {}
    for selector in as_list(selectors):
        for selected in _select(selector):
            suite, id = selected.suite, selected.suite.id
            if isinstance(selector, Test) and id not in (
                shipped.id for shipped in shipped_suites()
            ):
                if chosen.setdefault(selected.test.id, selected).test != selected.test:
                    raise LexiconError(
                        f"Two different tests are called {selected.test.id}; give one of them "
                        "another id, as in Test(id='second', ...)."
                    )
                continue
            chosen.setdefault(selected.test.id, selected)
            if suites.setdefault(id, suite) != suite:
                prefix = "" if isinstance(selector, Suite | Test) else f"{selector}: "
                raise LexiconError(
                    f"{prefix}two different suites have the id {id!r}; give yours another id."
                )
    return list(chosen.values())


def _select(selector: Selector) -> list[SelectedTest]:
    if isinstance(selector, Suite):
        return [SelectedTest(selector, test) for test in selector.tests]
    if isinstance(selector, Test):
        return [SelectedTest(_suite_of(selector), selector)]
    if not isinstance(selector, str | Path):
        raise LexiconError(
            f"Tests are not chosen by an object of the kind {type(selector).__name__}; give names, "
            "files, or Suite and Test objects."
        )
    if str(selector).endswith(".toml") or is_pipe(selector):
        suite = read_suite(Path(selector))
        return [SelectedTest(suite, test) for test in suite.tests]
    name = str(selector)
    shipped = [SelectedTest(suite, test) for suite in shipped_suites() for test in suite.tests]
    for matches in (
        [selected for selected in shipped if selected.suite.id == name],
        [selected for selected in shipped if selected.test.id == name],
        [selected for selected in shipped if selected.suite.language == name],
    ):
        if matches:
            return matches
    siblings = [
        selected.test.id for selected in shipped if selected.suite.id == name.partition("/")[0]
    ]
    if siblings:
        raise UnknownNameError("test", name, siblings)
    choices = {selected.suite.id for selected in shipped} | {
        selected.suite.language for selected in shipped
    }
    hint = "A suite of your own is chosen by the path of its .toml file."
    if is_file(name):
        raise LexiconError(f"{name} is a file whose name does not end in .toml; call a suite so.")
    # The error names a full path, and for a test its suite, which is what is missing.
    missing, _, rest = (name, "", name) if name.startswith(("/", ".")) else name.partition("/")
    suggestions = (
        [] if rest else _test_ids_named(missing, [selected.test.id for selected in shipped])
    )
    if rest and missing in choices:  # a language, of which there are suites and no tests
        suggestions = sorted(
            {selected.suite.id for selected in shipped if selected.suite.language == missing}
        )
        missing = name
    raise UnknownNameError("suite", missing, choices, meant=suggestions, hint=hint)


def _suite_of(test: Test) -> Suite:
    """Return the shipped suite that a test is of, or else one of that test alone."""
    for suite in shipped_suites():
        if suite.id == test.suite:
            if test in suite.tests:
                return suite
            raise LexiconError(
                f"{test.id} has the suite of a test that comes with fairvec, and other lists; give "
                f"yours another id, as in {OWN}/{test.name}."
            )
    return Suite(id=test.suite, version=version_of(test.sets), tests=[test])


def _test_ids_named(name: str, ids: Iterable[str]) -> list[str]:
    """Return the full ids of the tests that have this name, or nearly, within their suites."""
    by_name: dict[str, list[str]] = {}
    for id in ids:
        by_name.setdefault(id.partition("/")[2], []).append(id)
    folded = name.strip().lower()
    names = [folded] if folded in by_name else get_close_matches(folded, by_name, n=3, cutoff=0.8)
    return [id for matched in names for id in by_name[matched]]


LINE_LENGTH = 96
"""Characters of a line of words in a file that is written."""


def suite_to_toml(suite: Suite) -> str:
    """Return the text of a file that holds the suite, in the order of its lists and tests.

    A suite that no file can hold, such as one whose tests are named with spaces, is refused.
    """
    text = "\n\n".join("\n".join(part) for part in _sections(suite)) + "\n"
    if parse_suite(text, f"the suite {suite.id}") != suite:
        raise LexiconError(
            f"The suite {suite.id} would not be the same when it is read from a file; give each "
            "of its lists its own id, and its tests lists of the suite."
        )
    return text


def _sections(suite: Suite) -> Iterator[list[str]]:
    fields = ("id", "language", "version", "title", "source", "licence", "doi", "notes")
    yield _key_lines(suite, fields)
    for wordset in suite.sets.values():
        yield [f"[sets.{wordset.id}]", *_list_lines(wordset)]
    for test in suite.tests:
        yield ["[[tests]]", *_test_lines(test)]
    for waiver in suite.waivers:
        yield ["[[waivers]]", *_waiver_lines(waiver)]


def _list_lines(wordset: WordSet) -> Iterator[str]:
    yield from _key_lines(wordset, ("title",))
    if wordset.concept != wordset.id:
        yield from _key_lines(wordset, ("concept",))
    yield from _key_lines(wordset, ("pos", "sensitive", "sensitive_reason"))
    yield from ("words = [", *_wrap_entries([_entry(word, wordset) for word in wordset.words]), "]")


def _entry(word: Word, wordset: WordSet) -> str:
    """Return a word in quotes, or as a table where more is known of it."""
    known = {name: value for name, value in word.model_dump().items() if value}
    if word.pos == wordset.pos:
        known.pop("pos", None)
    if known.keys() == {"word"}:
        return toml_string(word.word)
    return f"{{ {', '.join(f'{name} = {_format_value(value)}' for name, value in known.items())} }}"


def _wrap_entries(entries: list[str]) -> Iterator[str]:
    """Put plain words on one line, and tables one a line."""
    line = ""
    for entry in entries:
        if line and (entry.startswith("{") or len(line) + len(entry) > LINE_LENGTH):
            yield line
            line = ""
        line = f"{line} {entry}," if line else f"    {entry},"
        if entry.startswith("{"):
            yield line
            line = ""
    if line:
        yield line


def _test_lines(test: Test) -> Iterator[str]:
    yield f"id = {toml_string(test.name)}"
    yield from _key_lines(test, ("title", "category", "kind", "tags", "paired"))
    for role in ROLES:
        if role in test.sets:
            yield f"{role} = {toml_string(test.sets[role].id)}"


def _waiver_lines(waiver: Waiver) -> list[str]:
    return _key_lines(waiver, ("finding", "where", "words", "reason"))


def _key_lines(record: object, names: tuple[str, ...]) -> list[str]:
    """Return a line for each field that says something."""
    return [
        f"{name} = {_format_value(value)}" for name in names if (value := getattr(record, name))
    ]


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_string, value))}]"
    return toml_string(str(value))
