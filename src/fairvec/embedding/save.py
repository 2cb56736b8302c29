"""Writing an embedding to a file."""

from os import PathLike
from pathlib import Path

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.native import write_native
from fairvec.errors import SettingError

NATIVE_SUFFIX = ".fairvec"


def save(
    embedding: Embedding, path: str | PathLike[str], *, licence: str = "", origin: str = ""
) -> Path:
    """Write the embedding in the native format, whole or not at all, and return the path.

    The file is memory-mapped on loading, keeps geometry, name and history, and is a safetensors
    file that other tools can open.
    """
    target = Path(path)
    if target.suffix != NATIVE_SUFFIX:
        raise SettingError(
            f"{target.name}: embeddings are written in the native format; name the file "
            f"{target.stem}{NATIVE_SUFFIX}."
        )
    write_native(embedding, target, licence=licence, origin=origin)
    return target
