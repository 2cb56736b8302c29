"""The male and female words of a language that form pairs."""

from functools import cache
from importlib.resources import files

from fairvec.errors import UnknownNameError
from fairvec.lexicon.loader import read_suite
from fairvec.lexicon.suite import Test


@cache
def gendered_pairs(language: str) -> Test:
    """Return the published pairs of a language: male words as a, their female partners as b.

    The test has no targets. Resolved in an embedding, row i of a and row i of b are a pair; what
    all pairs differ in is the direction of gender.
    """
    folder = files("fairvec.lexicon") / "data" / "pairs"
    names = {file.name.removesuffix(".toml") for file in folder.iterdir()}
    if language not in names:
        raise UnknownNameError("language of gendered pairs", language, names)
    (test,) = read_suite(folder / f"{language}.toml").tests
    return test
