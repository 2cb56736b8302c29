"""The guards around an application: refuse first, then limit, then answer with the headers."""

from collections.abc import Awaitable, Callable, MutableMapping
from json import dumps
from typing import Any
from urllib.parse import parse_qs

from fairvec.web.guards.headers import HEADERS
from fairvec.web.guards.limits import LARGEST_BODY, Pace, too_long
from fairvec.web.guards.refusal import Refusal
from fairvec.web.guards.visitor import Visitor

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

WELCOME = "/welcome"
"""The address that is printed: it takes the token out of the bar and puts it into a cookie."""


class Guarded:
    """An application that answers its own visitor alone."""

    def __init__(self, inner: Application, visitor: Visitor, pace: Pace | None = None) -> None:
        self._inner = inner
        self._visitor = visitor
        self._pace = pace or Pace()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks by web sockets
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        welcome = self._welcomed(scope, headers)
        if welcome is not None:
            await _answer(send, 303, b"", {"location": "/", "set-cookie": welcome})
            return
        refusal = (
            self._pace.refused()
            or too_long(scope["raw_path"] + scope["query_string"])
            or self._visitor.refused(scope["method"], headers)
        )
        if refusal is not None:
            await _refuse(send, refusal)
            return
        body = await _body(receive)
        if isinstance(body, Refusal):
            await _refuse(send, body)
            return
        await self._inner(scope, _again(body), _with_headers(send))

    def _welcomed(self, scope: Message, headers: dict[str, str]) -> str | None:
        """Return the cookie for a visitor who opens the printed address; None for all others.

        The link may be followed from a terminal, a mail or another page: its token is the proof.
        """
        if scope["path"] != WELCOME or scope["method"] != "GET":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        alone = {name: value for name, value in headers.items() if name == "host"}
        proof = {**alone, "authorization": f"Bearer {given}"}
        if self._visitor.refused("GET", proof) is not None:
            return None
        return f"{self._visitor.cookie}={given}; HttpOnly; SameSite=Strict; Path=/"


async def _body(receive: Receive) -> bytes | Refusal:
    """Return all that a request brings, up to the limit."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > LARGEST_BODY:
            return Refusal(413, f"The question is larger than {LARGEST_BODY:,} bytes; ask less.")
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes) -> Receive:
    """Return what hands the body on, once."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        return next(messages, {"type": "http.disconnect"})

    return receive


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *own]}
        await send(message)

    return sent


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = dumps({"error": refusal.reason}).encode()
    headers = {"content-type": "application/json", **refusal.headers}
    await _answer(send, refusal.status, body, headers)


async def _answer(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    every = {**HEADERS, **headers, "content-length": str(len(body))}
    found = [(name.lower().encode(), value.encode()) for name, value in every.items()]
    await send({"type": "http.response.start", "status": status, "headers": found})
    await send({"type": "http.response.body", "body": body})
