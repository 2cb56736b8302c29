"""Check whether a file is the model that the catalogue promises."""

from collections.abc import Callable
from pathlib import Path

from fairvec.catalogue.entries import Model, Package, Url
from fairvec.core.errors import FileFormatError
from fairvec.core.io.read_files import sha256_of_file

ShapeOf = Callable[[Path], tuple[int, int] | None]
"""Opens a file and returns its words and dimensions; FileFormatError where it cannot be read.

None where this machine cannot open it, for lack of memory, disk or an extra. The readers of formats
are above the catalogue, so they are passed in.
"""


def is_unpacked(source: Package | Url) -> bool:
    """Say whether the cached file was unpacked or converted from the download."""
    return (source.member if isinstance(source, Url) else source.convert) is not None


def find_cached_fault(
    model: Model, source: Package | Url, path: Path, shape_of: ShapeOf | None
) -> str:
    """Return what is wrong with a cached file; empty if it may be the model."""
    unpacked = is_unpacked(source)
    if model.sha256 is None or unpacked:
        return find_fault(model, path, shape_of, unpacked=unpacked)
    found = sha256_of_file(path)
    return "" if found == model.sha256 else f"its SHA-256 is {found} instead of {model.sha256}"


def find_fault(model: Model, path: Path, shape_of: ShapeOf | None, *, unpacked: bool) -> str:
    """Return what is wrong with a file whose checksum is not known; empty if nothing is found.

    The size in the catalogue is that of the download, so it is not compared with a file that was
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
