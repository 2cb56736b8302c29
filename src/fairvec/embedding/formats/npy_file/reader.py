"""numpy's `.npy`: a matrix alone; its words stand in a file beside it."""

from dataclasses import dataclass
from pathlib import Path

from fairvec.embedding.formats.npz_file.array_header import (
    MAGIC,
    MALFORMED,
    ArrayHeader,
    filled,
    header_of,
)
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.embedding.formats.word_file import with_words
from fairvec.ground.errors import FileFormatError


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
        with path.open("rb") as file:
            try:
                header = header_of(file)
            except MALFORMED as error:
                raise FileFormatError(
                    f"{path.name} is not a whole .npy file ({error}); copy or download it again."
                ) from error
            _refuse_other(path, header)
            vectors = filled(file, header)
        vectors = vectors.astype(vectors.dtype.newbyteorder("="), copy=False)
        return with_words(path, vectors, options)


def _refuse_other(path: Path, header: ArrayHeader) -> None:
    """Raise unless the file is a matrix of floats and has its size."""
    shape, dtype = header.shape, header.dtype
    if dtype.kind != "f" or len(shape) != 2:
        pickled = "Python objects, which only a pickle could read back"
        what = pickled if dtype.hasobject else f"numbers of type {dtype} and shape {shape}"
        raise FileFormatError(
            f"{path.name} holds {what}; save a matrix of floats with a row for each word."
        )
    size, needed = path.stat().st_size, header.begins + header.bytes
    if size != needed:
        raise FileFormatError(
            f"{path.name} announces shape {shape} and type {dtype} but has {size} bytes instead of "
            f"{needed}; copy or download it again."
        )
    header.refuse_forged(path.name, size)
