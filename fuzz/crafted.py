"""Files that were written to do harm, each by a named generator."""

from collections.abc import Callable, Mapping

from fuzz.cases import Files

ATTACKS: dict[str, dict[str, Callable[[], bytes]]] = {}
"""By what reads them, then by name."""


def crafted_for(reader: str, main: str) -> Mapping[str, Files]:
    """Return the attacks on a reader as cases in which the file has this name."""
    return {name: {main: make()} for name, make in ATTACKS.get(reader, {}).items()}
