"""All commands: each is known by name and one line, and loaded when it is named."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from fairvec.cli.faults import tell, tell_interrupted
from fairvec.cli.usage import in_one_sentence, plainly, refuse_unknown
from fairvec.cli.within_reason import within_reason

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
"""Each command with its line, in the order of --help; its module in commands/ has its name."""


def loaded(name: str) -> Any:
    """Import the module of a command and return the command.

    A module has an `app` of several commands, or one function of its own name.
    """
    module_name = name.replace("-", "_")
    module = import_module(f"fairvec.cli.commands.{module_name}")
    # A sub-app takes the look of its pages from the app that holds it.
    holder = typer.Typer(rich_markup_mode=None)
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=name)
    else:
        holder.command(name)(getattr(module, module_name))
    return within_reason(in_one_sentence(get_group(holder).commands[name]))


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
            from fairvec.cli.from_outside import with_others

            command = with_others(command)
        return name, command, rest

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read what stands before the command."""
        with plainly(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            with plainly(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise typer.Exit(tell_interrupted(error)) from None
        except EOFError as error:
            raise typer.Exit(tell(error)) from error
