"""Reading suite files, and choosing tests by suite, test, language or path."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.disk.piped import is_handed
from fairvec.ground.errors import LexiconError, UnknownNameError
from fairvec.lexicon.in_python import OWN
from fairvec.lexicon.suite_lists.own_tests import version_of
from fairvec.lexicon.suite_lists.suite import Suite, Test
from fairvec.lexicon.suite_lists.suite_file import SuiteFile, known_keys
from fairvec.lexicon.toml_file import parse_toml, read_toml

Selector = str | Path | Suite | Test
"""What chooses tests: a name or file, or a suite or test that is at hand."""
Asked = Selector | Iterable[Selector]
"""One of them, or several."""


@dataclass(frozen=True)
class Selected:
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


@cache
def shipped_suites() -> tuple[Suite, ...]:
    """Return the suites that come with fairvec, by id."""
    folder = files("fairvec.lexicon") / "data" / "suites"
    found = (read_suite(file) for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(found, key=lambda suite: suite.id))


def listed(asked: Asked) -> list[Selector]:
    """Return what was asked for as a list: one suite or name stands for itself."""
    one = isinstance(asked, str | Path | Suite | Test) or not isinstance(asked, Iterable)
    return [asked] if one else [*asked]  # type: ignore[list-item,misc]


def select(selectors: Asked) -> list[Selected]:
    """Return the tests chosen, each once, in the order asked for.

    A selector is a suite id (`pestova`), a test id (`pestova/e1`), a language (`ru`), the path of a
    suite file of one's own (ending in .toml), or a Suite or Test. Tests without a suite of their
    own are of the suite `own` together, and each has a version that its words decide.
    """
    chosen: dict[str, Selected] = {}
    suites: dict[str, Suite] = {}
    for selector in listed(selectors):
        for selected in _chosen_by(selector):
            suite, id = selected.suite, selected.suite.id
            if isinstance(selector, Test) and id not in (one.id for one in shipped_suites()):
                if chosen.setdefault(selected.test.id, selected).test != selected.test:
                    raise LexiconError(
                        f"Two different tests are called {selected.test.id}; give one of them "
                        "another id, as in Test(id='second', ...)."
                    )
                continue
            chosen.setdefault(selected.test.id, selected)
            if suites.setdefault(id, suite) != suite:
                named = "" if isinstance(selector, Suite | Test) else f"{selector}: "
                raise LexiconError(
                    f"{named}two different suites have the id {id!r}; give yours another id."
                )
    return list(chosen.values())


def _chosen_by(selector: Selector) -> list[Selected]:
    if isinstance(selector, Suite):
        return [Selected(selector, test) for test in selector.tests]
    if isinstance(selector, Test):
        return [Selected(_suite_around(selector), selector)]
    if not isinstance(selector, str | Path):
        raise LexiconError(
            f"Tests are not chosen by an object of the kind {type(selector).__name__}; give names, "
            "files, or Suite and Test objects."
        )
    if str(selector).endswith(".toml") or is_handed(selector):
        suite = read_suite(Path(selector))
        return [Selected(suite, test) for test in suite.tests]
    name = str(selector)
    shipped = [Selected(suite, test) for suite in shipped_suites() for test in suite.tests]
    for wanted in (
        [each for each in shipped if each.suite.id == name],
        [each for each in shipped if each.test.id == name],
        [each for each in shipped if each.suite.language == name],
    ):
        if wanted:
            return wanted
    siblings = [each.test.id for each in shipped if each.suite.id == name.partition("/")[0]]
    if siblings:
        raise UnknownNameError("test", name, siblings)
    choices = {each.suite.id for each in shipped} | {each.suite.language for each in shipped}
    hint = "A suite of your own is chosen by the path of its .toml file."
    if is_file(name):
        raise LexiconError(f"{name} is a file whose name does not end in .toml; call a suite so.")
    # A path is named whole, and a test by its suite, which is what is missing.
    asked, _, rest = (name, "", name) if name.startswith(("/", ".")) else name.partition("/")
    meant = [] if rest else _tests_named(asked, [each.test.id for each in shipped])
    if rest and asked in choices:  # a language, of which there are suites and no tests
        meant = sorted({each.suite.id for each in shipped if each.suite.language == asked})
        asked = name
    raise UnknownNameError("suite", asked, choices, meant=meant, hint=hint)


def _suite_around(test: Test) -> Suite:
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


def _tests_named(name: str, ids: Iterable[str]) -> list[str]:
    """Return the full ids of the tests that have this name, or nearly, within their suites."""
    by_name: dict[str, list[str]] = {}
    for id in ids:
        by_name.setdefault(id.partition("/")[2], []).append(id)
    bare = name.strip().lower()
    near = [bare] if bare in by_name else get_close_matches(bare, by_name, n=3, cutoff=0.8)
    return [id for each in near for id in by_name[each]]
