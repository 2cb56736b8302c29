"""Words that a user types, looked up in a model, and how words near to them are shown."""

from collections.abc import Iterable
from pathlib import Path

from fairvec.cli.console import say
from fairvec.embedding import Embedding, Match, lookup_of
from fairvec.embedding.near_spelling import near_spellings
from fairvec.ground.errors import FileFormatError, UndefinedError, UnknownNameError
from fairvec.languages.scripts import scripts

# The spelling rules of a language hold for the words of its script.
_LANGUAGES = {"DEVANAGARI": "hi", "CYRILLIC": "ru"}


def keys_of(words: Iterable[str], embedding: Embedding) -> list[str]:
    """Return the keys of words and say how each was found that is not there as typed.

    A word that has no vector is refused, with near spellings that have one.
    """
    keys = []
    for word in words:
        language = next((_LANGUAGES.get(script, "") for script in sorted(scripts(word))), "")
        match = lookup_of(embedding, language).find([word])
        if match is None or match.parts:
            raise _unknown(word, match, embedding)
        if not embedding.rows([match.key]).any():
            raise UndefinedError(
                f"The vector of {match.key} in {embedding.name} is zero; use another word."
            )
        if match.how != "exact":
            say(f"{word} is {match.key} here ({match.how}).")
        keys.append(match.key)
    return keys


def say_if_cut(embedding: Embedding) -> None:
    """Say that nearer words may have been left out of a model."""
    if any(step.action == "subset" for step in embedding.history):
        say(
            f"{embedding.name} is a cut of {len(embedding):,} words of a larger model; other words "
            "may be nearer."
        )


def heading_of(compared_by: str) -> str:
    """Return the name of what `nearness` writes: a negative distance is shown as a distance."""
    return compared_by.removeprefix("negative-")


def nearness(similarity: float, compared_by: str) -> str:
    """Return a similarity as it is shown; of distances the small ones are near."""
    return f"{abs(similarity) if compared_by.startswith('negative-') else similarity:.4f}"


def _unknown(word: str, match: Match | None, embedding: Embedding) -> UnknownNameError:
    near = near_spellings(word, embedding.keys) if match is None else match.parts
    return UnknownNameError(f"word in {embedding.name}", word, near)


def words_of_file(file: Path) -> list[str]:
    """Return the words of a text file, one a line."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{file} is not text in UTF-8; save it as such.") from error
    return [word for line in text.split("\n") if (word := line.removesuffix("\r"))]
