"""The commands.

Exit codes: 0 all is well; 1 a condition is met (`check`, `compare --fail-if`) or findings are open
(`suites lint`); 2 bad input, also where a condition cannot be decided, 3 a fault of fairvec or no
memory left, each in one sentence on standard error; 130 interrupted (143 by TERM, 129 by HUP).
"""

import sys
from io import TextIOWrapper

import typer

from fairvec.cli.faults import EXIT_CODES, tell
from fairvec.cli.group import Commands
from fairvec.cli.signals import orderly
from fairvec.cli.terminal_size import forget_odd_sizes
from fairvec.version import __version__

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


def main() -> None:
    """Run the command line; whatever is raised becomes one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its code instead of a crash.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    forget_odd_sizes()
    try:
        with orderly():
            app()
    except Exception as error:  # whatever it is, a user is told in words
        sys.exit(tell(error))
