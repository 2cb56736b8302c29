"""The nearest words of a word, and how a typed word is found in the vocabulary."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.embedding import Embedding, Match
from fairvec.embedding.lookup import near_spellings
from fairvec.embedding.neighbours import neighbours_of
from fairvec.geometry import FloatArray, Similarity
from fairvec.languages.language import known_languages, script_of_language, scripts
from fairvec.messages.remarks import cut_model_note


@dataclass(frozen=True, eq=False)
class NearWords:
    """The key that a word is found by, its nearest keys, and how similar each is, nearest first."""

    key: str
    near: tuple[str, ...]
    similarities: FloatArray


def near_words(
    embedding: Embedding, keys: Sequence[str], count: int, by: Similarity | None = None
) -> list[NearWords]:
    """Return the nearest keys of each key, itself left out.

    Without a similarity it is the geometry's own: cosine in flat space, negative distance in the
    ball. Large is near in both.
    """
    neighbours = neighbours_of(embedding, keys, count, by)
    return [
        NearWords(key, tuple(embedding.keys[row] for row in rows), similarities)
        for key, rows, similarities in zip(
            keys, neighbours.rows, neighbours.similarities, strict=True
        )
    ]


def keys_of_words(
    words: Iterable[str], embedding: Embedding, on_remark: Callable[[str], None]
) -> list[str]:
    """Return the keys of words and tell how each was found that is not there as typed.

    A word that has no vector is refused, with near spellings that have one.
    """
    keys = []
    for word in words:
        matches = (embedding.lookup(code).find([word]) for code in _languages_of(word, embedding))
        match = next((found for found in matches if found), None)
        if match is None or match.parts:
            raise _unknown(word, match, embedding)
        if not embedding.rows([match.key]).any():
            raise UndefinedError(
                f"The vector of {match.key} in {embedding.name} is zero; use another word."
            )
        if match.how != "exact":
            on_remark(f"{word} is {match.key} here ({match.how}).")
        keys.append(match.key)
    return keys


def _languages_of(word: str, embedding: Embedding) -> Iterable[str]:
    """Give the languages by whose spelling a typed word is looked up: the model's, if it says them.

    Else all that are written in the word's script; no language at all if there are none.
    """
    codes = embedding.languages or tuple(known.code for known in known_languages())
    fitting = [code for code in codes if script_of_language(code, [word]) in scripts(word)]
    return fitting or ("",)


def subset_note(embedding: Embedding) -> str:
    """Say that a model is a subset, so that nearer words may be left out; "" if it is not."""
    return cut_model_note(embedding.name, len(embedding)) if embedding.is_cut else ""


def _unknown(word: str, match: Match | None, embedding: Embedding) -> UnknownNameError:
    near = near_spellings(word, embedding.keys) if match is None else match.parts
    return UnknownNameError(f"word in {embedding.name}", word, near)
