"""fairvec explore: a page on this machine to look at bias."""

import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from fairvec.cli.console import print_answer, print_note
from fairvec.cli.models import load_model
from fairvec.cli.options import reads_a_model
from fairvec.core.errors import SettingError
from fairvec.embedding import AS_FOUND, Reading


@reads_a_model()
def explore(
    models: Annotated[
        list[str] | None, typer.Argument(help="Files, or names of 'fairvec models list'.")
    ] = None,
    results: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder of runs (audit -o ...) to look at beside; may be repeated.", exists=True
        ),
    ] = None,
    write_to: Annotated[
        Path | None,
        typer.Option(
            help="A folder into which the page may write debiased models, never over what is "
            "there; without it the page only shows the command.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of loopback; 0: any free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    reading: Reading = AS_FOUND,
) -> None:
    """Open a page to try words, see where they lie and debias, on this machine alone."""
    from fairvec.web.open_models import OpenModels, open_models
    from fairvec.web.questions.runs import ResultsFolders
    from fairvec.web.server import open_port, require_server, serve, server

    require_server()
    named = models or []
    if len(set(named)) < len(named):
        raise SettingError("A model is named twice; name each once.")
    folders = ResultsFolders(tuple(results or ())).checked()
    # Before the models are read, which may take a while.
    place = open_port(port)
    with place.listener:
        read = [(asked, load_model(asked, reading)) for asked in named]
        found = OpenModels(open_models(read, reading), folders, write_to=write_to)
        ready = server(found, place)
        print_answer(place.address)
        print_note("Whoever has this address may ask, and nobody else; stop with Ctrl+C.")
        if browser:
            # In a thread, because a browser that lives in the terminal takes its time.
            Thread(target=webbrowser.open, args=(place.address_once(),), daemon=True).start()
        with suppress(KeyboardInterrupt):
            serve(ready, found, place)
    print_note("Stopped.")
