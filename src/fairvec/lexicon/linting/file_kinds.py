"""What a TOML file of a user is, told by the tables that only files of its kind have."""

from collections.abc import Collection
from typing import NamedTuple


class FileKind(NamedTuple):
    """A kind of file: its name, the keys that all of them have, and where one is given."""

    title: str
    marks: frozenset[str]
    place: str


FILE_KINDS = (
    FileKind("a suite of tests", frozenset({"sets", "tests"}), "name it with --suite (suites=...)"),
    FileKind("a file of concepts", frozenset({"concepts"}), "name it with --concept (concept=...)"),
    FileKind(
        "the plan of a study", frozenset({"corpora", "windows"}), "run it with 'fairvec study FILE'"
    ),
)


def mistaken(found: Collection[str], wanted: Collection[str]) -> str:
    """Say that a file with some keys is of another kind than the one that has the keys `wanted`.

    Nothing is said of a file that has the marks of the kind that is wanted, or of none.
    """
    expected = next((kind for kind in FILE_KINDS if kind.marks <= {*wanted}), None)
    if expected is None or expected.marks <= {*found}:
        return ""
    other = next((kind for kind in FILE_KINDS if kind.marks <= {*found}), None)
    return f"this is {other.title} and not {expected.title}; {other.place}." if other else ""
