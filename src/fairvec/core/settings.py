"""Settings are frozen dataclasses whose values are checked when one is made (`@settings`).

The type of a field says what it may hold, with its limits and its help, so that nothing is declared
twice: a choice (Literal), a number within limits (Annotated, by pydantic's Field), a word, a list
of these, a function, or an object of a class. `setting_fields` gives the same declaration to
whatever shows settings. Pydantic checks the values; nothing of it is built for defaults. Public
calls check their arguments by their annotations in the same way (`public_call`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, wraps
from inspect import Parameter, signature
from math import isfinite
from numbers import Integral, Real
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails
from pydantic_core.core_schema import is_instance_schema

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.text import one_line, short_repr

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
PositiveInt = Annotated[int, Field(ge=1)]

LARGEST_SEED = 2**32 - 1
"""The largest seed that every random generator takes."""

Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
Epochs = Annotated[int, Field(ge=1, le=100_000)]
Dimensions = Annotated[int, Field(ge=1, le=100_000)]
"""Upper limits against typing errors: larger values would fill any memory."""

Owner = TypeVar("Owner", bound=type)


@overload
def settings(owner: Owner) -> Owner: ...
@overload
def settings(*, called: str = "", eq: bool = True) -> Callable[[Owner], Owner]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def settings(owner: Any = None, *, called: str = "", eq: bool = True) -> Any:
    """Make a class a frozen dataclass that refuses values which the types of its fields forbid.

    Its own `__post_init__`, which compares settings with one another, runs after that. Numpy
    numbers are converted to Python's. Messages name it by its attribute `name`, or by `called`
    where it has none or it depends on the settings.
    """
    if owner is None:
        return lambda kind: _as_settings(kind, called, eq=eq)
    return _as_settings(owner, called, eq=eq)


def _as_settings(owner: Any, called: str, *, eq: bool) -> Any:
    inherited = getattr(owner, "__post_init__", None)
    compare = getattr(inherited, "compare", inherited)

    def check(self: Any) -> None:
        kind: type = type(self)
        for setting, default in _defaults(kind):
            value = getattr(self, setting)
            if value is not default:  # a law asks whether defaults are of their types
                allowed = setting_types(kind)[setting]
                checked = check_value(called or self.name, setting, allowed, value)
                if checked is not value:
                    object.__setattr__(self, setting, checked)
        if compare is not None:
            compare(self)

    check.compare = compare  # type: ignore[attr-defined]
    owner.__post_init__ = check
    return dataclass(frozen=True, eq=eq)(owner)


@cache
def _defaults(owner: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((each.name, each.default) for each in fields(owner) if each.init)


def check_value(called: str, setting: str, kind: Any, value: Any) -> Any:
    """Return the value of a setting, numpy numbers converted; raise if its type forbids it."""
    value = plain(value)
    if requirement := find_requirement(kind, value):
        if isinstance(value, str) and (choices := _choices(kind)):
            raise UnknownNameError(f"choice of {setting}", value, choices)
        raise SettingError(f"{called}: {setting} is {short_repr(value)}; it must {requirement}.")
    return value


def check_arguments(function: Callable[..., Any], **arguments: Any) -> dict[str, Any]:
    """Return arguments of a call, numpy numbers converted; raise if an annotation forbids one."""
    kinds = _argument_types(function)
    return {
        name: check_value(function.__name__, name, kinds[name], value)
        for name, value in arguments.items()
    }


@cache
def _argument_types(function: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(function, include_extras=True)


def find_requirement(kind: Any, value: Any) -> str:
    """Return what a value must do to be of a type, as in "be a word"; empty if it is."""
    if isinstance(value, str) and value in _choices(kind):
        return ""  # as pydantic says, of which nothing is built for metrics made at import
    try:
        _adapter(kind).validate_python(value)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        requirements = [_describe(kind, detail) for detail in details]
        if _is_optional(kind):
            requirements.append("be left out")
        return " or ".join(dict.fromkeys(requirements))
    return ""


def plain(value: Any) -> Any:
    """Return a numpy number or a fraction as a Python number, which files and records can hold."""
    if isinstance(value, np.bool_):
        return bool(value)
    if type(value) is tuple and any(plain(item) is not item for item in value):
        return tuple(map(plain, value))
    if type(value) in (bool, int, float) or not isinstance(value, Real) or not _is_finite(value):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def _is_finite(number: Real) -> bool:
    try:
        return isfinite(number)
    except OverflowError:  # an int or a fraction larger than any float
        return False


def check_choice(kind: str, chosen: str, choices: Any) -> None:
    """Raise unless a word is one of its literal choices."""
    if chosen not in _choices(choices):
        raise UnknownNameError(kind, chosen, _choices(choices))


@cache
def setting_types(owner: type) -> dict[str, Any]:
    """Return the settings of a dataclass with their types."""
    hints = get_type_hints(owner, include_extras=True)
    return {each.name: hints[each.name] for each in fields(owner) if each.init}


class SettingLimits(NamedTuple):
    """The numbers between two limits, each of which belongs to them (ge, le) or not (gt, lt)."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None

    @property
    def least(self) -> float | None:
        """The lower limit."""
        return self.gt if self.ge is None else self.ge

    @property
    def most(self) -> float | None:
        """The upper limit."""
        return self.lt if self.le is None else self.le

    def __str__(self) -> str:
        least, most = _format_limit(self.least), _format_limit(self.most)
        if not most:
            return f"be {least} or more" if self.gt is None else f"be above {least}"
        if not least:
            return f"be {most} or less" if self.lt is None else f"be below {most}"
        if self.lt is not None:
            lower = f"be {least} or more" if self.gt is None else f"lie above {least}"
            return f"{lower} and below {most}"
        between = f"lie between {least} and {most}"
        return between if self.gt is None else f"{between}, above {least} itself"


class SettingField(NamedTuple):
    """A setting as its class declares it; `default` is dataclasses.MISSING where it has none.

    `type` is without limits, help and None; `choices` are the words of a Literal.
    """

    name: str
    type: Any
    default: Any
    limits: SettingLimits
    choices: tuple[str, ...]
    is_optional: bool
    help: str


def describe_setting(name: str, kind: Any, default: Any) -> SettingField:
    """Return a setting of a type; that of a plugin may be of any kind."""
    parts = (part for part in _parts(kind) if isinstance(part, FieldInfo))
    help = "".join(part.description or "" for part in parts)
    bare, limits = _bare_type(kind), _limits(kind)
    return SettingField(name, bare, default, limits, _choices(kind), _is_optional(kind), help)


@cache
def setting_fields(owner: type) -> tuple[SettingField, ...]:
    """Return the settings of a dataclass."""
    kinds = setting_types(owner)
    return tuple(
        describe_setting(
            each.name,
            kinds[each.name],
            each.default if each.default_factory is MISSING else each.default_factory(),
        )
        for each in fields(owner)
        if each.init
    )


def argument_field(call: Callable[..., Any], name: str) -> SettingField:
    """Return an argument of a call as its annotation declares it."""
    default = signature(call).parameters[name].default
    return describe_setting(name, _argument_types(call)[name], default)


def parse_settings(owner: type, called: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values given by name as settings of a dataclass; lists become tuples."""
    kinds = setting_types(owner)
    check_names(called, given, kinds)
    return {
        setting: tuple(value)
        if isinstance(value, list) and get_origin(_bare_type(kinds[setting])) in (tuple, Sequence)
        else value
        for setting, value in given.items()
    }


def check_names(called: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise unless every name given is a known setting of `called`."""
    known = tuple(known)
    for setting in given:
        if setting not in known:
            raise UnknownNameError(f"setting of {called}", setting, known)


class _InstanceOf(NamedTuple):
    """Has pydantic ask for an object of a class and look no further.

    It would build schemas of all fields of a dataclass, and refuse undecodable names of files.
    """

    kind: Any

    def __get_pydantic_core_schema__(self, *_: Any) -> CoreSchema:
        return is_instance_schema(get_origin(self.kind) or self.kind)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    config = ConfigDict(strict=True, allow_inf_nan=False)
    return TypeAdapter(_by_instances(kind), config=config)


def _by_instances(kind: Any) -> Any:
    """Return a type in which what is no number, choice or list is asked for by its class alone."""
    parts = get_args(kind)
    match get_origin(kind):
        case origin if origin is Annotated:
            return Annotated[(_by_instances(parts[0]), *parts[1:])]
        case origin if origin in (Union, UnionType):
            return Union[tuple(map(_by_instances, parts))]  # noqa: UP007
        case origin if origin in (tuple, Sequence):
            return origin[tuple(map(_by_instances, parts))]
        case origin if origin in (Literal, Callable):
            return kind
        case _ if kind in (Any, ..., bool, int, float, NoneType, Callable):
            return kind
        case _:
            return Annotated[Any, _InstanceOf(kind)]


_REQUIREMENTS = {
    "bool_type": "be true or false",
    "int_type": "be a whole number",
    "float_type": "be a finite number",
    "finite_number": "be a finite number",
    "callable_type": "be a function",
    "tuple_type": "be a list",
    "sequence_str": "be a list",
}
_NOUNS = {"str": "a word", "Sequence": "a list"}
_BEYOND_LIMITS = ("greater_than_equal", "greater_than", "less_than_equal", "less_than")


def _describe(kind: Any, detail: ErrorDetails) -> str:
    """Return what pydantic found lacking in a value of a type as what it must do."""
    context = detail.get("ctx", {})
    match detail["type"]:
        case "is_instance_of":
            name = context["class"]
            requirement = f"be {_NOUNS.get(name, f'an object of the kind {name}')}"
        case "literal_error":
            requirement = f"be {context['expected']}"
        case trouble if trouble in _BEYOND_LIMITS:
            requirement = str(_limits(kind))
        case trouble:  # of rules that fairvec's own settings do not have: "Input should be ..."
            message = one_line(detail["msg"])
            requirement = _REQUIREMENTS.get(trouble, message.partition(" should ")[2] or message)
    in_list = any(isinstance(place, int) for place in detail["loc"])
    return f"hold what can each {requirement}" if in_list else requirement


def _limits(kind: Any) -> SettingLimits:
    """Return the limits of the numbers in a type."""
    found = {
        bound: limit
        for part in _parts(kind)
        for rule in (part.metadata if isinstance(part, FieldInfo) else [part])
        for bound in SettingLimits._fields
        if isinstance(limit := getattr(rule, bound, None), Real)
    }
    return SettingLimits(**found)  # type: ignore[arg-type]


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the words from which a type lets choose, if it does."""
    bare = _bare_type(kind)
    return get_args(bare) if get_origin(bare) is Literal else ()


def _parts(kind: Any) -> Iterator[Any]:
    """Yield a type, the types of which it is made, and what is annotated to them."""
    yield kind
    if get_origin(kind) not in (Literal, Callable):
        for part in get_args(kind):
            yield from _parts(part)


def _is_optional(kind: Any) -> bool:
    unlimited = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return NoneType in get_args(unlimited)


def _bare_type(kind: Any) -> Any:
    """Return a type without annotations and None."""
    parts = get_args(kind)
    if get_origin(kind) is Annotated:
        return _bare_type(parts[0])
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(_bare_type(part) for part in parts if part is not NoneType)]  # noqa: UP007
    return kind


def _format_limit(limit: float | None) -> str:
    if limit is None:
        return ""
    return f"{limit:g}" if abs(limit) < 10_000 else f"{limit:,}"


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
    return tuple((name, kind) for name, kind in _argument_types(call).items() if _is_plain(kind))


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
