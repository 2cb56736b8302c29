"""Embeddings from and to Python objects: arrays, dicts, gensim's KeyedVectors, pandas."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairvec.core.errors import (
    FileFormatError,
    MissingExtraError,
    MissingPackageError,
    SettingError,
)
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr
from fairvec.embedding.detect_geometry import choose_geometry, place_points
from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.base import FileContent, LoadOptions, Outside, ReadOptions, Unseen
from fairvec.embedding.formats.fasttext import Subwords, add_unseen
from fairvec.embedding.formats.rows import checked_content, refuse_empty, refuse_non_finite
from fairvec.geometry import Euclidean, Geometry


@runtime_checkable
class KeyedVectors(Protocol):
    """What gensim's KeyedVectors, and anything like it, has."""

    @property
    def index_to_key(self) -> Sequence[str]:
        """The keys in the order of the rows."""
        ...

    @property
    def vectors(self) -> NDArray[Any]:
        """One row per key."""
        ...


def from_arrays(
    keys: Sequence[str],
    vectors: ArrayLike,
    *,
    words: Iterable[str] | None = None,
    geometry: str | Geometry | None = None,
    curvature: float | None = None,
    name: str = "embedding",
    outside: Outside = "refuse",
    language: str | Sequence[str] | None = None,
    source: str = "arrays",
    notes: Mapping[str, Any] | None = None,
    subwords: Subwords | None = None,
    unseen: Unseen | None = None,
) -> Embedding:
    """Return the embedding of one row per key; the array is not copied, so leave it as it is.

    The first of equal keys is kept, and `words` keeps only those keys. `source` says in the history
    where the points come from, and `notes` adds details to it. With `subwords`, words of `words`
    and of `unseen` that have no row are composed from n-grams.
    """
    for key in keys:
        if not isinstance(key, str):
            # str(None) would add the word "None".
            gap = key is None or key != key
            conversion = "key.decode()" if isinstance(key, bytes) else "str(key)"
            remedy = "leave out that word and its row" if gap else f"give {conversion}"
            raise FileFormatError(f"{name}: the key {short_repr(key)} is not a string; {remedy}.")
    how = LoadOptions(geometry, curvature, outside, language=language)
    options = ReadOptions(word_filter(words), unseen=unseen)
    content = checked_content(Path(name), keys, _as_floats(vectors, name), options)
    if subwords is not None:
        content = add_unseen(Path(name), content, subwords, options)
    step = Step(
        "read",
        {
            "from": source,
            **(notes or {}),
            **content.notes,
            **word_filter_notes(name, content, options),
        },
    )
    space = choose_geometry(how.geometry, how.curvature)
    embedding = place_points(content, space, step, name, how.outside)
    return embedding if how.language is None else embedding.with_languages(how.language)


def from_dict(vectors: Mapping[str, ArrayLike], **settings: Any) -> Embedding:
    """Return the embedding of a dict from keys to vectors; settings are those of from_arrays."""
    if not vectors:
        raise FileFormatError("The dict holds no vectors; give at least one key and its vector.")
    rows = [np.asarray(vector) for vector in vectors.values()]
    for key, row in zip(vectors, rows, strict=True):
        if row.ndim == 0:
            raise FileFormatError(
                f"The vector of {short_repr(key)} is {short_repr(row.item())}; give every key one "
                "vector of numbers."
            )
        if row.ndim != 1 or row.shape != rows[0].shape:
            raise FileFormatError(
                f"The vector of {short_repr(key)} has shape {row.shape} where the first has "
                f"{rows[0].shape}; give every key one vector of the same length."
            )
    return from_arrays(list(vectors), np.stack(rows), **{"source": "dict", **settings})


def from_keyed_vectors(vectors: KeyedVectors, **settings: Any) -> Embedding:
    """Return the embedding of gensim's KeyedVectors; settings are those of from_arrays."""
    keys = list(vectors.index_to_key)
    defaults = {"source": type(vectors).__name__, "subwords": _subwords(vectors)}
    return from_arrays(keys, vectors.vectors, **{**defaults, **settings})


def _subwords(vectors: KeyedVectors) -> Subwords | None:
    """Return the n-gram vectors of gensim's fastText; None where there are none."""
    buckets = getattr(vectors, "vectors_ngrams", None)
    if buckets is None or len(buckets) == 0:
        return None
    return Subwords(buckets, int(getattr(vectors, "min_n", 0)), int(getattr(vectors, "max_n", 0)))


def word_filter(words: Iterable[str] | None) -> frozenset[str] | None:
    """Return the words to keep; a single string is a mistake, not a list of letters."""
    if isinstance(words, str):
        raise SettingError(
            f"words must be a list of words, not one string; say [{short_repr(words)}]."
        )
    return None if words is None else frozenset(words)


def word_filter_notes(name: str, content: FileContent, options: ReadOptions) -> dict[str, int]:
    """Return the details for the history of an embedding restricted to some words."""
    if options.words is None:
        return {}
    if not content.keys:
        raise SettingError(
            f"{name} has none of the {pluralize(len(options.words), 'word')} wanted; check their "
            "spelling and case, or leave out words=."
        )
    return {"words_wanted": len(options.words), "words_found": len(content.keys)}


def _as_floats(vectors: ArrayLike, name: str) -> NDArray[np.floating[Any]]:
    try:
        array = np.asarray(vectors)
        if np.issubdtype(array.dtype, np.floating):
            return array
        if array.dtype.kind in "iub":
            return array.astype(np.float64)
    except ValueError as error:
        raise FileFormatError(
            f"{name}: the vectors are not one matrix; give a row of equally many numbers for each "
            "word."
        ) from error
    raise FileFormatError(
        f"{name}: vectors of type {array.dtype} are not real numbers; give a matrix of floats."
    )


def to_keyed_vectors(embedding: Embedding) -> Any:
    """Return gensim's KeyedVectors of a flat embedding, with a copy of its vectors and counts."""
    if not isinstance(embedding.geometry, Euclidean):
        raise SettingError(
            f"{embedding.name} lies in the {embedding.geometry.name} space, and gensim's "
            "KeyedVectors compare by flat cosines, which do not notice the curvature; take "
            "to_frame(), or ask most_similar() here."
        )
    try:
        models = import_module("gensim.models")
    except ImportError as error:
        raise MissingExtraError("Making KeyedVectors", "gensim") from error
    _refuse_unusable(embedding)
    # gensim computes in float32 or float64; sums in float16 would overflow.
    dtype = np.promote_types(embedding.vectors.dtype, np.float32)
    keyed_vectors = models.KeyedVectors(embedding.dimensions, dtype=dtype)
    keyed_vectors.add_vectors(list(embedding.keys), embedding.vectors.astype(dtype))
    # One by one, because gensim's add_vectors cannot unpack the attributes it is given.
    for row, count in enumerate([] if embedding.counts is None else embedding.counts):
        keyed_vectors.set_vecattr(embedding.keys[row], "count", int(count))
    return keyed_vectors


def to_frame(embedding: Embedding) -> Any:
    """Return a DataFrame of pandas: a row a word, the words as its index, a copy of the vectors."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise MissingPackageError("A table of words and vectors", "pandas") from error
    _refuse_unusable(embedding)
    words = pandas.Index(list(embedding.keys), name="word")
    return pandas.DataFrame(np.array(embedding.vectors), index=words)


def _refuse_unusable(embedding: Embedding) -> None:
    """Refuse an empty matrix, and check a memory-mapped one, which was not read before."""
    refuse_empty(Path(embedding.name), *embedding.vectors.shape)
    refuse_non_finite(Path(embedding.name), embedding.keys, embedding.vectors)
