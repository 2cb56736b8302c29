"""An answer on its way: every one carries the headers, whoever wrote it."""

from collections.abc import Awaitable, Callable, Mapping
from json import dumps

from fairvec.web.guards.body import Message
from fairvec.web.guards.headers import HEADERS, OWN_POLICY
from fairvec.web.guards.refusal import Refusal

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

    async def sent(self, message: Message) -> None:
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
        await self._whole(refusal.status, text, {**refusal.headers, **hang_up})

    async def welcome(self, cookie: str) -> None:
        """Hand over the cookie and lead on to the page."""
        kind = {"content-type": "text/html; charset=utf-8", "set-cookie": cookie}
        await self._whole(200, GO_ON, kind)

    async def _whole(self, status: int, text: str, headers: Mapping[str, str]) -> None:
        body = text.encode()
        every = {**headers, "content-length": str(len(body))}
        found = [(name.encode(), value.encode()) for name, value in every.items()]
        await self.sent({"type": "http.response.start", "status": status, "headers": found})
        await self._send({"type": "http.response.body", "body": body})
