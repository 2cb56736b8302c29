"""The words of analogy questions looked up in an embedding."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.benchmarks import AnalogyQuestion, AnalogySet, matches_of
from fairvec.embedding import Embedding
from fairvec.embedding.rows_on_demand import some_rows
from fairvec.geometry.nearest import IntArray
from fairvec.ground.errors import SettingError, UndefinedError


@dataclass(frozen=True, eq=False)
class AskedWords:
    """The questions that can be asked: their places in the set and the rows of their four words.

    `missing` are the words for lack of which others are left out; a word must be a key itself, and
    its vector not zero. A question two of whose words reach one key is left out too, because it
    can be neither asked nor answered; `merged` names such words.
    """

    items: IntArray
    rows: IntArray
    missing: tuple[str, ...]
    merged: tuple[str, ...]


def asked(benchmark: AnalogySet, embedding: Embedding) -> AskedWords:
    """Look up the words of all questions by the rules of the set's language."""
    matches = matches_of(benchmark.words, embedding, benchmark.language)
    rows = {
        word: embedding.positions[match.key] for word, match in matches.items() if not match.parts
    }
    found = {
        item: [rows[word] for word in question]
        for item, question in enumerate(benchmark.questions)
        if rows.keys() >= {*question}
    }
    merged = [item for item, four in found.items() if len({*four}) < 4]
    named = [_named(benchmark.questions[item], found.pop(item), embedding) for item in merged]
    if not found:
        raise UndefinedError(
            f"{embedding.name} knows all four words of none of the {len(benchmark)} questions of "
            f"{benchmark.title}; use a model that knows more of them."
        )
    return AskedWords(
        items=np.array(list(found)),
        rows=np.array(list(found.values())),
        missing=tuple(word for word in benchmark.words if word not in rows),
        merged=tuple(dict.fromkeys(named)),
    )


def frequent_first(counts: NDArray[Any]) -> IntArray:
    """Return the rows by their counts, the largest first; what is no count comes last."""
    often = counts if counts.dtype.kind == "f" else counts.astype(np.int64)
    return np.argsort(-often, kind="stable")


def most_frequent(embedding: Embedding, number: int) -> Embedding:
    """Return the embedding with its most frequent words only: by counts, or else the first ones.

    Their vectors are not copied: they are a view, or taken when they are asked for.
    """
    if number < 1:
        raise SettingError(f"One word or more must be kept, not {number}.")
    if number >= len(embedding):
        return embedding
    rows: IntArray = np.arange(number)
    if embedding.counts is not None:
        rows = np.sort(frequent_first(embedding.counts)[:number])
    keys = [embedding.keys[row] for row in rows.tolist()]
    vectors = some_rows(embedding.vectors, rows)
    return Embedding(keys, vectors, embedding.geometry, embedding.name)


def _named(question: AnalogyQuestion, rows: list[int], embedding: Embedding) -> str:
    """Name the words of a question that reach one key."""
    twice = next(row for row in rows if rows.count(row) > 1)
    words = [word for word, row in zip(question, rows, strict=True) if row == twice]
    return f"{' and '.join(dict.fromkeys(words))} (both {embedding.keys[twice]})"
