"""fairvec explore: a page on this machine to look at bias."""

from functools import partial
from pathlib import Path
from typing import Annotated

import click
from pydantic import Field

from fairvec.api.explore import explore as open_explorer
from fairvec.api.models import ModelSource
from fairvec.cli.console import print_answer, print_note
from fairvec.cli.models import load_model
from fairvec.cli.options import Argument, Option
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.embedding.formats.base import Unseen


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
    open_explorer(
        *(ModelSource(name, partial(_load, name, reading)) for name in models or ()),
        results=results or (),
        write_to=write_to,
        port=port,
        browser=browser,
        reading=reading,
        on_ready=_print_address,
    )
    print_note("Stopped.")


def _load(name: str, reading: LoadOptions, _: Unseen | None) -> Embedding:
    return load_model(name, reading)


def _print_address(address: str) -> None:
    print_answer(address)
    print_note("Whoever has this address may ask, and nobody else; stop with Ctrl+C.")
