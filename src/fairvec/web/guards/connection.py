"""Connections that are kept: so many, and none that says nothing for long."""

import asyncio
from json import dumps
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fairvec.web.guards.headers import HEADERS

MOST_CONNECTIONS = 128
SECONDS_OF_SILENCE = 10.0
"""So long may the head of a request take, from the connection or from its first byte."""


class GuardedConnection(H11Protocol):
    """uvicorn's connection, which alone would wait for ever for a request that does not end."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take a connection, or hang up where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; the clock runs until the head of a request is whole."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._stop_waiting()
        elif self._waiting is None and _at_rest(before):
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


def _at_rest(cycle: Any) -> bool:
    """Say whether no request is being answered."""
    return cycle is None or bool(cycle.response_complete)
