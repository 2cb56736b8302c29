"""The contract of text models, the choices of an encoder, and limits of length."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from fairvec.core.errors import SettingError, UnreadableError
from fairvec.core.settings import check_settings
from fairvec.core.text import short_repr
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


class SentenceEncoder(Protocol):
    """Anything that gives sentences vectors."""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        ...


class WordPieces(NamedTuple):
    """Into how many pieces a tokenizer cuts a word, and how many of them it does not know."""

    all: int
    unknown: int


class TextModel(Protocol):
    """A transformer, an ELMo, a function: what an Encoder asks.

    Everything but `encode` and `pieces` must be had without loading weights, so that vectors which
    were kept from an earlier run are found without torch.
    """

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        ...

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers, as in 1.2e-7 for float32."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every choice that changes a vector: kind, layer, pooling, type of numbers."""
        ...

    @property
    def content_hash(self) -> str:
        """SHA-256 over weights, tokenizer and settings: equal ones give equal vectors.

        Empty if it cannot be told, as of a function: then nothing is kept on disk.
        """
        ...

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, in any floating type; the order of sentences is free."""
        ...

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Say of each word how the tokenizer reads it; a word it does not know has no meaning."""
        ...


# Which of an encoder's vectors are taken: layer, pooling, type of numbers.


Pooling = Literal["cls", "mean", "last", "word"]
Numbers = Literal["auto", "float32", "bfloat16"]

_LISTED = re.compile(r"-?\d+(,-?\d+)*")


@dataclass(frozen=True)
class Choices:
    """What a user may choose of an encoder; every choice is written into its results.

    `layer`: "last", a number (0 is what goes into the first layer, -2 the one before the last),
    several with commas (their mean) or "all" (the mean of all). `pooling`: "cls" (the first token),
    "mean" (over the tokens of the text), "last" (the last token) or "word" (the mean over the
    tokens of the word in its sentence); empty: what the folder says, else the mean, or of a decoder
    the last token. `numbers`: float32, or bfloat16; "auto" is float32 on a CPU and bfloat16 on a
    GPU.
    """

    layer: str = "last"
    pooling: Pooling | None = None
    numbers: Numbers = "auto"

    def __post_init__(self) -> None:
        check_settings(self, called="encoder")
        if self.layer not in ("last", "all") and not _LISTED.fullmatch(self.layer):
            raise SettingError(
                f"layer is {short_repr(self.layer)}; it must be last, all, a number or numbers "
                "with commas, as in 1,2,3."
            )

    def layers(self, count: int, name: str) -> tuple[int, ...]:
        """Return the numbers of the layers whose mean is taken, of so many from 0 on."""
        if self.layer == "last":
            return (count - 1,)
        if self.layer == "all":
            return tuple(range(count))
        asked = [int(number) for number in self.layer.split(",")]
        for number in asked:
            if not -count <= number < count:
                raise SettingError(
                    f"{name} has no layer {number}: its layers are 0 to {count - 1}, 0 being what "
                    "goes into the first."
                )
        return tuple(dict.fromkeys(number % count for number in asked))


AS_GIVEN = Choices()
"""Nothing chosen: what the folder says, else the mean (of a decoder the end) of the last layer."""


# How an encoder is read, where its folder leaves that open.


@dataclass(frozen=True)
class EncoderOptions:
    """The options of reading an encoder, which every command that opens one shares.

    `token_embeddings` asks for the input embeddings of a transformer as word vectors, `download`
    allows to fetch, `keep` keeps sentence vectors on disk; the rest are choices (see Choices).
    """

    layer: str = "last"
    pooling: Pooling | None = None
    numbers: Numbers = "auto"
    token_embeddings: bool = False
    download: bool = False
    keep: bool = True

    @property
    def choices(self) -> Choices:
        """Which of its vectors are taken."""
        return Choices(self.layer, self.pooling, self.numbers)


AS_USUAL = EncoderOptions()
"""Nothing asked for."""


# A sentence beyond the length of a model is refused: a vector of its beginning would be wrong.


def too_long(model: str, sentence: Sentence, count: int, limit: int, of: str) -> UnreadableError:
    """Say that a sentence has so many tokens or characters, where a model takes fewer."""
    text = sentence.text
    return UnreadableError(
        f"{model} reads {limit} {of} at the most and the sentence {short_repr(text)} has {count}; "
        "it would have to be cut, so shorten it or leave it out.",
        text,
    )


def no_tokens(model: str, sentence: Sentence) -> UnreadableError:
    """Say that a tokenizer leaves nothing of a sentence."""
    return UnreadableError(
        f"The tokenizer of {model} knows no token of the sentence {short_repr(sentence.text)}; "
        "leave it out.",
        sentence.text,
    )
