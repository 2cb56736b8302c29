"""What a request brings: whole, in time and within the limit, or a refusal."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from fairvec.web.guards.refusal import Refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]


@dataclass(frozen=True)
class BodyLimits:
    """The largest body in bytes, and the seconds that it may take to come."""

    largest: int = 2**20
    seconds: float = 10.0
    drained: int = 16 * 2**20
    """So much of a body that is too large is read away: who is still sending hears no answer."""

    def declared(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse a body that says itself that it is far too large."""
        said = headers.get("content-length", "0")
        # Longer than any size that fits a machine, before int() is asked to read it.
        if said.isascii() and said.isdigit() and len(said) < 20 and int(said) <= self.drained:
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


def again(body: bytes, receive: Receive) -> Receive:
    """Return what hands a body on once, and then waits as the connection does."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return messages.pop() if messages else await receive()

    return received
