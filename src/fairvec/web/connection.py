"""A connection that waits no longer than a limit, of at most so many at a time.

uvicorn's `limit_concurrency` refuses whoever comes when all are taken, so that a stranger who holds
connections open locks the visitor out; and nothing in uvicorn ends the wait for the head of a
request.
"""

import asyncio
from json import dumps
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fairvec.web.security import HEADERS

MOST_CONNECTIONS = 128
SECONDS_OF_SILENCE = 10.0
"""So long may the head of a request take, from the connection or from its first byte."""


class GuardedConnection(H11Protocol):
    """uvicorn's connection, which alone would wait for ever for a request that does not end."""

    _waiting: asyncio.TimerHandle | None = None
    _last_data = 0.0

    def connection_made(self, transport: Any) -> None:
        """Take a connection; where there are too many, hang up on the one that was silent longest.

        So whoever holds connections open and asks nothing cannot keep a visitor out. Where every
        other connection is being answered, the new one is closed.
        """
        super().connection_made(transport)
        self._last_data = self.loop.time()
        open_ones: list[Any] = [
            line for line in self.connections if not line.transport.is_closing()
        ]
        silent = [line for line in open_ones if line is not self and _is_idle(line.cycle)]
        if len(open_ones) > MOST_CONNECTIONS:
            oldest = min(silent, key=lambda line: line._last_data, default=self)
            oldest.transport.abort()
        if not transport.is_closing():
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; the clock runs until the head of a request is whole."""
        before = self.cycle
        self._last_data = self.loop.time()
        super().data_received(data)
        if self.cycle is not before:
            self._stop_waiting()
        elif self._waiting is None and _is_idle(before):
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clock."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say that this was no HTTP, as every refusal is said."""
        body = dumps({"error": f"{msg.rstrip('.')}; send HTTP/1.1."}).encode()
        every = {**HEADERS, "content-type": "application/json", "connection": "close"}
        headers = [(name.encode(), value.encode()) for name, value in every.items()]
        reply = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (reply, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(SECONDS_OF_SILENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def _is_idle(cycle: Any) -> bool:
    """Say whether no request is being answered."""
    return cycle is None or bool(cycle.response_complete)
