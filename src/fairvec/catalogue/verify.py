"""Whether a file is the model that the catalogue promises."""

from collections.abc import Callable
from pathlib import Path

from fairvec.catalogue.entries import Model, Package, Url
from fairvec.core.errors import FileFormatError
from fairvec.core.io.read_files import sha256_of_file

ShapeOf = Callable[[Path], tuple[int, int] | None]
"""Opens a file and returns its words and dimensions; FileFormatError where it cannot be read.

None where this machine cannot open it, for want of room or of an extra. The readers of formats
stand above the catalogue, so they are handed to it.
"""


def is_unpacked(source: Package | Url) -> bool:
    """Say whether what is kept is another file than the one that came."""
    return (source.member if isinstance(source, Url) else source.convert) is not None


def kept_fault(model: Model, source: Package | Url, path: Path, shape_of: ShapeOf | None) -> str:
    """Say what is wrong with a file that lies in the cache; nothing if it may be the model."""
    unpacked = is_unpacked(source)
    if model.sha256 is None or unpacked:
        return fault(model, path, shape_of, unpacked=unpacked)
    found = sha256_of_file(path)
    return "" if found == model.sha256 else f"its SHA-256 is {found} instead of {model.sha256}"


def fault(model: Model, path: Path, shape_of: ShapeOf | None, *, unpacked: bool) -> str:
    """Say what is wrong with a file whose checksum is not known; nothing if nothing is seen.

    The size that the catalogue knows is that of the download, so it says nothing of what was
    `unpacked` from one.
    """
    size = path.stat().st_size
    if size == 0:
        return "it is empty"
    if model.size not in (None, size) and not unpacked:
        return f"it has {size} bytes instead of {model.size}"
    if shape_of is None:
        return ""
    try:
        shape = shape_of(path)
    except FileFormatError as error:
        return f"it cannot be opened: {error}".rstrip(".")
    if shape is None:
        return ""
    words, dimensions = shape
    if dimensions == model.dimensions and model.words in (None, words):
        return ""
    promised = f"{model.words or 'any number of words'} x {model.dimensions}"
    return f"it holds {words} x {dimensions} where the catalogue promises {promised}"
