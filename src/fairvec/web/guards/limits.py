"""How much a request may bring, how many may come, and how many are answered at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from fairvec.web.guards.refusal import Refusal

LONGEST_ADDRESS = 8192
"""Bytes of a path with its query."""

SOON = {"retry-after": "1"}


@dataclass
class Pace:
    """So many requests a second on average, and so many at once; more have to wait.

    A bucket of drops: each request takes one, and they come back at the given rate.
    """

    a_second: float = 100.0
    at_once: float = 200.0
    clock: Callable[[], float] = monotonic
    _drops: float = field(init=False)
    _seen: float = field(init=False)

    def __post_init__(self) -> None:
        self._drops, self._seen = self.at_once, self.clock()

    def refused(self) -> Refusal | None:
        """Take a drop; without one, say so."""
        now = self.clock()
        self._drops = min(self.at_once, self._drops + (now - self._seen) * self.a_second)
        self._seen = now
        if self._drops >= 1:
            self._drops -= 1
            return None
        return Refusal(429, "Too many questions in a second; ask again in one.", SOON)


@dataclass
class Room:
    """So many questions are answered at the same time; each holds memory and a thread."""

    most: int = 24
    _inside: int = field(default=0, init=False)

    def refused(self) -> Refusal | None:
        """Say so where all places are taken."""
        if self._inside < self.most:
            return None
        return Refusal(503, "Too many questions at the same time; ask again in a second.", SOON)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place while a question is answered, however that ends."""
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1


def too_long(address: bytes) -> Refusal | None:
    """Refuse an address that no page of ours makes."""
    if len(address) <= LONGEST_ADDRESS:
        return None
    return Refusal(
        414, f"The address has {len(address):,} bytes; ask with at most {LONGEST_ADDRESS:,}."
    )
