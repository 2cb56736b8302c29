"""The commands.

Exit codes: 0 all is well; 1 a check failed (`check`) or findings are open (`suites lint`);
2 bad input, 3 a fault of fairvec or no memory left, each in one sentence on standard error;
130 interrupted.
"""

import sys
from io import TextIOWrapper

import typer

from fairvec.cli import (
    analogy,
    audit,
    benchmarks,
    biased_analogies,
    check,
    compare,
    concepts,
    convert,
    debias,
    frontier,
    models,
    neighbours,
    report,
    reproduce,
    suites,
)
from fairvec.cli.console import say
from fairvec.cli.faults import BAD_INPUT, EXIT_CODES, FAULT, Commands, tell
from fairvec.ground.errors import FairvecError
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
app.command()(audit.audit)
app.command()(report.report)
app.command()(compare.compare)
app.command()(check.check)
app.command()(reproduce.reproduce)
app.command()(convert.convert)
app.command()(debias.debias)
app.command()(frontier.frontier)
app.command()(neighbours.neighbours)
app.command()(analogy.analogy)
app.command("biased-analogies")(biased_analogies.biased_analogies)
app.add_typer(suites.app, name="suites")
app.add_typer(concepts.app, name="concepts")
app.add_typer(models.app, name="models")
app.add_typer(benchmarks.app, name="benchmarks")


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
    try:
        app()
    except FairvecError as error:
        say(f"error: {error}")
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        say(f"error: {place}{error.strerror or error}; choose another place or make room.")
    except Exception as error:  # nobody foresaw it, so it is ours to mend
        tell(error)
        sys.exit(FAULT)
    else:
        return
    sys.exit(BAD_INPUT)
