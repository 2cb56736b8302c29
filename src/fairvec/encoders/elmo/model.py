"""An ELMo as a text model: its folder, its options, its tokens and characters, and its vectors."""

import string
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fairvec.core.errors import EncoderError, FileFormatError, MissingExtraError, SettingError
from fairvec.core.io.cache import digest_of
from fairvec.core.io.read_files import read_text
from fairvec.core.text import short_repr
from fairvec.encoders.base import Choices, TextModel, WordPieces
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.languages.spelling import normalize

if TYPE_CHECKING:
    from fairvec.encoders.elmo.network import ElmoNetwork

WORD_MARKS = 2
"""Every word begins with one mark and ends with another."""
Size = Annotated[int, Field(ge=1, le=1 << 14)]
"""Up to four times the widest layer of a published ELMo, since activations take far more memory."""
Clip = Annotated[float, Field(ge=0)]


class _OptionsRecord(BaseModel):
    # Options for training alone (dropout, batch size, vocabulary) are ignored.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class CharacterVectors(_OptionsRecord):
    """How long the vector of a character is."""

    dim: Size


class CharacterCnn(_OptionsRecord):
    """How a word's characters become one vector: filters of (width, number), then highways."""

    embedding: CharacterVectors
    filters: Annotated[tuple[tuple[Size, Size], ...], Field(min_length=1)]
    activation: Literal["relu", "tanh"]
    n_highway: Annotated[int, Field(ge=0, le=100)] = 0
    # The file counts 261; 262 says that the row of padding is added when it is run.
    n_characters: Literal[261, 262] = 262
    max_characters_per_token: Annotated[int, Field(ge=WORD_MARKS + 1, le=10_000)] = 50

    @model_validator(mode="after")
    def _filters_fit(self) -> Self:
        if max(width for width, _ in self.filters) > self.max_characters_per_token:
            raise ValueError("a filter is wider than max_characters_per_token")
        return self

    @property
    def features(self) -> int:
        """The number of outputs of all filters together."""
        return sum(number for _, number in self.filters)


class Lstm(_OptionsRecord):
    """The layers that read a sentence forwards, and as many that read it backwards.

    A clip of 0 is none: the cell, or what it gives after projection, may then grow without bound.
    """

    dim: Size
    projection_dim: Size
    n_layers: Annotated[int, Field(ge=1, le=100)]
    cell_clip: Clip | None = None
    proj_clip: Clip | None = None
    use_skip_connections: bool = False


class ElmoOptions(_OptionsRecord):
    """The shape of an ELMo, as bilm-tf writes it and AllenNLP reads it."""

    char_cnn: CharacterCnn
    lstm: Lstm

    @property
    def bytes_a_word(self) -> int:
        """How many bytes of a word are read; the rest is cut off."""
        return self.char_cnn.max_characters_per_token - WORD_MARKS


@dataclass(frozen=True)
class ReadSentence:
    """The tokens of a sentence, and where those of its word begin and end among them."""

    tokens: tuple[str, ...]
    word: slice


_MARKER = b'"char_cnn"'


def recognises(folder: Path) -> bool:
    """Say whether a folder holds an ELMo: its options name a CNN over characters.

    The weights are not looked for, so that `read_elmo` can say that they are missing.
    """
    options = _options_files(folder)
    return len(options) == 1 and _MARKER in options[0].read_bytes()


TOKENS_AT_ONCE = 4096
NUMBERS_AT_ONCE = 1 << 26
"""More than a batch of a published ELMo takes; wider ones get smaller batches."""
_BEGINS, _ENDS, _FIRST_WORD = 0, 1, 2


@dataclass(frozen=True, eq=False)
class ElmoModel(TextModel):
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
            "dtype": "float32",
            "bytes_a_word": self.options.bytes_a_word,
        }

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over options, weights and settings."""
        digest = sha256(digest_of(dict(self.settings)).encode())
        for path in (self.options_file, self.weights_file):
            with path.open("rb") as file:
                digest.update(file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Return the number of tokens of each word; none is unknown, since any byte can be read.

        The end of a word that is too long is not read: `cut` names such words.
        """
        return [WordPieces(len(tokens_of(word)), 0) for word in words]

    def cut(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words whose end is not read, because they have too many bytes.

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
        tokenized = [read_sentence(sentence) for sentence in sentences]
        spans = [self._pooled_tokens(*pair) for pair in zip(sentences, tokenized, strict=True)]
        rows: NDArray[Any] = np.empty((len(tokenized), self.dimensions), dtype=np.float32)
        if not tokenized:
            return rows
        known = dict.fromkeys(token for sentence in tokenized for token in sentence.tokens)
        places = {token: place for place, token in enumerate(known, start=_FIRST_WORD)}
        most = self.options.char_cnn.max_characters_per_token
        ids = np.concatenate([ids_of_sentence_marks(most), character_ids([*known], most)])
        words = self._network.words(ids)
        of_token = self.dimensions * (max(self.layers) + 1)
        of_sentence = 8 * self.options.lstm.dim  # four gates, and their inputs
        for batch_rows in batches(
            [len(sentence.tokens) for sentence in tokenized], of_token, of_sentence
        ):
            word_rows = [_word_rows(tokenized[number].tokens, places) for number in batch_rows]
            batch = words[_pad(word_rows)]
            states = self._network.layers(
                batch, [len(sentence) for sentence in word_rows], max(self.layers)
            )
            means = np.mean([states[layer].numpy() for layer in self.layers], axis=0)
            for number, row in zip(batch_rows, means, strict=True):
                rows[number] = row[1:-1][spans[number]].mean(axis=0, dtype=np.float64)
        return rows

    @cached_property
    def _network(self) -> "ElmoNetwork":
        try:
            from fairvec.encoders.elmo.network import ElmoNetwork, read_weights
        except ImportError as error:
            raise MissingExtraError("Running an ELMo", "encoders") from error
        return ElmoNetwork(self.options, read_weights(self.weights_file, self.options))

    def _pooled_tokens(self, sentence: Sentence, read: ReadSentence) -> slice:
        """Return which tokens are pooled into the vector of a sentence."""
        count = len(read.tokens)
        pooled = slice(0, count) if self.pooling == "mean" else slice(count - 1, count)
        span = read.word if self.pooling == "word" else pooled
        if not read.tokens[span]:
            raise EncoderError(
                f"{self.name} finds no {'word' if self.pooling == 'word' else 'token'} to read in "
                f"the sentence {short_repr(sentence.text)}; leave it out."
            )
        return span


def read_elmo(folder: Path, choices: Choices) -> ElmoModel:
    """Return the ELMo in a folder; its weights are read when the first sentence is encoded."""
    options_file = _only(
        _options_files(folder), f"{folder}: an ELMo needs one options.json (or *options.json)"
    )
    weights_file = _only(
        _weights_files(folder),
        f"{folder}: an ELMo needs its weights in one .hdf5 file (or one *weights*.hdf5); no other "
        "format is read",
    )
    options = read_options(options_file)
    name = folder.resolve().name
    layers = choices.layers(options.lstm.n_layers + 1, name)
    pooling = choices.pooling or "mean"
    if pooling == "cls":
        raise SettingError(
            f"{name} is an ELMo, which has no cls token; choose the pooling mean, last or word."
        )
    if choices.dtype == "bfloat16":
        raise SettingError(
            f"{name} is an ELMo, which is run in float32; choose the dtype float32 or auto."
        )
    return ElmoModel(options_file, weights_file, options, layers, pooling, name)


def _options_files(folder: Path) -> list[Path]:
    exact = folder / "options.json"
    return [exact] if exact.is_file() else _files(folder.glob("*options.json"))


def _weights_files(folder: Path) -> list[Path]:
    files = _files(folder.glob("*.hdf5"))
    return files if len(files) == 1 else [path for path in files if "weights" in path.name]


def _files(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if path.is_file())


def _only(paths: list[Path], requirement: str) -> Path:
    if len(paths) != 1:
        present = (
            f"there are {', '.join(path.name for path in paths)}" if paths else "there is none"
        )
        raise FileFormatError(f"{requirement}; {present}.")
    return paths[0]


def read_options(path: Path) -> ElmoOptions:
    """Return the options of a file."""
    text = read_text(path, "options", FileFormatError)
    try:
        return ElmoOptions.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileFormatError(
            f"{path}{f', {where}' if where else ''}: {first['msg']}; it must be the options.json "
            "that came with the weights of an ELMo over characters."
        ) from None


def batches(lengths: Sequence[int], of_token: int, of_sentence: int) -> Iterator[list[int]]:
    """Yield the indices of sentences that are encoded together, the longest first.

    `of_token` numbers are computed for a token in all layers, `of_sentence` for a sentence in one.
    """
    order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
    while order:
        tokens = lengths[order[0]] + 2
        room = tokens * of_token + of_sentence
        count = max(1, min(TOKENS_AT_ONCE // tokens, NUMBERS_AT_ONCE // room))
        yield order[:count]
        order = order[count:]


def _word_rows(tokens: Sequence[str], places: Mapping[str, int]) -> list[int]:
    return [_BEGINS, *(places[token] for token in tokens), _ENDS]


def _pad(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Return the rows as one array, padded with values that are never read."""
    padded = np.zeros((len(rows), len(rows[0])), dtype=np.int64)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return padded


def read_sentence(sentence: Sentence) -> ReadSentence:
    """Split a sentence at white space and around each punctuation mark, as BERT does.

    In NFC and without joiners; nothing is lower-cased, the characters being what is read. A token
    belongs to the word if any of its characters does.
    """
    text, upto_word = normalize(sentence.text), normalize(sentence.before + sentence.word)
    start, end = _shared_start(normalize(sentence.before), upto_word), len(upto_word)
    spans = [*_spans(text)]
    of_word = [n for n, (first, last) in enumerate(spans) if max(first, start) < min(last, end)]
    tokens = tuple(text[first:last] for first, last in spans)
    return ReadSentence(tokens, slice(of_word[0], of_word[-1] + 1) if of_word else slice(0, 0))


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text."""
    return read_sentence(Sentence.alone(text)).tokens


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each token begins and ends."""

    def token(place: int) -> int | None:
        character = text[place]
        if character.isspace():
            return None
        return place if _is_mark(character) else -1  # punctuation is a token of its own

    for token_number, places in groupby(range(len(text)), key=token):
        if token_number is not None:
            inside = [*places]
            yield inside[0], inside[-1] + 1


def _is_mark(character: str) -> bool:
    """Say whether BERT counts a character as punctuation.

    Of ASCII, all that is no letter, digit or space; beyond it, what Unicode says.
    """
    return character in string.punctuation or unicodedata.category(character).startswith("P")


def _shared_start(before: str, upto_word: str) -> int:
    """Return where the word begins: an accent of it may have merged with the letter before."""
    for place, (one, other) in enumerate(zip(before, upto_word, strict=False)):
        if one != other:
            return place
    return min(len(before), len(upto_word))


BYTES = 256
SENTENCE_BEGINS, SENTENCE_ENDS, WORD_BEGINS, WORD_ENDS, PADDING = range(BYTES, BYTES + 5)
CHARACTERS = PADDING + 1
"""The rows of char_embed: every byte, then the five marks.

AllenNLP counts from 1, so as to have 0 for words that pad a sentence; no such word is made here.
"""
CharacterIds = NDArray[np.int64]


def character_ids(words: Sequence[str], most: int) -> CharacterIds:
    """Return a row of `most` numbers for each word: begin, its bytes in UTF-8, end, padding.

    Further bytes are cut off, even inside a letter, as in training. A lone surrogate has no bytes.
    """
    room = most - WORD_MARKS
    return _rows([[*word.encode("utf-8", "ignore")[:room]] for word in words], most)


def ids_of_sentence_marks(most: int) -> CharacterIds:
    """Return the rows of the two words that every sentence begins and ends with."""
    return _rows([[SENTENCE_BEGINS], [SENTENCE_ENDS]], most)


def _rows(words: Sequence[Sequence[int]], most: int) -> CharacterIds:
    rows = np.full((len(words), most), PADDING, dtype=np.int64)
    for row, inside in zip(rows, words, strict=True):
        row[: len(inside) + WORD_MARKS] = [WORD_BEGINS, *inside, WORD_ENDS]
    return rows
