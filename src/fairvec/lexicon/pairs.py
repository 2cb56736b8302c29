"""The male and female words of a language that form pairs."""

from functools import cache

from fairvec.lexicon.languages import file_of_language
from fairvec.lexicon.loader import read_suite
from fairvec.lexicon.suite import Test


@cache
def gendered_pairs(language: str) -> Test:
    """Return the published pairs of a language: male words as a, their female partners as b.

    The test has no targets. Resolved in an embedding it has `pairs()`; what all of them differ in
    is the direction of gender.
    """
    (test,) = read_suite(file_of_language(language, "pairs", "gendered pairs")).tests
    return test
