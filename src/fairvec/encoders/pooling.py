"""From tokens in batches to one vector a sentence."""

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


@dataclass(frozen=True)
class Tokens:
    """The tokens of one sentence: their numbers, their segments if the model asks, and which count.

    `counted` has 1 for each token that the pooling takes: all, or those of the word.
    """

    ids: Sequence[int]
    segments: Sequence[int] | None
    counted: Sequence[int]


def tokens_of(
    tokenizer: Any, sentences: Sequence[Sentence], *, prompt: str = "", word: bool = False
) -> list[Tokens]:
    """Return the tokens of each sentence, none cut off; with `word`, those of the word count."""
    if word and not tokenizer.is_fast:
        raise SettingError(
            f"The tokenizer {type(tokenizer).__name__} does not say which token comes from which "
            "letters, so the word cannot be found in its sentence; take another pooling than word."
        )
    said = said_by(
        tokenizer,
        [prompt + one.text for one in sentences],
        padding=False,
        truncation=False,
        return_offsets_mapping=word,
    )
    segments = said.get("token_type_ids") or [None] * len(sentences)
    if not word:
        counted = [[1] * len(ids) for ids in said["input_ids"]]
    else:
        counted = [
            _within(one, places)
            for one, places in zip(sentences, said["offset_mapping"], strict=True)
        ]
    return [Tokens(*each) for each in zip(said["input_ids"], segments, counted, strict=True)]


def said_by(tokenizer: Any, texts: Sequence[str], **how: Any) -> Any:
    """Return what a tokenizer makes of texts; its files may have made it one that cannot."""
    with tokenizer_errors(tokenizer.name_or_path, ": its tokenizer reads no texts"):
        return tokenizer([*texts], verbose=False, **how)


def _within(sentence: Sentence, places: Sequence[tuple[int, int]]) -> list[int]:
    """Return 1 for each token of which at least a letter belongs to the word."""
    begins, ends = sentence.span
    found = [int(max(start, begins) < min(end, ends)) for start, end in places]
    if not any(found):
        raise EncoderError(
            f"The tokenizer leaves nothing of the word {short_repr(sentence.word)} in the sentence "
            f"{short_repr(sentence.text)}; leave the word out, or take another pooling."
        )
    return found


def batches(tokens: Sequence[Tokens], budget: int) -> Iterator[IntArray]:
    """Yield the rows of batches, the shortest first, each within a budget of padded tokens."""
    lengths = np.array([len(each.ids) for each in tokens])
    order = np.argsort(lengths, kind="stable")
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or (end + 1 - start) * lengths[order[end]] > budget:
            yield order[start:end]
            start = end


def padded(rows: Sequence[Sequence[int]], filler: int) -> IntArray:
    """Return rows of unequal length as one array, filled up behind."""
    whole = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
    for row, values in zip(whole, rows, strict=True):
        row[: len(values)] = values
    return whole


# From one vector a token to one vector a sentence.


def _first(vectors: Any, counted: Any) -> Any:
    return vectors[:, 0]


def _last(vectors: Any, counted: Any) -> Any:
    rows = range(len(vectors))
    return vectors[list(rows), counted.sum(dim=1) - 1]


def _mean(vectors: Any, counted: Any) -> Any:
    shares = counted.to(vectors.dtype)
    return (vectors * shares[:, :, None]).sum(dim=1) / shares.sum(dim=1, keepdim=True)


def _mean_by_root(vectors: Any, counted: Any) -> Any:
    number = counted.sum(dim=1, keepdim=True).to(vectors.dtype)
    return _mean(vectors, counted) * number.sqrt()


def _weighted_mean(vectors: Any, counted: Any) -> Any:
    return _mean(vectors, counted * counted.cumsum(dim=1))


def _greatest(vectors: Any, counted: Any) -> Any:
    return vectors.masked_fill(counted[:, :, None] == 0, float("-inf")).amax(dim=1)


POOLINGS: dict[str, Callable[[Any, Any], Any]] = {
    "cls": _first,
    "max": _greatest,
    "mean": _mean,
    "mean_sqrt_len_tokens": _mean_by_root,
    "weightedmean": _weighted_mean,
    "lasttoken": _last,
    "last": _last,
    "word": _mean,
}
"""By name; `word` is the mean where only the tokens of the word count."""


# What may follow a pooled vector.


SHORTEST = 1e-12
"""What a vector is divided by at the least, as in torch."""


class VectorStep(Protocol):
    """A change of vectors, one by one."""

    @property
    def width(self) -> int | None:
        """How many columns it gives; nothing if as many as it gets."""
        ...

    def applied(self, rows: FloatArray) -> FloatArray:
        """Return the changed rows."""
        ...


@dataclass(frozen=True)
class Normalize:
    """Divides each vector by its length: v / max(|v|, 1e-12)."""

    @property
    def width(self) -> int | None:
        """As many columns as it gets."""
        return None

    def applied(self, rows: FloatArray) -> FloatArray:
        """Return rows of length 1."""
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        divided: FloatArray = rows / np.maximum(lengths, SHORTEST)
        return divided
