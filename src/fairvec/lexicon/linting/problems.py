"""What pydantic found wrong in a file of word lists, as one sentence that a person can act on."""

from collections.abc import Callable, Iterable

from pydantic import ValidationError

from fairvec.ground.errors import LexiconError
from fairvec.ground.text.problems import Location, did_you_mean, problems

__all__ = ["Location", "as_lexicon_error", "did_you_mean"]

_WANTED = {"Word": "a word in quotes, or a table with the key word"}


def as_lexicon_error(
    error: ValidationError, where: str, known_keys: Callable[[Location], Iterable[str]]
) -> LexiconError:
    """Return the error whose message names the file, each field and what it should be."""
    return LexiconError(f"{where}: {problems(error, known_keys, wanted=_WANTED)}.")
