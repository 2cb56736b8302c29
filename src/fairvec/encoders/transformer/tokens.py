"""Sentences as numbers of tokens, and in batches of about equal length."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.encoders.sentence import Sentence
from fairvec.encoders.tokenizer_faults import telling
from fairvec.ground.errors import EncoderError, SettingError
from fairvec.ground.text.shown_values import shown

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
    with telling(tokenizer.name_or_path, ": its tokenizer reads no texts"):
        return tokenizer([*texts], verbose=False, **how)


def _within(sentence: Sentence, places: Sequence[tuple[int, int]]) -> list[int]:
    """Return 1 for each token of which at least a letter belongs to the word."""
    begins, ends = sentence.span
    found = [int(max(start, begins) < min(end, ends)) for start, end in places]
    if not any(found):
        raise EncoderError(
            f"The tokenizer leaves nothing of the word {shown(sentence.word)} in the sentence "
            f"{shown(sentence.text)}; leave the word out, or take another pooling."
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
