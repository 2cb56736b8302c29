"""What is said of a command that is written wrongly: one sentence, with what is meant."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any, Literal, get_args, get_origin

from fairvec.ground.errors import SettingError, UnknownNameError, nearest
from fairvec.ground.text.one_line import on_one_line
from fairvec.ground.text.shown_values import shown


def in_one_sentence(command: Any) -> Any:
    """Return a command, or a group of them, whose faulty use is one sentence."""
    parse = command.parse_args

    def parsed(ctx: Any, args: list[str]) -> Any:
        with plainly(ctx):
            return parse(ctx, args)

    command.parse_args = parsed
    if hasattr(command, "commands"):
        resolve = command.resolve_command

        def resolved(ctx: Any, args: list[str]) -> Any:
            refuse_unknown(ctx, args)
            return resolve(ctx, args)

        command.resolve_command = resolved
        for each in command.commands.values():
            in_one_sentence(each)
    elif command.callback:
        kinds = signature(command.callback).parameters
        for param in command.params:
            _told_of_values(param, kinds[param.name].annotation if param.name in kinds else str)
    return command


@contextmanager
def plainly(ctx: Any) -> Iterator[None]:
    """Say what typer would say of a faulty command, in three lines, in one sentence."""
    try:
        yield
    except Exception as error:  # of whichever click typer brings; any other is raised again
        if told := _sentence(error, getattr(error, "ctx", None) or ctx):
            raise told from None
        raise


def refuse_unknown(ctx: Any, args: list[str]) -> None:
    """Raise if the first argument is no command."""
    if args and args[0] not in ctx.command.commands and not args[0].startswith("-"):
        meant = [each for each in _options(ctx) if each == f"--{args[0]}"]
        raise UnknownNameError(
            "command", args[0], ctx.command.commands, meant=meant, hint=_see(ctx)
        )


def _sentence(error: Exception, ctx: Any) -> Exception | None:
    """Return a faulty use as an error of ours; nothing of help, and of all that is no such use."""
    if not hasattr(error, "format_message") or type(error).__name__ == "NoArgsIsHelpError":
        return None
    option, said = getattr(error, "option_name", ""), error.format_message()
    match type(error).__name__:
        case "MissingParameter" if param := getattr(error, "param", None):
            wanted = (
                "" if param.param_type_name == "argument" else f" {max(param.opts, key=len)} ..."
            )
            example = f"write '{_synopsis(ctx)}{wanted}'"
            return SettingError(f"{_called(param)} is missing; {example}. {_see(ctx)}")
        case "NoSuchOption":
            return UnknownNameError(
                f"option of '{_path(ctx)}'", option, _options(ctx), hint=_see(ctx)
            )
        case "BadOptionUsage" if option:
            lacks = "requires" in said
            what = (
                "needs a value; write one after it" if lacks else "takes no value; write it alone"
            )
            return SettingError(f"{option} {what}. {_see(ctx)}")
        case "UsageError" if found := re.search(
            r"unexpected extra arguments?(?:\(s\))? \((.*)\)", said
        ):
            return SettingError(
                f"{shown(found[1])} is too much; '{_synopsis(ctx)}' takes no more. {_see(ctx)}"
            )
    return SettingError(f"{on_one_line(said).removesuffix('.')}. {_see(ctx)}")


def _told_of_values(param: Any, annotation: Any) -> None:
    """Have a parameter say which value it was given and which it takes."""
    read, needed = param.process_value, _needed(annotation)

    def named(ctx: Any, value: Any) -> Any:
        try:
            return read(ctx, value)
        except Exception as error:  # of whichever click typer brings; any other is raised again
            if type(error).__name__ != "BadParameter" or not needed:
                raise
            choices = _choices(annotation)
            near = nearest(value, choices) if isinstance(value, str) else []
            offer = f"; did you mean {' or '.join(near)}?" if near else "."
            name = max(param.opts, key=len)
            raise SettingError(
                f"{name} is {shown(value)}; it must be {needed}{offer} {_see(ctx)}"
            ) from None

    param.process_value = named


def _needed(annotation: Any) -> str:
    """Say in words what an option takes; nothing of text and of paths, which may be any."""
    kinds, limits = set(_kinds(annotation)), getattr(annotation, "__metadata__", ())
    if choices := _choices(annotation):
        *most, last = choices
        return f"{', '.join(most)} or {last}"
    if not kinds & {int, float}:
        return ""
    number = "a number" if float in kinds else "a whole number"
    least, most_of_it = (
        next((limit for each in limits if (limit := getattr(each, end, None)) is not None), None)
        for end in ("min", "max")
    )
    if least is not None and most_of_it is not None:
        return f"{number} from {least} to {most_of_it}"
    if least is not None:
        return f"{number} of at least {least}"
    return number if most_of_it is None else f"{number} of at most {most_of_it}"


def _kinds(annotation: Any) -> Iterator[Any]:
    """Yield the plain types that an annotation is made of."""
    if hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    inner = () if get_origin(annotation) in (None, Literal) else get_args(annotation)
    for each in inner:
        yield from _kinds(each)
    if not inner:
        yield annotation


def _choices(annotation: Any) -> list[str]:
    words: Iterable[Any] = (each for each in _kinds(annotation) if get_origin(each) is Literal)
    return [str(word) for each in words for word in get_args(each)]


def _options(ctx: Any) -> list[str]:
    """Return the options of a command as they are written."""
    known = (one for each in ctx.command.params for one in (*each.opts, *each.secondary_opts))
    return [one for one in (*known, "--help") if one.startswith("-")]


def _called(param: Any) -> str:
    if param.param_type_name == "argument":
        return str(param.name).upper()
    name, *short = sorted(param.opts, key=len, reverse=True)
    return f"{name} ({', '.join(short)})" if short else name


def _synopsis(ctx: Any) -> str:
    """Return how a command is written: fairvec neighbours MODEL WORDS..."""
    named = (each for each in ctx.command.params if each.param_type_name == "argument")
    words = (f"{each.name.upper()}{'...' if each.nargs == -1 else ''}" for each in named)
    return " ".join([_path(ctx), *words])


def _path(ctx: Any) -> str:
    """Return a command with those around it, whatever the program was started as."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.info_name)
        ctx = ctx.parent
    return " ".join(["fairvec", *names])


def _see(ctx: Any) -> str:
    return f"See '{_path(ctx)} --help'."
