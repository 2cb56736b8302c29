"""Bases of all records, and one sentence about what pydantic found wrong in one."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from fairvec.core.errors import SettingError, suggest
from fairvec.core.text import one_line, short_repr

Location = tuple[int | str, ...]

_MAX_SHOWN = 5
_MAX_EXAMINED = 200
_MAX_LENGTH = 400
"""Characters of one problem that are shown; a file may hold names and texts of any length."""


def suggest_key(name: str, choices: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the nearest of `choices`, or nothing."""
    near = suggest(name, choices)
    return f" (did you mean {near[0]}?)" if near else ""


def describe_validation_error(
    error: ValidationError,
    known_keys: Callable[[Location], Iterable[str]],
    *,
    above: Location = (),
    wanted: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return each wrong field and what it should be, joined by semicolons, without a full stop.

    `known_keys` gives the keys that are allowed at a location, `above` is the location of what was
    validated, and `wanted` describes classes of tables in words.
    """
    details = error.errors(include_url=False)
    # Only some of very many are examined: each is compared with all keys that it could mean.
    problems = (
        _describe_problem(detail, known_keys, above, wanted) for detail in details[:_MAX_EXAMINED]
    )
    distinct = [*dict.fromkeys(problems)]
    sentences = [one_line(problem)[:_MAX_LENGTH] for problem in distinct[:_MAX_SHOWN]]
    if more := len(distinct) - len(sentences) + len(details[_MAX_EXAMINED:]):
        sentences.append(f"and {more} more")
    return "; ".join(sentences)


def _describe_problem(
    detail: ErrorDetails,
    known_keys: Callable[[Location], Iterable[str]],
    above: Location,
    wanted: Mapping[str, str],
) -> str:
    location, value = detail["loc"], detail["input"]
    field = _path((*above, *location))
    match detail["type"]:
        case "missing":
            return f"{field} is required"
        case "extra_forbidden":
            offer = suggest_key(str(location[-1]), known_keys(location))
            return f"{field} is not a known key{offer}"
        case "string_type":
            return f'{field} must be text in quotes, as in "{value!s:.40}"'
        case "string_unicode":
            return f"{field} is {value!r}, which holds half a character; write it again"
        case "string_too_short":
            return f"{field} must not be empty"
        case "literal_error":
            expected = str(_context(detail, "expected"))
            offer = suggest_key(str(value), re.findall("'([^']+)'", expected))
            return f"{field} is {value!r} and must be {expected}{offer}"
        case "bool_type" | "bool_parsing":
            return f"{field} must be true or false"
        case "tuple_type":
            return f'{field} must be a list, as in ["one", "two"]'
        case "dict_type" | "model_type":
            return f"{field} must be {wanted.get(_context(detail, 'class_name'), 'a table')}"
        case "value_error":
            message = str(_context(detail, "error"))
            # A full sentence follows a colon; other messages continue after the name of the field.
            return f"{field}{':' * (bool(field) and message[:1].isupper())} {message}".strip()
        case _:
            return f"{field} is wrong: {detail['msg'].lower()}"


def _context(detail: ErrorDetails, name: str) -> Any:
    return detail.get("ctx", {}).get(name, detail["msg"])


def _path(location: Location) -> str:
    """Write ("tests", 0, "kind") as `tests[1].kind`: people count from one."""
    path = ""
    for part in location:
        if part != "[key]":  # pydantic's mark for the key of a dict itself
            path += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")


SCHEMA_VERSION: Final = 3
"""Raised when a field is added or means something else; records of an earlier one are refused."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A share or a probability: a file in which p is 17 holds no p."""
Count = Annotated[int, Field(ge=0)]
"""A number of things, 0 included."""


class FrozenModel(BaseModel):
    """What cannot be changed, refuses fields it does not know, and holds no nan or infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Record(FrozenModel):
    """A record of what was found."""


class FileRecord(Record):
    """A record that is a line of a file."""

    schema_version: Literal[3] = Field(default=SCHEMA_VERSION, description="Version of this schema")


def as_list(value: Any) -> list[Any]:
    """Return one thing or several as a list; a text and a record are one thing."""
    return [value] if _is_single(value) else [*value]


def _is_single(value: Any) -> bool:
    return isinstance(value, str | BaseModel) or not isinstance(value, Iterable)


def records_in(
    given: Any, refusal: str, *, source: str = "audit and read_results return it"
) -> list[Any]:
    """Return records from an iterable or a single one as a list; raise for anything else.

    `refusal` begins the error message: "Written are records, not"; `source` says who gives them.
    """
    return [*each_record(given, refusal, source=source)]


def each_record(given: Any, refusal: str, *, source: str) -> Iterator[Any]:
    """Give the same records one by one."""
    for record in [given] if _is_single(given) else given:
        if not isinstance(record, Record):
            raise SettingError(f"{refusal} {short_repr(record)}; give a list of them, as {source}.")
        yield record


class Frozen(FrozenModel):
    """A table of a file that a person wrote: blanks around texts mean nothing."""

    model_config = ConfigDict(str_strip_whitespace=True)
