"""Commands of click whose usage errors are one sentence, and pages of help for any terminal."""

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from fairvec.cli.startup import BAD_INPUT
from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.core.text import one_line, short_repr


class Formatter(click.HelpFormatter):
    """Help in at most 80 columns; in a narrow terminal, a text stands below what it explains."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        columns = min(shutil.get_terminal_size().columns, max_width or 80)
        super().__init__(indent_increment, width or columns - 2, max_width)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write terms and what they mean in two columns."""
        if self.width >= 2 * col_max:
            super().write_dl(rows, col_max, col_spacing)
            return
        for term, text in rows:
            for line in _fill(term, self.width - self.current_indent):
                self.write(f"{'':{self.current_indent}}{line}\n")
            self.indent()
            self.write_text(text)
            self.dedent()


def _fill(term: str, width: int) -> Iterator[str]:
    """Yield a term in lines; one of many choices is broken between them."""
    line = ""
    for piece in re.findall(r"[^ |]+[ |]*", term):
        if line and len(line) + len(piece.rstrip()) > width:
            yield line.rstrip()
            line = "  "
        line += piece
    yield line.rstrip()


class Context(click.Context):
    """What click knows of a command while it reads its arguments."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose usage errors are one sentence, with a help for each of its arguments."""

    context_class = Context
    # Those that are too many are refused below.
    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read arguments and options."""
        with usage_errors_as_sentences(ctx):
            rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise SettingError(
                f"{short_repr(' '.join(rest))} is too much; '{_synopsis(ctx)}' takes no more. "
                f"{help_hint(ctx)}"
            )
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write arguments and options, each with its help."""
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            records = (
                param.get_help_record(ctx)
                for param in self.get_params(ctx)
                if param.param_type_name == kind
            )
            if rows := [record for record in records if record]:
                with formatter.section(title):
                    formatter.write_dl(rows)


class CommandGroup(click.Group):
    """Commands below a command, listed each with its whole line."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options before a command; show the help where there is nothing at all."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(BAD_INPUT)
        with usage_errors_as_sentences(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, and the arguments after its name."""
        if args[0] not in self.commands and not ctx.resilient_parsing:
            options = [each for each in _options_of(ctx) if each == f"--{args[0]}"]
            raise UnknownNameError(
                "command", args[0], [*self.commands], meant=options, hint=help_hint(ctx)
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is named."""
        with usage_errors_as_sentences(ctx):
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands."""
        lines = {name: _first_line(each) for name, each in self.commands.items()}
        write_commands(formatter, {"Commands": lines})


def _first_line(command: click.Command) -> str:
    return one_line((command.help or "").partition("\n\n")[0])


def write_commands(formatter: click.HelpFormatter, sections: dict[str, dict[str, str]]) -> None:
    """Write sections of commands, whose lines begin in the same column."""
    longest = max(len(name) for lines in sections.values() for name in lines)
    for title, lines in sections.items():
        with formatter.section(title):
            formatter.write_dl([(name.ljust(longest), line) for name, line in lines.items()])


@contextmanager
def usage_errors_as_sentences(ctx: click.Context) -> Iterator[None]:
    """Raise click's usage errors, which have three lines, as errors of one sentence."""
    try:
        yield
    except click.UsageError as error:
        raise usage_error(error, error.ctx or ctx) from None


def usage_error(error: click.UsageError, ctx: click.Context) -> FairvecError:
    """Return a usage error as one sentence that says what to write instead."""
    hint = help_hint(ctx)
    match error:
        case click.MissingParameter(param=click.Parameter() as param):
            name = parameter_name(param)
            option = f" {name} ..." if name.startswith("-") else ""
            return SettingError(
                f"{_all_names(param)} is missing; write '{_synopsis(ctx)}{option}'. {hint}"
            )
        case click.NoSuchOption():
            kind = f"option of '{_command_path(ctx)}'"
            return UnknownNameError(kind, error.option_name, _options_of(ctx), hint=hint)
        case click.BadOptionUsage():
            advice = (
                "takes no value; write it alone"
                if _is_flag(error.option_name, ctx)
                else "needs a value; write one after it"
            )
            return SettingError(f"{error.option_name} {advice}. {hint}")
        case _:
            return SettingError(f"{one_line(error.format_message()).removesuffix('.')}. {hint}")


def help_hint(ctx: click.Context) -> str:
    """Return where the help of a command is."""
    return f"See '{_command_path(ctx)} --help'."


def parameter_name(param: click.Parameter) -> str:
    """Return how a sentence names a parameter: --output, MODEL."""
    is_argument = param.param_type_name == "argument"
    named, *_ = str(param.metavar or param.name).strip("[].").split(".")  # PLAN.toml: PLAN
    return named.upper() if is_argument else max(param.opts, key=len)


def _all_names(param: click.Parameter) -> str:
    """Return the name of a parameter with its short name, if it has one: --output (-o)."""
    name = parameter_name(param)
    short = ", ".join(opt for opt in param.opts if name.startswith("-") and opt != name)
    return f"{name} ({short})" if short else name


def _options_of(ctx: click.Context) -> list[str]:
    """Return the options of a command as they are written."""
    params = ctx.command.get_params(ctx)
    written = (one for each in params for one in (*each.opts, *each.secondary_opts))
    return [one for one in written if one.startswith("-")]


def _is_flag(option: str, ctx: click.Context) -> bool:
    """Return whether an option of a command takes no value."""
    return any(
        getattr(each, "is_flag", False) and option in (*each.opts, *each.secondary_opts)
        for each in ctx.command.get_params(ctx)
    )


def _synopsis(ctx: click.Context) -> str:
    """Return how a command is written: fairvec neighbours MODEL WORDS..."""
    arguments = (each for each in ctx.command.params if each.param_type_name == "argument")
    words = (f"{parameter_name(each)}{'...' if each.nargs == -1 else ''}" for each in arguments)
    return " ".join([_command_path(ctx), *words])


def _command_path(ctx: click.Context) -> str:
    """Return a command after its groups, whatever the program was started as."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.info_name or "")
        ctx = ctx.parent
    return " ".join(["fairvec", *names])
