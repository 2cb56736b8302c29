"""fairvec benchmarks: the data sets on which usefulness is measured."""

from typing import Annotated

import typer
from rich.table import Table

from fairvec import catalogue
from fairvec.cli.catalogue_lines import lines_about
from fairvec.cli.commands.benchmarks_ask import ask
from fairvec.cli.console import answer, lay_out, progress_bar, say
from fairvec.ground.errors import DownloadError

app = typer.Typer(
    help="Benchmarks by name: list them, fetch one, find its file, ask a model.",
    no_args_is_help=True,
)
app.command()(ask)

Name = Annotated[str, typer.Argument(help="A name from 'fairvec benchmarks list'.")]


@app.command("list")
def list_benchmarks(
    language: Annotated[str | None, typer.Option(help="Only this language, e.g. ru.")] = None,
) -> None:
    """List the benchmarks: what each asks, under which licence, and if it is here."""
    columns = ("name", "language", "kind", "items", "here", "licence")
    table = Table(*columns, box=None, header_style="bold")
    for known in catalogue.datasets():
        if language in (None, known.language):
            here = "yes" if catalogue.has_dataset(known.name) else "no"
            items = f"{known.rows:,}"
            table.add_row(known.name, known.language, known.kind, items, here, known.licence)
    lay_out(table)


@app.command("show")
def show_benchmark(name: Name) -> None:
    """Print all that the catalogue knows of a benchmark: origin, licence, checksum, source."""
    for line in lines_about(catalogue.dataset(name)):
        answer(line)


@app.command()
def get(name: Name) -> None:
    """Fetch a benchmark into the cache folder (FAIRVEC_HOME) unless it is here; print its path.

    One in that folder that is not the published file is fetched again.
    """
    known = catalogue.dataset(name)
    say(f"{known.title}; licence: {known.licence}; {known.origin}")
    with progress_bar(f"fetching {name}") as progress:
        path = catalogue.dataset_path(name, progress, tell=say)
    answer(str(path))


@app.command()
def path(name: Name) -> None:
    """Print the path of a benchmark that is already here; exit with 2 if it is not."""
    if catalogue.dataset(name).source and not catalogue.has_dataset(name):
        raise DownloadError(
            f"{name} is not here; fetch it with 'fairvec benchmarks get {name}', or point "
            "FAIRVEC_DATA to a folder that has it."
        )
    answer(str(catalogue.dataset_path(name)))
