"""Turning what pydantic found wrong into one sentence that a person can act on."""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fairvec.ground.errors import LexiconError
from fairvec.ground.text.one_line import on_one_line

Location = tuple[int | str, ...]

_SHOWN = 5
_LOOKED_AT = 200
_LONGEST = 400
"""So many letters of a problem are said; a file may hold names and texts of any length."""

_LONGEST_NAME = 100
"""A longer name is no slip of the pen, and comparing long names takes the square of their time."""

_WANTED = {"Word": "a word in quotes, or a table with the key word"}


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the nearest of `choices`, or nothing."""
    if len(name) > _LONGEST_NAME:
        return ""
    known = {choice.casefold(): choice for choice in choices}
    near = get_close_matches(name.casefold(), known, n=1)
    return f" (did you mean {known[near[0]]}?)" if near else ""


def as_lexicon_error(
    error: ValidationError, where: str, known_keys: Callable[[Location], Iterable[str]]
) -> LexiconError:
    """Return the error whose message names the file, each field and what it should be."""
    details = error.errors(include_url=False)
    # Of very many only some are looked at: each is compared with all keys that it could mean.
    found = [*dict.fromkeys(_problem(detail, known_keys) for detail in details[:_LOOKED_AT])]
    problems = [on_one_line(problem)[:_LONGEST] for problem in found[:_SHOWN]]
    if more := len(found) - len(problems) + len(details[_LOOKED_AT:]):
        problems.append(f"and {more} more")
    return LexiconError(f"{where}: {'; '.join(problems)}.")


def _problem(detail: ErrorDetails, known_keys: Callable[[Location], Iterable[str]]) -> str:
    location, given = detail["loc"], detail["input"]
    field = _path(location)
    match detail["type"]:
        case "missing":
            return f"{field} is required"
        case "extra_forbidden":
            offer = did_you_mean(str(location[-1]), known_keys(location))
            return f"{field} is not a known key{offer}"
        case "string_type":
            return f'{field} must be text in quotes, as in "{given!s:.40}"'
        case "string_unicode":
            return f"{field} is {given!r}, which holds half a character; write it again"
        case "string_too_short":
            return f"{field} must not be empty"
        case "literal_error":
            expected = str(_context(detail, "expected"))
            offer = did_you_mean(str(given), re.findall("'([^']+)'", expected))
            return f"{field} is {given!r} and must be {expected}{offer}"
        case "bool_type" | "bool_parsing":
            return f"{field} must be true or false"
        case "tuple_type":
            return f'{field} must be a list, as in ["one", "two"]'
        case "dict_type" | "model_type":
            return f"{field} must be {_WANTED.get(_context(detail, 'class_name'), 'a table')}"
        case "value_error":
            return f"{field} {_context(detail, 'error')}".strip()
        case _:
            return f"{field} is wrong: {detail['msg'].lower()}"


def _context(detail: ErrorDetails, name: str) -> Any:
    return detail.get("ctx", {}).get(name, detail["msg"])


def _path(location: Location) -> str:
    """Write ("tests", 0, "kind") as `tests[1].kind`: people count from one."""
    path = ""
    for part in location:
        if part != "[key]":  # so pydantic marks that the name of a table is meant
            path += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")
