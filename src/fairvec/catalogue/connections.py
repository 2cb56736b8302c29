"""Connections that end by the clock and follow no redirects by themselves."""

from http.client import HTTPResponse
from io import BufferedReader, RawIOBase
from math import inf
from time import monotonic
from typing import Any

import requests
from requests.adapters import HTTPAdapter


class OutOfTimeError(Exception):
    """The headers or the next block took too long; no OSError, which urllib3 would wrap."""


class _TimedStream(RawIOBase):
    """The bytes of a connection until a deadline, by the clock.

    A timeout of a socket begins again with each byte: a server that sends one now and then would
    never be given up.
    """

    def __init__(self, stream: RawIOBase, clock: "Clock") -> None:
        self._stream, self._clock = stream, clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if monotonic() > self._clock.deadline:
            raise OutOfTimeError
        return self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()


class Clock(HTTPAdapter):
    """Connections that raise OutOfTimeError when a read begins after `deadline`."""

    deadline = inf

    def start(self, seconds: float) -> None:
        """Set the deadline so many seconds from now."""
        self.deadline = monotonic() + seconds

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Make the pool of connections."""
        super().init_poolmanager(*args, **options)
        self._time(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """Return the pool of connections through a proxy."""
        manager = super().proxy_manager_for(proxy, **options)
        self._time(manager)
        return manager

    def _time(self, manager: Any) -> None:
        """Have each kind of connection read its responses by the clock."""
        clock = self

        class TimedResponse(HTTPResponse):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                self.fp = BufferedReader(_TimedStream(self.fp.detach(), clock))

        manager.pool_classes_by_scheme = {
            scheme: type(pool.__name__, (pool,), {"ConnectionCls": timed})
            for scheme, pool in manager.pool_classes_by_scheme.items()
            for timed in [type("Timed", (pool.ConnectionCls,), {"response_class": TimedResponse})]
        }


class NoRedirects(requests.Session):
    """A session without redirects of its own: requests would read the full body of each."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        for scheme in ("http://", "https://"):
            self.mount(scheme, self.clock)

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None, so that no response counts as a redirect."""
