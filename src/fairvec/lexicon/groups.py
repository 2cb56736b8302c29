"""A test looked up in an embedding: which words were found, as which keys, and their vectors."""

from dataclasses import dataclass

from fairvec.geometry import FloatArray
from fairvec.lexicon.suite import Test
from fairvec.lexicon.words import Word, WordSet


@dataclass(frozen=True)
class Found:
    """An entry, the key it reached and the rules of the look-up that led there."""

    word: Word
    key: str
    how: str


@dataclass(frozen=True)
class Missing:
    """An entry that has no usable vector, and why."""

    word: Word
    reason: str


@dataclass(frozen=True, eq=False)
class Group:
    """One list of a test; row i of `vectors` belongs to `found[i]`.

    `merged` holds the entries that reached a key which an earlier entry of the list had reached.
    """

    role: str
    wordset: WordSet
    found: tuple[Found, ...]
    missing: tuple[Missing, ...]
    merged: tuple[Found, ...]
    vectors: FloatArray

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that count."""
        return tuple(found.key for found in self.found)


@dataclass(frozen=True, eq=False)
class Groups:
    """The lists of a test by role."""

    test: Test
    groups: dict[str, Group]

    def __getitem__(self, role: str) -> Group:
        return self.groups[role]
