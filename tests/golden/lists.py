"""Looking at the shipped lists by test and role."""

from fairvec.lexicon.suite_lists.loader import select
from fairvec.lexicon.words import WordSet


def wordset(test: str, role: str) -> WordSet:
    (selected,) = select([test])
    return selected.test.sets[role]


def words(test: str, role: str) -> list[str]:
    return [word.word for word in wordset(test, role).words]
