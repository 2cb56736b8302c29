"""A test with other published lists for the same concepts."""

from collections.abc import Iterator
from typing import NamedTuple

from fairvec.lexicon import Test, shipped_suites

PAIRS_OF_LISTS = (("a", "b"), ("x", "y"))
"""Lists that change together: one of them alone would not be set against what it was chosen for."""


class OtherLists(NamedTuple):
    """Which lists are others, the published test they are of, and the test with them."""

    roles: tuple[str, ...]
    source: Test
    test: Test


def with_other_lists(test: Test) -> Iterator[OtherLists]:
    """Yield the test with each other pair of shipped lists of its concepts and language, once."""
    seen = {_words(test, roles) for roles in PAIRS_OF_LISTS}
    for other in (other for suite in shipped_suites() for other in suite.tests):
        for roles in PAIRS_OF_LISTS:
            if other.language != test.language or not _alike(test, other, roles):
                continue
            if (words := _words(other, roles)) in seen:
                continue
            seen.add(words)
            lists = {**test.sets, **{role: other.sets[role] for role in roles}}
            yield OtherLists(roles, other, test.model_copy(update={"sets": lists}))


def _alike(test: Test, other: Test, roles: tuple[str, ...]) -> bool:
    return all(
        role in other.sets and other.sets[role].concept == test.sets[role].concept for role in roles
    )


def _words(test: Test, roles: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(word.word for word in test.sets[role].words) for role in roles)
