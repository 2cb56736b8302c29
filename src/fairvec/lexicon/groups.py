"""A test looked up: which words were found, as which keys, and their points."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fairvec.embedding import Embedding, Match
from fairvec.encoders import Representation
from fairvec.geometry import FloatArray
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon.suite_lists.suite import Test
from fairvec.lexicon.words import Word, WordSet


@dataclass(frozen=True)
class Found(Match):
    """An entry, and the match that the look-up found for it."""

    word: Word = field(kw_only=True)


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

    @property
    def rows(self) -> dict[Word, int]:
        """The row of each entry that counts, merged ones included."""
        rows = {key: row for row, key in enumerate(self.keys)}
        reached = (*self.found, *self.merged)
        return {found.word: rows[found.key] for found in reached if found.key in rows}

    def only(self, rows: Sequence[int]) -> "Group":
        """Return the list with some of its found words."""
        found = tuple(self.found[row] for row in rows)
        return replace(self, found=found, vectors=self.vectors[list(rows)])

    def keeping(self, rows: Sequence[int], reason: str) -> "Group":
        """Return the list with some of its found words; the others are missing for a reason."""
        kept = self.only(rows)
        keys = set(kept.keys)
        lost = [found.word for found in (*self.found, *self.merged) if found.key not in keys]
        return replace(
            kept,
            missing=(*self.missing, *(Missing(word, reason) for word in lost)),
            merged=tuple(found for found in self.merged if found.key in keys),
        )


@dataclass(frozen=True, eq=False)
class Groups:
    """The lists of a test by role, and the word list or encoder that has points for their words.

    `role in groups` asks whether the test has such a list.
    """

    test: Test
    groups: dict[str, Group]
    source: Representation

    def __contains__(self, role: object) -> bool:
        return role in self.groups

    def __getitem__(self, role: str) -> Group:
        return self.groups[role]

    @property
    def vocabulary(self) -> Embedding:
        """The whole embedding, for what needs more than the words of the test."""
        if isinstance(self.source, Embedding):
            return self.source
        raise UndefinedError(
            f"{self.source.name} is an encoder and has no vocabulary, which this measure looks at; "
            "make word vectors of it with 'fairvec distil', or choose weat or seat."
        )

    def filling(self, role: str) -> tuple[Group, ...]:
        """Return the lists that fill a role, as the test says."""
        return tuple(self.groups[name] for name in self.test.filling(role))

    def pairs(self) -> tuple[Group, Group]:
        """Return a and b cut to the complete pairs of a paired test: row i belongs to row i.

        A pair of which one word was not found is left out, and so is one that shares a key with
        an earlier pair.
        """
        if not self.test.paired:
            raise UndefinedError(
                f"The test {self.test.id} does not say that its lists a and b are pairs; set "
                "paired = true in its suite if they are, or choose a measure that needs no pairs."
            )
        a, b = self["a"], self["b"]
        rows_a, rows_b = a.rows, b.rows
        complete: dict[int, int] = {}
        taken: set[int] = set()
        for one, other in zip(a.wordset.words, b.wordset.words, strict=True):
            if one not in rows_a or other not in rows_b:
                continue
            if rows_a[one] not in complete and rows_b[other] not in taken:
                complete[rows_a[one]] = rows_b[other]
                taken.add(rows_b[other])
        return a.only([*complete]), b.only([*complete.values()])
