"""Options that belong together, put into every command that takes the object they make."""

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any


def bundled(
    parameter: str, usual: Any, options: Mapping[str, Any], without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put the options, but for some, where a command has a parameter for the object they make.

    `usual` is that object with nothing chosen. typer makes options of a function's parameters one
    by one: so the shell sees each of them, and the command gets one object.
    """
    named = [name for name in options if name not in without]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            chosen = type(usual)(**{name: given.pop(name) for name in named})
            command(**given, **{parameter: chosen})

        plain = signature(command)
        at = [*plain.parameters].index(parameter)
        before, after = [*plain.parameters.values()][:at], [*plain.parameters.values()][at + 1 :]
        shown_options = [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=getattr(usual, name),
                annotation=options[name],
            )
            for name in named
        ]
        shown = plain.replace(parameters=[*before, *shown_options, *after])
        run.__signature__ = shown  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in shown.parameters.values()}
        return run

    return with_options
