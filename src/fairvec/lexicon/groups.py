"""The words of a test looked up in an embedding or read by an encoder: keys, vectors, coverage."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding, Lookup, Match
from fairvec.encoders import Encoder, Representation
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon.suites import Suite, Test


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
        entries = (*self.found, *self.merged)
        return {found.word: rows[found.key] for found in entries if found.key in rows}

    def only(self, rows: Sequence[int]) -> "Group":
        """Return the list with some of its found words."""
        found = tuple(self.found[row] for row in rows)
        return replace(self, found=found, vectors=self.vectors[list(rows)])

    def keeping(self, rows: Sequence[int], reason: str) -> "Group":
        """Return the list with some of its found words; the others are missing for a reason."""
        reduced = self.only(rows)
        keys = set(reduced.keys)
        dropped = [found.word for found in (*self.found, *self.merged) if found.key not in keys]
        return replace(
            reduced,
            missing=(*self.missing, *(Missing(word, reason) for word in dropped)),
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
        """The embedding, for what needs more than the words of the test."""
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
        for word_a, word_b in zip(a.wordset.words, b.wordset.words, strict=True):
            if word_a not in rows_a or word_b not in rows_b:
                continue
            if rows_a[word_a] not in complete and rows_b[word_b] not in taken:
                complete[rows_a[word_a]] = rows_b[word_b]
                taken.add(rows_b[word_b])
        return a.only([*complete]), b.only([*complete.values()])


class _LookedUp(NamedTuple):
    """How a word was found and its vector; without a vector the reason why it has none."""

    match: Match | None
    vector: FloatArray | None
    reason: str = ""


def resolve(test: Test, source: Representation, lookup: Lookup | None = None) -> Groups:
    """Return the test's lists as found in an embedding or read by an encoder.

    In an embedding they are looked up by the rules of the test's language, or by another `lookup`
    of its keys. The vector of an entry of several words that is no key itself is the arithmetic
    mean of its parts' vectors; a mean of points of the ball lies in the ball. An encoder reads each
    word alone, as the list spells it; a word of which its tokenizer knows no piece is missing.
    """
    groups = {}
    for role, wordset in test.sets.items():
        if isinstance(source, Embedding):
            chosen_lookup = lookup or source.lookup(test.language)
            looked_up = _look_up(wordset.words, source, chosen_lookup)
        else:
            looked_up = _encode(wordset.words, source)
        groups[role] = _group(role, wordset, looked_up, source.dimensions)
    return Groups(test, groups, source)


def coverage(tests: Suite | Iterable[Test], source: Representation) -> float:
    """Return the share of the distinct entries of a suite, or of some tests, that have a vector.

    In an embedding these are the entries that `resolve` finds. Nothing is encoded for it: of an
    encoder these are the entries of which the tokenizer knows a piece.
    """
    chosen = tests.tests if isinstance(tests, Suite) else tuple(tests)
    entries = {
        (test.language, word.spellings, word.pos): word
        for test in chosen
        for wordset in test.sets.values()
        for word in wordset.words
    }
    if isinstance(source, Embedding):
        words: dict[str, list[Word]] = {}
        for (language, _, _), word in entries.items():
            words.setdefault(language, []).append(word)
        found = [
            looked_up.vector is not None
            for language, listed in words.items()
            for looked_up in _look_up(listed, source, source.lookup(language))
        ]
    else:
        piece_counts = source.pieces([word.word for word in entries.values()])
        found = [pieces.unknown < pieces.all for pieces in piece_counts]
    return sum(found) / max(1, len(found))


def _group(role: str, wordset: WordSet, looked_up: Iterable[_LookedUp], dimensions: int) -> Group:
    vectors: dict[str, FloatArray] = {}
    found: list[Found] = []
    merged: list[Found] = []
    missing: list[Missing] = []
    for word, (match, vector, reason) in zip(wordset.words, looked_up, strict=True):
        if match is None or vector is None:
            missing.append(Missing(word, reason))
            continue
        entry = Found(match.key, match.how, match.parts, word=word)
        (merged if match.key in vectors else found).append(entry)
        vectors.setdefault(match.key, vector)
    return Group(
        role=role,
        wordset=wordset,
        found=tuple(found),
        missing=tuple(missing),
        merged=tuple(merged),
        vectors=np.reshape([*vectors.values()], (len(vectors), dimensions)),
    )


def _look_up(words: Sequence[Word], embedding: Embedding, lookup: Lookup) -> Iterator[_LookedUp]:
    """Give the match and vector of each word in an embedding."""
    matches = [lookup.find(word.spellings, word.pos) for word in words]
    # All at once: one row at a time is slow for thousands of words.
    rows = embedding.rows([key for match in matches if match for key in match.keys])
    has_vector: list[bool] = np.any(rows, axis=1).tolist()
    start = 0
    for match in matches:
        if match is None:
            yield _LookedUp(None, None, "not in the vocabulary")
            continue
        end = start + len(match.keys)
        # A part without a vector would leave the entry to the other part, under a false name.
        mean: FloatArray = rows[start:end].mean(axis=0)
        usable = all(has_vector[start:end]) and mean.any()
        yield _LookedUp(match, mean if usable else None, "its vector is zero")
        start = end


def _encode(words: Sequence[Word], encoder: Encoder) -> Iterator[_LookedUp]:
    """Give the vector of each word as an encoder reads it alone."""
    pieces = encoder.pieces([word.word for word in words])
    known = [
        word for word, counts in zip(words, pieces, strict=True) if counts.unknown < counts.all
    ]
    rows = iter(encoder.encode([Sentence.alone(word.word) for word in known]))
    for word, counts in zip(words, pieces, strict=True):
        if counts.unknown >= counts.all:
            yield _LookedUp(None, None, "the tokenizer knows no piece of it")
            continue
        how = f"{counts.unknown} of {counts.all} pieces unknown" if counts.unknown else "exact"
        vector = next(rows)
        yield _LookedUp(
            Match(word.word, how), vector if vector.any() else None, "its vector is zero"
        )
