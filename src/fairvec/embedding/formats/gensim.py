"""gensim's own files: `.kv` and `.model`, from version 0.x to 4, with their .npy side files.

Also those of Poincaré GloVe, whose code is a fork of gensim. The pickle is rebuilt from inert
stand-ins (see pickles); neither is ever imported.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, GeometryError, SettingError
from fairvec.core.format import omit_hint, pluralize
from fairvec.core.io.read_files import is_file, is_there
from fairvec.core.text import short_repr
from fairvec.embedding.formats.base import Counts, FileContent, Format, ReadOptions, Vectors
from fairvec.embedding.formats.fasttext import Subwords, add_unseen, compose_vectors
from fairvec.embedding.formats.numpy_files import MALFORMED, read_array_header
from fairvec.embedding.formats.pickles.objects import Stub
from fairvec.embedding.formats.pickles.unpickler import load_pickle, short_reason
from fairvec.embedding.formats.rows import ROWS_AT_ONCE, checked_content
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls, midpoint_between

MATRICES = ("vectors", "syn0")
MODEL_PARTS = ("wv", "kv")
LONGEST_NGRAM, LONGEST_COMPOSED = 50, 5000
"""Limits, since a word of n letters has n times the longest n-gram of them; the default is 6."""
PICKLE_START = re.compile(rb"\x80[\x01-\x05]|\(?[ci][\w.]+\n[\w.]+\n")
"""A protocol number or, in the oldest pickles, the first name."""

KEY_LISTS = ("index_to_key", "index2word", "index2entity")
VOCABULARIES = ("key_to_index", "vocab")


@dataclass(frozen=True)
class GensimObject:
    """An object inside a gensim model; `infix` is its part of the names of its side files."""

    stub: Stub
    path: Path
    infix: str = ""

    @property
    def kind(self) -> str:
        """The name of the class that the object was of."""
        return type(self.stub).__name__

    def inner(self, name: str) -> "GensimObject | None":
        """Return the object kept under `name`, or None where there is none."""
        found = self.stub.get(name)
        return (
            GensimObject(found, self.path, f"{self.infix}.{name}")
            if isinstance(found, Stub)
            else None
        )

    def matrix(self, name: str) -> Vectors | None:
        """Return a matrix kept in the pickle or in its side file, or None where it has neither."""
        side_files = self.stub.get("__numpys")
        if isinstance(side_files, list) and (name in side_files or name.encode() in side_files):
            return self._native_floats(self._side_file(name))
        found = self.stub.get(name)
        return self._native_floats(found) if isinstance(found, np.ndarray) else None

    def keys(self, rows: int) -> list[str]:
        """Return the keys in the order of the rows; the oldest models keep only a vocabulary.

        That there are as many as `rows` is checked before any of them is decoded.
        """
        for name in KEY_LISTS:
            words = self.stub.get(name)
            if isinstance(words, np.ndarray) and words.ndim != 1:
                raise FileFormatError(
                    f"{self.path.name}: {name} is an array of {words.ndim} dimensions and not a "
                    "list of words; save the vectors in word2vec format."
                )
            if isinstance(words, list | np.ndarray) and len(words):
                self._refuse_other_number(len(words), rows)
                return self._texts(words)
        vocabularies = [self.stub.get(name) for name in VOCABULARIES]
        vocabulary = next(
            (found for found in vocabularies if isinstance(found, dict) and found), None
        )
        if vocabulary is None:
            raise FileFormatError(
                f"{self.path.name} ({self.stub.path}) holds no list of words; save the word "
                "vectors alone (model.wv) or in word2vec format."
            )
        rows_by_key = {key: _row(entry) for key, entry in vocabulary.items()}
        if sorted(rows_by_key.values()) != list(range(len(rows_by_key))):
            raise FileFormatError(
                f"{self.path.name}: the vocabulary does not give each row to one word; save the "
                "model again with the version of gensim that wrote it."
            )
        self._refuse_other_number(len(rows_by_key), rows)
        return self._texts(sorted(rows_by_key, key=rows_by_key.__getitem__))

    def counts(self, rows: int) -> Counts | None:
        """Return how often each word was seen, as gensim 4 and Poincaré GloVe keep it."""
        extra = self.stub.get("expandos")
        counts = extra.get("count") if isinstance(extra, dict) else self.stub.get("index2freq")
        if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
            return None
        return counts if counts.shape == (rows,) else None

    def _refuse_other_number(self, keys: int, rows: int) -> None:
        if keys != rows:
            raise FileFormatError(
                f"{self.path.name} holds {pluralize(keys, 'key')} but vectors of shape ({rows}, "
                "...); it needs one row per key: save the model again."
            )

    def _texts(self, keys: Iterable[Any]) -> list[str]:
        try:
            texts = [key if type(key) is str else self._text(key) for key in keys]
            "".join(texts).encode("utf-8")
        except ValueError as error:  # letters that Unicode does not have, or half of one
            raise FileFormatError(
                f"{self.path.name}: one of its keys is not text in UTF-8 ({short_reason(error)}); "
                "save the vectors in word2vec format."
            ) from error
        return texts

    def _text(self, key: Any) -> str:
        if isinstance(key, str | int | np.integer):
            return str(key)
        try:
            return bytes.decode(key, "utf-8")
        except (TypeError, UnicodeDecodeError) as error:
            raise FileFormatError(
                f"{self.path.name}: the key {short_repr(key)} is not text in UTF-8; save the "
                "vectors in word2vec format."
            ) from error

    def _side_file(self, name: str) -> NDArray[Any]:
        side = self.path.with_name(f"{self.path.name}{self.infix}.{name}.npy")
        if not is_there(side):
            raise FileFormatError(
                f"{self.path.name} keeps its {name} in {side.name}, which is not beside it; put "
                "both files in one folder under the names gensim gave them."
            )
        return side_array(side, self.path.name)

    def _native_floats(self, matrix: NDArray[Any]) -> Vectors:
        if matrix.dtype.kind != "f" or matrix.ndim != 2:
            raise FileFormatError(
                f"{self.path.name} holds vectors of type {matrix.dtype} and shape {matrix.shape}; "
                "save them as one matrix of float32."
            )
        return matrix if matrix.dtype.isnative else matrix.astype(matrix.dtype.newbyteorder("="))


def _row(entry: Any) -> int:
    index = entry.get("index") if isinstance(entry, Stub) else entry
    return index if type(index) is int else -1


def side_array(side: Path, model: str) -> NDArray[Any]:
    """Return the array of floats in the .npy side file of a model, memory-mapped."""
    try:
        return _map_array(side)
    except MALFORMED as error:
        raise FileFormatError(
            f"{side.name}, a part of {model}, is not a whole .npy file ({short_reason(error)}); "
            "copy or download it again."
        ) from error


def _map_array(side: Path) -> NDArray[Any]:
    # Reading a pipe would block.
    if not is_file(side):
        raise ValueError("it is no file")
    with side.open("rb") as file:
        header = read_array_header(file)
    if header.dtype.kind != "f":
        raise ValueError("it does not hold floats")
    if (size := side.stat().st_size) != header.offset + header.bytes:
        raise ValueError(f"it has {size} bytes")
    if not header.bytes:
        return np.empty(header.shape, header.dtype)
    array: NDArray[Any] = np.load(side, mmap_mode="r", allow_pickle=False)
    return array


class Gensim(Format):
    """Word2Vec, FastText, Poincaré and plain KeyedVectors as gensim's save() leaves them."""

    name = "gensim"
    suffixes = (".kv", ".model")
    options = frozenset({"vectors"})

    def recognises(self, path: Path, head: bytes) -> bool:
        """A pickle begins with its protocol, or with a name on two lines."""
        return PICKLE_START.match(head) is not None

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read keys and vectors; points of Poincaré models lie in balls of c = 1."""
        rebuilt = load_pickle(path)
        if not isinstance(rebuilt, Stub):
            raise FileFormatError(
                f"{path.name} is a pickle of {type(rebuilt).__name__}, not a model of gensim; save "
                "the vectors in word2vec text or binary format."
            )
        model = GensimObject(rebuilt, path)
        inner = [model.inner(name) for name in MODEL_PARTS]
        words = next((part for part in inner if part is not None), model)
        wants_target = options.vectors == "target"
        chosen = _target(words, options) if wants_target else _context(model, words, options)
        space = _geometry(words, chosen.vectors.shape[1])
        if options.vectors == "aggregated":
            chosen = combine_vectors(path, _target(words, options), chosen, space or Euclidean())
        notes = chosen.notes if wants_target else chosen.notes | {"vectors": options.vectors}
        return replace(chosen, notes=notes, geometry=space)


def _target(part: GensimObject, options: ReadOptions) -> FileContent:
    for name in MATRICES:
        matrix = part.matrix(name)
        if matrix is not None:
            keys = part.keys(len(matrix))
            return checked_content(part.path, keys, matrix, options, counts=part.counts(len(keys)))
    rows = part.matrix("vectors_vocab")
    if rows is None:
        raise FileFormatError(
            f"{part.path.name} ({part.stub.path}) holds no vectors under a name that gensim gives "
            "them (vectors, syn0); save the word vectors alone in word2vec format."
        )
    # gensim 4 leaves the finished vectors of a FastText model out of its files.
    known = checked_content(part.path, part.keys(len(rows)), rows, options)
    subwords = _subwords(part, rows.shape[1])
    if subwords is None:
        return known
    longest = max(known.keys, key=len, default="")
    if len(longest) > LONGEST_COMPOSED:
        raise FileFormatError(
            f"{part.path.name}: the word {short_repr(longest, 20)} has {len(longest)} letters, too "
            "many for n-grams; save the vectors in word2vec format."
        )
    return add_unseen(part.path, compose_vectors(known, subwords), subwords, options)


def _context(model: GensimObject, words: GensimObject, options: ReadOptions) -> FileContent:
    """Return the vectors that words have as neighbours; gensim calls them syn1neg."""
    for part in (model, model.inner("trainables"), words.inner("trainables")):
        matrix = None if part is None else part.matrix("syn1neg")
        if matrix is not None:
            keys = words.keys(len(matrix))
            return checked_content(
                model.path, keys, matrix, options, counts=words.counts(len(keys))
            )
    raise FileFormatError(
        f"{model.path.name} ({model.stub.path}) holds no context vectors (syn1neg); only whole "
        f"models trained with them do: leave out {omit_hint('vectors')}."
    )


def _subwords(part: GensimObject, dimensions: int) -> Subwords | None:
    """Return the n-grams of a FastText model, or None where it was trained without."""
    buckets = part.matrix("vectors_ngrams")
    shortest, longest = part.stub.get("min_n"), part.stub.get("max_n")
    if buckets is None or len(buckets) == 0 or _is_zero(part.stub.get("bucket")):
        return None
    proper = type(shortest) is int and type(longest) is int and longest <= LONGEST_NGRAM
    if not proper or buckets.shape[1:] != (dimensions,):
        raise FileFormatError(
            f"{part.path.name} holds n-grams of shape {buckets.shape} and length "
            f"{short_repr(shortest)} to {short_repr(longest)} beside vectors of {dimensions} "
            "columns; save it again with gensim."
        )
    return Subwords(buckets, shortest, longest)


def _is_zero(number: object) -> bool:
    return type(number) is int and number == 0


def _geometry(words: GensimObject, columns: int) -> Geometry | None:
    """Return the ball or balls of Poincaré models, by the class that holds the vectors."""
    if not words.kind.startswith("MixPoincare"):
        return Poincare(1.0) if words.kind.startswith("Poincare") else None
    balls = words.stub.get("num_embs")
    if type(balls) is not int or balls < 1 or columns % balls:
        raise FileFormatError(
            f"{words.path.name} ({words.kind}) shares {columns} columns among {short_repr(balls)} "
            "balls, which are no equal parts; save the model again."
        )
    return ProductOfBalls(balls, 1.0)


def combine_vectors(
    path: Path, target: FileContent, context: FileContent, space: Geometry
) -> FileContent:
    """Return w + c in flat space, and in a ball the point halfway between w and c.

    Tifrea et al. (2019), Poincaré GloVe, arXiv:1810.06546; Pennington et al. (2014), GloVe.
    """
    if target.keys != context.keys:
        first = min(set(target.keys).symmetric_difference(context.keys))
        raise SettingError(
            f"{path.name}: {short_repr(first)} was not seen in training and has no context vector; "
            "leave it out of words=, or read the target vectors."
        )
    w, c = target.vectors, context.vectors
    if w.shape != c.shape:
        raise FileFormatError(
            f"{path.name} holds target vectors of shape {w.shape} and context vectors of shape "
            f"{c.shape}, which cannot be aggregated; read either of them."
        )
    if isinstance(space, Euclidean):
        return replace(target, vectors=w + c)
    # Float64, because in float32 a point near the border would be rounded onto it.
    found = np.empty(w.shape)
    for start in range(0, len(w), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        found[rows] = _midpoints(path, target.keys[rows], w[rows], c[rows], space)
    return replace(target, vectors=found)


def _midpoints(path: Path, keys: list[str], w: Vectors, c: Vectors, space: Geometry) -> Vectors:
    here, there = w.astype(np.float64), c.astype(np.float64)
    outside = ~(space.contains(here) & space.contains(there))
    if outside.any():
        raise GeometryError(
            f"{path.name}: the target or the context point of "
            f"{short_repr(keys[int(outside.argmax())])} lies outside its ball, so that nothing "
            "lies halfway; read vectors='target' or 'context' with outside='project' (--vectors, "
            "--outside)."
        )
    return midpoint_between(space, here, there)
