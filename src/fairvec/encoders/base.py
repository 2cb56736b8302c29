"""The interface of text models, the options of an encoder, and errors for unreadable sentences."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol

from pydantic import Field

from fairvec.core.errors import SettingError, UnreadableError
from fairvec.core.settings import settings
from fairvec.core.text import short_repr
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


class SentenceEncoder(Protocol):
    """Anything that gives sentences vectors."""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        ...


class WordPieces(NamedTuple):
    """How many pieces a tokenizer splits a word into, and how many of them are unknown."""

    all: int
    unknown: int


class TextModel(ABC):
    """What an Encoder wraps: a transformer, an ELMo, a function.

    Everything but `encode` and `pieces` must work without loading weights, so that vectors stored
    by an earlier run are found without torch.
    """

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """The number of columns."""

    @property
    @abstractmethod
    def precision(self) -> float:
        """The relative rounding of its numbers, as in 1.2e-7 for float32."""

    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """Every choice that changes a vector: kind, layer, pooling, type of numbers."""

    @abstractmethod
    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, in any floating type; the order of sentences is free."""

    @property
    def content_hash(self) -> str:
        """SHA-256 over weights, tokenizer and settings: equal ones give equal vectors.

        Empty where that is not known: then nothing is stored on disk.
        """
        return ""

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Return the pieces of each word; a word of unknown pieces has no meaning.

        One known piece each where there is no tokenizer to ask.
        """
        return [WordPieces(1, 0)] * len(words)


Pooling = Literal["cls", "mean", "last", "word"]
Dtype = Literal["auto", "float32", "bfloat16"]
_LAYER_LIST = re.compile(r"-?\d+(,-?\d+)*")


@settings(called="encoder")
class Choices:
    """Which vectors of an encoder are taken; every choice is written into its results.

    `layer`: "last", a number (0 is what goes into the first layer, -2 the one before the last),
    several with commas (their mean) or "all" (the mean of all). `pooling`: "cls" (the first token),
    "mean" (over the tokens of the text), "last" (the last token) or "word" (the mean over the
    tokens of the word in its sentence); empty: what the folder says, else the mean, or of a decoder
    the last token. `dtype`: float32, or bfloat16; "auto" is float32 on a CPU and bfloat16 on a
    GPU.
    """

    layer: Annotated[
        str,
        Field(
            description="Of an encoder: last, a number (0 goes into the first layer), several with "
            "commas (their mean), or all."
        ),
    ] = "last"
    pooling: Annotated[
        Pooling | None,
        Field(
            description="Of an encoder: cls, mean, last or word (the tokens of the word in its "
            "sentence). Default: what its folder says, else mean."
        ),
    ] = None
    dtype: Annotated[
        Dtype, Field(description="Of an encoder; auto: bfloat16 on a GPU, else float32.")
    ] = "auto"

    def __post_init__(self) -> None:
        if self.layer not in ("last", "all") and not _LAYER_LIST.fullmatch(self.layer):
            raise SettingError(
                f"layer is {short_repr(self.layer)}; it must be last, all, a number or numbers "
                "with commas, as in 1,2,3."
            )

    def layers(self, count: int, name: str) -> tuple[int, ...]:
        """Return the indices of the layers whose mean is taken, out of `count` layers from 0 on."""
        if self.layer == "last":
            return (count - 1,)
        if self.layer == "all":
            return tuple(range(count))
        numbers = [int(number) for number in self.layer.split(",")]
        for number in numbers:
            if not -count <= number < count:
                raise SettingError(
                    f"{name} has no layer {number}: its layers are 0 to {count - 1}, 0 being what "
                    "goes into the first."
                )
        return tuple(dict.fromkeys(number % count for number in numbers))


AS_GIVEN = Choices()
"""Defaults: what the folder says, else the mean (of a decoder the last token) of the last layer."""


Source = str | Path | Callable[[list[str]], Any]
"""A folder as a Path, a function, or what names neither, as text."""


@dataclass(frozen=True)
class EncoderKind:
    """A kind of encoder: which sources it claims, and how one is opened.

    `open` takes the source, the choices and, for a source without a name of its own, what the user
    calls it. Of a source that is no folder the settings say under the kind's name what it is.
    """

    name: str
    claims: Callable[[Source], bool]
    open: Callable[[Any, Choices, str | None], TextModel]


def folder_kind(
    name: str, recognises: Callable[[Path], bool], read: Callable[[Path, Choices], TextModel]
) -> EncoderKind:
    """Return a kind of encoder that lies in a folder."""
    return EncoderKind(
        name,
        lambda source: isinstance(source, Path) and recognises(source),
        lambda folder, choices, _: read(folder, choices),
    )


@settings(called="encoder")
class EncoderOptions(Choices):
    """The options of opening an encoder, shared by every command that opens one.

    `token_embeddings` takes the input embeddings of a transformer as word vectors, `download`
    allows downloads, `keep` stores sentence vectors on disk; the rest are those of Choices.
    """

    token_embeddings: Annotated[
        bool, Field(description="Of a transformer its input embeddings, as word vectors.")
    ] = False
    download: Annotated[
        bool, Field(description="Fetch an encoder named owner/name from its hub.")
    ] = False
    keep: Annotated[bool, Field(description="Whether sentence vectors are kept on disk.")] = True

    @property
    def choices(self) -> Choices:
        """Which of its vectors are taken."""
        return Choices(self.layer, self.pooling, self.dtype)


AS_USUAL = EncoderOptions()
"""All defaults."""


def too_long(model: str, sentence: Sentence, count: int, limit: int, of: str) -> UnreadableError:
    """Return the error for a sentence beyond the length of a model, which is never truncated."""
    text = sentence.text
    return UnreadableError(
        f"{model} reads {limit} {of} at the most and the sentence {short_repr(text)} has {count}; "
        "it would have to be cut, so shorten it or leave it out.",
        text,
    )


def no_tokens(model: str, sentence: Sentence) -> UnreadableError:
    """Return the error for a sentence of which a tokenizer knows no token."""
    return UnreadableError(
        f"The tokenizer of {model} knows no token of the sentence {short_repr(sentence.text)}; "
        "leave it out.",
        sentence.text,
    )
