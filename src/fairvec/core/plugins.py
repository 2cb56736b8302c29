"""What other packages add: entry points, contracts, and where a thing came from.

A package declares an entry point in the group of the kind, whose name is that of the thing; names
are read from its metadata, and its code is imported only if the thing is asked for.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import (
    Distribution,
    EntryPoint,
    distributions,
    entry_points,
    packages_distributions,
)
from pathlib import Path
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from fairvec.core.errors import (
    FairvecError,
    PluginError,
    SettingError,
    brief,
    describe_fault,
    is_out_of_memory,
)
from fairvec.core.settings import setting_types

# Where code from outside came from: its package with a version, or its file with a checksum.


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


def record_origin(kind: type, origin: Origin) -> None:
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


def describe_plugin_fault(thing: object, error: BaseException) -> str:
    """Say in one sentence what failed that nobody foresaw, and whose fault it is."""
    origin = origin_of(type(thing))
    if origin is None or is_out_of_memory(error):
        return describe_fault(error)
    return (
        f"{getattr(thing, 'name', type(thing).__name__)} of {origin} failed ({brief(error)}); "
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


# The entry points of installed packages: one whose metadata is damaged costs no other.


NAMELESS = "a package without a name"


def find_entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, of all packages that can be read."""
    try:
        return [*entry_points(group=group)]
    except Exception:  # metadata are somebody else's, and what their reader raises is not said
        found = [points for _, points in _one_by_one() if not isinstance(points, Exception)]
        return [point for points in found for point in points if point.group == group]


def unreadable_packages() -> list[tuple[Origin, str]]:
    """Return the packages whose entry points cannot be read, each with the reason and a remedy."""
    return [
        (
            distribution_origin(one),
            f"Its entry points cannot be read ({brief(points)}); install it again or uninstall it.",
        )
        for one, points in _one_by_one()
        if isinstance(points, Exception)
    ]


def distribution_origin(package: Distribution) -> Origin:
    """Return the name and version of a package, as far as its metadata say them."""
    try:
        said = package.metadata
        name, version = said["Name"], said["Version"]
    except Exception:  # as above
        name = version = ""
    return Origin(name or NAMELESS, version or UNKNOWN)


def _one_by_one() -> Iterator[tuple[Distribution, list[EntryPoint] | Exception]]:
    """Give every package with its entry points; of two that have one name the first counts."""
    seen: set[str] = set()
    for package in distributions():
        name = distribution_origin(package).package
        if name != NAMELESS and name in seen:
            continue
        seen.add(name)
        try:
            yield package, [*package.entry_points]
        except Exception as error:  # as above
            yield package, error


PREFIX = "python:"
"""How something in a module is named in the shell: python:package.module:name."""

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class PluginOffer:
    """A name that a package offers: `trouble` says why it cannot be had, and is empty if it can."""

    name: str
    package: Origin
    trouble: str


@dataclass(eq=False)
class PluginRegistry(Generic[Thing]):
    """What comes from outside, of one `kind`: entry points of a `group`, and what is registered.

    `own` are the names that fairvec has. `check` returns what somebody gave as a thing of the kind,
    or raises an error that begins with what it is told to call it.
    """

    kind: str
    group: str
    own: frozenset[str]
    check: Callable[[object, str], Thing]
    registered: dict[str, Thing] = field(default_factory=dict)

    def register(self, given: object) -> Thing:
        """Have something found by its name in this process; a name that is taken is refused.

        The same class, defined anew as in a notebook, takes the place of the older one.
        """
        thing = self.check(given, f"The {self.kind} to register")
        name = _name(thing)
        self.refuse_own(name)
        older = self.registered.get(name)
        if older is not None and _written_as(older) != _written_as(thing):
            raise SettingError(
                f"Another {self.kind} is registered as {name!r}; call yours otherwise."
            )
        for point in self._points(name):
            if point.module.partition(".")[0] != _class(thing).__module__.partition(".")[0]:
                raise SettingError(
                    f"The {self.kind} {name!r} comes from {_package(point)}; call yours otherwise, "
                    f"as in my-{name}."
                )
        self.registered[name] = thing
        return thing

    def refuse_own(self, name: str) -> None:
        """Refuse a name of fairvec's own, under which figures of another thing would stand."""
        if name in self.own:
            raise SettingError(
                f"The {self.kind} {name!r} comes with fairvec; call yours otherwise, as in "
                f"my-{name}."
            )

    def register_from(self, named: str) -> str:
        """Register what is named as python:package.module:name, and return its own name."""
        return _name(self.register(import_object(named, self.kind)))

    def find(self, name: str) -> Thing | None:
        """Return what has a name, None if nothing has; PluginError if it cannot be used."""
        if name in self.registered:
            return self.registered[name]
        match self._points(name):
            case []:
                return None
            case [point]:
                return self._loaded(point)
            case points:
                many = " and ".join(sorted(str(_package(each)) for each in points))
                raise PluginError(
                    f"The {self.kind} {name!r} is offered by {many}; uninstall all but one of them."
                )

    def names(self) -> list[str]:
        """Return the names from outside, without importing anything."""
        offered = {point.name for point in find_entry_points(self.group)} - self.own
        return sorted(offered | self.registered.keys())

    def offered(self) -> list[PluginOffer]:
        """Return all that packages offer, each loaded to see whether it can be used.

        A package of which nobody can say what it offers has no name there.
        """
        found = sorted(find_entry_points(self.group), key=lambda point: point.name)
        return [
            *(PluginOffer(point.name, _package(point), self._trouble(point)) for point in found),
            *(PluginOffer("?", package, trouble) for package, trouble in unreadable_packages()),
        ]

    def _points(self, name: str) -> list[EntryPoint]:
        return [point for point in find_entry_points(self.group) if point.name == name]

    def _trouble(self, point: EntryPoint) -> str:
        if point.name in self.own:
            return (
                f"The {self.kind} {point.name!r} comes with fairvec, so that of "
                f"{_package(point)} is refused; it needs another name."
            )
        try:
            self.find(point.name)
        except FairvecError as error:
            return str(error)
        return ""

    def _loaded(self, point: EntryPoint) -> Thing:
        package = _package(point)
        called = f"The {self.kind} {point.name!r} of {package}"
        try:
            given = point.load()
        # It is somebody else's module, and may do anything when it is imported.
        except (Exception, SystemExit) as error:
            raise PluginError(
                f"{called} cannot be imported ({brief(error)}); mend or uninstall that package."
            ) from error
        try:
            thing = self.check(given, called)
        except SettingError as error:
            raise PluginError(str(error)) from error
        if _name(thing) != point.name:
            raise PluginError(
                f"{called} calls itself {_name(thing)!r}; the entry point must have its name."
            )
        record_origin(_class(thing), package)
        self.registered[point.name] = thing
        return thing


def import_object(named: str, kind: str) -> Any:
    """Return what is named as python:package.module:name; call it with what a user typed alone."""
    module, _, name = named.removeprefix(PREFIX).partition(":")
    if not named.startswith(PREFIX) or not module or not name:
        raise SettingError(f"{named!r} names no {kind}; write {PREFIX}package.module:name.")
    try:
        return getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # it is the user's own, and may do anything
        raise SettingError(
            f"{named!r} cannot be imported ({brief(error)}); a module of your own must lie in a "
            "folder of PYTHONPATH."
        ) from error


def refusal(called: str, lacks: Iterable[str]) -> None:
    """Raise if something lacks what its kind must have."""
    if lacking := " and ".join(lacks):
        raise SettingError(f"{called} {lacking}; see docs/extending.md.")


def _package(point: EntryPoint) -> Origin:
    package = point.dist
    return distribution_origin(package) if package else Origin(point.module, UNKNOWN)


def _class(thing: Any) -> type:
    return thing if isinstance(thing, type) else type(thing)


def _name(thing: Any) -> str:
    return str(thing.name)


def _written_as(thing: Any) -> tuple[str, str]:
    return _class(thing).__module__, _class(thing).__qualname__


def version_of(thing: Any) -> dict[str, str]:
    """Return the package of something from outside with its version; nothing of fairvec's own."""
    origin = origin_of(_class(thing))
    return {origin.package: origin.version} if origin else {}


# What a class from outside must be before its parts are looked at.


_NAME = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")


def is_name(value: Any) -> bool:
    """Return whether something can be the name of a metric or method, in the shell and in files."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def is_frozen(kind: type) -> bool:
    """Return whether a class is a dataclass that does not change."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return bool(parameters and parameters.frozen)


def lacking_settings(kind: type) -> str:
    """Say why the settings of a dataclass cannot be read; empty if they can."""
    try:
        setting_types(kind)
    except Exception as error:  # its annotations are somebody else's, and may name anything
        return f"has settings whose types cannot be read ({brief(error)})"
    return ""
