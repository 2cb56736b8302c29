"""fairvec explore: a page on this machine to look at bias."""

import webbrowser
from typing import Annotated

import typer

from fairvec.cli.console import answer, say
from fairvec.cli.opening import opened
from fairvec.cli.reading_options import reads_a_model
from fairvec.embedding import AS_FOUND, Reading


@reads_a_model()
def explore(
    models: Annotated[list[str], typer.Argument(help="Files, or names of 'fairvec models list'.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of loopback; 0: any free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    reading: Reading = AS_FOUND,
) -> None:
    """Open a page to try words, see where they lie and debias, on this machine alone."""
    from fairvec.web.opened import OpenModel, OpenModels
    from fairvec.web.serving import open_port, serve

    place = open_port(port)
    read = [(asked, opened(asked, reading)) for asked in models]
    found = OpenModels([OpenModel(one.name, asked, one, reading) for asked, one in read])
    answer(place.address)
    say("Whoever has this address may ask; stop with Ctrl+C.")

    def ready() -> None:
        if browser:
            webbrowser.open(place.address)

    serve(found, place, ready)
