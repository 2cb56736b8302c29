"""An encoder for tests: letters of the text as numbers, and a list of what it was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from fairvec.encoders import Encoder, TextModel, VectorStore, WordPieces
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


@dataclass(frozen=True, eq=False)
class LetterModel(TextModel):
    """Gives a text the normal numbers that its hash seeds, and counts what it is asked."""

    dimensions: int = 8
    precision: float = float(np.finfo(np.float32).eps)
    content_hash: str = "letters"
    unknown: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"kind": "letters"}

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        self.asked.extend(one.text for one in sentences)
        return np.array([self._numbers(one.text) for one in sentences], dtype=np.float32)

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        return [WordPieces(len(word), len(word) if word in self.unknown else 0) for word in words]

    def _numbers(self, text: str) -> FloatArray:
        seed = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
        return np.random.default_rng(seed).normal(size=self.dimensions)


def toy_encoder(store: VectorStore | None = None, **settings: Any) -> tuple[Encoder, LetterModel]:
    model = LetterModel(**settings)
    return Encoder(model, "letters", languages=("en",), store=store), model
