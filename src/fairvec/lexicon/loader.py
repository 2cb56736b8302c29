"""Reading suite files, and choosing tests by suite, test, language or path."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from fairvec.errors import LexiconError, UnknownNameError
from fairvec.lexicon.problems import as_lexicon_error
from fairvec.lexicon.suite import Suite, Test
from fairvec.lexicon.suite_file import SuiteFile, known_keys

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Selected(NamedTuple):
    """A test and the suite it comes from."""

    suite: Suite
    test: Test


def parse_suite(text: str, where: str = "suite") -> Suite:
    """Return the suite that `text` (TOML) describes; `where` names it in errors."""
    try:
        return SuiteFile.model_validate(tomllib.loads(text)).suite()
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(error, text, where) from None
    except ValidationError as error:
        raise as_lexicon_error(error, where, known_keys) from None


def read_suite(path: str | Path | Traversable) -> Suite:
    """Return the suite in the TOML file at `path`."""
    file = Path(path) if isinstance(path, str) else path
    try:
        content = file.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise LexiconError(f"{path}: the suite file cannot be read ({reason}).") from None
    try:
        return parse_suite(content.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise LexiconError(f"{path}, line {line}: this is not UTF-8; save it as UTF-8.") from None


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
    for selector in selectors:
        for selected in _chosen_by(selector):
            earlier = chosen.setdefault(selected.test.id, selected)
            if earlier.suite != selected.suite:
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
    raise UnknownNameError("suite", name.partition("/")[0], choices, hint=hint)


def _not_toml(error: tomllib.TOMLDecodeError, text: str, where: str) -> LexiconError:
    message = str(error)
    place = _TOML_PLACE.search(message)
    line = place[1] if place and place[1] else text.count("\n") + 1
    column = f", column {place[2]}" if place and place[2] else ""
    what = _TOML_PLACE.sub("", message)
    return LexiconError(
        f"{where}, line {line}{column}: this is not TOML ({what[:1].lower()}{what[1:]}); "
        "text needs quotes and lists need commas."
    )
