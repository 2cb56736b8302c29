"""An encoder whose vectors a transform moves: an encoder again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from fairvec.encoders import Encoder, Pieces, Sentence
from fairvec.geometry import FloatArray
from fairvec.ground.errors import SettingError

if TYPE_CHECKING:
    from fairvec.mitigation.transform.fitted import Transform


@dataclass(frozen=True, eq=False)
class MovedModel:
    """A text model whose vectors a transform moves."""

    encoder: Encoder
    transform: "Transform"

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return self.encoder.dimensions

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        return self.encoder.precision

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the encoder, and what was taken out."""
        return {**self.encoder.model.settings, "debiased": self.transform.name}

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over the encoder and the transform."""
        digest = sha256(self.encoder.content_hash.encode())
        digest.update(repr(self.transform.step).encode())
        for name, tensor in sorted(self.transform.move.tensors().items()):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(tensor).tobytes())
        return digest.hexdigest()

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        rows = self.encoder.encode(sentences)
        return self.transform.apply(rows, [one.text for one in sentences])

    def pieces(self, words: Sequence[str]) -> Sequence[Pieces]:
        """Say what the encoder says."""
        return self.encoder.pieces(words)


def moved_encoder(transform: "Transform", encoder: Encoder) -> Encoder:
    """Return the encoder whose vectors a transform moves."""
    refuse_single_words(transform)
    transform.check(encoder)
    return Encoder(
        MovedModel(encoder, transform),
        encoder.name,
        (*encoder.history, transform.step),
        encoder.languages,
    )


def refuse_single_words(transform: "Transform") -> None:
    """Raise where a transform moves some words in a way of their own."""
    if transform.unmoved or transform.placed:
        raise SettingError(
            f"{transform.name} gives single words places of their own, which sentences do not "
            "have; choose linear-projection (with moves=all), inlp, leace or conceptor."
        )
