"""Asking the explorer without a socket, as its own page would, or as somebody else."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from urllib.parse import quote, unquote, urlencode

from fairvec.embedding import load
from fairvec.lexicon import shipped_suites
from fairvec.web.app import application
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.ask import answer_to_lists
from fairvec.web.questions.runs import ResultsFolders
from fairvec.web.schemas import ListsRequest
from fairvec.web.security import Application, Visitor
from tests import toys

# --- Asking the explorer without a socket, as its own page would, or as somebody else ---


TOKEN, PORT = "the-token-of-these-tests", 4711
HOST = f"127.0.0.1:{PORT}"
OURS = {"host": HOST, "cookie": f"fairvec-{PORT}={TOKEN}"}
"""What a browser sends that has opened the printed address."""


@dataclass(frozen=True)
class Reply:
    """An answer as a client sees it."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes

    @cached_property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, f"{name} is there {len(found)} times"
        return found[0] if found else None


def toy_models(results: ResultsFolders | None = None) -> OpenModels:
    return OpenModels([OpenModel("toy", "toy.vec", toys.embedding(1.0))], results)


def explorer(models: OpenModels | None = None) -> Application:
    return application(models or toy_models(), Visitor(TOKEN, PORT))


def ask(
    app: Application,
    path: str,
    query: Mapping[str, Any] | None = None,
    *,
    question: Any = None,
    method: str | None = None,
    headers: Mapping[str, str | None] | Sequence[tuple[str, str]] | None = None,
    chunks: Iterable[bytes] | None = None,
) -> Reply:
    """Ask as the page does; `headers` change what it sends, those of None are left out."""
    method = method or ("GET" if question is None and chunks is None else "POST")
    send_bytes: Sequence[tuple[str, str]]
    if isinstance(headers, Sequence):
        send_bytes = headers
    else:
        usual = {**OURS, **({"content-type": "application/json"} if method == "POST" else {})}
        send_bytes = [(k, v) for k, v in {**usual, **(headers or {})}.items() if v is not None]
    parts = list(chunks) if chunks is not None else [json.dumps(question).encode()]
    messages = [
        {"type": "http.request", "body": part, "more_body": place < len(parts) - 1}
        for place, part in enumerate(parts)
    ]
    before, _, fields = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(before),
        "raw_path": quote(before, safe="/%").encode(),
        "query_string": (urlencode(query) if query else fields).encode(),
        "headers": [(k.encode("latin-1"), v.encode("latin-1")) for k, v in send_bytes],
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
    }
    return asyncio.run(_call(app, scope, messages))


async def _call(app: Application, scope: Any, messages: list[Any]) -> Reply:
    found: list[Any] = []

    async def receive() -> Any:
        if messages:
            return messages.pop(0)
        return await asyncio.Event().wait()  # as one who is still sending, or listens

    async def send(message: Any) -> None:
        found.append(message)

    await app(scope, receive, send)
    begun, *rest = found
    headers = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in begun["headers"]]
    return Reply(begun["status"], headers, b"".join(one.get("body", b"") for one in rest))


# --- Four lists, and the questions that the page makes of them ---


LISTS: dict[str, Any] = {
    "x": ["engineer", "mechanic", "carpenter", "captain", "programmer"],
    "y": ["nurse", "receptionist", "librarian", "housekeeper", "secretary"],
    "a": ["he", "man", "boy", "father"],
    "b": ["she", "woman", "girl", "mother"],
}
HOSTILE = ["$(touch owned)", "`id`", 'say "no"', "it's", "back\\slash", "<img src=x onerror=a()>"]


@cache
def models(*names: str) -> OpenModels:
    return OpenModels([OpenModel(name, name, load(name)) for name in names or ("glove-en-small",)])


def lists_request(model: str = "glove-en-small", /, **fields: Any) -> ListsRequest:
    return ListsRequest.model_validate({"model": model, **LISTS, **fields})


def answer(model: str = "glove-en-small", /, **fields: Any) -> dict[str, Any]:
    found = answer_to_lists(models(model), lists_request(model, **fields))
    json.dumps(found, allow_nan=False)
    return found


def published_test(id: str) -> dict[str, Any]:
    """A shipped test as the page asks it."""
    (test,) = (test for suite in shipped_suites() for test in suite.tests if test.id == id)
    lists = {role: [word.word for word in test.sets[role].words] for role in "xyab"}
    titles = {role: test.sets[role].title for role in "xyab"}
    return {**lists, "titles": titles, "sources": dict.fromkeys("xyab", id), "title": test.title}


JOB_LISTS = {
    "x": ["engineer", "mechanic", "carpenter", "captain"],
    "y": ["nurse", "receptionist", "librarian", "housekeeper"],
    "a": ["he", "man", "boy"],
    "b": ["she", "woman", "girl"],
}
