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
"""

import pickle
from pathlib import Path
from typing import Any

from fairvec.embedding.formats.pickles.pickle_arrays import Array
from fairvec.embedding.formats.pickles.pickle_stand_ins import BUILDERS, INERT, Shell, shell
from fairvec.ground.errors import FileFormatError, UnsafeFileError

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


def rebuild(path: Path) -> Any:
    """Return the object that the pickle at `path` describes, made of stand-ins only."""
    try:
        with path.open("rb") as file:
            rebuilt = _Rebuilder(file, path).load()
    except MALFORMED as error:
        reason = str(error) or "it is cut short"
        raise FileFormatError(
            f"{path.name} is not a whole pickle of a gensim model ({reason}); copy or download it "
            "again."
        ) from error
    return rebuilt.value if isinstance(rebuilt, Array) else rebuilt


class _Rebuilder(pickle.Unpickler):
    """An unpickler whose every name leads to a stand-in."""

    def __init__(self, file: Any, path: Path) -> None:
        # Strings of Python 2 stay bytes, so that neither words nor numbers are re-encoded.
        super().__init__(file, encoding="bytes")
        self._path = path

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a name, or refuse it."""
        if (module, name) in BUILDERS:
            return BUILDERS[module, name]
        if (module, name) in INERT or _is_inert(module, name):
            return shell(f"{module}.{name}")
        raise UnsafeFileError(f"{self._path.name} asks for {module}.{name}; {REMEDY}")

    def persistent_load(self, pid: Any) -> Any:
        """Refuse a reference to an object kept outside the file."""
        raise UnsafeFileError(f"{self._path.name} refers to an object outside itself; {REMEDY}")


def _is_inert(module: str, name: str) -> bool:
    """Say whether the name is one level deep in a package whose objects become shells."""
    packages = ("gensim", "glove_code", "numpy.random")
    inside = any(module == package or module.startswith(f"{package}.") for package in packages)
    return inside and name.isidentifier() and all(p.isidentifier() for p in module.split("."))


__all__ = ["Shell", "rebuild"]
