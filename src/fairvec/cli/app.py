"""The app: its commands in sections, each imported when it is called."""

import os
from collections.abc import Mapping, Sequence
from importlib import import_module

import click
from click.shell_completion import get_completion_class, shell_complete

from fairvec.cli.command import CommandGroup, write_commands
from fairvec.cli.startup import EXIT_CODES, warnings_as_notes
from fairvec.version import __version__

SECTIONS = {
    "Measure": {
        "audit": (
            "audit",
            "Measure one or several embeddings or encoders; several give one comparison.",
        ),
        "compare": (
            "compare",
            "Say of each test that two runs share whether its effect was removed, reversed, ...",
        ),
        "check": (
            "compare",
            "Exit with 1 and name the offending rows if any result meets a condition.",
        ),
        "benchmarks": (
            "benchmarks",
            "Benchmarks by name: list them, fetch one, find its file, ask a model.",
        ),
        "neighbours": (
            "words",
            "Print the nearest words of each word, and how similar or how far they are.",
        ),
        "analogy": (
            "words",
            "Print the words that complete the analogy best; those of the question are left out.",
        ),
        "biased-analogies": (
            "words",
            "Print the analogies by which a model sets two groups apart, the strongest first.",
        ),
    },
    "Change": {
        "debias": (
            "change",
            "Write a debiased model, and beside it FILE.run with the transform and a before/after "
            "report.",
        ),
        "frontier": (
            "change",
            "Try every method at every strength, show bias left against information kept, "
            "recommend one.",
        ),
    },
    "Make": {
        "train": (
            "train",
            "Train an embedding on text: GloVe, Poincaré GloVe, skip-gram, CBOW or fastText.",
        ),
        "distil": ("train", "Make word vectors of an encoder, for every metric and method."),
        "convert": (
            "train",
            "Write a model in another format and say what that format does not keep.",
        ),
        "study": (
            "study",
            "Train a grid of corpora and models, audit each, and say which factor explains bias.",
        ),
        "study new": ("study", "Write a commented plan of a study to fill in."),
        "task": ("study", "Learn a task from embeddings, and compare them by it: sentiment."),
    },
    "Read": {
        "report": ("reports", "Write the report of earlier results."),
        "explore": (
            "explore",
            "Open a page to try words, see where they lie and debias, on this machine alone.",
        ),
        "reproduce": (
            "reports",
            "Say whether a paper's findings hold here, and put its figures beside ours, each "
            "graded.",
        ),
        "document": (
            "document",
            "Find gendered wordings in documents, what could stand there, and who is mentioned.",
        ),
    },
    "Lists and data": {
        "suites": ("lists", "Word lists: list, show, lint, or write your own."),
        "concepts": (
            "lists",
            "Concepts that can be taken out: list, show, lint, or write your own.",
        ),
        "models": ("lists", "Models by name: list them, fetch one, find its file."),
        "plugins": (
            "plugins",
            "Metrics and methods of other packages: list them, check one by the laws.",
        ),
    },
}
"""Each command with its module in commands/ and its line of help, in the order of --help."""

COMMANDS = {name: about for commands in SECTIONS.values() for name, about in commands.items()}

_COMPLETE = "_FAIRVEC_COMPLETE"
"""The environment variable by which a shell asks for completions."""


def load_command(name: str) -> click.Command:
    """Import the module of a command and return the command.

    There it is a function of the command's name, or a mapping of functions by subcommand.
    """
    from fairvec.cli.options import make_command  # here, because help of all commands needs none

    module_name, line = COMMANDS[name]
    module = import_module(f"fairvec.cli.commands.{module_name}")
    named = getattr(module, name.replace("-", "_").replace(" ", "_"))
    if isinstance(named, Mapping):
        below = [make_command(each, function) for each, function in named.items()]
        return CommandGroup(name, below, help=line)
    return make_command(name, named)


class App(CommandGroup):
    """The commands, listed without being imported; `study new` has a name of two words."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names that complete a word."""
        return [name for name in self.commands if " " not in name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, imported, and the arguments after its name."""
        if (two := " ".join(args[:2])) in self.commands:
            args = [two, *args[2:]]
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and load_command(name or ""), rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections."""
        lines = {
            title: {name: line for name, (_, line) in commands.items()}
            for title, commands in SECTIONS.items()
        }
        write_commands(formatter, lines)


def _print_version(ctx: click.Context, _: click.Parameter, requested: bool) -> None:
    if requested:
        click.echo(__version__)
        ctx.exit()


def _print_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell and (completion := get_completion_class(shell)):
        click.echo(completion(app, {}, "fairvec", _COMPLETE).source())
        ctx.exit()


app = App(
    "fairvec",
    {name: click.Command(name, help=line) for name, (_, line) in COMMANDS.items()},
    help="Measure and mitigate social bias in word embeddings, flat or curved.",
    epilog=EXIT_CODES,
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version.",
        ),
        click.Option(
            ["--show-completion"],
            metavar="SHELL",
            type=click.Choice(("bash", "fish", "zsh")),
            is_eager=True,
            expose_value=False,
            callback=_print_completion,
            help="Print what bash, fish or zsh has to read to complete commands.",
        ),
    ],
)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; errors are raised."""
    if instruction := os.environ.get(_COMPLETE):
        return shell_complete(app, {}, "fairvec", _COMPLETE, instruction)
    try:
        with warnings_as_notes(), app.make_context("fairvec", [*arguments]) as ctx:
            app.invoke(ctx)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    return 0
