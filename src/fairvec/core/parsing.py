"""JSON and TOML from outside: read whole, or refused with the place and the reason."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from fairvec.core.text import short_repr

# How deep tables and lists lie in one another: what is too deep ends whoever walks through it.


DEEPEST = 100
"""So many levels are read; the deepest file that fairvec writes has seven."""

_NESTED = {list, dict}


def exceeds_depth(found: Any) -> bool:
    """Return whether lists and objects lie in one another more than `DEEPEST` levels deep."""
    level = [found] if type(found) in _NESTED else []
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [
            part
            for holder in level
            for part in (holder.values() if type(holder) is dict else holder)
            if type(part) in _NESTED
        ]
    return bool(level)


LONGEST_NUMBER = 300
"""So many digits a whole number may have: a longer one is no float any more."""

_EXPONENTS = (re.compile(r"e\+?[0-9]{3}"), re.compile(r"E\+?[0-9]{3}"))
_SAMPLED = 20
_MANY_DIGITS = re.compile(r"[0-9]{9}")
"""In a text with 200 digits in a row, every twentieth letter has nine of them in a row."""

_HALVES = re.compile(r"\\u[dD][89a-fA-F]")
"""What must stand in a text that holds half a character, as a whole one may."""


def parse_json(text: str | bytes, *, lenient: bool = False) -> Any:
    """Return what a text of JSON holds; ValueError says in a few words why it cannot.

    Beyond what is no JSON that is nesting beyond `DEEPEST` levels, a number that no float can hold,
    half a character, a name that stands twice in an object, NaN and Infinity. Files of other
    programs have these last: a `lenient` reader takes null for no number.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    hooks: dict[str, Any] = {
        "object_pairs_hook": _without_repeats,
        "parse_constant": _null if lenient else _no_number,
    }
    if _may_outgrow(text):
        hooks |= {"parse_int": _whole_number, "parse_float": _finite}
    try:
        found = json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if exceeds_depth(found):
        raise ValueError("it is nested too deeply")
    if _HALVES.search(text):
        _refuse_halves(found)
    return found


def _may_outgrow(text: str) -> bool:
    """Return whether a number may be beyond every float; this has to be quick, not certain."""
    return bool(_MANY_DIGITS.search(text[::_SAMPLED])) or any(
        exponent.search(text) for exponent in _EXPONENTS
    )


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{short_repr(twice)} stands twice in one object")
    return found


def _null(name: str) -> None:
    return None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _whole_number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), -float("inf")):
        raise ValueError(f"the number {short_repr(digits)} is too large")
    return number


def _refuse_halves(found: Any) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it holds half a character") from None


# TOML as tables, with errors that name the file, the line and the column.


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
_LONG_NAME = re.compile(rf"(?<![\w-])(?:{_PART}\.[ \t]*+){{{DEEPEST}}}")
"""A name of very many parts, each of which is a table: the parser takes the square of their time"""

_LARGEST = 2**63
"""TOML promises whole numbers of 64 bits, and no list of words needs more."""


def parse_toml_tables(text: str, where: str, fault: Callable[[str], Exception]) -> dict[str, Any]:
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
    if exceeds_depth(found):
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
