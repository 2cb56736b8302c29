"""Files that were written to do harm, each by a named generator."""

from collections.abc import Callable, Mapping

from fuzz.cases import Files

ATTACKS: dict[str, dict[str, Callable[[], bytes]]] = {}
"""By what reads them, then by name."""


def crafted_for(reader: str, main: str) -> Mapping[str, Files]:
    """Return the attacks on a reader as cases in which the file has this name."""
    return {name: {main: make()} for name, make in ATTACKS.get(reader, {}).items()}


def crafted_arguments(command: str) -> Mapping[str, list[str]]:
    """Return the attacks on a command: arguments that were written to break it."""
    return ARGUMENTS.get(command, {})


def crafted_folders(kind: str, honest: Files) -> Mapping[str, Files]:
    """Return the attacks on a kind of encoder: an honest folder with one file replaced."""
    return {name: {**honest, file: make()} for name, (file, make) in FOLDERS.get(kind, {}).items()}


ARGUMENTS: dict[str, dict[str, list[str]]] = {}
FOLDERS: dict[str, dict[str, tuple[str, Callable[[], bytes]]]] = {}
