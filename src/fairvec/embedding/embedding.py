"""The container of an embedding: keys, one vector each, their geometry and their history.

Look-ups of words among the keys are built once for each language and shared by all embeddings that
have the same keys.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from math import isfinite
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import (
    FileFormatError,
    SettingError,
    UndefinedError,
    UnknownKeyError,
    UnknownNameError,
)
from fairvec.core.format import pluralize
from fairvec.core.io.cache import digest_of
from fairvec.core.io.mapped_arrays import release_pages
from fairvec.core.numeric import SQUARED, size_and_remedy
from fairvec.core.text import escape_surrogates, short_repr
from fairvec.embedding.lookup import Lookup, near_spellings
from fairvec.geometry import Euclidean, FloatArray, Geometry, similarity
from fairvec.languages.language import language_codes

BLOCK_VALUES = 1 << 20
BLOCK_KEYS = 1 << 13
"""How many numbers, and how many keys, are hashed at a time."""

LISTS_OF_WORDS = ("fitted_on", "composed")
"""Details of a step that later checks use: the words it was fitted on, and those it composed."""


@dataclass(frozen=True)
class Step:
    """One thing that was done to an embedding: reading it, projecting it, debiasing it."""

    action: str
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "action", escape_surrogates(self.action))
        object.__setattr__(self, "details", escape_surrogates(self.details))
        for name in LISTS_OF_WORDS:
            words = self.details.get(name, ())
            listed = isinstance(words, Collection) and not isinstance(words, str | Mapping)
            if not listed or not all(isinstance(word, str) for word in words):
                raise SettingError(
                    f"The step {short_repr(self.action)} of a history has {name} "
                    f"{short_repr(words)}; it must be a list of words."
                )

    def __str__(self) -> str:
        return " ".join([self.action, *(f"{name}={value}" for name, value in self.details.items())])


def check_lengths(rows: FloatArray, keys: Sequence[str], name: str) -> None:
    """Raise unless every vector is finite, and zero or of a length that can be squared."""
    largest = np.abs(rows).max(axis=1, initial=0).astype(np.float64)
    usable = (largest == 0) | (largest >= SQUARED.smallest) & (largest <= SQUARED.largest)
    if usable.all():
        return
    row = int(usable.argmin())
    vector = f"{name}: the vector of {short_repr(keys[row])}"
    if not isfinite(largest[row]):
        raise FileFormatError(f"{vector} holds NaN or infinity; fetch or write the file again.")
    size, remedy = size_and_remedy(largest[row])
    raise UndefinedError(
        f"{vector} is so {size} (its largest number is {largest[row]:.1g}) that its length cannot "
        f"be squared; multiply all vectors by one {remedy} number (in a ball also divide c by its "
        "square)."
    )


@dataclass(frozen=True, eq=False)
class Embedding:
    """Keys (words or sentences), one vector each, the space they live in and how they came to be.

    Nothing is ever changed in place: `vectors` is read-only (and may be memory-mapped), and a
    changed embedding is a new object with a longer history. `counts` says how often each key was
    seen in training, and `languages` which languages the keys are of, where that is known.
    """

    keys: Sequence[str]
    vectors: NDArray[np.floating[Any]]
    geometry: Geometry = field(default_factory=Euclidean)
    name: str = "embedding"
    history: tuple[Step, ...] = ()
    counts: NDArray[np.integer[Any]] | None = None
    languages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", escape_surrogates(self.name))
        if isinstance(self.keys, str) or not isinstance(self.keys, Sized):
            raise SettingError(
                f"{self.name}: its keys are {type(self.keys).__name__}; give a list of words."
            )
        dtype = getattr(self.vectors, "dtype", type(self.vectors).__name__)
        if getattr(dtype, "kind", "?") not in "fiu":
            raise SettingError(
                f"{self.name}: its vectors must be an array of floats, not {dtype}; give "
                "np.asarray(vectors, float)."
            )
        if np.ma.is_masked(self.vectors):
            raise SettingError(
                f"{self.name}: some numbers of its vectors are masked; remove those rows, or fill "
                "them with numbers."
            )
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.keys):
            raise FileFormatError(
                f"{self.name}: {len(self.keys)} keys do not match vectors of shape "
                f"{self.vectors.shape}; give one row per key."
            )
        if repeated := len(self.keys) - len(self.positions):
            raise FileFormatError(
                f"{self.name}: {pluralize(repeated, 'key occurs', 'keys occur')} more than once; "
                "keep one vector per key."
            )
        if self.counts is not None and self.counts.shape != (len(self.keys),):
            raise FileFormatError(
                f"{self.name}: counts of shape {self.counts.shape} do not match {len(self.keys)} "
                "keys; give one count per key."
            )
        self._make_read_only()

    def _make_read_only(self) -> None:
        view = self.vectors.view()
        view.flags.writeable = False
        object.__setattr__(self, "vectors", view)

    def __getstate__(self) -> dict[str, Any]:
        # Look-ups hold the spelling rules of languages, which are code: they are built anew.
        return {name: value for name, value in self.__dict__.items() if name != "lookups"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # The array of a copy, or one restored by pickle, would be writeable.
        self.__dict__.update(state)
        self._make_read_only()

    @cached_property
    def positions(self) -> dict[str, int]:
        """The row of each key."""
        # Checked here, not in __post_init__: positions are shared by all changed copies.
        for key in self.keys:
            if not isinstance(key, str):
                raise FileFormatError(
                    f"{self.name}: the key {short_repr(key)} is no text; give words, and leave out "
                    "gaps."
                )
        return {key: row for row, key in enumerate(self.keys)}

    @cached_property
    def lookups(self) -> dict[str, Lookup]:
        """The look-ups built so far, by language; see `lookup`."""
        return {}

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over geometry, keys and vector bytes: equal content, equal hash."""
        space, dtype = self.geometry, self.vectors.dtype.str
        head = [space.name, float(space.curvature), dtype, *self.vectors.shape]
        digest = sha256(digest_of(head).encode())
        for start in range(0, len(self.keys), BLOCK_KEYS):
            keys = self.keys[start : start + BLOCK_KEYS]
            encoded = (key.encode("utf-8", "surrogatepass") for key in keys)
            digest.update(b"".join(b"%d:%b" % (len(raw), raw) for raw in encoded))
        rows = max(1, BLOCK_VALUES // max(1, self.dimensions))
        for start in range(0, len(self.vectors), rows):
            block = self.vectors[start : start + rows]
            digest.update(np.ascontiguousarray(block).data)
            release_pages(block)
        return digest.hexdigest()

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return int(self.vectors.shape[1])

    @property
    def precision(self) -> float:
        """The machine epsilon of its numbers: their relative rounding error."""
        floats = self.vectors.dtype if self.vectors.dtype.kind == "f" else np.float64
        return float(np.finfo(floats).eps)

    @property
    def is_cut(self) -> bool:
        """Whether its history says that words were left out of it."""
        return any(
            step.action == "subset" or "words_wanted" in step.details for step in self.history
        )

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, key: object) -> bool:
        return key in self.positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys)

    def __getitem__(self, key: str) -> FloatArray:
        """Return the vector of a key in float64: a copy, so that it may be changed."""
        row: FloatArray = self.rows([key])[0]
        return row

    def most_similar(
        self, key: str, count: int = 10, by: str | None = None, **others: Never
    ) -> list[tuple[str, float]]:
        """Return the nearest keys and how similar they are, the most similar first.

        `by` names the similarity: cosine in flat space and negative-distance in the ball, unless
        another is chosen. Large is near: a cosine of 1, a negative distance of 0.
        """
        for name in others:
            # gensim's name for it, which no spelling distance would find.
            meant = ["count"] if name == "topn" else []
            raise UnknownNameError("setting", name, ("key", "count", "by"), meant=meant)
        # Imported here: neighbours imports Embedding.
        from fairvec.embedding.neighbours import neighbours_of

        nearest = neighbours_of(self, [key], count, None if by is None else similarity(by))
        pairs = zip(nearest.rows[0].tolist(), nearest.similarities[0].tolist(), strict=True)
        return [(self.keys[row], score) for row, score in pairs]

    def to_keyed_vectors(self) -> Any:
        """Return gensim's KeyedVectors with these keys, vectors and counts; flat space only."""
        from fairvec.embedding.python_objects import to_keyed_vectors

        return to_keyed_vectors(self)

    def to_frame(self) -> Any:
        """Return a DataFrame of pandas, a row a word, with the words as its index."""
        from fairvec.embedding.python_objects import to_frame

        return to_frame(self)

    def rows(self, keys: Iterable[str]) -> FloatArray:
        """Return the vectors of `keys` in float64, one row each."""
        if isinstance(keys, str):
            raise SettingError(
                f"rows() takes a list of keys; say [{short_repr(keys)}], or "
                f"model[{short_repr(keys)}]."
            )
        if not isinstance(keys, Iterable):
            raise SettingError(f"rows() takes a list of keys, not {short_repr(keys)}.")
        keys = [*keys]
        for key in keys:
            if not isinstance(key, str):
                raise UnknownKeyError(
                    "key", str(key), (), hint=f"The keys of {self.name} are text; give a word."
                )
            if key not in self.positions:
                hint = f"It is not in {self.name}."
                raise UnknownKeyError("key", key, near_spellings(key, self.keys), hint=hint)
        return self._as_float64(self.vectors[[self.positions[key] for key in keys]], keys)

    def block(self, start: int, stop: int) -> FloatArray:
        """Return the vectors from row `start` up to `stop` in float64."""
        rows = self.vectors[start:stop]
        vectors = self._as_float64(rows, self.keys[start:stop])
        release_pages(rows)
        return vectors

    def _as_float64(self, vectors: NDArray[np.floating[Any]], keys: Sequence[str]) -> FloatArray:
        with np.errstate(over="ignore"):  # wider floats may be larger than any double
            rows = vectors.astype(np.float64)
        # A memory-mapped file is not read on opening, so its numbers are checked here.
        check_lengths(rows, keys, self.name)
        return rows

    def lookup(self, language: str = "") -> Lookup:
        """Return the look-up of its keys by the spelling rules of a language.

        It is built once: indexing half a million keys takes seconds. An embedding that was renamed
        or moved has the same keys, and the same look-ups.
        """
        if language not in self.lookups:
            self.lookups[language] = Lookup(self.positions, language)
        return self.lookups[language]

    def with_name(self, name: str) -> "Embedding":
        """Return the same embedding under another name."""
        if not isinstance(name, str):
            raise SettingError(f"The name is {short_repr(name)}; give text.")
        return self._copy_with(name=name)

    def with_languages(self, languages: str | Sequence[str]) -> "Embedding":
        """Return the same embedding with this language, or these (codes such as en, hi)."""
        return self._copy_with(languages=language_codes(languages))

    def with_vectors(self, vectors: NDArray[np.floating[Any]], step: Step) -> "Embedding":
        """Return a new embedding with other vectors for the same keys and a longer history."""
        if not isinstance(step, Step):
            raise SettingError(
                f"step is {short_repr(step)}; say what was done as Step({short_repr(str(step))})."
            )
        return self._copy_with(vectors=vectors, history=(*self.history, step))

    def _copy_with(self, **changes: Any) -> "Embedding":
        # Look-ups are shared: building one takes longer than changing all vectors.
        _ = self.lookups
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        if "vectors" in changes:  # name, languages and history are no part of the hash
            copy.__dict__.pop("content_hash", None)
        copy.__dict__.update(changes)
        copy.__post_init__()
        return copy

    def __repr__(self) -> str:
        return (
            f"Embedding({self.name!r}, {pluralize(len(self), 'key')} x {self.dimensions}, "
            f"{self.geometry.name}, {self.vectors.dtype})"
        )
