"""An ELMo as a text model: its folder, its options, and its tokens."""

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
from fairvec.core.io.read_files import read_text
from fairvec.core.text import short_repr
from fairvec.encoders.base import Choices, WordPieces
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.languages.spelling import normalize

if TYPE_CHECKING:
    from fairvec.encoders.elmo.network import ElmoNetwork


# What the options.json of an ELMo says, checked.


MARKS_OF_A_WORD = 2
"""Every word begins with one mark and ends with another."""

Size = Annotated[int, Field(ge=1, le=1 << 14)]
"""Four times the widest layer of a published ELMo; what is computed takes far more than weights."""

Clip = Annotated[float, Field(ge=0)]


class _Said(BaseModel):
    # What was said for training alone (dropout, batch size, vocabulary) may stand there too.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class CharacterVectors(_Said):
    """How long the vector of a character is."""

    dim: Size


class CharacterCnn(_Said):
    """How a word's characters become one vector: filters of (width, number), then highways."""

    embedding: CharacterVectors
    filters: Annotated[tuple[tuple[Size, Size], ...], Field(min_length=1)]
    activation: Literal["relu", "tanh"]
    n_highway: Annotated[int, Field(ge=0, le=100)] = 0
    # The file counts 261; 262 says that the row of padding is added when it is run.
    n_characters: Literal[261, 262] = 262
    max_characters_per_token: Annotated[int, Field(ge=MARKS_OF_A_WORD + 1, le=10_000)] = 50

    @model_validator(mode="after")
    def _filters_fit(self) -> Self:
        if max(width for width, _ in self.filters) > self.max_characters_per_token:
            raise ValueError("a filter is wider than max_characters_per_token")
        return self

    @property
    def features(self) -> int:
        """How many numbers all filters give together."""
        return sum(number for _, number in self.filters)


class Lstm(_Said):
    """The layers that read a sentence forwards, and as many that read it backwards.

    A clip of 0 is none: the cell, or what it gives after projection, may then grow without bound.
    """

    dim: Size
    projection_dim: Size
    n_layers: Annotated[int, Field(ge=1, le=100)]
    cell_clip: Clip | None = None
    proj_clip: Clip | None = None
    use_skip_connections: bool = False


class ElmoOptions(_Said):
    """The shape of an ELMo, as bilm-tf writes it and AllenNLP reads it."""

    char_cnn: CharacterCnn
    lstm: Lstm

    @property
    def bytes_a_word(self) -> int:
        """So many bytes of a word are read; the rest is cut off."""
        return self.char_cnn.max_characters_per_token - MARKS_OF_A_WORD


def read_options(path: Path) -> ElmoOptions:
    """Return what a file of options says."""
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


# A sentence as the tokens that an ELMo reads, and which of them are its word.


@dataclass(frozen=True)
class ReadSentence:
    """The tokens of a sentence, and where those of its word begin and end among them."""

    tokens: tuple[str, ...]
    word: slice


def read_sentence(sentence: Sentence) -> ReadSentence:
    """Split a sentence at white space and around each punctuation mark, as BERT does.

    In NFC and without joiners; nothing is lower-cased, the characters being what is read. A token
    belongs to the word if any of its characters does.
    """
    text, upto_word = normalize(sentence.text), normalize(sentence.before + sentence.word)
    start, end = _shared_start(normalize(sentence.before), upto_word), len(upto_word)
    spans = [*_spans(text)]
    of_word = [n for n, (one, two) in enumerate(spans) if max(one, start) < min(two, end)]
    tokens = tuple(text[one:two] for one, two in spans)
    return ReadSentence(tokens, slice(of_word[0], of_word[-1] + 1) if of_word else slice(0, 0))


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text."""
    return read_sentence(Sentence.alone(text)).tokens


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Give where each token begins and ends."""

    def token(place: int) -> int | None:
        letter = text[place]
        if letter.isspace():
            return None
        return place if _is_mark(letter) else -1  # a mark is a token of its own

    for of, places in groupby(range(len(text)), key=token):
        if of is not None:
            within = [*places]
            yield within[0], within[-1] + 1


def _is_mark(letter: str) -> bool:
    """Say whether BERT counts a character as punctuation.

    Of ASCII, all that is no letter, digit or space; beyond it, what Unicode says.
    """
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


def _shared_start(before: str, upto_word: str) -> int:
    """Return where the word begins: an accent of it may have merged with the letter before."""
    for place, (one, other) in enumerate(zip(before, upto_word, strict=False)):
        if one != other:
            return place
    return min(len(before), len(upto_word))


# The bytes of a word as numbers, by the rules of bilm-tf and AllenNLP.


BYTES = 256
SENTENCE_BEGINS, SENTENCE_ENDS, WORD_BEGINS, WORD_ENDS, PADDING = range(BYTES, BYTES + 5)
CHARACTERS = PADDING + 1
"""The rows of char_embed: every byte, then the five marks.

AllenNLP counts from 1, so as to have 0 for words that pad a sentence; no such word is made here.
"""

CharacterIds = NDArray[np.int64]


def character_ids(words: Sequence[str], most: int) -> CharacterIds:
    """Return a row of `most` numbers for each word: begin, its bytes in UTF-8, end, padding.

    Bytes that find no place are cut off, even amid a letter, as in training. What is no letter at
    all (half of a surrogate pair) has no bytes.
    """
    room = most - MARKS_OF_A_WORD
    return _rows([[*word.encode("utf-8", "ignore")[:room]] for word in words], most)


def ids_of_sentence_marks(most: int) -> CharacterIds:
    """Return the rows of the two words that every sentence begins and ends with."""
    return _rows([[SENTENCE_BEGINS], [SENTENCE_ENDS]], most)


def _rows(words: Sequence[Sequence[int]], most: int) -> CharacterIds:
    rows = np.full((len(words), most), PADDING, dtype=np.int64)
    for row, inside in zip(rows, words, strict=True):
        row[: len(inside) + MARKS_OF_A_WORD] = [WORD_BEGINS, *inside, WORD_ENDS]
    return rows


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

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Say of how many tokens a word is; none is unknown, for any byte can be read.

        Of a word too long the end is not read: `cut` names such words.
        """
        return [WordPieces(len(tokens_of(word)), 0) for word in words]

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
            from fairvec.encoders.elmo.network import ElmoNetwork, read_weights
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
                f"the sentence {short_repr(sentence.text)}; leave it out."
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


# The folder of an ELMo: which file is which.


_SIGN = b'"char_cnn"'


def recognises(folder: Path) -> bool:
    """Say whether a folder is an ELMo's: its options speak of a CNN over characters.

    The weights are not asked for, so that what reads the folder can say that they are missing.
    """
    options = _options_files(folder)
    return len(options) == 1 and _SIGN in options[0].read_bytes()


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
    if choices.numbers == "bfloat16":
        raise SettingError(
            f"{name} is an ELMo, which is run in float32; choose the numbers float32 or auto."
        )
    return ElmoModel(options_file, weights_file, options, layers, pooling, name)


def _options_files(folder: Path) -> list[Path]:
    exact = folder / "options.json"
    return [exact] if exact.is_file() else _files(folder.glob("*options.json"))


def _weights_files(folder: Path) -> list[Path]:
    every = _files(folder.glob("*.hdf5"))
    return every if len(every) == 1 else [path for path in every if "weights" in path.name]


def _files(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if path.is_file())


def _only(paths: list[Path], wanted: str) -> Path:
    if len(paths) != 1:
        here = f"there are {', '.join(path.name for path in paths)}" if paths else "there is none"
        raise FileFormatError(f"{wanted}; {here}.")
    return paths[0]
