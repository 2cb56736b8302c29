"""Settings are frozen dataclasses whose values are checked when one is made.

The type of a field says what it may hold, so that nothing is declared twice: a choice (Literal), a
number within a range (Annotated), a word, a list of these, a function, or an object of a class.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from math import inf, isfinite
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.text import short_repr


@dataclass(frozen=True)
class Range:
    """The numbers from `least` to `most`; without `least` itself if they must lie `above` it."""

    least: float
    most: float = inf
    above: bool = False

    def __contains__(self, number: float) -> bool:
        return self.least <= number <= self.most and not (self.above and number == self.least)

    def __str__(self) -> str:
        if self.most < inf:
            most = f"{self.most:g}" if self.most < 10_000 else f"{self.most:,}"
            between = f"lie between {self.least:g} and {most}"
            return f"{between}, above {self.least:g} itself" if self.above else between
        return f"be above {self.least:g}" if self.above else f"be {self.least:g} or more"


Share = Annotated[float, Range(0, 1)]
Positive = Annotated[float, Range(0, above=True)]
NotNegative = Annotated[float, Range(0)]
PositiveInt = Annotated[int, Range(1)]

LARGEST_SEED = 2**32 - 1
"""The largest seed that every random generator takes."""

Seed = Annotated[int, Range(0, LARGEST_SEED)]
Epochs = Annotated[int, Range(1, 100_000)]
Dimensions = Annotated[int, Range(1, 100_000)]
"""Upper limits against typing errors: larger values would fill any memory."""


def check_settings(of: Any, *, called: str = "") -> None:
    """Raise unless every field of a dataclass has a value that its type allows.

    Messages name it by its attribute `name`, or by `called` where that depends on the settings.
    Numpy numbers are converted to Python's.
    """
    owner: type = type(of)
    for setting, kind in setting_types(owner).items():
        value = getattr(of, setting)
        checked = check_value(called or of.name, setting, kind, value)
        if checked is not value:
            object.__setattr__(of, setting, checked)


def check_value(called: str, setting: str, kind: Any, value: Any) -> Any:
    """Return the value of a setting, numpy numbers converted; raise if its type forbids it."""
    value = plain(value)
    if isinstance(value, str) and get_origin(kind) is Literal:
        check_choice(f"choice of {setting}", value, kind)
    elif requirement := _requirement(kind, value):
        raise SettingError(f"{called}: {setting} is {short_repr(value)}; it must {requirement}.")
    return value


def plain(value: Any) -> Any:
    """Return a numpy number or a fraction as a Python number, which files and records can hold."""
    if isinstance(value, np.bool_):
        return bool(value)
    if type(value) is tuple and any(plain(item) is not item for item in value):
        return tuple(map(plain, value))
    if type(value) in (bool, int, float) or not isinstance(value, Real) or not _is_finite(value):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def check_choice(kind: str, chosen: str, choices: Any) -> None:
    """Raise unless a word is one of its literal choices."""
    if chosen not in get_args(choices):
        raise UnknownNameError(kind, chosen, get_args(choices))


@cache
def setting_types(owner: type) -> dict[str, Any]:
    """Return the settings of a dataclass with their types."""
    hints = get_type_hints(owner, include_extras=True)
    return {field.name: hints[field.name] for field in fields(owner) if field.init}


def parse_settings(owner: type, called: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values given by name as settings of a dataclass; lists become tuples."""
    kinds = setting_types(owner)
    check_names(called, given, kinds)
    return {
        setting: tuple(value)
        if isinstance(value, list) and get_origin(kinds[setting]) in (tuple, Sequence)
        else value
        for setting, value in given.items()
    }


def check_names(called: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise unless every name given is a known setting of `called`."""
    known = tuple(known)
    for setting in given:
        if setting not in known:
            raise UnknownNameError(f"setting of {called}", setting, known)


def _requirement(kind: Any, value: Any) -> str:
    """Return what a value must do to be of a type, as in "be a word"; empty if it is."""
    parts = get_args(kind)
    match get_origin(kind):
        case None:
            return _class_requirement(kind, value)
        case origin if origin is Annotated:
            requirement = _requirement(parts[0], value)
            return requirement or "".join(
                str(constraint) for constraint in parts[1:] if value not in constraint
            )
        case origin if origin is Literal:
            known = isinstance(value, str) and value in parts
            return "" if known else f"be {' or '.join(map(repr, parts))}"
        case origin if origin in (Union, UnionType):
            requirements = [_requirement(part, value) for part in parts]
            return "" if "" in requirements else " or ".join(requirements)
        case origin if origin in (tuple, Sequence):
            if isinstance(value, str) or not isinstance(value, origin):
                return "be a list"
            requirements = [_requirement(parts[0], constraint) for constraint in value]
            return next((f"hold what can each {lack}" for lack in requirements if lack), "")
        case origin if origin is Callable:
            return "" if callable(value) else "be a function"
        case origin:
            return _class_requirement(origin, value)


def _class_requirement(kind: Any, value: Any) -> str:
    is_boolean = isinstance(value, bool)
    if kind is bool:
        return "" if is_boolean else "be true or false"
    if kind is int:
        return "" if isinstance(value, Integral) and not is_boolean else "be a whole number"
    if kind is float:
        is_number = isinstance(value, Real) and not is_boolean and _is_finite(value)
        return "" if is_number else "be a finite number"
    if kind is NoneType:
        return "" if value is None else "be left out"
    noun = {str: "a word"}.get(kind, f"an object of the kind {kind.__name__}")
    return "" if isinstance(value, kind) else f"be {noun}"


def _is_finite(number: Real) -> bool:
    try:
        return isfinite(number)
    except OverflowError:  # an int or a fraction larger than any float
        return False
