"""Every sentence of messages/, one text file a module, so that they can be read in one go.

`python -m tests.messages.snapshot_files --renew` writes the files anew.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from inspect import getmembers, isfunction, signature
from pathlib import Path
from pkgutil import iter_modules

import fairvec.messages
from tests.messages import cases

FOLDER = Path(__file__).parent / "snapshots"
MODULES = tuple(module.name for module in iter_modules(cases.__path__))
"""The modules of messages/ whose sentences are kept."""

Case = tuple[str, str, str | Iterable[str]]
"""The function or constant, the kind of case, and what it says."""


def cases_of(module: str) -> list[Case]:
    """Return the cases of a module of messages/."""
    found: Iterator[Case] = import_module(f"{cases.__name__}.{module}").sentences()
    return list(found)


def text_of(module: str) -> str:
    """Return every sentence of a module under the name of its function."""
    blocks: dict[str, list[str]] = {}
    for name, kind, message in cases_of(module):
        parts = [message] if isinstance(message, str) else list(message)
        lines = blocks.setdefault(name, [name])
        lines += [f"  {kind}: {parts[0] if parts else ''}".rstrip()]
        lines += [f"    {part}" for part in parts[1:]]
    return "\n\n".join("\n".join(lines) for lines in blocks.values()) + "\n"


def speakers(module: str) -> set[str]:
    """Return the public functions of a module that give text."""
    home = f"{fairvec.messages.__name__}.{module}"
    return {
        name
        for name, function in getmembers(import_module(home), isfunction)
        if function.__module__ == home
        and name[0] != "_"
        and "str" in str(signature(function).return_annotation)
    }


def renew() -> None:
    """Write the file of every module."""
    for module in MODULES:
        (FOLDER / f"{module}.txt").write_text(text_of(module), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--renew"]:
        sys.exit("Say --renew to write the files anew.")
    renew()
