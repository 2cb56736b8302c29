"""The command line: its commands, loaded when named, and wrong use in one sentence."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from inspect import signature
from math import isfinite
from typing import Any, Literal, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from fairvec.cli.startup import EXIT_CODES, report_error, report_interruption
from fairvec.core.errors import SettingError, UnknownNameError, suggest
from fairvec.core.text import one_line, short_repr
from fairvec.version import __version__


def wrap_usage_errors(command: Any) -> Any:
    """Return a command, or a group of them, whose faulty use is one sentence."""
    parse = command.parse_args

    def parsed(ctx: Any, args: list[str]) -> Any:
        with usage_errors_as_sentences(ctx):
            return parse(ctx, args)

    command.parse_args = parsed
    if hasattr(command, "commands"):
        resolve = command.resolve_command

        def resolved(ctx: Any, args: list[str]) -> Any:
            refuse_unknown(ctx, args)
            return resolve(ctx, args)

        command.resolve_command = resolved
        for each in command.commands.values():
            wrap_usage_errors(each)
    elif command.callback:
        kinds = signature(command.callback).parameters
        for param in command.params:
            _explain_bad_values(param, kinds[param.name].annotation if param.name in kinds else str)
    return command


@contextmanager
def usage_errors_as_sentences(ctx: Any) -> Iterator[None]:
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
        meant = [each for each in _options_of(ctx) if each == f"--{args[0]}"]
        raise UnknownNameError(
            "command", args[0], ctx.command.commands, meant=meant, hint=_see_help(ctx)
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
            return SettingError(f"{_parameter_name(param)} is missing; {example}. {_see_help(ctx)}")
        case "NoSuchOption":
            return UnknownNameError(
                f"option of '{_command_path(ctx)}'", option, _options_of(ctx), hint=_see_help(ctx)
            )
        case "BadOptionUsage" if option:
            lacks = "requires" in said
            what = (
                "needs a value; write one after it" if lacks else "takes no value; write it alone"
            )
            return SettingError(f"{option} {what}. {_see_help(ctx)}")
        case "UsageError" if found := re.search(
            r"unexpected extra arguments?(?:\(s\))? \((.*)\)", said
        ):
            return SettingError(
                f"{short_repr(found[1])} is too much; '{_synopsis(ctx)}' takes no more. "
                f"{_see_help(ctx)}"
            )
    return SettingError(f"{one_line(said).removesuffix('.')}. {_see_help(ctx)}")


def _explain_bad_values(param: Any, annotation: Any) -> None:
    """Have a parameter say which value it was given and which it takes."""
    read, needed = param.process_value, _expected_value(annotation)

    def named(ctx: Any, value: Any) -> Any:
        try:
            return read(ctx, value)
        except Exception as error:  # of whichever click typer brings; any other is raised again
            if type(error).__name__ != "BadParameter" or not needed:
                raise
            choices = _choices(annotation)
            near = suggest(value, choices) if isinstance(value, str) else []
            offer = f"; did you mean {' or '.join(near)}?" if near else "."
            name = max(param.opts, key=len)
            raise SettingError(
                f"{name} is {short_repr(value)}; it must be {needed}{offer} {_see_help(ctx)}"
            ) from None

    param.process_value = named


def _expected_value(annotation: Any) -> str:
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


def _options_of(ctx: Any) -> list[str]:
    """Return the options of a command as they are written."""
    known = (one for each in ctx.command.params for one in (*each.opts, *each.secondary_opts))
    return [one for one in (*known, "--help") if one.startswith("-")]


def _parameter_name(param: Any) -> str:
    if param.param_type_name == "argument":
        return str(param.name).upper()
    name, *short = sorted(param.opts, key=len, reverse=True)
    return f"{name} ({', '.join(short)})" if short else name


def _synopsis(ctx: Any) -> str:
    """Return how a command is written: fairvec neighbours MODEL WORDS..."""
    named = (each for each in ctx.command.params if each.param_type_name == "argument")
    words = (f"{each.name.upper()}{'...' if each.nargs == -1 else ''}" for each in named)
    return " ".join([_command_path(ctx), *words])


def _command_path(ctx: Any) -> str:
    """Return a command with those around it, whatever the program was started as."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.info_name)
        ctx = ctx.parent
    return " ".join(["fairvec", *names])


def _see_help(ctx: Any) -> str:
    return f"See '{_command_path(ctx)} --help'."


LARGEST = 10**12
"""No option asks for more of anything, and arrays of numbers beyond some 10**18 do not exist."""


def check_arguments(command: Any) -> Any:
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
        each.callback = _check_numbers(each.callback, options)
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


def _check_numbers(callback: Callable[..., Any], options: dict[str, str]) -> Callable[..., Any]:
    @wraps(callback)
    def run(**given: Any) -> Any:
        for name, value in given.items():
            if isinstance(value, int) and abs(value) > LARGEST:
                raise SettingError(
                    f"{options.get(name, name)} is {short_repr(value)}; it must be a whole number "
                    f"up to {LARGEST:,}."
                )
            if isinstance(value, float) and not isfinite(value):
                raise SettingError(
                    f"{options.get(name, name)} is {value}; it must be a finite number."
                )
        return callback(**given)

    return run


COMMANDS = {
    "audit": "Measure one or several embeddings or encoders; several give one comparison.",
    "report": "Write the report of earlier results.",
    "compare": "Say of each test that two runs share whether its effect was removed, reversed, ...",
    "check": "Exit with 1 and name the offending rows if any result meets a condition.",
    "reproduce": "Say whether a paper's findings hold here, and put its figures beside ours, each "
    "graded.",
    "convert": "Write a model in another format and say what that format does not keep.",
    "debias": "Write a debiased model, and beside it FILE.run with the transform and a "
    "before/after report.",
    "train": "Train an embedding on text: GloVe, Poincaré GloVe, skip-gram, CBOW or fastText.",
    "distil": "Make word vectors of an encoder, for every metric and method.",
    "frontier": "Try every method at every strength, show bias left against information kept, "
    "recommend one.",
    "task": "Learn a task from embeddings, and compare them by it: sentiment.",
    "study": "Train a grid of corpora and models, audit each, and say which factor explains bias.",
    "explore": "Open a page to try words, see where they lie and debias, on this machine alone.",
    "neighbours": "Print the nearest words of each word, and how similar or how far they are.",
    "analogy": "Print the words that complete the analogy best; those of the question are "
    "left out.",
    "biased-analogies": "Print the analogies by which a model sets two groups apart, the strongest "
    "first.",
    "document": "Say who is mentioned in documents, what stands near whom, and what could be "
    "fairer.",
    "suites": "Word lists: list, show, lint, or write your own.",
    "concepts": "Concepts that can be taken out: list, show, lint, or write your own.",
    "models": "Models by name: list them, fetch one, find its file.",
    "benchmarks": "Benchmarks by name: list them, fetch one, find its file, ask a model.",
    "plugins": "Metrics and methods of other packages: list them, check one by the laws.",
}
"""Each command with its line, in the order of --help."""

COMMAND_MODULES = {
    "report": "reports",
    "reproduce": "reports",
    "check": "compare",
    "debias": "change",
    "frontier": "change",
    "convert": "train",
    "distil": "train",
    "task": "study",
    "neighbours": "words",
    "analogy": "words",
    "biased-analogies": "words",
}
"""The module in commands/ of each command that does not stand in one of its own name."""

GROUPS = ("task", "suites", "concepts", "models", "benchmarks", "plugins")
"""Commands that are several; each is the `app` of its module."""


def loaded(name: str) -> Any:
    """Import the module of a command and return the command.

    It is the module's `app` of several commands, or a function of the command's name.
    """
    module = import_module(f"fairvec.cli.commands.{COMMAND_MODULES.get(name, name)}")
    # A sub-app takes the look of its pages from the app that holds it.
    holder = typer.Typer(rich_markup_mode=None)
    if name in GROUPS:
        holder.add_typer(module.app, name=name)
    else:
        holder.command(name)(getattr(module, name.replace("-", "_")))
    return check_arguments(wrap_usage_errors(get_group(holder).commands[name]))


class Commands(TyperGroup):
    """The commands, listed without being imported.

    What typer would end as aborted, with the code of a failed check, ends here.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, line in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is named, loaded, with what is left of the arguments."""
        refuse_unknown(ctx, args)
        name, listed, rest = super().resolve_command(ctx, args)
        command = listed and loaded(listed.name or "")
        if command and set(rest) & {*ctx.help_option_names}:
            # Here and not above: it is loaded for help alone.
            from fairvec.cli.plugin_names import add_plugin_names

            command = add_plugin_names(command)
        return name, command, rest

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read what stands before the command."""
        with usage_errors_as_sentences(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            with usage_errors_as_sentences(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise typer.Exit(report_interruption(error)) from None
        except EOFError as error:
            raise typer.Exit(report_error(error)) from error


app = typer.Typer(
    name="fairvec",
    help="Measure and mitigate social bias in word embeddings, flat or curved.",
    epilog=EXIT_CODES,
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Hold the options that stand before a command."""
