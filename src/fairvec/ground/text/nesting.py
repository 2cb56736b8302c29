"""How deep tables and lists lie in one another: what is too deep ends whoever walks through it."""

from typing import Any

DEEPEST = 100
"""So many levels are read; the deepest file that fairvec writes has seven."""

_NESTED = {list, dict}


def too_deep(found: Any) -> bool:
    """Return whether lists and objects lie in one another more than `DEEPEST` levels deep."""
    level = [found] if type(found) in _NESTED else []
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [
            part
            for holder in level
            for part in (holder.values() if type(holder) is dict else holder)
            if type(part) in _NESTED
        ]
    return bool(level)
