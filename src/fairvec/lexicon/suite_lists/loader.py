"""Reading suite files, and choosing tests by suite, test, language or path."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fairvec.ground.errors import LexiconError, UnknownNameError
from fairvec.lexicon.suite_lists.suite import Suite, Test
from fairvec.lexicon.suite_lists.suite_file import SuiteFile, known_keys
from fairvec.lexicon.toml_file import parse_toml, read_toml


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


def select(selectors: Iterable[str | Path]) -> list[Selected]:
    """Return the tests chosen, each once, in the order asked for.

    A selector is a suite id (`pestova`), a test id (`pestova/e1`), a language (`ru`) or the path
    of a suite file of one's own (ending in .toml).
    """
    chosen: dict[str, Selected] = {}
    suites: dict[str, Suite] = {}
    for selector in selectors:
        for selected in _chosen_by(selector):
            chosen.setdefault(selected.test.id, selected)
            if suites.setdefault(selected.suite.id, selected.suite) != selected.suite:
                raise LexiconError(
                    f"{selector}: two different suites have the id {selected.suite.id!r}; "
                    "give yours another id."
                )
    return list(chosen.values())


def _chosen_by(selector: str | Path) -> list[Selected]:
    if str(selector).endswith(".toml"):
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
    asked, _, rest = name.partition("/")
    meant = [] if rest else _tests_named(asked, [each.test.id for each in shipped])
    raise UnknownNameError("suite", asked, choices, meant=meant, hint=hint)


def _tests_named(name: str, ids: Iterable[str]) -> list[str]:
    """Return the full ids of the tests that have this name, or nearly, within their suites."""
    by_name: dict[str, list[str]] = {}
    for id in ids:
        by_name.setdefault(id.partition("/")[2], []).append(id)
    bare = name.strip().lower()
    near = [bare] if bare in by_name else get_close_matches(bare, by_name, n=3, cutoff=0.8)
    return [id for each in near for id in by_name[each]]
