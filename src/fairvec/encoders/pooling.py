"""From the tokens of sentences to one vector a sentence: batches, pooling, normalisation.

All of it in numpy, so that every kind of model that reads tokens can share it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import EncoderError, SettingError
from fairvec.core.text import short_repr
from fairvec.encoders.model_folder import tokenizer_errors
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence

IntArray = NDArray[np.int64]
Rows = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Tokens:
    """The tokens of one sentence: ids, segments if the model uses them, and which are pooled.

    `counted` has 1 for each token that the pooling takes: all, or those of the word.
    """

    ids: Sequence[int]
    segments: Sequence[int] | None
    counted: Sequence[int]


def tokenize(
    tokenizer: Any, sentences: Sequence[Sentence], *, prompt: str = "", word: bool = False
) -> list[Tokens]:
    """Return the tokens of each sentence, none cut off; with `word`, those of the word count."""
    if word and not tokenizer.is_fast:
        raise SettingError(
            f"The tokenizer {type(tokenizer).__name__} does not say which token comes from which "
            "letters, so the word cannot be found in its sentence; take another pooling than word."
        )
    output = call_tokenizer(
        tokenizer,
        [prompt + sentence.text for sentence in sentences],
        padding=False,
        truncation=False,
        return_offsets_mapping=word,
    )
    segments = output.get("token_type_ids") or [None] * len(sentences)
    if not word:
        counted = [[1] * len(ids) for ids in output["input_ids"]]
    else:
        counted = [
            _tokens_of_word(sentence, places, len(prompt))
            for sentence, places in zip(sentences, output["offset_mapping"], strict=True)
        ]
    return [Tokens(*fields) for fields in zip(output["input_ids"], segments, counted, strict=True)]


def call_tokenizer(tokenizer: Any, texts: Sequence[str], **options: Any) -> Any:
    """Call a tokenizer; one with a damaged file raises FileFormatError."""
    with tokenizer_errors(tokenizer.name_or_path, ": its tokenizer reads no texts"):
        return tokenizer([*texts], verbose=False, **options)


def _tokens_of_word(
    sentence: Sentence, places: Sequence[tuple[int, int]], before: int
) -> list[int]:
    """Return 1 for each token that has a letter of the word, else 0; `before` letters precede."""
    word_start, word_end = (place + before for place in sentence.span)
    counted = [int(max(start, word_start) < min(end, word_end)) for start, end in places]
    if not any(counted):
        raise EncoderError(
            f"The tokenizer leaves nothing of the word {short_repr(sentence.word)} in the sentence "
            f"{short_repr(sentence.text)}; leave the word out, or take another pooling."
        )
    return counted


def batches(tokens: Sequence[Tokens], budget: int) -> Iterator[IntArray]:
    """Yield the rows of batches, the shortest first, each within a budget of padded tokens."""
    lengths = np.array([len(sentence.ids) for sentence in tokens])
    order = np.argsort(lengths, kind="stable")
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or (end + 1 - start) * lengths[order[end]] > budget:
            yield order[start:end]
            start = end


def pad_rows(rows: Sequence[Sequence[int]], filler: int) -> IntArray:
    """Return rows of unequal length as one array, padded at the end."""
    matrix = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
    for row, values in zip(matrix, rows, strict=True):
        row[: len(values)] = values
    return matrix


def _first(vectors: Rows, counted: IntArray) -> Rows:
    first: Rows = vectors[:, 0]
    return first


def _last(vectors: Rows, counted: IntArray) -> Rows:
    last: Rows = vectors[np.arange(len(vectors)), counted.sum(axis=1) - 1]
    return last


def _mean(vectors: Rows, counted: IntArray) -> Rows:
    shares = counted.astype(vectors.dtype)
    mean: Rows = (vectors * shares[:, :, None]).sum(axis=1) / shares.sum(axis=1, keepdims=True)
    return mean


def _mean_sqrt_len(vectors: Rows, counted: IntArray) -> Rows:
    number = counted.sum(axis=1, keepdims=True).astype(vectors.dtype)
    scaled: Rows = _mean(vectors, counted) * np.sqrt(number)
    return scaled


def _weighted_mean(vectors: Rows, counted: IntArray) -> Rows:
    return _mean(vectors, counted * counted.cumsum(axis=1))


def _max(vectors: Rows, counted: IntArray) -> Rows:
    found: Rows = np.where(counted[:, :, None] == 0, -np.inf, vectors).max(axis=1)
    return found.astype(vectors.dtype, copy=False)


POOLINGS: dict[str, Callable[[Rows, IntArray], Rows]] = {
    "cls": _first,
    "max": _max,
    "mean": _mean,
    "mean_sqrt_len_tokens": _mean_sqrt_len,
    "weightedmean": _weighted_mean,
    "lasttoken": _last,
    "last": _last,
    "word": _mean,
}
"""By name; `word` is the mean where only the tokens of the word count."""


SHORTEST = 1e-12
"""The smallest divisor, as in torch."""


class VectorStep(Protocol):
    """A transformation of pooled vectors, row by row."""

    @property
    def width(self) -> int | None:
        """The number of columns of its result; None if unchanged."""
        ...

    def apply(self, rows: FloatArray) -> FloatArray:
        """Return the transformed rows."""
        ...


@dataclass(frozen=True)
class Normalize:
    """Divides each vector by its length: v / max(|v|, 1e-12)."""

    @property
    def width(self) -> int | None:
        """None: the number of columns stays."""
        return None

    def apply(self, rows: FloatArray) -> FloatArray:
        """Return rows of length 1."""
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        divided: FloatArray = rows / np.maximum(lengths, SHORTEST)
        return divided
