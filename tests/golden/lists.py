"""Looking at the shipped lists by test and role."""

from fairvec.languages.words import WordSet
from fairvec.lexicon.suite_files import select_tests


def wordset(test: str, role: str) -> WordSet:
    (selected,) = select_tests([test])
    return selected.test.sets[role]


def words(test: str, role: str) -> list[str]:
    return [word.word for word in wordset(test, role).words]
