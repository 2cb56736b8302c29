"""fairvec.explore: a page on this machine to look at bias."""

import sys
import webbrowser
from collections.abc import Callable, Iterable
from contextlib import suppress
from os import PathLike
from pathlib import Path
from threading import Thread
from typing import Annotated, Any

from pydantic import Field

from fairvec.api.models import as_embedding, place_of
from fairvec.core.errors import SettingError
from fairvec.core.io.read_files import as_path
from fairvec.core.settings import public_call
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions


@public_call()
def explore(
    *models: Any,
    results: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    write_to: str | PathLike[str] | None = None,
    port: Annotated[int, Field(ge=0, le=65535)] = 0,
    browser: bool = True,
    reading: LoadOptions = LOAD_DEFAULTS,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Open a page to try words, see where they lie and debias, until Ctrl+C, on this machine alone.

    Args:
        models: Word vectors, as in `fairvec.audit`.
        results: Folders of runs to look at beside them.
        write_to: A folder into which the page may write debiased models, never over what is there;
            without it the page only shows the command.
        port: Of loopback; 0: any free one.
        browser: Open the page in a browser.
        reading: How the models were read, which the commands on the page repeat.
        on_ready: Called with the address; else it is printed.

    >>> import fairvec
    >>> fairvec.explore("glove-en-small")  # doctest: +SKIP
    """
    from fairvec.web.open_models import OpenModels, open_models
    from fairvec.web.questions.runs import ResultsFolders
    from fairvec.web.server import open_port, require_server, serve, server

    require_server()
    names = [name for model in models if (name := place_of(model))]
    if len(set(names)) < len(names):
        raise SettingError("A model is named twice; name each once.")
    several = [results] if isinstance(results, str | PathLike) else [*results]
    folders = ResultsFolders(tuple(map(Path, several))).require_runs()
    target = None if write_to is None else as_path(write_to, "say write_to='models'")
    # Before the models are read, which may take a while.
    place = open_port(port)
    with place.listener:
        opened = [(place_of(model), as_embedding(model)) for model in models]
        named = [(source or model.name, model) for source, model in opened]
        shown = OpenModels(open_models(named, reading), folders, write_to=target)
        ready = server(shown, place)
        (on_ready or _print_address)(place.address)
        if browser:
            # In a thread, because a browser that lives in the terminal takes its time.
            Thread(target=webbrowser.open, args=(place.address_once(),), daemon=True).start()
        with suppress(KeyboardInterrupt):
            serve(ready, shown, place)


def _print_address(address: str) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
