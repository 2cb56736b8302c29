"""What is wrong with a record or setting, in one sentence; the base of all records."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from fairvec.core.errors import SettingError
from fairvec.core.text import one_line, short_repr

Location = tuple[int | str, ...]

_SHOWN = 5
_LOOKED_AT = 200
_LONGEST = 400
"""So many letters of a problem are said; a file may hold names and texts of any length."""

_LONGEST_NAME = 100
"""A longer name is no slip of the pen, and comparing long names takes the square of their time."""


def suggest_key(name: str, choices: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the nearest of `choices`, or nothing."""
    if len(name) > _LONGEST_NAME:
        return ""
    known = {choice.casefold(): choice for choice in choices}
    near = get_close_matches(name.casefold(), known, n=1)
    return f" (did you mean {known[near[0]]}?)" if near else ""


def describe_validation_error(
    error: ValidationError,
    known_keys: Callable[[Location], Iterable[str]],
    *,
    above: Location = (),
    wanted: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return each field and what it should be, but for the point at the end.

    `known_keys` gives the keys that could stand at a place, `above` is the place of what was
    checked, and `wanted` tells kinds of tables in words.
    """
    details = error.errors(include_url=False)
    # Of very many only some are looked at: each is compared with all keys that it could mean.
    told = (_problem(detail, known_keys, above, wanted) for detail in details[:_LOOKED_AT])
    found = [*dict.fromkeys(told)]
    said = [one_line(problem)[:_LONGEST] for problem in found[:_SHOWN]]
    if more := len(found) - len(said) + len(details[_LOOKED_AT:]):
        said.append(f"and {more} more")
    return "; ".join(said)


def _problem(
    detail: ErrorDetails,
    known_keys: Callable[[Location], Iterable[str]],
    above: Location,
    wanted: Mapping[str, str],
) -> str:
    location, given = detail["loc"], detail["input"]
    field = _path((*above, *location))
    match detail["type"]:
        case "missing":
            return f"{field} is required"
        case "extra_forbidden":
            offer = suggest_key(str(location[-1]), known_keys(location))
            return f"{field} is not a known key{offer}"
        case "string_type":
            return f'{field} must be text in quotes, as in "{given!s:.40}"'
        case "string_unicode":
            return f"{field} is {given!r}, which holds half a character; write it again"
        case "string_too_short":
            return f"{field} must not be empty"
        case "literal_error":
            expected = str(_context(detail, "expected"))
            offer = suggest_key(str(given), re.findall("'([^']+)'", expected))
            return f"{field} is {given!r} and must be {expected}{offer}"
        case "bool_type" | "bool_parsing":
            return f"{field} must be true or false"
        case "tuple_type":
            return f'{field} must be a list, as in ["one", "two"]'
        case "dict_type" | "model_type":
            return f"{field} must be {wanted.get(_context(detail, 'class_name'), 'a table')}"
        case "value_error":
            said = str(_context(detail, "error"))
            # A sentence of its own stands behind a colon; others go on with the name of the field.
            return f"{field}{':' * (bool(field) and said[:1].isupper())} {said}".strip()
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


# What all records are.


SCHEMA_VERSION = 2
"""Raised when a field is added or means something else; records of every earlier one are read."""

SchemaVersion = Annotated[int, Field(ge=1, le=SCHEMA_VERSION)]
Share = Annotated[float, Field(ge=0, le=1)]
"""A share or a probability: a file in which p is 17 holds no p."""
Count = Annotated[int, Field(ge=0)]
"""How many there are."""


class Record(BaseModel):
    """A frozen record; unknown fields are refused, nan and infinity are never written."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def records_in(given: Any, refusal: str) -> list[Any]:
    """Return records that may come of a generator, or one that comes alone; refuse all else.

    `refusal` begins the sentence that ends in what is none: "Written are records, not".
    """
    alone = isinstance(given, str | Record) or not isinstance(given, Iterable)
    found: list[Any] = [given] if alone else [*given]
    for one in found:
        if not isinstance(one, Record):
            raise SettingError(
                f"{refusal} {short_repr(one)}; give a list of them, as audit and read_results "
                "return it."
            )
    return found


class Frozen(BaseModel):
    """A record that cannot be changed and refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)
