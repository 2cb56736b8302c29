"""What gives sentences vectors, and which sentences it can read."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from fairvec.core.errors import EncoderError, UnreadableError
from fairvec.core.text import escape_surrogates, short_repr
from fairvec.embedding import Step
from fairvec.encoders.base import SentenceEncoder, TextModel, WordPieces
from fairvec.encoders.store import VectorStore
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.languages.language import language_codes
from fairvec.languages.sentences import Sentence

CHUNK = 512
"""How many sentences are encoded before they are kept: an interrupted work loses no more."""


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model that gives sentences vectors, its name, what was done to it and its languages.

    A sentence is encoded once: its vector is held in memory, and on disk where there is a `store`.
    Nothing is ever changed in place; a changed encoder is a new object with a longer history.
    `on_progress` hears of (sentences done, sentences in all) of each call.
    """

    model: TextModel
    name: str = "encoder"
    history: tuple[Step, ...] = ()
    languages: tuple[str, ...] = ()
    store: VectorStore | None = None
    on_progress: Callable[[int, int], None] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", escape_surrogates(self.name))

    @property
    def geometry(self) -> Geometry:
        """Where its vectors live: flat space."""
        return Euclidean()

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return self.model.dimensions

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        return self.model.precision

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over weights and settings; of a function, over its name."""
        said = f"{self.name} {dict(self.model.settings)!r}"
        return self.model.content_hash or sha256(said.encode()).hexdigest()

    @cached_property
    def _held(self) -> dict[Sentence, FloatArray]:
        return {}

    @cached_property
    def _pieces(self) -> dict[str, WordPieces]:
        return {}

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, in float64."""
        sentences = [one.as_read for one in sentences]
        lacking = [one for one in dict.fromkeys(sentences) if one not in self._held]
        if lacking and self.store:
            self._held.update(self._kept(self.store, lacking))
            lacking = [one for one in lacking if one not in self._held]
        # The shortest first, so that the sentences of a batch are about equally long.
        lacking.sort(key=lambda one: len(one.text))
        for start in range(0, len(lacking), CHUNK):
            if self.on_progress:
                self.on_progress(start, len(lacking))
            chunk = lacking[start : start + CHUNK]
            rows = self._checked(self.model.encode(chunk), chunk)
            self._held.update(zip(chunk, rows, strict=True))
            if self.store:
                self.store.keep(chunk, rows)
        if not sentences:
            return np.empty((0, self.dimensions))
        return np.array([self._held[one] for one in sentences], dtype=np.float64)

    def pieces(self, words: Sequence[str]) -> list[WordPieces]:
        """Say of each word how the tokenizer reads it."""
        lacking = [word for word in dict.fromkeys(words) if word not in self._pieces]
        if lacking and self.store:
            self._pieces.update(self.store.pieces(lacking))
            lacking = [word for word in lacking if word not in self._pieces]
        if lacking:
            found = dict(zip(lacking, self.model.pieces(lacking), strict=True))
            self._pieces.update(found)
            if self.store:
                self.store.keep_pieces(found)
        return [self._pieces[word] for word in words]

    def named(self, name: str) -> "Encoder":
        """Return the same encoder under another name."""
        return self._changed(name=name)

    def speaking(self, languages: str | Sequence[str]) -> "Encoder":
        """Return the same encoder, said to be in this language, or in these (as in en, hi)."""
        return self._changed(languages=language_codes(languages))

    def telling(self, on_progress: Callable[[int, int], None]) -> "Encoder":
        """Return the same encoder, which tells how far it is."""
        return self._changed(on_progress=on_progress)

    def _changed(self, **changes: Any) -> "Encoder":
        _ = self._held, self._pieces  # shared, so that no sentence is encoded twice
        changed = copy(self)
        changed.__dict__.update(changes)
        return changed

    def _kept(
        self, store: VectorStore, sentences: Sequence[Sentence]
    ) -> dict[Sentence, FloatArray]:
        """Return the vectors that are kept, or say that one of them cannot be the model's."""
        kept = store.vectors(sentences)
        for row in kept.values():
            if row.dtype.kind != "f" or row.shape != (self.dimensions,):
                found = f"{len(row)} numbers of {row.dtype} where there are {self.dimensions}"
                raise store.unusable(f"a vector has {found}")
            if not np.isfinite(row).all():
                raise store.unusable("a vector holds NaN or infinity")
        return kept

    def _checked(self, rows: Any, sentences: Sequence[Sentence]) -> FloatArray:
        """Return what the model gave, or say what is wrong with it."""
        array = np.asarray(rows)
        if array.dtype.kind not in "fiu" or array.shape != (len(sentences), self.dimensions):
            raise EncoderError(
                f"{self.name} gave {array.dtype} numbers of shape {array.shape} for "
                f"{len(sentences)} sentences; it must give one row of {self.dimensions} numbers "
                "for each."
            )
        wrong = ~np.isfinite(array).all(axis=1)
        if wrong.any():
            raise EncoderError(
                f"{self.name} gave NaN or infinity for the sentence "
                f"{short_repr(sentences[int(wrong.argmax())].text)}; such an encoder cannot be "
                "measured."
            )
        return array if array.dtype.kind == "f" else array.astype(np.float64)

    def __repr__(self) -> str:
        return f"Encoder({self.name!r}, {self.dimensions} dimensions, {dict(self.model.settings)})"


# Which sentences an encoder can read: those of a corpus may be longer than it takes.


def unreadable_sentences(reader: SentenceEncoder, sentences: Sequence[Sentence]) -> frozenset[str]:
    """Return the texts that are too long for an encoder, or have no token.

    It reads the others, and an Encoder holds their vectors: what comes after costs nothing. What
    holds such a text is halved, so that even very many of them cost little.
    """
    left_out: set[str] = set()
    # Of like length together, as they are read best.
    waiting = [sorted(dict.fromkeys(sentences), key=lambda one: len(one.text))]
    while waiting:
        some = [one for one in waiting.pop() if one.text not in left_out]
        try:
            reader.encode(some)
        except UnreadableError as error:
            if error.text in left_out:
                raise
            left_out.add(error.text)
            half = len(some) // 2
            waiting += [some[half:], some[:half]]
    return frozenset(left_out)
