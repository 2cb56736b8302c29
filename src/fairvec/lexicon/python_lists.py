"""Word lists given in Python as the lists of a test; a mistake is reported in one sentence."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from fairvec.core.errors import LexiconError
from fairvec.core.io.cache import digest_of
from fairvec.core.io.toml_files import as_lexicon_error
from fairvec.languages.words import Word, WordSet

ListOfWords = Iterable[str | Word | Mapping[str, Any]] | WordSet
"""A list, tuple, array, column or generator of words, or a WordSet with a title of its own.

A word is text, or a table of it as in a suite file."""

OWN = "own"
"""The suite of tests, and the place of concepts, that are made in Python and not said to be of
another."""
UNSAID = "und"
"""The language of lists without one, by ISO 639; a call takes the model's."""
UNNAMED = "own lists"
"""The category of tests without one; they have no topic in common, so they are not pooled."""
SOURCE = "Lists given in Python."
LICENCE = "Not said."
SHOWN = 2
"""Words shown in place of a title that is missing."""


@contextmanager
def errors_as_sentence(what: str) -> Iterator[None]:
    """Turn what pydantic finds wrong with an object made in Python into one sentence."""
    try:
        yield
    except ValidationError as error:
        raise as_lexicon_error(error, what, lambda _: ()) from None


def as_wordset(role: str, words_given: ListOfWords, title: str = "") -> WordSet:
    """Return a list under a title, or else under its first words; equal lists have equal ids."""
    if isinstance(words_given, WordSet):
        return words_given.model_copy(update={"title": title}) if title else words_given
    words = as_words(role, words_given)
    with errors_as_sentence(f"The list {role}"):
        id = f"{role}-{digest_of([word.word for word in words])[:8]}"
        return WordSet(id=id, title=title or _first_words(words), words=words)


def as_words(role: str, words: Any, *, some: bool = True) -> tuple[Word, ...]:
    """Return the words of a list; one string is a likely slip and not a list of letters."""
    if isinstance(words, str):
        raise LexiconError(f"{role} is one string; give a list of words, as in [{str(words)!r}].")
    if hasattr(words, "columns") or isinstance(words, Mapping | bytes):
        raise LexiconError(
            f"{role} is {type_name(words)}, which is no list of words; give one list or column of "
            "it."
        )
    try:
        # A set has another order in each process, and the same lists shall give the same record.
        entries = sorted(words, key=str) if isinstance(words, set | frozenset) else [*words]
    except TypeError:
        raise LexiconError(f"{role} is {type_name(words)}; give a list of words.") from None
    if some and not entries:
        raise LexiconError(f"{role} is an empty list; give it words.")
    return tuple(_word(role, number, entry) for number, entry in enumerate(entries, start=1))


def as_id(text: str) -> str:
    """Return a title as a part of an id; empty where it has no plain letter."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _word(role: str, number: int, entry: Any) -> Word:
    if isinstance(entry, Word):
        return entry
    if isinstance(entry, str) and entry.strip():
        with errors_as_sentence(f"Word {number} of {role}"):
            return Word(word=str(entry))
    if isinstance(entry, Mapping):
        with errors_as_sentence(f"Word {number} of {role}"):
            return Word.model_validate(dict(entry))
    what = "empty" if isinstance(entry, str) else type_name(entry)
    raise LexiconError(
        f"Word {number} of {role} is {what}; give words as text, and leave out gaps."
    )


def _first_words(words: tuple[Word, ...]) -> str:
    shown = [word.word for word in words[:SHOWN]]
    return "/".join([*shown, *(["…"] if len(words) > SHOWN else [])])


def type_name(value: object) -> str:
    """Return the kind of an object in words."""
    return f"an object of the kind {type(value).__name__}"
