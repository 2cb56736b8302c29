"""The entry points of installed packages: one whose metadata is damaged costs no other."""

from collections.abc import Iterator
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points

from fairvec.ground.errors import in_brief
from fairvec.ground.outside.origins import UNKNOWN, Origin

NAMELESS = "a package without a name"


def points_of(group: str) -> list[EntryPoint]:
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
            package_named(one),
            f"Its entry points cannot be read ({in_brief(points)}); install it again or "
            "uninstall it.",
        )
        for one, points in _one_by_one()
        if isinstance(points, Exception)
    ]


def package_named(package: Distribution) -> Origin:
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
        name = package_named(package).package
        if name != NAMELESS and name in seen:
            continue
        seen.add(name)
        try:
            yield package, [*package.entry_points]
        except Exception as error:  # as above
            yield package, error
