"""What other packages add: entry points, registered classes, and where each came from.

A package declares an entry point in the group of a kind (metric, method ...) whose name is that of
the object. Names are read from the package's metadata; its code is imported only when the object is
used. One package with damaged metadata must not hide the others.
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

OURS = "fairvec"
UNKNOWN = "no version"
DIGITS = 12
"""Hexadecimal digits of a checksum that tell two versions of a file apart."""


@dataclass(frozen=True)
class Origin:
    """The package or module of something that is not fairvec's own, and which state of it."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


_ORIGINS: WeakKeyDictionary[type, Origin] = WeakKeyDictionary()


def record_origin(kind: type, origin: Origin) -> None:
    """Record which package offers a class; it may be written in another one."""
    _ORIGINS[kind] = origin


def origin_of(kind: type) -> Origin | None:
    """Return where a class came from; None if it is fairvec's own.

    A module outside of packages is identified by the SHA-256 of its file; a class that was typed
    into a session has no version.
    """
    if kind.__module__.partition(".")[0] == OURS:
        return None
    return _ORIGINS.get(kind) or _locate(kind)


def describe_plugin_fault(thing: object, error: BaseException) -> str:
    """Return one sentence about an unforeseen error: what failed, and in whose code."""
    origin = origin_of(type(thing))
    if origin is None or is_out_of_memory(error):
        return describe_fault(error)
    return (
        f"{getattr(thing, 'name', type(thing).__name__)} of {origin} failed ({brief(error)}); "
        "tell the authors of that package."
    )


@cache
def _locate(kind: type) -> Origin:
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


NAMELESS = "a package without a name"


def find_entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, of all packages that can be read."""
    try:
        return [*entry_points(group=group)]
    except Exception:  # the reader of damaged metadata may raise anything
        found = [points for _, points in _each_distribution() if not isinstance(points, Exception)]
        return [point for points in found for point in points if point.group == group]


def unreadable_packages() -> list[tuple[Origin, str]]:
    """Return the packages whose entry points cannot be read, each with the reason and a remedy."""
    return [
        (
            distribution_origin(package),
            f"Its entry points cannot be read ({brief(points)}); install it again or uninstall it.",
        )
        for package, points in _each_distribution()
        if isinstance(points, Exception)
    ]


def distribution_origin(package: Distribution) -> Origin:
    """Return the name and version of a package, as far as its metadata have them."""
    try:
        metadata = package.metadata
        name, version = metadata["Name"], metadata["Version"]
    except Exception:  # as above
        name = version = ""
    return Origin(name or NAMELESS, version or UNKNOWN)


def _each_distribution() -> Iterator[tuple[Distribution, list[EntryPoint] | Exception]]:
    """Yield every package with its entry points; of two with the same name the first counts."""
    names: set[str] = set()
    for package in distributions():
        name = distribution_origin(package).package
        if name != NAMELESS and name in names:
            continue
        names.add(name)
        try:
            yield package, [*package.entry_points]
        except Exception as error:  # as above
            yield package, error


PREFIX = "python:"
"""Begins the name of an object in a module, as the shell takes it: python:package.module:name."""

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class PluginOffer:
    """A name that a package offers; `trouble` says why it cannot be used, else it is empty."""

    name: str
    package: Origin
    trouble: str


@dataclass(eq=False)
class PluginRegistry(Generic[Thing]):
    """Plugins of one `kind`: the entry points of a `group`, and what is registered in this process.

    `own` are the names of fairvec's own. `check` returns an object as one of the kind, or raises an
    error whose message begins with the label it is given.
    """

    kind: str
    group: str
    own: frozenset[str]
    check: Callable[[object, str], Thing]
    registered: dict[str, Thing] = field(default_factory=dict)

    def register(self, given: object) -> Thing:
        """Make an object available by its name in this process; a name in use is refused.

        A class that is defined again, as in a notebook, replaces its earlier definition.
        """
        thing = self.check(given, f"The {self.kind} to register")
        name = _name_of(thing)
        self.refuse_own(name)
        older = self.registered.get(name)
        if older is not None and _definition_of(older) != _definition_of(thing):
            raise SettingError(
                f"Another {self.kind} is registered as {name!r}; call yours otherwise."
            )
        for point in self._entry_points(name):
            if point.module.partition(".")[0] != _class_of(thing).__module__.partition(".")[0]:
                raise SettingError(
                    f"The {self.kind} {name!r} comes from {_provider(point)}; call yours "
                    f"otherwise, as in my-{name}."
                )
        self.registered[name] = thing
        return thing

    def refuse_own(self, name: str) -> None:
        """Raise for a name of fairvec's own, under which results of another object would appear."""
        if name in self.own:
            raise SettingError(
                f"The {self.kind} {name!r} comes with fairvec; call yours otherwise, as in "
                f"my-{name}."
            )

    def register_from(self, named: str) -> str:
        """Register what is named as python:package.module:name, and return its own name."""
        return _name_of(self.register(import_object(named, self.kind)))

    def find(self, name: str) -> Thing | None:
        """Return the plugin of this name, None if there is none; PluginError if it is unusable."""
        if name in self.registered:
            return self.registered[name]
        match self._entry_points(name):
            case []:
                return None
            case [point]:
                return self._load(point)
            case points:
                many = " and ".join(sorted(str(_provider(each)) for each in points))
                raise PluginError(
                    f"The {self.kind} {name!r} is offered by {many}; uninstall all but one of them."
                )

    def names(self) -> list[str]:
        """Return the names of all plugins, without importing any."""
        offered = {point.name for point in find_entry_points(self.group)} - self.own
        return sorted(offered | self.registered.keys())

    def offered(self) -> list[PluginOffer]:
        """Return all that packages offer, each loaded to see whether it can be used.

        A package whose entry points cannot be read is listed under the name "?".
        """
        found = sorted(find_entry_points(self.group), key=lambda point: point.name)
        return [
            *(PluginOffer(point.name, _provider(point), self._problem(point)) for point in found),
            *(PluginOffer("?", package, trouble) for package, trouble in unreadable_packages()),
        ]

    def _entry_points(self, name: str) -> list[EntryPoint]:
        return [point for point in find_entry_points(self.group) if point.name == name]

    def _problem(self, point: EntryPoint) -> str:
        if point.name in self.own:
            return (
                f"The {self.kind} {point.name!r} comes with fairvec, so that of "
                f"{_provider(point)} is refused; it needs another name."
            )
        try:
            self.find(point.name)
        except FairvecError as error:
            return str(error)
        return ""

    def _load(self, point: EntryPoint) -> Thing:
        package = _provider(point)
        label = f"The {self.kind} {point.name!r} of {package}"
        try:
            loaded = point.load()
        # A foreign module may raise anything when it is imported.
        except (Exception, SystemExit) as error:
            raise PluginError(
                f"{label} cannot be imported ({brief(error)}); mend or uninstall that package."
            ) from error
        try:
            thing = self.check(loaded, label)
        except SettingError as error:
            raise PluginError(str(error)) from error
        if _name_of(thing) != point.name:
            raise PluginError(
                f"{label} calls itself {_name_of(thing)!r}; the entry point must have its name."
            )
        record_origin(_class_of(thing), package)
        self.registered[point.name] = thing
        return thing


def import_object(named: str, kind: str) -> Any:
    """Import the object named as python:package.module:name; only for names the user typed."""
    module, _, name = named.removeprefix(PREFIX).partition(":")
    if not named.startswith(PREFIX) or not module or not name:
        raise SettingError(f"{named!r} names no {kind}; write {PREFIX}package.module:name.")
    try:
        return getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # a module may raise anything
        raise SettingError(
            f"{named!r} cannot be imported ({brief(error)}); a module of your own must lie in a "
            "folder of PYTHONPATH."
        ) from error


def refusal(called: str, lacks: Iterable[str]) -> None:
    """Raise if there are problems with a plugin, each a verb phrase such as "has no name"."""
    if lacking := " and ".join(lacks):
        raise SettingError(f"{called} {lacking}; see docs/extending.md.")


def _provider(point: EntryPoint) -> Origin:
    package = point.dist
    return distribution_origin(package) if package else Origin(point.module, UNKNOWN)


def _class_of(thing: Any) -> type:
    return thing if isinstance(thing, type) else type(thing)


def _name_of(thing: Any) -> str:
    return str(thing.name)


def _definition_of(thing: Any) -> tuple[str, str]:
    return _class_of(thing).__module__, _class_of(thing).__qualname__


def version_of(thing: Any) -> dict[str, str]:
    """Return the package of a plugin with its version; empty for fairvec's own objects."""
    origin = origin_of(_class_of(thing))
    return {origin.package: origin.version} if origin else {}


_NAME = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")


def is_name(value: Any) -> bool:
    """Return whether a value can name a metric or method, in the shell and in files."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def is_frozen(kind: type) -> bool:
    """Return whether a class is a frozen dataclass."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return bool(parameters and parameters.frozen)


def describe_setting_fault(kind: type) -> str:
    """Say why the settings of a dataclass cannot be read; empty if they can."""
    try:
        setting_types(kind)
    except Exception as error:  # foreign annotations may name anything
        return f"has settings whose types cannot be read ({brief(error)})"
    return ""
