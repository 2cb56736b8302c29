"""Rebuild what a pickle describes without ever running what it asks for.

A pickle is a program: it names Python objects, calls them and sets their state. Here every name
that it may use leads to one of our own stand-ins, so a hostile file can reach neither a function
of the system nor numpy's own unpickling, which trusts the sizes and flags it is told.

- numpy's array, dtype and scalar become stand-ins that check every size before building an array;
- plain containers become plain containers;
- anything under gensim or glove_code (Poincaré GloVe's addition to its fork of gensim), and the
  random generators that their models carry, becomes a Shell, which stores its state and can do
  nothing;
- every other name is refused with UnsafeFileError, and so are persistent ids.

Before that the instructions are walked over once, and a pickle that would take far more memory or
time than an honest one of its size is refused (see scanning and allowance).
"""

import os
import pickle
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, BinaryIO

from fairvec.embedding.formats.pickles.allowance import allowed
from fairvec.embedding.formats.pickles.pickle_arrays import Array
from fairvec.embedding.formats.pickles.pickle_stand_ins import BUILDERS, INERT, Shell, shell
from fairvec.embedding.formats.pickles.scanning import Content, scanned
from fairvec.ground.errors import FileFormatError, UnsafeFileError
from fairvec.ground.text.visible_text import visible

REMEDY = (
    "fairvec never runs code from a pickle: if you trust the file, open it with the tool that "
    "wrote it and save the vectors in word2vec text or binary format."
)
MALFORMED = (
    pickle.UnpicklingError,
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the unpickler raises on a file that is cut short, or was never a pickle."""

LONGEST_NAME = 200
MOST_SHELLS = 256


def rebuild(path: Path) -> Any:
    """Return the object that the pickle at `path` describes, made of stand-ins only."""
    try:
        with path.open("rb") as file, allowed(scanned(pickled(file)).left):
            rebuilt = _Rebuilder(file, path).load()
    except MALFORMED as error:
        raise FileFormatError(
            f"{path.name} is not a whole pickle of a gensim model ({reason_of(error)}); copy or "
            "download it again."
        ) from error
    return rebuilt.value if isinstance(rebuilt, Array) else rebuilt


def pickled(file: BinaryIO) -> Content:
    """Return the bytes of a file, which stay on disk until they are looked at."""
    empty = os.fstat(file.fileno()).st_size == 0
    return b"" if empty else mmap(file.fileno(), 0, access=ACCESS_READ)


def reason_of(error: BaseException) -> str:
    """Return what an error says, short and on one line."""
    return visible(str(error).partition("\n")[0][:200]) or "it is cut short"


class _Rebuilder(pickle.Unpickler):
    """An unpickler whose every name leads to a stand-in."""

    def __init__(self, file: Any, path: Path) -> None:
        # Strings of Python 2 stay bytes, so that neither words nor numbers are re-encoded.
        super().__init__(file, encoding="bytes")
        self._path = path
        self._shells: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a name, or refuse it."""
        if (module, name) in BUILDERS:
            return BUILDERS[module, name]
        if len(module) + len(name) > LONGEST_NAME:
            raise pickle.UnpicklingError("it asks for something under an endless name")
        if (module, name) in INERT or _is_inert(module, name):
            self._shells.add(f"{module}.{name}")
            if len(self._shells) > MOST_SHELLS:
                raise pickle.UnpicklingError("it asks for more classes than any model has")
            return shell(f"{module}.{name}")
        asked = visible(f"{module}.{name}", but="")
        raise UnsafeFileError(f"{self._path.name} asks for {asked}; {REMEDY}")

    def persistent_load(self, pid: Any) -> Any:
        """Refuse a reference to an object kept outside the file."""
        raise UnsafeFileError(f"{self._path.name} refers to an object outside itself; {REMEDY}")


def _is_inert(module: str, name: str) -> bool:
    """Say whether the name is one level deep in a package whose objects become shells."""
    packages = ("gensim", "glove_code", "numpy.random")
    inside = any(module == package or module.startswith(f"{package}.") for package in packages)
    return inside and name.isidentifier() and all(p.isidentifier() for p in module.split("."))


__all__ = ["Shell", "rebuild"]
