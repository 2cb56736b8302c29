"""The guards around the explorer: who may ask, how much, and with which headers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hmac import compare_digest
from json import dumps
from secrets import token_urlsafe
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

from fairvec.core.errors import report_fault


@dataclass
class OneTimeTokens:
    """Secrets that are good once, and for a minute."""

    seconds: float = 60.0
    clock: Callable[[], float] = monotonic
    _ends: dict[str, float] = field(default_factory=dict, init=False)

    def issue(self) -> str:
        """Return a new one."""
        new = token_urlsafe(32)
        self._ends[new] = self.clock() + self.seconds
        return new

    def redeem(self, given: str) -> bool:
        """Say whether it is unused and in time; from now on it is used."""
        # Looked up by hash: how long that takes says nothing about 256 random bits.
        end = self._ends.pop(given, None)
        return end is not None and self.clock() <= end


@dataclass(frozen=True)
class Refusal:
    """A status of HTTP and one sentence: what, which and the remedy."""

    status: int
    reason: str
    headers: dict[str, str] = field(default_factory=dict)


WELCOME = "/welcome"
"""The address that is printed: it takes the token out of the bar and puts it into a cookie."""

LOCAL_NAMES = ("127.0.0.1", "localhost")
"""What a browser may call a server on loopback."""

OWN_SITE = ("same-origin", "none")
"""What a browser says of a page's own requests, and of those that a person types."""

JSON = "application/json"
"""A page of another site cannot send this kind of text without asking first."""

METHODS = ("GET", "HEAD", "POST")
USUAL_PORT = 80
"""The one that a browser leaves out."""


@dataclass(frozen=True)
class Visitor:
    """Knows the one visitor who may ask: on these names and this port, with this token."""

    token: str = field(repr=False)
    port: int
    names: tuple[str, ...] = LOCAL_NAMES
    passes: OneTimeTokens = field(default_factory=OneTimeTokens, repr=False, compare=False)

    @property
    def cookie(self) -> str:
        """The cookie's name; cookies are shared between the ports of a machine, so it has one."""
        return f"fairvec-{self.port}"

    @property
    def cookie_line(self) -> str:
        """What puts the token into the browser: no script reads it, no other site sends it."""
        return f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"

    def refusal(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a request is refused; None if it may be answered."""
        return (
            self.refuse_other_host(headers)
            or self._refuse_other_site(headers)
            or self._refuse_without_token(headers)
            or self._refuse_method(method, headers)
        )

    def admits(self, given: str) -> bool:
        """Say whether an address holds the token, or a pass that is good."""
        return self._is_token(given) or self.passes.redeem(given)

    def refuse_other_host(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse a request that was meant for another server."""
        if headers.get("host", "").lower() in self._hosts:
            return None
        return Refusal(421, "This server answers on its own address alone; open the printed one.")

    def _is_token(self, token: str) -> bool:
        """Say whether this is the token, in a time that tells nothing about it."""
        return compare_digest(token.encode(), self.token.encode())

    def _refuse_other_site(self, headers: Mapping[str, str]) -> Refusal | None:
        origin = headers.get("origin")
        known = origin is None or origin.lower() in {f"http://{host}" for host in self._hosts}
        if known and headers.get("sec-fetch-site", "none") in OWN_SITE:
            return None
        return Refusal(403, "A page of another site may not ask here; open the printed address.")

    def _refuse_without_token(self, headers: Mapping[str, str]) -> Refusal | None:
        # Any of them: another port may have set a cookie of the same name.
        if any(self._is_token(token) for token in self._tokens(headers)):
            return None
        return Refusal(
            401,
            "The token is missing or old; open the address that was printed.",
            {"www-authenticate": "Bearer"},
        )

    def _refuse_method(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        if method not in METHODS:
            allowed = ", ".join(METHODS)
            return Refusal(405, f"Ask with one of {allowed}.", {"allow": allowed})
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method != "POST" or kind == JSON:
            return None
        return Refusal(415, f"A question is sent as {JSON}; send it with that content-type.")

    @property
    def _hosts(self) -> set[str]:
        bare = self.names if self.port == USUAL_PORT else ()
        return {*(f"{name}:{self.port}" for name in self.names), *bare}

    def _tokens(self, headers: Mapping[str, str]) -> Iterable[str]:
        """Return the tokens that a request brings: a program's header, a browser's cookies."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            yield bearer.strip()
        # Not by http.cookies, which stops at the first cookie of another port that it dislikes.
        for cookie in headers.get("cookie", "").split(";"):
            name, _, value = cookie.strip().partition("=")
            if name == self.cookie:
                yield value


NOWHERE = ("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")
"""No page of this server sends a form, moves its own addresses or is shown within another."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        *NOWHERE,
    )
)
"""Scripts and styles from files of this server alone: a word of a model cannot become a program."""

OWN_POLICY = "content-security-policy"
"""The one header that an answer may bring itself: a report has its script within."""

HEADERS = {
    OWN_POLICY: POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]


@dataclass(frozen=True)
class BodyLimits:
    """The largest body in bytes, and the seconds that it may take to come.

    Starlette's max_body_size stops reading at the limit, so that who is still sending hears no
    answer, has no limit of time and takes a length that is no number.
    """

    largest: int = 2**20
    seconds: float = 10.0
    drained: int = 16 * 2**20
    """So much of a body that is too large is read away: who is still sending hears no answer."""

    def refuse_declared_length(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse a body whose declared length is no number, or far too large."""
        length = headers.get("content-length", "0")
        # Longer than any size that fits a machine, before int() is asked to read it.
        if (
            length.isascii()
            and length.isdigit()
            and len(length) < 20
            and int(length) <= self.drained
        ):
            return None
        return self._too_large

    async def read(self, receive: Receive) -> bytes | Refusal | None:
        """Return all that a request brings; None where its sender has gone."""
        try:
            async with asyncio.timeout(self.seconds):
                return await self._read(receive)
        except TimeoutError:
            return Refusal(
                408, f"The question did not arrive within {self.seconds:g} seconds; ask again."
            )

    async def _read(self, receive: Receive) -> bytes | Refusal | None:
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            if size <= self.largest:
                parts.append(part)
            more = message.get("more_body", False)
            if size > self.drained or (not more and size > self.largest):
                return self._too_large
            if not more:
                return b"".join(parts)

    @property
    def _too_large(self) -> Refusal:
        return Refusal(413, f"A question has at most {self.largest:,} bytes; ask with less.")


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Return what hands a body on once, and then waits as the connection does."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return messages.pop() if messages else await receive()

    return received


Send = Callable[[Message], Awaitable[None]]

GO_ON = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/">
<title>fairvec explore</title></head><body><p><a href="/">Open the page</a></p></body></html>
"""
"""A page that leads on, and no redirection: a browser holds a cookie of ours back from the end of a
way that began on another site, and this step begins here."""


class GuardedAnswer:
    """What is sent back; `plain` asks for words instead of JSON, where a person reads them."""

    def __init__(self, send: Send, *, plain: bool = False) -> None:
        self._send = send
        self._plain = plain
        self.begun = False

    async def send(self, message: Message) -> None:
        """Send on what an application sends, with the headers."""
        if message["type"] == "http.response.start":
            self.begun = True
            brought = list(message.get("headers", []))
            own = {name.lower() for name, _ in brought} & {OWN_POLICY.encode()}
            every = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            added = [(name, value) for name, value in every if name not in own]
            message = {**message, "headers": [*brought, *added]}
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Say why not, and hang up: what else was being sent is not waited for."""
        kind = "text/plain; charset=utf-8" if self._plain else "application/json"
        text = refusal.reason if self._plain else dumps({"error": refusal.reason})
        hang_up = {"content-type": kind, "connection": "close"}
        await self._send_text(refusal.status, text, {**refusal.headers, **hang_up})

    async def welcome(self, cookie: str) -> None:
        """Hand over the cookie and lead on to the page."""
        kind = {"content-type": "text/html; charset=utf-8", "set-cookie": cookie}
        await self._send_text(200, GO_ON, kind)

    async def _send_text(self, status: int, text: str, headers: Mapping[str, str]) -> None:
        body = text.encode()
        every = {**headers, "content-length": str(len(body))}
        found = [(name.encode(), value.encode()) for name, value in every.items()]
        await self.send({"type": "http.response.start", "status": status, "headers": found})
        await self._send({"type": "http.response.body", "body": body})


LONGEST_ADDRESS = 8192
"""Bytes of a path with its query."""

SOON = {"retry-after": "1"}


@dataclass
class RateLimit:
    """So many requests a second on average, and so many at once; more have to wait.

    A token bucket: each request takes one, and they come back at the given rate.
    """

    a_second: float = 100.0
    at_once: float = 200.0
    clock: Callable[[], float] = monotonic
    _tokens_left: float = field(init=False)
    _last: float = field(init=False)

    def __post_init__(self) -> None:
        self._tokens_left, self._last = self.at_once, self.clock()

    def refusal(self) -> Refusal | None:
        """Take a token; without one, say so."""
        now = self.clock()
        self._tokens_left = min(
            self.at_once, self._tokens_left + (now - self._last) * self.a_second
        )
        self._last = now
        if self._tokens_left >= 1:
            self._tokens_left -= 1
            return None
        return Refusal(429, "Too many questions in a second; ask again in one.", SOON)


@dataclass
class ConcurrencyLimit:
    """So many questions are answered at the same time; each holds memory and a thread."""

    most: int = 24
    _answering: int = field(default=0, init=False)

    def refusal(self) -> Refusal | None:
        """Say so where all places are taken."""
        if self._answering < self.most:
            return None
        return Refusal(503, "Too many questions at the same time; ask again in a second.", SOON)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Take a place while a question is answered, however that ends."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1


def refuse_long_address(address: bytes) -> Refusal | None:
    """Refuse an address that no page of ours makes."""
    if len(address) <= LONGEST_ADDRESS:
        return None
    return Refusal(
        414, f"The address has {len(address):,} bytes; ask with at most {LONGEST_ADDRESS:,}."
    )


Application = Callable[[Message, Receive, Send], Awaitable[None]]

ONCE = ("host", "origin", "sec-fetch-site", "content-type", "content-length", "authorization")
"""What is said twice is understood in two ways."""

FAULT = "fairvec.fault"
"""Where a request has the sentence about a fault, so that it is reported once."""

FAULTS = logging.getLogger("fairvec.web")


@dataclass(frozen=True)
class SecurityMiddleware:
    """An application that answers its own visitor alone."""

    inner: Application
    visitor: Visitor
    pace: RateLimit = field(default_factory=RateLimit)
    room: ConcurrencyLimit = field(default_factory=ConcurrencyLimit)
    limits: BodyLimits = field(default_factory=BodyLimits)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.inner(scope, receive, send)
        elif scope["type"] == "websocket":  # nothing here speaks by web sockets
            await send({"type": "websocket.close", "code": 1008})
        else:
            headers = headers_of(scope)
            answer = GuardedAnswer(send, plain="text/html" in headers.get("accept", ""))
            # A stranger takes nothing of the visitor's pace and room.
            refusal = self._refuse_stranger(scope, headers)
            if refusal is None and self._opens_printed_address(scope):
                await answer.welcome(self.visitor.cookie_line)
                return
            refusal = refusal or self._refuse(scope, headers)
            if refusal is not None:
                await answer.refuse(refusal)
                return
            with self.room.slot():
                await self._answer(scope, receive, answer)

    def _refuse_stranger(self, scope: Message, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse what no page and no program of ours would send at all."""
        seen = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
        if any(seen.count(name) > 1 for name in ONCE):
            return Refusal(400, "A header is there twice; send each of them once.")
        path = scope.get("raw_path") or scope["path"].encode()
        return refuse_long_address(path + scope["query_string"]) or self.visitor.refuse_other_host(
            headers
        )

    def _refuse(self, scope: Message, headers: Mapping[str, str]) -> Refusal | None:
        return (
            self.visitor.refusal(scope["method"], headers)
            or self.pace.refusal()
            or self.room.refusal()
            or self.limits.refuse_declared_length(headers)
        )

    def _opens_printed_address(self, scope: Message) -> bool:
        """Say whether a visitor opens the printed address.

        The link may be followed from a terminal, a file or another page: its token is the proof.
        """
        if scope["path"] != WELCOME or scope["method"] != "GET":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return self.visitor.admits(given)

    async def _answer(self, scope: Message, receive: Receive, answer: GuardedAnswer) -> None:
        body = await self.limits.read(receive)
        if isinstance(body, Refusal):
            await answer.refuse(body)
        if not isinstance(body, bytes):
            return
        try:
            await self.inner(scope, replay_body(body, receive), answer.send)
        except asyncio.CancelledError:  # the server is being stopped
            if not answer.begun:
                await answer.refuse(Refusal(503, "The server was stopped; start it again."))
        except Exception as error:  # whatever it is, the page is told in words
            sentence = scope.get(FAULT) or report_fault(error, f"explore: {scope['path']}")
            FAULTS.error("A question could not be answered: %s", sentence)
            if not answer.begun:
                await answer.refuse(Refusal(500, sentence))


def headers_of(scope: Message) -> dict[str, str]:
    """Return the headers of a request by name; several lines of one are joined."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name, text = raw.decode("latin-1").lower(), value.decode("latin-1")
        joint = "; " if name == "cookie" else ", "
        found[name] = f"{found[name]}{joint}{text}" if name in found else text
    return found
