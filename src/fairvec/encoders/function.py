"""A function from sentences to vectors as an encoder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fairvec.core.errors import EncoderError, SettingError
from fairvec.core.plugins import PREFIX, import_object
from fairvec.embedding import Step
from fairvec.encoders.base import AS_GIVEN, Choices, EncoderKind, Source, TextModel
from fairvec.encoders.encoder import Encoder
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence

_PROBE_TEXT = "word"


@dataclass(frozen=True, eq=False)
class FunctionModel(TextModel):
    """A function from a list of texts to an array with a row for each."""

    function: Callable[[list[str]], Any]
    name: str

    @cached_property
    def _probe(self) -> FloatArray:
        """Its rows for one word, by which dimensions and type are known."""
        rows = self._call([_PROBE_TEXT])
        if rows.ndim != 2 or len(rows) != 1 or not rows.shape[1]:
            raise EncoderError(
                f"{self.name} gave an array of shape {rows.shape} for a list of one text; it "
                "must take a list of texts and give one row of numbers for each."
            )
        return rows

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return int(self._probe.shape[1])

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        dtype = self._probe.dtype
        return float(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its name; nothing else is known of a function."""
        return {"kind": "function", "function": self.name}

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        return self._call([sentence.text for sentence in sentences])

    def _call(self, texts: list[str]) -> FloatArray:
        try:
            return np.asarray(self.function(texts))
        except Exception as error:  # a function of the user may raise anything
            raise EncoderError(
                f"{self.name} raised {type(error).__name__} ({error}); it must take a list of "
                "texts and give one row of numbers for each."
            ) from error


def encoder_from_function(
    function: Callable[[list[str]], Any],
    name: str | None = None,
    language: str | Sequence[str] | None = None,
) -> Encoder:
    """Return the encoder that calls a function with lists of texts and takes a row for each."""
    if not callable(function):
        raise SettingError(
            f"An encoder cannot be made of {type(function).__name__}; give a function."
        )
    called = name or str(getattr(function, "__name__", type(function).__name__))
    step = Step("read", {"from": "function", "function": called})
    encoder = Encoder(FunctionModel(function, called), called, (step,))
    return encoder if language is None else encoder.with_languages(language)


def _claims(source: Source) -> bool:
    return callable(source) or str(source).startswith(PREFIX)


def _open(
    source: str | Callable[[list[str]], Any], choices: Choices, name: str | None
) -> TextModel:
    if choices != AS_GIVEN:
        raise SettingError("A function has no layers and no pooling to choose; leave them out.")
    if callable(source):
        return encoder_from_function(source, name).model
    function = import_object(source, "function")
    return encoder_from_function(function, source.removeprefix(PREFIX)).model


FUNCTION = EncoderKind("function", _claims, _open)
