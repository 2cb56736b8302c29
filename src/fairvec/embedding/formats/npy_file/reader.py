"""numpy's `.npy`: a matrix alone; its words stand in a file beside it."""

from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from fairvec.embedding.formats.npz_file.array_header import (
    MALFORMED,
    announced,
    refuse_forged,
)
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.embedding.formats.word_file import with_words
from fairvec.ground.errors import FileFormatError

MAGIC = b"\x93NUMPY"


@dataclass(frozen=True)
class Npy:
    """One array, which is never read through a pickle."""

    name: str = "npy"
    suffixes: tuple[str, ...] = (".npy",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """An array that is a file: inside an archive it is a part of another model."""
        return head.startswith(MAGIC) and path.is_file()

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read the matrix, its announced size checked first, and the words that go with it."""
        try:
            with path.open("rb") as file:
                shape, dtype = announced(file)
                begins = file.tell()
        except MALFORMED as error:
            raise FileFormatError(
                f"{path.name} is not a whole .npy file ({error}); copy or download it again."
            ) from error
        if dtype.kind != "f" or len(shape) != 2:
            pickled = "Python objects, which only a pickle could read back"
            what = pickled if dtype.hasobject else f"numbers of type {dtype} and shape {shape}"
            raise FileFormatError(
                f"{path.name} holds {what}; save a matrix of floats with a row for each word."
            )
        size = path.stat().st_size
        needed = begins + dtype.itemsize * prod(shape)
        if size != needed:
            raise FileFormatError(
                f"{path.name} announces shape {shape} and type {dtype} but has "
                f"{size} bytes instead of {needed}; copy or download it again."
            )
        refuse_forged(path.name, shape, dtype, size)
        vectors = np.load(path, allow_pickle=False)
        vectors = vectors.astype(vectors.dtype.newbyteorder("="), copy=False)
        return with_words(path, vectors, options)
