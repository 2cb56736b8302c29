"""model2vec: one vector a token, and their mean.

Unknown tokens are left out of the mean; frequent tokens weigh less, in the vectors themselves or by
a tensor of weights; a tensor `mapping` lets several tokens share a row. The static modules of
sentence-transformers are read by the same class.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, MissingExtraError, SettingError
from fairvec.encoders.base import AS_GIVEN, Choices, TextModel, WordPieces, no_tokens, too_long
from fairvec.encoders.model_folder import (
    content_hash_of,
    json_object_or_empty,
    one_thread,
    read_json_object,
    read_tensors,
    refuse_odd_tokenizer,
    require_file,
    require_folder,
    tokenizer_errors,
)
from fairvec.encoders.pooling import Normalize, VectorStep
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


@dataclass(frozen=True, eq=False)
class TokenAverage(TextModel):
    """Encodes a text as the mean of its tokens' vectors, each of them weighed if there are weights.

    v(text) = mean over its tokens t of weight(t) * row(t), then the steps `after` it.

    `longest` is the most tokens of a text; with `limit_letters` model2vec's limit on letters holds
    too, `longest` times those of the median token; `drops_unknown` leaves unknown tokens out.
    """

    root: Path
    tokenizer_file: Path
    weights_file: Path
    names: tuple[str, ...]
    record: Mapping[str, Any]
    longest: int | None = None
    limit_letters: bool = False
    drops_unknown: bool = False
    prompt: str = ""
    after: tuple[VectorStep, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        """What the folder is called."""
        return self.root.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """Kind, pooling and whatever else changes a vector."""
        return self.record

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        width = int(self._rows.shape[1])
        return next((step.width for step in reversed(self.after) if step.width), width)

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        kind = self._rows.dtype
        return float(np.finfo(kind if kind.kind == "f" else np.float32).eps)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over vectors, tokenizer, configuration and settings."""
        files = (self.tokenizer_file, self.weights_file, *self.files)
        return content_hash_of(self.root, files, self.settings)

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, in float32."""
        texts = [self.prompt + sentence.text for sentence in sentences]
        means = []
        for sentence, text, ids in zip(sentences, texts, self._ids(texts), strict=True):
            if self.longest is not None:
                if len(ids) > self.longest:
                    raise too_long(self.name, sentence, len(ids), self.longest, "tokens")
                most = self.longest * self._median_letters
                if self.limit_letters and len(text) > most:
                    raise too_long(self.name, sentence, len(text), most, "letters")
            known = [token for token in ids if not self.drops_unknown or token != self._unknown]
            if not known:
                raise no_tokens(self.name, sentence)
            means.append(self._vectors(known).mean(axis=0))
        rows: FloatArray = np.array(means, dtype=np.float32)
        for step in self.after:
            rows = step.apply(rows)
        return rows

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Say of each word how the tokenizer reads it."""
        unknown: Any = self._unknown
        return [WordPieces(len(ids), ids.count(unknown)) for ids in self._ids(words)]

    def _vectors(self, ids: Sequence[int]) -> FloatArray:
        mapping, weights = self._tensors.get("mapping"), self._tensors.get("weights")
        try:
            places = np.asarray(ids) if mapping is None else mapping[ids]
            if (places < 0).any():  # numpy would count from the end
                raise IndexError(f"there is no row {places.min()}")
            rows: FloatArray = self._rows[places].astype(np.float64)
            return rows if weights is None else rows * weights[ids][:, None]
        except IndexError as error:
            raise FileFormatError(
                f"{self.weights_file} has no row for a token of its tokenizer ({error}); copy or "
                "download the folder again."
            ) from error

    @cached_property
    def _tensors(self) -> Mapping[str, NDArray[Any]]:
        return read_tensors(self.weights_file)

    @cached_property
    def _rows(self) -> NDArray[Any]:
        matrix = next((self._tensors[name] for name in self.names if name in self._tensors), None)
        if matrix is None or matrix.ndim != 2:
            raise FileFormatError(
                f"{self.weights_file} has no matrix named {' or '.join(self.names)}; copy or "
                "download it again."
            )
        return matrix

    @cached_property
    def _tokenizer(self) -> Any:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtraError("Reading token vectors", "encoders") from error
        refuse_odd_tokenizer(self.tokenizer_file)
        with tokenizer_errors(self.tokenizer_file, " is no tokenizer"):
            tokenizer = Tokenizer.from_file(str(self.tokenizer_file))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _unknown(self) -> int | None:
        """The number of the unknown token, if the tokenizer has one."""
        model = json.loads(self._tokenizer.to_str())["model"]
        token = model.get("unk_token")
        number = model.get("unk_id") if token is None else self._tokenizer.token_to_id(token)
        return None if number is None else int(number)

    @cached_property
    def _median_letters(self) -> int:
        return int(np.median([len(token) for token in self._tokenizer.get_vocab()]))

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        with one_thread(), tokenizer_errors(self.tokenizer_file, " reads no texts"):
            encodings = self._tokenizer.encode_batch([*texts], add_special_tokens=False)
        return [encoding.ids for encoding in encodings]


def refuse_choices(folder: Path, choices: Choices) -> None:
    """Raise if a layer or pooling is chosen where there is none to choose."""
    if choices.layer != "last" or choices.pooling not in (None, "mean"):
        raise SettingError(
            f"{folder.name} has one vector a token and takes their mean; leave layer and pooling "
            "out."
        )


LONGEST = 512
"""The most tokens of a text where config.json does not say."""


def recognises(folder: Path) -> bool:
    """Say whether a folder's config.json names model2vec."""
    config = json_object_or_empty(folder / "config.json")
    architectures = config.get("architectures")
    return config.get("model_type") == "model2vec" or (
        isinstance(architectures, list) and "StaticModel" in architectures
    )


def read_model2vec(folder: Path, choices: Choices = AS_GIVEN) -> TokenAverage:
    """Return the model of a folder."""
    config = read_json_object(require_folder(folder) / "config.json")
    refuse_choices(folder, choices)
    longest = config.get("max_length", LONGEST)
    if longest is not None and (not isinstance(longest, int) or longest < 1):
        raise FileFormatError(
            f"{folder / 'config.json'} gives {longest!r} as max_length; it must be a whole number "
            "above 0, or null."
        )
    normalize = bool(config.get("normalize"))
    settings = {
        "kind": "model2vec",
        "pooling": "mean",
        "unknown tokens": "left out",
        "unit length": normalize,
        "dtype": "float32",
    }
    return TokenAverage(
        folder,
        require_file(folder / "tokenizer.json"),
        require_file(folder / "model.safetensors"),
        ("embeddings",),
        settings,
        longest,
        limit_letters=True,
        drops_unknown=True,
        after=(Normalize(),) if normalize else (),
        files=(folder / "config.json",),
    )
