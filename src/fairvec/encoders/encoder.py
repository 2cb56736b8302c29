"""An encoder: a text model with a cache of sentence vectors, a name, a history and languages.

`versions` names the packages that computed the figures of an encoder, or of word vectors.
"""

import platform
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from fairvec.core.errors import EncoderError, UnreadableError
from fairvec.core.io.cache import digest_of
from fairvec.core.plugins import version_of
from fairvec.core.text import escape_surrogates, short_repr
from fairvec.embedding import Embedding, Step
from fairvec.embedding.embedding import check_lengths
from fairvec.encoders.base import SentenceEncoder, TextModel, WordPieces
from fairvec.encoders.store import VectorStore
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.languages.language import language_codes
from fairvec.languages.sentences import Sentence
from fairvec.version import __version__

PROBE_TEXTS = (
    *("word", "he", "she", "man", "woman", "doctor", "science", "family", "pleasant", "rose"),
    *("The nurse said that she was late.", "This is a programmer.", "1984", "Maria", "John"),
    *("वह डॉक्टर है।", "महिला", "она врач", "мужчина"),
)
"""What a function is shown to tell it from others; any function must read the first."""


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model that gives sentences vectors, its name, what was done to it and its languages.

    A sentence is encoded once: its vector is cached in memory, and on disk where there is a
    `store`. Nothing is ever changed in place; a changed encoder is a new object with a longer
    history. `on_progress` is called with (sentences done, sentences in all) of each call.
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
        """The space of its vectors: flat."""
        return Euclidean()

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return self.model.dimensions

    @property
    def precision(self) -> float:
        """The relative rounding error of its numbers."""
        return self.model.precision

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over weights and settings.

        What a function computes is not known: there it is taken over its settings and its vectors
        of PROBE_TEXTS, of the first alone where it refuses others. Functions that differ elsewhere
        only have one hash, so nothing is stored under it.
        """
        return self.model.content_hash or self._probe_hash()

    def _probe_hash(self) -> str:
        sentences = [Sentence.alone(text) for text in PROBE_TEXTS]
        try:
            rows = self._check_rows(self.model.encode(sentences), sentences)
        except EncoderError:
            rows = self._check_rows(self.model.encode(sentences[:1]), sentences[:1])
        head = [dict(self.model.settings), rows.dtype.str, *rows.shape]
        digest = sha256(digest_of(head).encode())
        digest.update(np.ascontiguousarray(rows).data)
        return digest.hexdigest()

    @cached_property
    def _vectors(self) -> dict[Sentence, FloatArray]:
        return {}

    @cached_property
    def _pieces(self) -> dict[str, WordPieces]:
        return {}

    def encode(self, sentences: Sequence[Sentence | str]) -> FloatArray:
        """Return one row a sentence or text, in float64."""
        return self._encode(_as_sentences(sentences))

    def _encode(self, sentences: list[Sentence]) -> FloatArray:
        missing = [
            sentence for sentence in dict.fromkeys(sentences) if sentence not in self._vectors
        ]
        store = self.model.begin(missing, self.store) if missing else self.store
        if missing and store:
            self._vectors.update(self._load_stored(store, missing))
            missing = [sentence for sentence in missing if sentence not in self._vectors]
        # The shortest first, so that the sentences of a batch are about equally long.
        missing.sort(key=lambda sentence: len(sentence.text))
        if missing and self.on_progress:
            self.on_progress(0, len(missing))
        parts = self.model.encode_in_parts(missing)
        part, done = next(parts, None), 0
        while part:
            try:
                self._keep(*part, store)
            except KeyboardInterrupt as interruption:
                # Nothing of the part was stored; and of a server what is under way still comes.
                self._keep(*part, store)
                part = parts.throw(interruption)
                continue
            done += len(part[0])
            if self.on_progress:
                self.on_progress(done, len(missing))
            part = next(parts, None)
        if not sentences:
            return np.empty((0, self.dimensions))
        return np.array([self._vectors[sentence] for sentence in sentences], dtype=np.float64)

    def _keep(self, part: Sequence[Sentence], encoded: Any, store: VectorStore | None) -> None:
        rows = self._check_rows(encoded, part)
        self._vectors.update(zip(part, rows, strict=True))
        if store:
            store.keep(part, rows)

    def pieces(self, words: Sequence[str]) -> list[WordPieces]:
        """Return the pieces into which the tokenizer splits each word."""
        missing = [word for word in dict.fromkeys(words) if word not in self._pieces]
        if missing and self.store:
            self._pieces.update(self.store.pieces(missing))
            missing = [word for word in missing if word not in self._pieces]
        if missing:
            found = dict(zip(missing, self.model.pieces(missing), strict=True))
            self._pieces.update(found)
            if self.store:
                self.store.keep_pieces(found)
        return [self._pieces[word] for word in words]

    def with_name(self, name: str) -> "Encoder":
        """Return the same encoder under another name."""
        return self._copy_with(name=name)

    def with_languages(self, languages: str | Sequence[str]) -> "Encoder":
        """Return the same encoder with this language, or these (codes such as en, hi)."""
        return self._copy_with(languages=language_codes(languages))

    def with_progress(self, on_progress: Callable[[int, int], None]) -> "Encoder":
        """Return the same encoder with a callback for progress."""
        return self._copy_with(on_progress=on_progress)

    def _copy_with(self, **changes: Any) -> "Encoder":
        _ = self._vectors, self._pieces  # shared, so that no sentence is encoded twice
        copied = copy(self)
        copied.__dict__.update(changes)
        return copied

    def _load_stored(
        self, store: VectorStore, sentences: Sequence[Sentence]
    ) -> dict[Sentence, FloatArray]:
        """Return the stored vectors, or raise if one of them cannot be the model's."""
        vectors = store.vectors(sentences)
        for row in vectors.values():
            if row.dtype.kind != "f" or row.shape != (self.dimensions,):
                numbers = f"{len(row)} numbers of {row.dtype} where there are {self.dimensions}"
                raise store.unusable(f"a vector has {numbers}")
            if not np.isfinite(row).all():
                raise store.unusable("a vector holds NaN or infinity")
        return vectors

    def _check_rows(self, rows: Any, sentences: Sequence[Sentence]) -> FloatArray:
        """Return the vectors of the model as floats, or raise if they are malformed."""
        array = np.asarray(rows)
        if array.dtype.kind not in "fiu" or array.shape != (len(sentences), self.dimensions):
            raise EncoderError(
                f"{self.name} gave {array.dtype} numbers of shape {array.shape} for "
                f"{len(sentences)} sentences; it must give one row of {self.dimensions} numbers "
                "for each."
            )
        not_finite = ~np.isfinite(array).all(axis=1)
        if not_finite.any():
            raise EncoderError(
                f"{self.name} gave NaN or infinity for the sentence "
                f"{short_repr(sentences[int(not_finite.argmax())].text)}; such an encoder cannot "
                "be measured."
            )
        check_lengths(array, [sentence.text for sentence in sentences], self.name)
        return array if array.dtype.kind == "f" else array.astype(np.float64)

    def __repr__(self) -> str:
        return f"Encoder({self.name!r}, {self.dimensions} dimensions, {dict(self.model.settings)})"


def _as_sentences(given: Any) -> list[Sentence]:
    single = isinstance(given, str) or not isinstance(given, Iterable)
    listed = [given] if single else list(given)
    if single or not all(isinstance(each, str | Sentence) for each in listed):
        odd = next((each for each in listed if not isinstance(each, str | Sentence)), given)
        raise EncoderError(
            f"{short_repr(odd)} is not what an encoder reads; give a list of texts, as in "
            'encode(["one text"]).'
        )
    return [Sentence.alone(each) if isinstance(each, str) else each.as_read for each in listed]


def unreadable_sentences(reader: SentenceEncoder, sentences: Sequence[Sentence]) -> frozenset[str]:
    """Return the texts that are too long for an encoder, or have no token.

    The others are encoded, and an Encoder caches their vectors. A batch with such a text is halved,
    so that even very many of them cost little.
    """
    unreadable: set[str] = set()
    # Sentences of similar length make the fastest batches.
    pending = [sorted(dict.fromkeys(sentences), key=lambda sentence: len(sentence.text))]
    while pending:
        batch = [sentence for sentence in pending.pop() if sentence.text not in unreadable]
        try:
            reader.encode(batch)
        except UnreadableError as error:
            if error.text in unreadable:
                raise
            unreadable.add(error.text)
            half = len(batch) // 2
            pending += [batch[half:], batch[:half]]
    return frozenset(unreadable)


def vectors_of_readable(encoder: Encoder, texts: Iterable[str]) -> dict[str, FloatArray]:
    """Return the vector of each text that an encoder can read.

    Left out are texts that are too long, and those with no piece that the tokenizer knows.
    """
    given = [*dict.fromkeys(texts)]
    pieces = zip(given, encoder.pieces(given), strict=True)
    known = [Sentence.alone(text) for text, piece in pieces if piece.unknown < piece.all]
    unreadable = unreadable_sentences(encoder, known)
    readable = [sentence for sentence in known if sentence.text not in unreadable]
    rows = encoder.encode(readable)
    return {sentence.text: row for sentence, row in zip(readable, rows, strict=True)}


def versions(model: Embedding | Encoder | None = None, *others: Any) -> dict[str, str]:
    """Return the versions of fairvec, Python and the packages that computed the figures.

    `others` are the metrics or methods that were used; plugins have a version too.
    """
    packages = ("torch", "transformers", "tokenizers") if isinstance(model, Encoder) else ()
    found = dict(_versions(("numpy", "scipy", *packages)))
    for plugin in others:
        found |= version_of(plugin)
    return found


@cache
def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    versions = {"fairvec": __version__, "python": platform.python_version()}
    for name in packages:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions
