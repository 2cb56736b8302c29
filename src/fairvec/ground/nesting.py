"""How deep tables and lists lie in one another: what is too deep ends whoever walks through it."""

from itertools import chain
from typing import Any

DEEPEST = 100
"""So many levels are read; the deepest file that fairvec writes has seven."""


def too_deep(found: Any) -> bool:
    """Return whether lists and objects lie in one another more than `DEEPEST` levels deep."""
    level = [found]
    for _ in range(DEEPEST):
        nested = [part for part in level if isinstance(part, list | dict)]
        if not nested:
            return False
        level = [
            *chain.from_iterable(
                part.values() if isinstance(part, dict) else part for part in nested
            )
        ]
    return any(isinstance(part, list | dict) for part in level)
