"""Tests grouped into folds by the words they share, so that some judge what others chose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairvec.embedding import Embedding, Lookup, lookup_of
from fairvec.languages.spelling import folded
from fairvec.lexicon import Test, Word
from fairvec.results import Apart

ENOUGH = 3
"""Folds under which a looser split is tried; of fewer nobody can tell how much they scatter."""


@dataclass(frozen=True)
class TestFold:
    """Tests that share words, directly or by way of one another.

    `near` are tests of other concepts that share words with them: they are hidden with the fold.
    """

    __test__ = False  # pytest: this is not a test class

    tests: tuple[str, ...]
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folds:
    """All folds, and in which way those of two folds stand apart."""

    apart: Apart
    each: tuple[TestFold, ...]


@dataclass(frozen=True)
class _Listed:
    """A test's words, by all the forms in which another test may have them."""

    id: str
    targets: frozenset[str]
    attributes: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.targets | self.attributes


_Joined = Callable[[_Listed, _Listed], bool]


def _share_a_word(one: _Listed, other: _Listed) -> bool:
    return not one.words.isdisjoint(other.words)


def _lend_a_target(one: _Listed, other: _Listed) -> bool:
    return not (one.targets.isdisjoint(other.words) and other.targets.isdisjoint(one.words))


def _share_a_target(one: _Listed, other: _Listed) -> bool:
    return not one.targets.isdisjoint(other.targets)


WAYS: dict[Apart, _Joined] = {
    "all-words": _share_a_word,
    "targets-anywhere": _lend_a_target,
    "targets": _share_a_target,
}
"""What makes two tests stand in one fold, the strictest way first."""


def folds_of(own: Sequence[Test], others: Sequence[Test], embedding: Embedding) -> Folds:
    """Group the tests of a concept into the connected components of shared words.

    A word is shared under any of its spellings, as the key it reached, or as a part of an entry of
    several words. Tests of one concept mostly have the same attributes (he, she), so that keeping
    all words apart may leave a single fold. Then a looser way is tried: no target word of one fold
    stands in any list of another; and last: no target word is a target of another. The strictest
    way that gives three folds is taken, or else the strictest of those that give most.
    """
    listed, strangers = (
        [_listed(test, lookup_of(embedding, test.language)) for test in tests]
        for tests in (own, others)
    )
    found = [_folds(way, listed, strangers) for way in WAYS]
    most = max(found, key=lambda folds: len(folds.each))
    return next((folds for folds in found if len(folds.each) >= ENOUGH), most)


def _folds(way: Apart, listed: Sequence[_Listed], strangers: Sequence[_Listed]) -> Folds:
    joined = WAYS[way]
    return Folds(
        way,
        tuple(
            TestFold(
                tuple(one.id for one in group),
                tuple(one.id for one in strangers if any(joined(one, each) for each in group)),
            )
            for group in _components(listed, joined)
        ),
    )


def _components(listed: Sequence[_Listed], joined: _Joined) -> list[list[_Listed]]:
    """Return the connected components, tests and components in the order given."""
    groups: list[list[_Listed]] = []
    for one in listed:
        near = [group for group in groups if any(joined(one, each) for each in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(each for group in near for each in group), one])
    place = {one.id: number for number, one in enumerate(listed)}
    ordered = [sorted(group, key=lambda one: place[one.id]) for group in groups]
    return sorted(ordered, key=lambda group: place[group[0].id])


def _listed(test: Test, lookup: Lookup) -> _Listed:
    def forms(*roles: str) -> frozenset[str]:
        lists = (test.sets[role] for role in roles if role in test.sets)
        return frozenset(
            form for each in lists for word in each.words for form in _forms(word, lookup)
        )

    return _Listed(test.id, forms("x", "y", "words"), forms("a", "b"))


def _forms(word: Word, lookup: Lookup) -> set[str]:
    """Return the forms of a word: spellings, their parts, and the keys that were reached."""
    match = lookup.find(word.spellings, word.pos)
    parts = (part for spelling in word.spellings for part in spelling.split())
    every = (*word.spellings, *parts, *(match.keys if match else ()))
    return {folded(form, lookup.rules).casefold() for form in every}
