"""TOML as tables, with errors that name the file, the line and the column."""

import re
import tomllib
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from fairvec.ground.text.nesting import DEEPEST, too_deep

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
_LONG_NAME = re.compile(rf"(?<![\w-])(?:{_PART}\.[ \t]*+){{{DEEPEST}}}")
"""A name of very many parts, each of which is a table: the parser takes the square of their time"""

_LARGEST = 2**63
"""TOML promises whole numbers of 64 bits, and no list of words needs more."""


def tables_of(text: str, where: str, fault: Callable[[str], Exception]) -> dict[str, Any]:
    """Return what `text` holds; if it is no TOML, raise `fault`, which calls it `where`.

    So is what no table of fairvec's has: nesting beyond `DEEPEST` levels, whole numbers beyond 64
    bits, numbers that are not finite.
    """
    if name := _LONG_NAME.search(text):
        line = text.count("\n", 0, name.start()) + 1
        raise fault(f"{where}, line {line}: a name has too many parts; {_NEST_LESS}")
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(_not_toml(str(error), text, where)) from None
    except RecursionError:
        raise fault(f"{where}: {_TOO_DEEP}") from None
    except ValueError:  # only of a whole number that is too long for Python
        raise fault(f"{where}: a whole number in it is too long; {_WRITE_SHORTER}") from None
    if too_deep(found):
        raise fault(f"{where}: {_TOO_DEEP}")
    for name_of, reason in _odd_numbers(found, ""):
        raise fault(f"{where}: {name_of} is {reason}")
    return found


_NEST_LESS = f"tables may lie in one another up to {DEEPEST} levels deep."
_TOO_DEEP = f"its tables or lists are nested too deeply; {_NEST_LESS}"
_WRITE_SHORTER = "write one below 9,223,372,036,854,775,808."


def _odd_numbers(found: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(found, dict):
        for key, value in found.items():
            yield from _odd_numbers(value, f"{name}.{key}" if name else key)
    elif isinstance(found, list):
        for place, value in enumerate(found, 1):
            yield from _odd_numbers(value, f"{name}[{place}]")
    elif isinstance(found, int) and not -_LARGEST <= found < _LARGEST:
        yield name, f"too long for a whole number; {_WRITE_SHORTER}"
    elif isinstance(found, float) and not isfinite(found):
        yield name, f"{found}, which is no finite number; write one."


def _not_toml(message: str, text: str, where: str) -> str:
    place = _PLACE.search(message)
    line = place[1] if place and place[1] else text.count("\n") + 1
    column = f", column {place[2]}" if place and place[2] else ""
    what = _PLACE.sub("", message)
    return (
        f"{where}, line {line}{column}: this is not TOML ({what[:1].lower()}{what[1:]}); "
        "text needs quotes and lists need commas."
    )
