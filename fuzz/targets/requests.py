"""Requests to the explorer: every route with other questions, and requests of any other kind."""

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from fairvec.embedding import save
from fuzz.cases import Target
from fuzz.honest import SUITE, model
from fuzz.mutations import mutated
from fuzz.mutations.by_schema import of_schema
from fuzz.mutations.by_values import as_json, near_values, of_values
from fuzz.outputs import check_json
from fuzz.shell import ran_in
from fuzz.targets.explorer import WRITE_TO, CapturedLog, explorer, known_values
from fuzz.verdicts import BadAnswerError, RefusedError

FILE = "request.json"
HERE = f"{WRITE_TO}/here.vec"
UNASKED = 20
"""Cases of a route that is asked nothing: it can only be asked wrongly."""


def requests(folder: Path) -> Iterator[Target]:
    """Give a target for each route, if the extra is there."""
    try:
        import starlette  # noqa: F401 - is it there?
    except ImportError:
        return
    from fairvec.web.routes import ROUTES

    save(model(), folder / "small.vec", force=True)
    (folder / "toy.toml").write_bytes(SUITE)
    made = ran_in(folder, "audit", "small.vec", "-s", "toy.toml", "-o", "runs")
    if made.code:
        raise SystemExit(made.err)
    for route in ROUTES:
        request = {"path": route.address, "method": route.method, "question": dict(route.example)}
        yield Target(
            name=f"web-{route.path.replace('/', '-')}",
            run=partial(_answered, runs=folder / "runs"),
            honest=[{FILE: json.dumps(request).encode(), HERE: b"1 1\nx 1\n"}],
            fixed=frozenset((HERE,)),
            writes=route.path == "write",
            covers=[f"route {route.path}"],
            seconds=30,
            change=partial(_other_question, address=route.address),
            # Some want a benchmark that is not there.
            may_be_refused=True,
            refuses=route.request is None,
            most=UNASKED if route.request is None else None,
        )


def _other_question(
    name: str, data: bytes, random: Random, others: Sequence[bytes], *, address: str
) -> tuple[bytes, str]:
    """Change mostly what is asked: of an address that is not there nothing is learnt."""
    try:
        request = json.loads(data)
        question = request["question"]
        schema = _schemas()[address]
    except (ValueError, KeyError, TypeError, RecursionError):
        return mutated(name, data, random, others)
    way = random.random()
    if way < 0.07 or not isinstance(question, dict):
        return mutated(name, data, random, others)
    if way < 0.8:
        # Of tests and lists of one's own only one may be asked.
        if "lists" in question and random.random() < 0.7:
            question.pop("tests", None)
        request["question"], what = of_schema(question, schema, random, known_values())
    elif way < 0.87 and question:
        # What another question says there is of the right kind, and may not fit this one.
        key = random.choice([*question])
        question[key] = random.choice(_said_elsewhere().get(key, [question[key]]))
        what = f"{key} of another"
    else:
        change = near_values if random.random() < 0.5 else of_values
        request["question"], what = change(question, random)
    return as_json(request), f"question: {what}"


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    """Return by the address of a route what it may be asked."""
    from fairvec.web.routes import ROUTES

    return {
        route.address: route.request.model_json_schema() if route.request else {}
        for route in ROUTES
    }


@cache
def _said_elsewhere() -> dict[str, list[Any]]:
    """Return what the examples of all questions say, by the name of the field."""
    from fairvec.web.routes import ROUTES

    found: dict[str, list[Any]] = {}
    for route in ROUTES:
        for name, value in route.example.items():
            found.setdefault(name, []).append(value)
    return found


def _answered(folder: Path, runs: Path) -> None:
    from tests.web.client import ask

    data = (folder / FILE).read_bytes()
    try:
        request = json.loads(data)
        path, method = str(request["path"]), str(request["method"])
        question = request["question"]
    except (ValueError, KeyError, TypeError, RecursionError):
        # Not the parts of a request any more: then the bytes are a body.
        path, method, question = "/api/ask", "POST", data
    with CapturedLog() as log:
        try:
            if method == "GET":
                query = question if isinstance(question, dict) else {"model": question}
                reply = ask(explorer(runs), path, _sendable(query), method="GET")
            else:
                body = question if isinstance(question, bytes) else json.dumps(question).encode()
                reply = ask(explorer(runs), path, method="POST", chunks=[body])
        except UnicodeError as error:  # no browser could send such an address
            raise RefusedError(str(error)) from error
    if log.errors:
        raise log.errors[0]
    text = reply.body.decode("utf-8", "replace")
    if reply.status >= 500:
        raise BadAnswerError(f"status {reply.status}", text[:2000])
    if path.startswith("/api/"):
        check_json(text)
    if reply.status >= 400:
        raise RefusedError(text[:500])


def _sendable(query: dict[str, Any]) -> dict[str, str]:
    texts = {str(name): str(value) for name, value in query.items()}
    return {name: value.encode("utf-8", "replace").decode() for name, value in texts.items()}
