"""The words that a picture shows: the first of a vocabulary, and those that were asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding, lookup_of
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.geometry import FloatArray
from fairvec.ground.errors import UndefinedError


@dataclass(frozen=True, eq=False)
class ShownWords:
    """The keys that are shown, their points, and what became of the words asked for by name.

    The first `common` of them are there for their frequency and not because they were asked for: a
    picture's plane is theirs, so that it does not move when one more word is looked for. `reached`
    has the key of each word asked for, None of one that has no point. A vector of length zero lies
    in no direction: such keys are not shown, and `left_out` counts them.
    """

    embedding: Embedding
    keys: tuple[str, ...]
    points: FloatArray
    common: int
    reached: Mapping[str, str | None]
    left_out: int


def shown_words(embedding: Embedding, first: int, words: Sequence[str] = ()) -> ShownWords:
    """Return the `first` keys of a model, as a rule its commonest, and those of more words."""
    language = next(iter(languages_of(embedding)), "") if words else ""
    lookup = lookup_of(embedding, language) if words else None
    found = {word: lookup.find([word]) for word in words} if lookup else {}
    reached = {
        word: match.key if match and not match.parts else None for word, match in found.items()
    }
    asked = [key for key in reached.values() if key is not None]
    keys = tuple(dict.fromkeys([*embedding.keys[:first], *asked]))
    points = embedding.rows(keys)
    there = np.atleast_1d(points.any(axis=1))
    if not there.any():
        raise UndefinedError(
            f"No word of {embedding.name} that was asked for has a vector; ask for others."
        )
    shown = {key for key, usable in zip(keys, there, strict=True) if usable}
    return ShownWords(
        embedding,
        tuple(key for key in keys if key in shown),
        points[there],
        int(there[: min(first, len(embedding))].sum()) or int(there.sum()),
        {word: key if key in shown else None for word, key in reached.items()},
        len(keys) - len(shown),
    )
