"""Numbers that nothing can be reckoned with, and no names, are refused before a command begins."""

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import signature
from math import isfinite
from typing import Any

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown

LARGEST = 10**12
"""No option asks for more of anything, and arrays of numbers beyond some 10**18 do not exist."""


def within_reason(command: Any) -> Any:
    """Return a command, or a group of them, that refuses endless, immense and undefined numbers.

    It refuses empty names too: to Python an empty path is the folder where one stands, and the
    variable of a script that is not set would have its results written or read there.
    """
    for each in _leaves(command):
        kinds = signature(each.callback).parameters
        for param in each.params:
            kind = str(kinds[param.name].annotation) if param.name in kinds else ""
            if param.param_type_name == "argument" or "Path" in kind:
                _refuse_empty(param)
        options = {param.name: max(param.opts, key=len) for param in each.params}
        each.callback = _checked(each.callback, options)
    return command


def _leaves(command: Any) -> Iterator[Any]:
    for each in getattr(command, "commands", {}).values():
        yield from _leaves(each)
    if command.callback and not hasattr(command, "commands"):
        yield command


def _refuse_empty(param: Any) -> None:
    read = param.process_value

    def named(ctx: Any, value: Any) -> Any:
        if value == "" or (isinstance(value, list | tuple) and "" in value):
            called = max(param.opts, key=len)
            name = called if called.startswith("-") else called.upper()
            raise SettingError(f"{name} is empty; say which one is meant, or leave it out.")
        return read(ctx, value)

    param.process_value = named


def _checked(callback: Callable[..., Any], options: dict[str, str]) -> Callable[..., Any]:
    @wraps(callback)
    def run(**given: Any) -> Any:
        for name, value in given.items():
            if isinstance(value, int) and abs(value) > LARGEST:
                raise SettingError(
                    f"{options.get(name, name)} is {shown(value)}; it must be a whole number up "
                    f"to {LARGEST:,}."
                )
            if isinstance(value, float) and not isfinite(value):
                raise SettingError(
                    f"{options.get(name, name)} is {value}; it must be a finite number."
                )
        return callback(**given)

    return run
