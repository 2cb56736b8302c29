"""An ELMo as a model of text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.encoders.elmo.characters import character_ids, ids_of_sentence_marks
from fairvec.encoders.elmo.options import ElmoOptions
from fairvec.encoders.elmo.tokens import ReadSentence, read_sentence, tokens_of
from fairvec.encoders.sentence import Sentence
from fairvec.encoders.text_model import Pieces
from fairvec.geometry import FloatArray
from fairvec.ground.errors import EncoderError, MissingExtraError
from fairvec.ground.text.shown_values import shown

if TYPE_CHECKING:
    from fairvec.encoders.elmo.network import ElmoNetwork

TOKENS_AT_ONCE = 4096
NUMBERS_AT_ONCE = 1 << 26
"""More than a published ELMo ever has at once; of wider ones fewer sentences are read at once."""
_BEGINS, _ENDS, _FIRST_WORD = 0, 1, 2


@dataclass(frozen=True, eq=False)
class ElmoModel:
    """An ELMo in the layout of AllenNLP and bilm-tf, run in float32 on the CPU.

    Layer 0 is the words by their characters alone, as AllenNLP gives it: the same numbers twice,
    since both directions read them. Each further layer is the forward half beside the backward
    half. The vector of a sentence is the mean over `layers` of the `pooling` of its tokens; the
    marks before and after the sentence are read and not pooled.

    Every sentence starts from an empty state. AllenNLP and bilm-tf carry the state over from batch
    to batch, so that there a vector depends on what was encoded before it; a measurement must not.

    Peters et al. (2018), doi:10.18653/v1/N18-1202.
    """

    options_file: Path
    weights_file: Path
    options: ElmoOptions
    layers: tuple[int, ...]
    pooling: Literal["mean", "last", "word"] = "mean"
    name: str = "ELMo"

    @property
    def dimensions(self) -> int:
        """The number of columns: a forward and a backward half."""
        return 2 * self.options.lstm.projection_dim

    @property
    def precision(self) -> float:
        """The relative rounding of float32."""
        return float(np.finfo(np.float32).eps)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every choice that changes a vector, and how much of a word is read."""
        return {
            "kind": "elmo",
            "layer": ",".join(map(str, self.layers)),
            "pooling": self.pooling,
            "numbers": "float32",
            "bytes_a_word": self.options.bytes_a_word,
        }

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over options, weights and settings."""
        whole = sha256(repr(sorted(self.settings.items())).encode())
        for path in (self.options_file, self.weights_file):
            with path.open("rb") as file:
                whole.update(file_digest(file, "sha256").digest())
        return whole.hexdigest()

    def pieces(self, words: Sequence[str]) -> Sequence[Pieces]:
        """Say of how many tokens a word is; none is unknown, for any byte can be read.

        Of a word too long the end is not read: `cut` names such words.
        """
        return [Pieces(len(tokens_of(word)), 0) for word in words]

    def cut(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return those of the words whose end is not read, as they have too many bytes.

        50 characters are 48 bytes: 16 letters of Devanagari, 24 of Cyrillic.
        """
        most = self.options.bytes_a_word
        return tuple(
            word
            for word in words
            if any(len(token.encode("utf-8", "ignore")) > most for token in tokens_of(word))
        )

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence; each distinct word goes through the filters once."""
        read = [read_sentence(one) for one in sentences]
        spans = [self._pooled(*pair) for pair in zip(sentences, read, strict=True)]
        rows: NDArray[Any] = np.empty((len(read), self.dimensions), dtype=np.float32)
        if not read:
            return rows
        known = dict.fromkeys(token for one in read for token in one.tokens)
        places = {token: place for place, token in enumerate(known, start=_FIRST_WORD)}
        most = self.options.char_cnn.max_characters_per_token
        ids = np.concatenate([ids_of_sentence_marks(most), character_ids([*known], most)])
        words = self._network.words(ids)
        of_token = self.dimensions * (max(self.layers) + 1)
        of_sentence = 8 * self.options.lstm.dim  # four gates, and what they are made of
        for some in batches([len(one.tokens) for one in read], of_token, of_sentence):
            lined = [_lined_up(read[number].tokens, places) for number in some]
            batch = words[_filled(lined)]
            found = self._network.layers(batch, [len(one) for one in lined], max(self.layers))
            taken = np.mean([found[layer].numpy() for layer in self.layers], axis=0)
            for number, row in zip(some, taken, strict=True):
                rows[number] = row[1:-1][spans[number]].mean(axis=0, dtype=np.float64)
        return rows

    @cached_property
    def _network(self) -> "ElmoNetwork":
        try:
            from fairvec.encoders.elmo.network import ElmoNetwork
            from fairvec.encoders.elmo.weights import read_weights
        except ImportError as error:
            raise MissingExtraError("Running an ELMo", "encoders") from error
        return ElmoNetwork(self.options, read_weights(self.weights_file, self.options))

    def _pooled(self, sentence: Sentence, read: ReadSentence) -> slice:
        """Return which tokens make the vector of a sentence."""
        count = len(read.tokens)
        whole = slice(0, count) if self.pooling == "mean" else slice(count - 1, count)
        span = read.word if self.pooling == "word" else whole
        if not read.tokens[span]:
            raise EncoderError(
                f"{self.name} finds no {'word' if self.pooling == 'word' else 'token'} to read in "
                f"the sentence {shown(sentence.text)}; leave it out."
            )
        return span


def batches(lengths: Sequence[int], of_token: int, of_sentence: int) -> Iterator[list[int]]:
    """Give the numbers of sentences that are encoded together, the longest first.

    So many numbers are computed of a token in all layers, and of a sentence in one.
    """
    order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
    while order:
        tokens = lengths[order[0]] + 2
        room = tokens * of_token + of_sentence
        count = max(1, min(TOKENS_AT_ONCE // tokens, NUMBERS_AT_ONCE // room))
        yield order[:count]
        order = order[count:]


def _lined_up(tokens: Sequence[str], places: Mapping[str, int]) -> list[int]:
    return [_BEGINS, *(places[token] for token in tokens), _ENDS]


def _filled(lined: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Return the rows as one array, filled up with what is never read."""
    filled = np.zeros((len(lined), len(lined[0])), dtype=np.int64)
    for row, one in zip(filled, lined, strict=True):
        row[: len(one)] = one
    return filled
