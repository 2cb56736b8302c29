"""Strict parsers of JSON and TOML from outside; errors name the place and the reason.

Beyond the grammar they refuse what would break a later step: nesting so deep that recursion fails,
numbers that no float or 64-bit integer holds, repeated keys, and lone surrogates.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from fairvec.core.text import short_repr

DEEPEST = 100
"""Levels of nesting that are read; the deepest file that fairvec writes has seven."""

_NESTED = {list, dict}


def exceeds_depth(parsed: Any) -> bool:
    """Return whether lists and objects lie in one another more than `DEEPEST` levels deep."""
    level = [parsed] if type(parsed) in _NESTED else []
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [
            value
            for container in level
            for value in (container.values() if type(container) is dict else container)
            if type(value) in _NESTED
        ]
    return bool(level)


LONGEST_NUMBER = 300
"""Digits of the longest integer that is read; a longer one overflows a float."""

_EXPONENTS = (re.compile(r"e\+?[0-9]{3}"), re.compile(r"E\+?[0-9]{3}"))
_SAMPLE_STEP = 20
_MANY_DIGITS = re.compile(r"[0-9]{9}")
"""With 200 digits in a row, every 20th character of a text has nine digits in a row."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape without which a JSON text cannot contain a lone surrogate."""


def parse_json(text: str | bytes, *, lenient: bool = False) -> Any:
    """Return the value of a JSON text; ValueError says in a few words why it is refused.

    Refused are also nesting beyond `DEEPEST` levels, numbers that no float can hold, lone
    surrogates, repeated keys, NaN and Infinity. Other programs write the last two: with `lenient`
    they are read as null.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    hooks: dict[str, Any] = {
        "object_pairs_hook": _unique_keys,
        "parse_constant": _null if lenient else _refuse_constant,
    }
    if _may_overflow(text):
        hooks |= {"parse_int": _parse_int, "parse_float": _parse_float}
    try:
        parsed = json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if exceeds_depth(parsed):
        raise ValueError("it is nested too deeply")
    if _SURROGATE.search(text):
        _check_surrogates(parsed)
    return parsed


def _may_overflow(text: str) -> bool:
    """Return whether a number may overflow a float; a quick test with false alarms."""
    return bool(_MANY_DIGITS.search(text[::_SAMPLE_STEP])) or any(
        exponent.search(text) for exponent in _EXPONENTS
    )


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        ((repeated, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{short_repr(repeated)} stands twice in one object")
    return table


def _null(name: str) -> None:
    return None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _parse_int(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), -float("inf")):
        raise ValueError(f"the number {short_repr(digits)} is too large")
    return number


def _check_surrogates(parsed: Any) -> None:
    try:
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it holds half a character") from None


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
_LONG_NAME = re.compile(rf"(?<![\w-])(?:{_PART}\.[ \t]*+){{{DEEPEST}}}")
"""A dotted key of very many parts, on which the parser takes quadratic time."""

_INT64_LIMIT = 2**63
"""TOML guarantees integers of 64 bits, and no word list needs more."""


def parse_toml_tables(text: str, where: str, fault: Callable[[str], Exception]) -> dict[str, Any]:
    """Return the tables of a TOML text; else raise `fault` with a message that names `where`.

    Refused are also nesting beyond `DEEPEST` levels, integers beyond 64 bits and numbers that are
    not finite.
    """
    if long_name := _LONG_NAME.search(text):
        line = text.count("\n", 0, long_name.start()) + 1
        raise fault(f"{where}, line {line}: a name has too many parts; {_NEST_LESS}")
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(_describe_toml_error(str(error), text, where)) from None
    except RecursionError:
        raise fault(f"{where}: {_TOO_DEEP}") from None
    except ValueError:  # only for an integer that is too long for Python
        raise fault(f"{where}: a whole number in it is too long; {_WRITE_SHORTER}") from None
    if exceeds_depth(parsed):
        raise fault(f"{where}: {_TOO_DEEP}")
    for key, reason in _numbers_out_of_range(parsed, ""):
        raise fault(f"{where}: {key} is {reason}")
    return parsed


_NEST_LESS = f"tables may lie in one another up to {DEEPEST} levels deep."
_TOO_DEEP = f"its tables or lists are nested too deeply; {_NEST_LESS}"
_WRITE_SHORTER = "write one below 9,223,372,036,854,775,808."


def _numbers_out_of_range(found: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(found, dict):
        for key, value in found.items():
            yield from _numbers_out_of_range(value, f"{name}.{key}" if name else key)
    elif isinstance(found, list):
        for place, value in enumerate(found, 1):
            yield from _numbers_out_of_range(value, f"{name}[{place}]")
    elif isinstance(found, int) and not -_INT64_LIMIT <= found < _INT64_LIMIT:
        yield name, f"too long for a whole number; {_WRITE_SHORTER}"
    elif isinstance(found, float) and not isfinite(found):
        yield name, f"{found}, which is no finite number; write one."


def _describe_toml_error(message: str, text: str, where: str) -> str:
    place = _PLACE.search(message)
    line = place[1] if place and place[1] else text.count("\n") + 1
    column = f", column {place[2]}" if place and place[2] else ""
    what = _PLACE.sub("", message)
    return (
        f"{where}, line {line}{column}: this is not TOML ({what[:1].lower()}{what[1:]}); "
        "text needs quotes and lists need commas."
    )
