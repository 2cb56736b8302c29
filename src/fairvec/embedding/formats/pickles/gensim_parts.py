"""What one object inside a gensim model holds: matrices, keys and counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.pickles.safe_pickle import Shell, reason_of
from fairvec.embedding.formats.pickles.side_file import side_array
from fairvec.embedding.formats.reading import Counts, Vectors
from fairvec.ground.disk.at_hand import is_there
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.shown_values import shown

KEY_LISTS = ("index_to_key", "index2word", "index2entity")
VOCABULARIES = ("key_to_index", "vocab")


@dataclass(frozen=True)
class GensimPart:
    """An object inside a model, and how the names of its side files go on after the model's."""

    shell: Shell
    path: Path
    infix: str = ""

    @property
    def kind(self) -> str:
        """The name of the class that the object was of."""
        return type(self.shell).__name__

    def inner(self, name: str) -> "GensimPart | None":
        """Return the object kept under `name`, or None where there is none."""
        found = self.shell.get(name)
        return (
            GensimPart(found, self.path, f"{self.infix}.{name}")
            if isinstance(found, Shell)
            else None
        )

    def matrix(self, name: str) -> Vectors | None:
        """Return a matrix kept in the pickle or in its side file, or None where it has neither."""
        aside = self.shell.get("__numpys")
        if isinstance(aside, list) and (name in aside or name.encode() in aside):
            return self._native_floats(self._side_file(name))
        found = self.shell.get(name)
        return self._native_floats(found) if isinstance(found, np.ndarray) else None

    def keys(self, rows: int) -> list[str]:
        """Return the keys in the order of the rows; the oldest models keep only a vocabulary.

        There must be as many as `rows`, which is looked at before a text is made of each.
        """
        for name in KEY_LISTS:
            listed = self.shell.get(name)
            if isinstance(listed, np.ndarray) and listed.ndim != 1:
                raise FileFormatError(
                    f"{self.path.name}: {name} is an array of {listed.ndim} dimensions and not a "
                    "list of words; save the vectors in word2vec format."
                )
            if isinstance(listed, list | np.ndarray) and len(listed):
                self._refuse_other_number(len(listed), rows)
                return self._texts(listed)
        named = [self.shell.get(name) for name in VOCABULARIES]
        places = next((found for found in named if isinstance(found, dict) and found), None)
        if places is None:
            raise FileFormatError(
                f"{self.path.name} ({self.shell.path}) holds no list of words; save the word "
                "vectors alone (model.wv) or in word2vec format."
            )
        placed = {key: _row(place) for key, place in places.items()}
        if sorted(placed.values()) != list(range(len(placed))):
            raise FileFormatError(
                f"{self.path.name}: the vocabulary does not give each row to one word; save the "
                "model again with the version of gensim that wrote it."
            )
        self._refuse_other_number(len(placed), rows)
        return self._texts(sorted(placed, key=placed.__getitem__))

    def counts(self, rows: int) -> Counts | None:
        """Return how often each word was seen, as gensim 4 and Poincaré GloVe keep it."""
        extra = self.shell.get("expandos")
        held = extra.get("count") if isinstance(extra, dict) else self.shell.get("index2freq")
        if not isinstance(held, np.ndarray) or held.dtype.kind not in "iu":
            return None
        return held if held.shape == (rows,) else None

    def _refuse_other_number(self, keys: int, rows: int) -> None:
        if keys != rows:
            raise FileFormatError(
                f"{self.path.name} holds {keys} keys but vectors of shape ({rows}, ...); it needs "
                "one row per key: save the model again."
            )

    def _texts(self, keys: Iterable[Any]) -> list[str]:
        try:
            texts = [key if type(key) is str else self._text(key) for key in keys]
            "".join(texts).encode("utf-8")
        except ValueError as error:  # letters that Unicode does not have, or half of one
            raise FileFormatError(
                f"{self.path.name}: one of its keys is not text in UTF-8 ({reason_of(error)}); "
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
                f"{self.path.name}: the key {shown(key)} is not text in UTF-8; save the "
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


def _row(place: Any) -> int:
    index = place.get("index") if isinstance(place, Shell) else place
    return index if type(index) is int else -1
