"""gensim's own files: `.kv` and `.model`, from version 0.x to 4, with their .npy side files.

The pickle is rebuilt from inert stand-ins (see safe_pickle); gensim is never imported.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.base import Counts, Raw, ReadOptions, Vectors
from fairvec.embedding.formats.checks import kept
from fairvec.embedding.formats.safe_pickle import Shell, rebuild
from fairvec.embedding.formats.subwords import Subwords, composed, with_unseen
from fairvec.errors import FileFormatError
from fairvec.geometry import Geometry, Poincare

MATRICES = ("vectors", "syn0")
KEY_LISTS = ("index_to_key", "index2word", "index2entity")
VOCABULARIES = ("key_to_index", "vocab")
MODEL_PARTS = ("wv", "kv")
BEGINNING = re.compile(rb"\x80[\x01-\x05]|\(?[ci][\w.]+\n[\w.]+\n")
"""A protocol number, or in the oldest pickles the first name they ask for."""


@dataclass(frozen=True)
class GensimPickle:
    """Word2Vec, FastText, Poincaré and plain KeyedVectors as gensim's save() leaves them."""

    name: str = "gensim"
    suffixes: tuple[str, ...] = (".kv", ".model")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A pickle begins with its protocol, or with a name on two lines."""
        return BEGINNING.match(head) is not None

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read keys and vectors; points of gensim's Poincaré models lie in the ball of c = 1."""
        model = rebuild(path)
        if not isinstance(model, Shell):
            raise FileFormatError(
                f"{path.name} is a pickle of {type(model).__name__}, not a model of gensim; save "
                "the vectors in word2vec text or binary format."
            )
        part = _Part(model, path)
        for name in MODEL_PARTS:
            if isinstance(model.get(name), Shell):
                part = _Part(model.get(name), path, f".{name}")
                break
        return replace(_raw(part, options), geometry=_geometry(part))


@dataclass(frozen=True)
class _Part:
    """The object inside a model that holds keys and vectors, and where its side files lie."""

    shell: Shell
    path: Path
    infix: str = ""

    def matrix(self, name: str) -> Vectors | None:
        """Return a matrix kept in the pickle or in its side file, or None where it has neither."""
        aside = self.shell.get("__numpys")
        if isinstance(aside, list) and (name in aside or name.encode() in aside):
            return self._side_file(name)
        found = self.shell.get(name)
        return found if isinstance(found, np.ndarray) else None

    def _side_file(self, name: str) -> NDArray[Any]:
        side = self.path.with_name(f"{self.path.name}{self.infix}.{name}.npy")
        try:
            array: NDArray[Any] = np.load(side, mmap_mode="r", allow_pickle=False)
        except FileNotFoundError as error:
            raise FileFormatError(
                f"{self.path.name} keeps its {name} in {side.name}, which is not beside it; put "
                "both files in one folder under the names gensim gave them."
            ) from error
        except (OSError, ValueError, EOFError) as error:
            raise FileFormatError(
                f"{side.name}, a part of {self.path.name}, is not a whole .npy file ({error}); "
                "copy or download it again."
            ) from error
        return array


def _raw(part: _Part, options: ReadOptions) -> Raw:
    keys = _keys(part)
    for name in MATRICES:
        matrix = part.matrix(name)
        if matrix is not None:
            floats = _native_floats(part, matrix)
            return kept(part.path, keys, floats, options, counts=_counts(part, keys))
    rows = part.matrix("vectors_vocab")
    if rows is None:
        raise FileFormatError(
            f"{part.path.name} ({part.shell.path}) holds no vectors under a name that gensim gives "
            "them (vectors, syn0); save the word vectors alone in word2vec format."
        )
    # gensim 4 leaves the finished vectors of a FastText model out of its files.
    known = kept(part.path, keys, _native_floats(part, rows), options)
    subwords = _subwords(part, rows.shape[1])
    if subwords is None:
        return known
    return with_unseen(part.path, composed(known, subwords), subwords, options)


def _counts(part: _Part, keys: list[str]) -> Counts | None:
    """Return how often each word was seen, which gensim 4 keeps among the extra attributes."""
    extra = part.shell.get("expandos")
    counts = extra.get("count") if isinstance(extra, dict) else None
    if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
        return None
    return counts if counts.shape == (len(keys),) else None


def _subwords(part: _Part, dimensions: int) -> Subwords | None:
    """Return the n-grams of a FastText model, or None where it was trained without."""
    buckets = part.matrix("vectors_ngrams")
    shortest, longest = part.shell.get("min_n"), part.shell.get("max_n")
    if buckets is None or len(buckets) == 0 or part.shell.get("bucket") == 0:
        return None
    if not (isinstance(shortest, int) and isinstance(longest, int)) or buckets.shape[1:] != (
        dimensions,
    ):
        raise FileFormatError(
            f"{part.path.name} holds n-grams of shape {buckets.shape} and length {shortest!r} to "
            f"{longest!r} beside vectors of {dimensions} columns; save it again with gensim."
        )
    return Subwords(_native_floats(part, buckets), shortest, longest)


def _keys(part: _Part) -> list[str]:
    """Return the keys in the order of the rows; old models keep it in their vocabulary alone."""
    for name in KEY_LISTS:
        listed = part.shell.get(name)
        if isinstance(listed, list | np.ndarray) and len(listed):
            return [_key(part, key) for key in listed]
    named = [part.shell.get(name) for name in VOCABULARIES]
    places = next((found for found in named if isinstance(found, dict) and found), None)
    if places is None:
        raise FileFormatError(
            f"{part.path.name} ({part.shell.path}) holds no list of words; save the word vectors "
            "alone (model.wv) or in word2vec format."
        )
    rows = {key: _row(place) for key, place in places.items()}
    if sorted(rows.values()) != list(range(len(rows))):
        raise FileFormatError(
            f"{part.path.name}: the vocabulary does not give each row to one word; save the model "
            "again with the version of gensim that wrote it."
        )
    return [_key(part, key) for key in sorted(rows, key=rows.__getitem__)]


def _row(place: Any) -> int:
    index = place.get("index") if isinstance(place, Shell) else place
    return index if isinstance(index, int) else -1


def _key(part: _Part, key: Any) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int | np.integer):
        return str(key)
    try:
        return bytes.decode(key, "utf-8")
    except (TypeError, UnicodeDecodeError) as error:
        raise FileFormatError(
            f"{part.path.name}: the key {key!r} is not text in UTF-8; save the vectors in word2vec "
            "format."
        ) from error


def _native_floats(part: _Part, matrix: NDArray[Any]) -> Vectors:
    if matrix.dtype.kind != "f":
        raise FileFormatError(
            f"{part.path.name} holds vectors of type {matrix.dtype}; save them as float32."
        )
    return matrix if matrix.dtype.isnative else matrix.astype(matrix.dtype.newbyteorder("="))


def _geometry(part: _Part) -> Geometry | None:
    """Return the ball for Poincaré models, by the name of the class that holds the vectors."""
    name = type(part.shell).__name__
    if name.startswith("MixPoincare"):
        raise FileFormatError(
            f"{part.path.name} ({name}) holds points of a product of several small balls, a space "
            "that fairvec does not measure in; train or fetch a model of one ball."
        )
    return Poincare(1.0) if name.startswith("Poincare") else None
