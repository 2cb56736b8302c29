"""Where code from outside came from: its package with a version, or its file with a checksum."""

import sys
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, packages_distributions
from pathlib import Path
from weakref import WeakKeyDictionary

from fairvec.ground.errors import in_brief, is_of_memory, unexpected

OURS = "fairvec"
UNKNOWN = "no version"
DIGITS = 12
"""So much of a checksum tells two versions of one file apart."""


@dataclass(frozen=True)
class Origin:
    """The package or module of something that is not fairvec's own, and which state of it."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


_BROUGHT: WeakKeyDictionary[type, Origin] = WeakKeyDictionary()


def brought_by(kind: type, origin: Origin) -> None:
    """Note which package brought a class: it may not be the one in which the class is written."""
    _BROUGHT[kind] = origin


def origin_of(kind: type) -> Origin | None:
    """Return where a class came from; None if it is fairvec's own.

    A module of no package is known by the SHA-256 of its file, and what was typed into a session by
    nothing.
    """
    if kind.__module__.partition(".")[0] == OURS:
        return None
    return _BROUGHT.get(kind) or _found(kind)


def fault_in(thing: object, error: BaseException) -> str:
    """Say in one sentence what failed that nobody foresaw, and whose fault it is."""
    origin = origin_of(type(thing))
    if origin is None or is_of_memory(error):
        return unexpected(error)
    return (
        f"{getattr(thing, 'name', type(thing).__name__)} of {origin} failed ({in_brief(error)}); "
        "tell the authors of that package."
    )


@cache
def _found(kind: type) -> Origin:
    module = kind.__module__
    home = getattr(sys.modules.get(module), "__file__", None)
    file = Path(home) if home else None
    if file is None or not file.is_file():
        return Origin(module, UNKNOWN)
    for name in packages_distributions().get(module.partition(".")[0], ()):
        package = Distribution.from_name(name)
        # The name alone is not enough: many packages have a folder called tests.
        if any(Path(str(package.locate_file(each))) == file for each in package.files or ()):
            return Origin(package.name, package.version)
    return Origin(module, f"sha256 {sha256(file.read_bytes()).hexdigest()[:DIGITS]}")
