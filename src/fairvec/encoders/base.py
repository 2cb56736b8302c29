"""The interface of text models, the options of an encoder, and errors for unreadable sentences."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol

from pydantic import Field

from fairvec.core.errors import SettingError, UnreadableError
from fairvec.core.settings import Dimensions, NotNegative, Positive, PositiveInt, settings
from fairvec.core.text import short_repr
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence

if TYPE_CHECKING:
    from fairvec.encoders.store import VectorStore


CHUNK = 512
"""How many sentences are encoded before they are stored: an interrupted run loses no more."""


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

    def open_store(self, folder: Path) -> "VectorStore | None":
        """Return where its vectors are stored in a folder; None if they cannot be told apart."""
        from fairvec.encoders.store import VectorStore  # here, because it knows WordPieces

        name = self.content_hash
        return VectorStore(folder / f"{name}.sqlite") if name else None

    @property
    def is_remote(self) -> bool:
        """Whether sentences are sent elsewhere, and are therefore gathered and counted first."""
        return False

    @property
    def probes(self) -> Mapping[str, Any] | None:
        """What a server showed of itself before it was asked; None of what is no server."""
        return None

    def begin(
        self, sentences: Sequence[Sentence], store: "VectorStore | None"
    ) -> "VectorStore | None":
        """Prepare to read sentences, and return the store whose vectors are still the model's."""
        return store

    def encode_in_parts(
        self, sentences: Sequence[Sentence]
    ) -> Generator[tuple[Sequence[Sentence], FloatArray]]:
        """Yield the vectors of some sentences after the other, each part to be stored at once."""
        for start in range(0, len(sentences), CHUNK):
            chunk = sentences[start : start + CHUNK]
            yield chunk, self.encode(chunk)

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


@settings(called="endpoint")
class EndpointSettings:
    """How an endpoint is asked for vectors; `fairvec.Endpoint` says what each setting means."""

    _: KW_ONLY
    model: Annotated[str, Field(description="Of an endpoint: the name of its model.")] = ""
    prefix: Annotated[
        str,
        Field(description="Of an endpoint: what is written before every text, as in 'query: '."),
    ] = ""
    dimensions: Annotated[
        Dimensions | None,
        Field(description="Of an endpoint: so many numbers of each vector. Default: all."),
    ] = None
    key_variable: Annotated[
        str,
        Field(description="Of an endpoint: the environment variable that holds the key."),
    ] = ""
    batch: Annotated[
        PositiveInt,
        Field(description="Of an endpoint: texts in a request; halved where it refuses."),
    ] = 32
    at_once: Annotated[
        int, Field(ge=1, le=64, description="Of an endpoint: requests under way at once.")
    ] = 4
    timeout: Annotated[
        Positive, Field(description="Of an endpoint: seconds in which a reply must be whole.")
    ] = 120.0
    max_texts: Annotated[
        PositiveInt, Field(description="Of an endpoint: the most texts that are sent.")
    ] = 20_000
    price_per_million: Annotated[
        NotNegative | None,
        Field(description="Of an endpoint: the price of a million tokens, for the estimate."),
    ] = None
    same_as: Annotated[
        str,
        Field(description="Of an endpoint: the folder of the same model, to be compared with it."),
    ] = ""


Source = str | Path | EndpointSettings | Callable[[list[str]], Any]
"""A folder as a Path, an endpoint, a function, or what names none of them, as text."""


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
class EncoderOptions(EndpointSettings, Choices):
    """The options of opening an encoder, shared by every command that opens one.

    `token_embeddings` takes the input embeddings of a transformer as word vectors, `download`
    allows downloads, `keep` stores sentence vectors on disk, `dry_run` and `yes` say what follows
    the estimate of an endpoint; the rest are those of Choices and of EndpointSettings.
    """

    token_embeddings: Annotated[
        bool, Field(description="Of a transformer its input embeddings, as word vectors.")
    ] = False
    download: Annotated[
        bool, Field(description="Fetch an encoder named owner/name from its hub.")
    ] = False
    keep: Annotated[bool, Field(description="Whether sentence vectors are kept on disk.")] = True
    dry_run: Annotated[
        bool, Field(description="Of an endpoint: say what would be sent, and send nothing.")
    ] = False
    yes: Annotated[
        bool, Field(description="Of an endpoint: send more than --max-texts without a question.")
    ] = False

    def __post_init__(self) -> None:
        _ = self.choices  # which checks them

    @property
    def of_endpoint(self) -> dict[str, Any]:
        """How an endpoint is asked for vectors."""
        return {each.name: getattr(self, each.name) for each in fields(EndpointSettings)}

    @property
    def of_local(self) -> "EncoderOptions":
        """The same without all that is for an endpoint."""
        return EncoderOptions(
            self.layer, self.pooling, self.dtype, self.token_embeddings, self.download, self.keep
        )

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
