"""Public calls check their arguments by their annotations, as settings are checked."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.settings import check_value

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def public_call(
    slips: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Callable[Given, Answer]], Callable[Given, Answer]]:
    """Make a call refuse, in one sentence, what it has no argument for or what is of another kind.

    Flags, numbers, choices and functions are checked by their annotation, with its limits; numpy
    numbers become Python's. An unknown name is answered with the nearest, or with the sentence that
    `slips` has for it.
    """

    def checked(call: Callable[Given, Answer]) -> Callable[Given, Answer]:
        name = call.__name__
        parameters = signature(call).parameters
        positional = [
            each.name
            for each in parameters.values()
            if each.kind is Parameter.POSITIONAL_OR_KEYWORD
        ]
        by_name = [
            each.name for each in parameters.values() if each.kind is not Parameter.VAR_POSITIONAL
        ]

        @wraps(call)
        def run(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
            for setting in kwargs:
                if setting in slips:
                    raise SettingError(slips[setting])
                if setting not in by_name:
                    raise UnknownNameError("setting", setting, by_name)
            kinds = dict(_checked_kinds(call))
            places = [
                check_value(name, setting, kinds[setting], value) if setting in kinds else value
                for setting, value in zip(positional, args, strict=False)
            ]
            named = {
                setting: check_value(name, setting, kinds[setting], value)
                if setting in kinds
                else value
                for setting, value in kwargs.items()
            }
            return call(*places, *args[len(places) :], **named)  # type: ignore[arg-type]

        return run

    return checked


@cache
def _checked_kinds(call: Callable[..., Any]) -> tuple[tuple[str, Any], ...]:
    hints = hints_of(call, include_extras=True)
    return tuple((name, kind) for name, kind in hints.items() if _is_plain(kind))


def _is_plain(kind: Any) -> bool:
    """Return whether a value of a type is a flag, a number, a choice or a function."""
    return all(
        each in (bool, int, float) or get_origin(each) in (Literal, Callable)
        for each in _alternatives(kind)
    )


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of which a value has one, without limits and None."""
    if get_origin(kind) is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            if each is not NoneType:
                yield from _alternatives(each)
    else:
        yield kind
