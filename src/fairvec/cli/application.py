"""The command line as typer reads it; apart from `main`, which must speak where typer is gone."""

import typer

from fairvec.cli.faults import EXIT_CODES
from fairvec.cli.group import Commands
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
