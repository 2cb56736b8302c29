"""The guards around an application: refuse first, then limit, then answer with the headers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from fairvec.ground.fault_log import unexpected_and_logged
from fairvec.web.guards.answer import GuardedAnswer, Send
from fairvec.web.guards.body import BodyLimits, Message, Receive, again
from fairvec.web.guards.limits import Pace, Room, too_long
from fairvec.web.guards.refusal import Refusal
from fairvec.web.guards.visitor import WELCOME, Visitor

Application = Callable[[Message, Receive, Send], Awaitable[None]]

ONCE = ("host", "origin", "sec-fetch-site", "content-type", "content-length", "authorization")
"""What is said twice is understood in two ways."""

FAULT = "fairvec.fault"
"""Where a request keeps what was said of a fault, so that it is said once."""

FAULTS = logging.getLogger("fairvec.web")


@dataclass(frozen=True)
class Guarded:
    """An application that answers its own visitor alone."""

    inner: Application
    visitor: Visitor
    pace: Pace = field(default_factory=Pace)
    room: Room = field(default_factory=Room)
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
            refusal = self._stranger(scope, headers)
            if refusal is None and self._welcomed(scope):
                await answer.welcome(self.visitor.cookie_line)
                return
            refusal = refusal or self._refused(scope, headers)
            if refusal is not None:
                await answer.refuse(refusal)
                return
            with self.room.place():
                await self._answered(scope, receive, answer)

    def _stranger(self, scope: Message, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse what no page and no program of ours would send at all."""
        seen = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
        if any(seen.count(name) > 1 for name in ONCE):
            return Refusal(400, "A header is there twice; send each of them once.")
        path = scope.get("raw_path") or scope["path"].encode()
        return too_long(path + scope["query_string"]) or self.visitor.elsewhere(headers)

    def _refused(self, scope: Message, headers: Mapping[str, str]) -> Refusal | None:
        return (
            self.visitor.refused(scope["method"], headers)
            or self.pace.refused()
            or self.room.refused()
            or self.limits.declared(headers)
        )

    def _welcomed(self, scope: Message) -> bool:
        """Say whether a visitor opens the printed address.

        The link may be followed from a terminal, a file or another page: its token is the proof.
        """
        if scope["path"] != WELCOME or scope["method"] != "GET":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return self.visitor.welcomes(given)

    async def _answered(self, scope: Message, receive: Receive, answer: GuardedAnswer) -> None:
        body = await self.limits.read(receive)
        if isinstance(body, Refusal):
            await answer.refuse(body)
        if not isinstance(body, bytes):
            return
        try:
            await self.inner(scope, again(body, receive), answer.sent)
        except asyncio.CancelledError:  # the server is being stopped
            if not answer.begun:
                await answer.refuse(Refusal(503, "The server was stopped; start it again."))
        except Exception as error:  # whatever it is, the page is told in words
            told = scope.get(FAULT) or unexpected_and_logged(error, f"explore: {scope['path']}")
            FAULTS.error("A question could not be answered: %s", told)
            if not answer.begun:
                await answer.refuse(Refusal(500, told))


def headers_of(scope: Message) -> dict[str, str]:
    """Return the headers of a request by name; several lines of one are joined."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name, text = raw.decode("latin-1").lower(), value.decode("latin-1")
        joint = "; " if name == "cookie" else ", "
        found[name] = f"{found[name]}{joint}{text}" if name in found else text
    return found
