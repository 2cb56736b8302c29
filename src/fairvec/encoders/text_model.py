"""The contract of everything that turns sentences into vectors."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fairvec.encoders.sentence import Sentence
from fairvec.geometry import FloatArray


class Encodes(Protocol):
    """Anything that gives sentences vectors."""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        ...


class Pieces(NamedTuple):
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

    def pieces(self, words: Sequence[str]) -> Sequence[Pieces]:
        """Say of each word how the tokenizer reads it; a word it does not know has no meaning."""
        ...
