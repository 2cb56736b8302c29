"""A test looked up in an embedding: which words were found, as which keys, and their vectors."""

from dataclasses import dataclass

from fairvec.embedding.embedding import Embedding
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
    """The lists of a test by role, and the embedding in which they were looked up."""

    test: Test
    groups: dict[str, Group]
    embedding: Embedding

    def __getitem__(self, role: str) -> Group:
        return self.groups[role]

    def filling(self, role: str) -> tuple[Group, ...]:
        """Return the lists that fill a role; x and y together fill `words` where it has no list."""
        if role == "words" and role not in self.groups:
            return tuple(self.groups[target] for target in ("x", "y") if target in self.groups)
        return (self.groups[role],) if role in self.groups else ()
