"""Requests to the explorer: every route, with another body, query or address."""

import json
import logging
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from fairvec.embedding import load, save
from fuzz.cases import Target
from fuzz.honest import SUITE, model
from fuzz.mutations import mutated
from fuzz.mutations.by_values import as_json, near_values, of_values
from fuzz.shell import ran_in
from fuzz.verdicts import BadAnswerError, RefusedError

FILE = "request.json"
WRITE_TO = "made"
MODELS = ("glove-en-small", "glove-hi-small")


def requests(folder: Path) -> Iterator[Target]:
    """Give a target for each route, if the extra is there."""
    try:
        import starlette  # noqa: F401 - is it there?
    except ImportError:
        return
    from fairvec.web.routes import ROUTES

    save(model(), folder / "small.vec")
    (folder / "toy.toml").write_bytes(SUITE)
    made = ran_in(folder, "audit", "small.vec", "-s", "toy.toml", "-o", "runs")
    if made.code:
        raise SystemExit(made.err)
    for route in ROUTES:
        said = {"path": route.address, "method": route.method, "question": dict(route.example)}
        yield Target(
            name=f"web-{route.path.replace('/', '-')}",
            run=partial(_answered, runs=folder / "runs"),
            honest=[{FILE: json.dumps(said).encode(), f"{WRITE_TO}/here": b""}],
            fixed=frozenset((f"{WRITE_TO}/here",)),
            writes=route.path == "write",
            covers=[f"route {route.path}"],
            seconds=30,
            change=_other_question,
            # Some want a benchmark that is not there.
            may_be_refused=True,
        )


def _other_question(
    name: str, data: bytes, random: Random, others: Sequence[bytes]
) -> tuple[bytes, str]:
    """Change mostly what is asked: of an address that is not there nothing is learnt."""
    try:
        said = json.loads(data)
        whole = isinstance(said, dict) and said["question"]
    except (ValueError, KeyError, RecursionError):
        whole = None
    if not whole or random.random() < 0.15:
        return mutated(name, data, random, others)
    if random.random() < 0.5 and isinstance(whole, dict):
        # What another question says there is of the right kind, and may not fit this one.
        key = random.choice([*whole])
        said["question"][key] = random.choice(_said_elsewhere().get(key, [whole[key]]))
        return as_json(said), f"question: {key} of another"
    change = near_values if random.random() < 0.3 else of_values
    said["question"], what = change(said["question"], random)
    return as_json(said), f"question: {what}"


@cache
def _said_elsewhere() -> dict[str, list[Any]]:
    """Return what the examples of all questions say, by the name of the field."""
    from fairvec.web.routes import ROUTES

    found: dict[str, list[Any]] = {"model": [*MODELS], "models": [[*MODELS], [*MODELS][::-1]]}
    for route in ROUTES:
        for name, value in route.example.items():
            found.setdefault(name, []).append(value)
    return found


@cache
def _explorer(runs: Path) -> Any:
    from fairvec.web.opened import OpenModel, OpenModels
    from fairvec.web.results_folders import ResultsFolders
    from tests.web.asking import explorer

    models = [OpenModel(name, name, load(name)) for name in MODELS]
    return explorer(OpenModels(models, ResultsFolders((runs,)), write_to=Path(WRITE_TO)))


class _Heard(logging.Handler):
    """Keeps the error that the explorer tells its log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.error = record.exc_info[1]


def _answered(folder: Path, runs: Path) -> None:
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
            reply = ask(_explorer(runs), path, _sendable(query), method="GET")
        else:
            body = question if isinstance(question, bytes) else json.dumps(question).encode()
            reply = ask(_explorer(runs), path, method="POST", chunks=[body])
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
