"""Words that a user types, looked up in a model, and how words near to them are shown."""

from collections.abc import Iterable
from pathlib import Path

from fairvec.cli.console import say
from fairvec.embedding import Embedding
from fairvec.evaluation.near_words import cut_of, keys_of_words
from fairvec.ground.disk.files import text_of
from fairvec.ground.errors import FileFormatError
from fairvec.ground.numbers import number


def keys_of(words: Iterable[str], embedding: Embedding) -> list[str]:
    """Return the keys of words and say how each was found that is not there as typed.

    A word that has no vector is refused, with near spellings that have one.
    """
    return keys_of_words(words, embedding, say)


def say_if_cut(embedding: Embedding) -> None:
    """Say that nearer words may have been left out of a model."""
    if told := cut_of(embedding):
        say(told)


def heading_of(compared_by: str) -> str:
    """Return the name of what `nearness` writes: a negative distance is shown as a distance."""
    return compared_by.removeprefix("negative-")


def nearness(similarity: float, compared_by: str) -> str:
    """Return a similarity as it is shown; of distances the small ones are near."""
    return number(abs(similarity) if compared_by.startswith("negative-") else similarity, 4)


def words_of_file(file: Path) -> list[str]:
    """Return the words of a text file, one a line."""
    text = text_of(file, "word", FileFormatError)
    return [word for word in text.replace("\r", "\n").split("\n") if word]
