"""Requests of any kind to the explorer: whoever lacks its token and its address hears nothing."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from fuzz.cases import Target
from fuzz.mutations import mutated
from fuzz.mutations.odd_values import TEXTS, odd_number_text
from fuzz.targets.explorer import CapturedLog, explorer
from fuzz.verdicts import BadAnswerError, RefusedError

FILE = "request.json"
METHODS = ("GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "CONNECT", "get", "", "X" * 5000)
PATHS = (
    *("/", "/api", "/results", "/app.js", "/style.css", "/openapi.json", "/favicon.ico", "/run"),
    *("/welcome", "/api/models", "/api/run?name=x", "//", "/..%2f..%2fetc/passwd", "/%00", "*"),
    *("/api/models/", "/app.js/../app.js", "/" + "a" * 9000, "/run?name=../x", "?", "/api/ask"),
)
NAMES = (
    *("host", "cookie", "origin", "authorization", "content-type", "content-length", "accept"),
    *("sec-fetch-site", "transfer-encoding", "x-forwarded-host", "expect", "upgrade", "range"),
)


def strangers(_: Path) -> Iterator[Target]:
    """Give one target, if the extra is there."""
    try:
        import starlette  # noqa: F401 - is it there?
    except ImportError:
        return
    from tests.web.client import OURS, TOKEN

    ours = [*map(list, OURS.items())]
    requests = [
        {"method": "GET", "path": "/", "headers": ours, "body": ""},
        {"method": "GET", "path": f"/welcome?token={TOKEN}", "headers": ours[:1], "body": ""},
        {
            "method": "POST",
            "path": "/api/neighbours",
            "headers": [*ours, ["content-type", "application/json"]],
            "body": '{"model": "small", "word": "king"}',
        },
    ]
    yield Target(
        name="web-strangers",
        run=partial(_heard, runs=Path()),
        honest=[{FILE: json.dumps(one).encode()} for one in requests],
        covers=["web strangers"],
        change=_other_request,
    )


def _other_request(
    name: str, data: bytes, random: Random, others: Sequence[bytes]
) -> tuple[bytes, str]:
    """Change the method, the address, a header or the body."""
    try:
        request: dict[str, Any] = json.loads(data)
        headers = request["headers"] = [[str(one), str(other)] for one, other in request["headers"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return mutated(name, data, random, others)
    way = random.randrange(8)
    text = random.choice((random.choice(TEXTS), odd_number_text(random)))
    if way == 0:
        request["method"] = random.choice(METHODS)
    elif way == 1:
        request["path"] = random.choice(PATHS)
    elif way == 2:
        request["body"] = text * random.choice((1, 1, 300))
    elif way == 3 and headers:
        headers.pop(random.randrange(len(headers)))
    elif way == 4 and headers:
        headers.append(random.choice(headers))
    elif way == 5 and headers:
        one = random.choice(headers)
        one[1] = random.choice((text, one[1][:-1], one[1].upper(), one[1] + text))
    elif way == 6:
        headers.append([random.choice(NAMES), text])
    else:
        return mutated(name, data, random, others)
    return json.dumps(request).encode(), f"way {way}"


def _heard(folder: Path, runs: Path) -> None:
    from tests.web.client import HOST, TOKEN, ask

    try:
        request = json.loads((folder / FILE).read_bytes())
        method, path, body = str(request["method"]), str(request["path"]), str(request["body"])
        headers = [(str(name), str(value)) for name, value in request["headers"]]
        sent = body.encode()
        for each in (path, *(part for pair in headers for part in pair)):
            each.encode("latin-1")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RefusedError("nobody can send this") from error
    with CapturedLog() as log:
        reply = ask(
            *(explorer(runs), path),
            method=method,
            headers=headers,
            chunks=[sent[:10], sent[10:]],
        )
    if log.errors:
        raise log.errors[0]
    text = reply.body.decode("utf-8", "replace")
    if reply.status >= 500:
        raise BadAnswerError(f"status {reply.status}", text[:2000])
    if reply.header("content-security-policy") is None or TOKEN in text:
        raise BadAnswerError("an answer without its guards", repr(reply.headers))
    if any(sign in value for _, value in reply.headers for sign in "\r\n\0"):
        raise BadAnswerError("a header of two lines", repr(reply.headers))
    if reply.status >= 400:
        raise RefusedError(text[:500])
    hosts = [value.lower() for name, value in headers if name.lower() == "host"]
    knows = TOKEN in path or any(TOKEN in value for _, value in headers)
    if not knows or hosts not in ([HOST], [HOST.replace("127.0.0.1", "localhost")]):
        raise BadAnswerError("a stranger is answered", repr(headers))
