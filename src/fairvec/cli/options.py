"""Commands made of functions: each parameter is an option or an argument, by its annotation.

The type of a parameter says which values it takes, as a setting's does (`fairvec.core.settings`),
its default and whether it may be repeated; `Option` and `Argument` add names and help. A parameter
that is an object of settings, as `LoadOptions`, is an option for each of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, getdoc, signature
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import click
from click.shell_completion import CompletionItem
from pydantic.fields import FieldInfo

from fairvec.cli.command import Command, help_hint, parameter_name
from fairvec.core import settings
from fairvec.core.errors import SettingError, suggest
from fairvec.core.format import group_by, join_words
from fairvec.core.settings import (
    SettingField,
    describe_setting,
    find_requirement,
    setting_types,
)
from fairvec.core.text import short_repr
from fairvec.lexicon import shipped_concepts

if TYPE_CHECKING:
    from fairvec.encoders.contexts import Corpus

# What the annotations of commands say.


class Argument:
    """A parameter that is given by its place; `metavar` is how the help calls it."""

    def __init__(self, *, help: str, metavar: str = "") -> None:
        self.help, self.metavar = help, metavar


class Option:
    """A parameter that is given by name: by that of the parameter, unless there is a long one.

    `metavar` is how the help calls its value, `type` a type of click in place of the annotated
    one. A help that must look for something is a function, which is called for --help alone.
    """

    def __init__(
        self,
        *names: str,
        help: str | Callable[[], str] = "",
        metavar: str = "",
        type: "click.ParamType[Any] | None" = None,
    ) -> None:
        self.names, self.help, self.metavar, self.type = names, help, metavar, type


class Without:
    """Names the settings of an object that a command does not offer as options."""

    def __init__(self, *names: str) -> None:
        self.names = names


Model = Annotated[
    str, Argument(metavar="MODEL", help="A file, or a name of 'fairvec models list'.")
]
ResultsFolder = Annotated[
    Path | None, Option("--output", "-o", help="Folder for results.jsonl and report.html.")
]
PrintJson = Annotated[bool, Option("--json", help="Print results as JSON lines.")]
ConceptOption = Annotated[
    str,
    Option(
        help="What to take out, with a variant if wanted: "
        f"{', '.join(concept.id for concept in shipped_concepts())}, or a TOML file of your own "
        "('fairvec concepts new'), as in my.toml:one-pair."
    ),
]
Suites = Annotated[
    list[str] | None, Option("-s", help="Suites to judge by; default: those that fit.")
]
Benchmarks = Annotated[
    list[str] | None,
    Option(
        "--benchmark",
        help="Benchmark of usefulness to judge by, or a file of rated pairs of words or sentences "
        "(one, other, score; with tabs); may be repeated. Default: some of the model's language "
        "that are on this machine.",
    ),
]
ContextFiles = Annotated[
    list[Path] | None,
    Option(
        metavar="FILE",
        help="Text from which sentences around words are drawn, also .gz, .xz or .bz2; may be "
        "repeated.",
    ),
]
Seed = Annotated[settings.Seed, Option(help="Seed of everything random.")]


def setting_help(setting: str, owners: Mapping[str, type]) -> str:
    """Return what a setting means, by which of its owners have it and with which defaults."""
    fields = {
        name: each
        for name, owner in owners.items()
        for each in settings.setting_fields(owner)
        if each.name == setting
    }
    help = next(iter(fields.values())).help
    if len(fields) < len(owners):
        help = f"Of {join_words([*fields])}: {help[0].lower()}{help[1:]}"
    by_default = group_by(fields, lambda name: fields[name].default)
    if len(by_default) > 1:
        defaults = [f"{value:g} of {join_words(names)}" for value, names in by_default.items()]
        return f"{help} Default: {', '.join(defaults)}."
    (default,) = by_default
    shown = f"{default:g}" if isinstance(default, float) else default
    return f"{help} Default: {shown}." if default else help


def argument_help(call: str, name: str) -> Callable[[], str]:
    """Return what gives the help of an argument of a public call, imported for --help alone."""

    def find() -> str:
        import fairvec

        return settings.argument_field(getattr(fairvec, call), name).help

    return find


def corpus_of(files: list[Path] | None) -> "Corpus | None":
    """Return the corpus in the files; None if there are none."""
    if not files:
        return None
    from fairvec.encoders.contexts import Corpus  # here: few commands need one

    return Corpus(tuple(files))


# Commands of click, made of such functions.


def make_command(called: str, function: Callable[..., None]) -> Command:
    """Return a function as a command; its docstring is the help."""
    kinds = get_type_hints(function, include_extras=True)
    params: list[click.Parameter] = []
    objects: dict[str, tuple[type, list[str]]] = {}
    for name, parameter in signature(function).parameters.items():
        kind, default = kinds[name], parameter.default
        if not is_dataclass(default):
            params += [_parameter(name, kind, default)]
            continue
        owner: type = type(default)
        notes = get_args(kind) if get_origin(kind) is Annotated else ()
        left_out = {one for note in notes if isinstance(note, Without) for one in note.names}
        offered = {one: of for one, of in setting_types(owner).items() if one not in left_out}
        objects[name] = owner, [*offered]
        params += [_parameter(one, of, getattr(default, one)) for one, of in offered.items()]
    repeated = {each.name for each in params if each.nargs == -1 or each.multiple}

    @wraps(function)
    def run(**values: Any) -> None:
        for each in repeated:
            values[each] = [*values[each]] or None
        for each, (owner, names) in objects.items():
            values[each] = owner(**{name: values.pop(name) for name in names})
        function(**values)

    return Command(called, callback=run, params=params, help=getdoc(function))


def _parameter(name: str, kind: Any, default: Any) -> click.Parameter:
    """Return a parameter of a function, or a setting of an object, as one of click."""
    notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    declared = next((note for note in notes if isinstance(note, Option | Argument)), Option())
    value_kind, is_repeated = _kind_of_value(kind)
    setting = describe_setting(name, value_kind, default)
    value_type = SettingType(setting, value_kind)
    attributes = {"required": default is Parameter.empty, "type": value_type}
    if default not in (Parameter.empty, None):
        attributes["default"] = default
    if isinstance(declared, Argument):
        metavar = declared.metavar or name.upper()
        if not declared.metavar and default is not Parameter.empty:
            metavar = f"[{metavar}]"
        if is_repeated and not metavar.endswith("..."):
            metavar += "..."
        nargs = -1 if is_repeated else 1
        return _Argument([name], help=declared.help, metavar=metavar, nargs=nargs, **attributes)
    names = _names(setting, declared)
    if setting.type is bool:
        attributes = {"default": default, "is_flag": True}
    elif declared.type:
        attributes["type"] = declared.type
    return _Option(
        [name, *names],
        help=declared.help or describe_setting(name, kind, default).help,
        remark=_remark(setting, names),
        metavar=declared.metavar or value_type.name,
        multiple=is_repeated,
        **attributes,
    )


def _remark(setting: SettingField, names: Sequence[str]) -> str:
    """Return what stands after the help of an option: its default and its limits."""
    default = setting.default
    if default is Parameter.empty:
        text = "required"
    elif setting.type is bool:
        text = f"default: {names[0].partition('/')[0].removeprefix('--')}" if default else ""
    else:
        text = "" if default in (None, "") else f"default: {default}"
    remarks = "; ".join(filter(None, [text, _describe_limits(setting)]))
    return f"  [{remarks}]" if remarks else ""


def _names(setting: SettingField, declared: Option) -> Sequence[str]:
    """Return how an option is written; what is on unless it is named has a name to turn it off."""
    if any(name.startswith("--") for name in declared.names):
        return declared.names
    plain = setting.name.replace("_", "-")
    off = f"/--no-{plain}" if setting.default is True else ""
    return f"--{plain}{off}", *declared.names


def _kind_of_value(kind: Any) -> tuple[Any, bool]:
    """Return the type of one value with its limits, and whether a parameter takes several.

    Where settings take text or an object, a shell gives text; where one text or several, several.
    """
    parts = get_args(kind)
    if get_origin(kind) is Annotated:
        inner, is_repeated = _kind_of_value(parts[0])
        limits = tuple(part for part in parts[1:] if isinstance(part, FieldInfo))
        return (Annotated[(inner, *limits)] if limits else inner), is_repeated
    if get_origin(kind) in (list, Sequence):
        return parts[0], True
    if parts and NoneType in parts:
        several = [part for part in parts if get_origin(part) in (list, Sequence)]
        return _kind_of_value((several or parts)[0])
    return kind, False


class _Argument(click.Argument):
    """An argument with its help, which click has since 8.5 alone."""

    def __init__(self, names: Sequence[str], *, help: str, **attributes: Any) -> None:
        super().__init__(names, **attributes)
        self.text = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return how the argument is called, and its help."""
        return str(self.metavar), self.text


class _Option(click.Option):
    """An option whose help may be a function, and says its default and limits."""

    def __init__(
        self, names: Sequence[str], *, help: str | Callable[[], str], remark: str, **attributes: Any
    ) -> None:
        super().__init__(names, **attributes)
        self.text, self.remark = help, remark

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return how the option is written, and its help."""
        names = [", ".join(sorted(self.opts, key=len)), *self.secondary_opts]
        term = " / ".join(names) if self.is_flag else f"{names[0]} {self.metavar}"
        return term, (self.text() if callable(self.text) else self.text) + self.remark


LARGEST = 10**12
"""No option needs a larger number, and arrays beyond some 10**18 do not exist."""

_READ: dict[Any, Callable[[str], Any]] = {int: int, float: float, Path: Path}
_METAVARS = {int: "INTEGER", float: "NUMBER", Path: "PATH"}


class SettingType(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """The values of a setting, checked as in Python; what is refused is named in one sentence."""

    def __init__(self, setting: SettingField, kind: Any) -> None:
        self.setting, self.kind = setting, kind
        choices = f"[{'|'.join(setting.choices)}]" if setting.choices else ""
        self.name = choices or _METAVARS.get(setting.type, "TEXT")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what is written as a value of the type; a default is one already."""
        if not isinstance(value, str) or param is None or ctx is None:
            return value
        name = parameter_name(param)
        # To Python an empty path is the working folder, and a script with an unset variable would
        # write or read its results there.
        if not value and (param.param_type_name == "argument" or self.setting.type is Path):
            raise SettingError(f"{name} is empty; say which one is meant, or leave it out.")
        try:
            read = _READ.get(self.setting.type, str)(value)
        except ValueError:
            raise self._refusal(name, value, ctx) from None
        if isinstance(read, float) and not isfinite(read):
            raise SettingError(f"{name} is {read}; it must be a finite number.")
        is_limited = self.setting.choices or self.setting.type in (int, float)
        if is_limited and find_requirement(self.kind, read):
            raise self._refusal(name, value, ctx)
        if isinstance(read, int) and abs(read) > LARGEST:
            raise SettingError(
                f"{name} is {short_repr(read)}; it must be a whole number up to {LARGEST:,}."
            )
        return read

    def _refusal(self, name: str, value: str, ctx: click.Context) -> SettingError:
        """Return the error that names the value of a parameter and those that it takes."""
        suggestions = suggest(value, self.setting.choices)
        end = f"; did you mean {' or '.join(suggestions)}?" if suggestions else "."
        allowed = _describe_values(self.setting)
        return SettingError(
            f"{name} is {short_repr(value)}; it must be {allowed}{end} {help_hint(ctx)}"
        )

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the choices that begin so; of a path, what the shell itself finds."""
        if self.setting.type is Path:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(one) for one in self.setting.choices if one.startswith(incomplete)]


def _describe_values(setting: SettingField) -> str:
    """Return in words which values a setting takes."""
    if setting.choices:
        *first, last = setting.choices
        return f"{', '.join(first)} or {last}"
    number = "a whole number" if setting.type is int else "a number"
    limits = _describe_limits(setting)
    has_both = setting.limits.ge is not None and setting.limits.le is not None
    return f"{number}{' ' if has_both else ' of '}{limits}" if limits else number


def _describe_limits(setting: SettingField) -> str:
    """Return the limits of a setting that is a number, each of which belongs to its values."""
    smallest, largest = setting.limits.ge, setting.limits.le
    if smallest is not None and largest is not None:
        return f"from {smallest} to {largest}"
    if smallest is not None:
        return f"at least {smallest}"
    return "" if largest is None else f"at most {largest}"
