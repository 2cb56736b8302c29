"""fairvec models: the catalogue of real public models."""

from typing import Annotated

import typer
from rich.table import Table

from fairvec import catalogue
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import entry_lines
from fairvec.core.errors import DownloadError
from fairvec.embedding import shape_of

app = typer.Typer(help="Models by name: list them, fetch one, find its file.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A name from 'fairvec models list'.")]


@app.command("list")
def list_models(
    language: Annotated[str | None, typer.Option(help="Only this language, e.g. ru.")] = None,
) -> None:
    """List the catalogue: what it is, under which licence, where it comes from, if it is here."""
    columns = ("name", "language", "words", "dims", "geometry", "source", "here", "licence")
    table = Table(*columns, box=None, header_style="bold")
    for model in catalogue.models():
        if language in (None, model.language):
            table.add_row(
                model.name,
                model.language,
                f"{model.words:,}" if model.words else "?",
                str(model.dimensions),
                model.geometry,
                model.source.kind,
                "yes" if catalogue.is_local(model.name) else "no",
                model.licence,
            )
    print_table(table)


@app.command("show")
def show_model(name: Name) -> None:
    """Print all that the catalogue knows of a model: origin, size, checksum, source."""
    for line in entry_lines(catalogue.find(name)):
        print_answer(line)


@app.command()
def get(name: Name) -> None:
    """Fetch a model into the cache folder (FAIRVEC_HOME) and print its path.

    One that is there already is looked at, and fetched again if it is not what it should be.
    """
    model = catalogue.find(name)
    print_note(f"{model.title}; licence: {model.licence}; {model.origin}")
    with progress_bar(f"fetching {name}") as progress:
        path = catalogue.verified_model_path(
            name, progress=progress, shape_of=shape_of, tell=print_note
        )
    print_answer(str(path))


@app.command()
def path(name: Name) -> None:
    """Print the path of a model that is already here; exit with 2 if it is not."""
    if not catalogue.is_local(name):
        raise DownloadError(f"{name} is not here yet; fetch it with 'fairvec models get {name}'.")
    print_answer(str(catalogue.local_path(name)))
