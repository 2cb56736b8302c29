"""fairvec explore: a page on this machine to look at bias."""

import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Annotated

import click
from pydantic import Field

from fairvec.cli.console import print_answer, print_note
from fairvec.cli.models import load_model
from fairvec.cli.options import Argument, Option
from fairvec.core.errors import SettingError
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions


def explore(
    models: Annotated[
        list[str] | None, Argument(help="Files, or names of 'fairvec models list'.")
    ] = None,
    results: Annotated[
        list[Path] | None,
        Option(
            help="A folder of runs (audit -o ...) to look at beside; may be repeated.",
            type=click.Path(exists=True, path_type=Path),
        ),
    ] = None,
    write_to: Annotated[
        Path | None,
        Option(
            help="A folder into which the page may write debiased models, never over what is "
            "there; without it the page only shows the command.",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
        ),
    ] = None,
    port: Annotated[int, Field(ge=0, le=65535), Option(help="Of loopback; 0: any free one.")] = 0,
    browser: Annotated[bool, Option(help="Open the page in a browser.")] = True,
    reading: LoadOptions = LOAD_DEFAULTS,
) -> None:
    """Open a page to try words, see where they lie and debias, on this machine alone."""
    from fairvec.web.open_models import OpenModels, open_models
    from fairvec.web.questions.runs import ResultsFolders
    from fairvec.web.server import open_port, require_server, serve, server

    require_server()
    names = models or []
    if len(set(names)) < len(names):
        raise SettingError("A model is named twice; name each once.")
    folders = ResultsFolders(tuple(results or ())).require_runs()
    # Before the models are read, which may take a while.
    place = open_port(port)
    with place.listener:
        read = [(name, load_model(name, reading)) for name in names]
        opened = OpenModels(open_models(read, reading), folders, write_to=write_to)
        ready = server(opened, place)
        print_answer(place.address)
        print_note("Whoever has this address may ask, and nobody else; stop with Ctrl+C.")
        if browser:
            # In a thread, because a browser that lives in the terminal takes its time.
            Thread(target=webbrowser.open, args=(place.address_once(),), daemon=True).start()
        with suppress(KeyboardInterrupt):
            serve(ready, opened, place)
    print_note("Stopped.")
