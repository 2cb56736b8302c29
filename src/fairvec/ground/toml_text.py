"""TOML as tables, with errors that name the file, the line and the column."""

import re
import tomllib
from collections.abc import Callable
from typing import Any

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def tables_of(text: str, where: str, fault: Callable[[str], Exception]) -> dict[str, Any]:
    """Return what `text` holds; if it is no TOML, raise `fault`, which calls it `where`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(_not_toml(str(error), text, where)) from None


def _not_toml(message: str, text: str, where: str) -> str:
    place = _PLACE.search(message)
    line = place[1] if place and place[1] else text.count("\n") + 1
    column = f", column {place[2]}" if place and place[2] else ""
    what = _PLACE.sub("", message)
    return (
        f"{where}, line {line}{column}: this is not TOML ({what[:1].lower()}{what[1:]}); "
        "text needs quotes and lists need commas."
    )
