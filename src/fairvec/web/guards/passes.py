"""Addresses that open the page once.

A browser is started with an address, and every user of a machine can read with what a program was
started. The address that a browser is given therefore holds no secret that lasts.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic


@dataclass
class SinglePasses:
    """Secrets that are good once, and for a minute."""

    seconds: float = 60.0
    clock: Callable[[], float] = monotonic
    _ends: dict[str, float] = field(default_factory=dict, init=False)

    def issued(self) -> str:
        """Return a new one."""
        new = token_urlsafe(32)
        self._ends[new] = self.clock() + self.seconds
        return new

    def taken(self, given: str) -> bool:
        """Say whether it is one that nobody has used in time; from now on it is used."""
        # Looked up by hash: how long that takes says nothing about 256 random bits.
        end = self._ends.pop(given, None)
        return end is not None and self.clock() <= end
