"""Numbers of options that nothing can be reckoned with are refused before a command begins."""

from collections.abc import Callable, Iterator
from functools import wraps
from math import isfinite
from typing import Any

from fairvec.ground.errors import SettingError
from fairvec.ground.shown_values import shown

LARGEST = 10**12
"""No option asks for more of anything, and arrays of numbers beyond some 10**18 do not exist."""


def within_reason(command: Any) -> Any:
    """Return a command, or a group of them, that refuses endless, immense and undefined numbers."""
    for each in _leaves(command):
        options = {param.name: max(param.opts, key=len) for param in each.params}
        each.callback = _checked(each.callback, options)
    return command


def _leaves(command: Any) -> Iterator[Any]:
    for each in getattr(command, "commands", {}).values():
        yield from _leaves(each)
    if command.callback and not hasattr(command, "commands"):
        yield command


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
