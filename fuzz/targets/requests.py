"""Requests to the explorer: every route, with another body, query or address."""

import json
import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from fuzz.cases import Target
from fuzz.verdicts import BadAnswerError, RefusedError

FILE = "request.json"


def requests(_: Path) -> Iterator[Target]:
    """Give a target for each route, if the extra is there."""
    try:
        import starlette  # noqa: F401
    except ImportError:
        return
    from fairvec.web.routes import ROUTES

    for route in ROUTES:
        said = {"path": route.address, "method": route.method, "question": dict(route.example)}
        yield Target(
            name=f"web-{route.path.replace('/', '-')}",
            run=_answered,
            honest=[{FILE: json.dumps(said).encode()}],
            covers=[f"route {route.path}"],
            seconds=30,
            # Some want a folder or a benchmark that is not there.
            may_be_refused=True,
        )


@cache
def _explorer() -> Any:
    from fairvec.embedding import load
    from fairvec.web.opened import OpenModel, OpenModels
    from tests.web.asking import explorer

    names = ("glove-en-small", "glove-hi-small")
    return explorer(OpenModels([OpenModel(name, name, load(name)) for name in names]))


class _Heard(logging.Handler):
    """Keeps the error that the explorer tells its log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.error = record.exc_info[1]


def _answered(folder: Path) -> None:
    from tests.web.asking import ask

    data = (folder / FILE).read_bytes()
    try:
        said = json.loads(data)
        path, method = str(said["path"]), str(said["method"])
        question = said["question"]
    except (ValueError, KeyError, TypeError, RecursionError):
        # Not the parts of a request any more: then the bytes are a body.
        path, method, question = "/api/ask", "POST", data
    heard = _Heard()
    logging.getLogger().addHandler(heard)
    try:
        if method == "GET":
            query = question if isinstance(question, dict) else {"model": question}
            reply = ask(_explorer(), path, _sendable(query), method="GET")
        else:
            body = question if isinstance(question, bytes) else json.dumps(question).encode()
            reply = ask(_explorer(), path, method="POST", chunks=[body])
    except UnicodeError as error:  # no browser could send such an address
        raise RefusedError(str(error)) from error
    finally:
        logging.getLogger().removeHandler(heard)
    if heard.error is not None:
        raise heard.error
    if reply.status >= 500:
        raise BadAnswerError(f"status {reply.status}", reply.body.decode("utf-8", "replace")[:2000])
    if reply.status >= 400:
        raise RefusedError(reply.body.decode("utf-8", "replace")[:500])


def _sendable(query: dict[str, Any]) -> dict[str, str]:
    texts = {str(name): str(value) for name, value in query.items()}
    return {name: value.encode("utf-8", "replace").decode() for name, value in texts.items()}
