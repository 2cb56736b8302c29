"""JSON of strangers: read whole, or refused with the reason, whatever it holds."""

import json
import re
from collections import Counter
from typing import Any

from fairvec.ground.text.nesting import too_deep
from fairvec.ground.text.shown_values import shown

LONGEST_NUMBER = 300
"""So many digits a whole number may have: a longer one is no float any more."""

_EXPONENTS = (re.compile(r"e\+?[0-9]{3}"), re.compile(r"E\+?[0-9]{3}"))
_SAMPLED = 20
_MANY_DIGITS = re.compile(r"[0-9]{9}")
"""In a text with 200 digits in a row, every twentieth letter has nine of them in a row."""

_HALVES = re.compile(r"\\u[dD][89a-fA-F]")
"""What must stand in a text that holds half a character, as a whole one may."""


def json_of(text: str | bytes, *, lenient: bool = False) -> Any:
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
    if too_deep(found):
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
        raise ValueError(f"{shown(twice)} stands twice in one object")
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
        raise ValueError(f"the number {shown(digits)} is too large")
    return number


def _refuse_halves(found: Any) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it holds half a character") from None
