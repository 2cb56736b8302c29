"""What the names in a pickle lead to: builders of plain data, and shells that can do nothing.

None of these hands out a real class or function, and none keeps state that a pickle could change:
the instructions REDUCE, NEWOBJ, INST and OBJ reach only the calls written here, and BUILD reaches
only the `__setstate__` written here.
"""

from collections.abc import Callable
from functools import lru_cache
from pickle import UnpicklingError
from typing import Any, ClassVar

from fairvec.embedding.formats.pickles.allowance import (
    ENTRY_BYTES,
    ITEM_BYTES,
    charge,
    refuse_dear_keys,
)
from fairvec.embedding.formats.pickles.pickle_arrays import Array, Dtype, from_buffer, scalar, text

LATIN_1 = ("latin1", "latin-1", b"latin1", b"latin-1")


class Shell:
    """An object of a class that is never imported: it stores its state and can do nothing."""

    __slots__ = ("state",)
    path: ClassVar[str]
    state: dict[str, Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> "Shell":
        """Forget the arguments: models keep what matters in their state."""
        made = super().__new__(cls)
        made.state = {}
        return made

    def __setstate__(self, state: Any) -> None:
        parts = state if isinstance(state, tuple) else (state,)
        charge(ENTRY_BYTES * len(parts))
        for part in parts:
            if isinstance(part, dict):
                charge(ENTRY_BYTES * len(part))
                self.state.update({text(name): value for name, value in part.items()})

    def get(self, name: str) -> Any:
        """Return an attribute, or None where the object has none of that name."""
        value = self.state.get(name)
        return value.value if isinstance(value, Array) else value


@lru_cache(maxsize=256)
def shell(path: str) -> type[Shell]:
    """Return the class of shells that stands for the class or function at `path`."""
    return type(path.rpartition(".")[2], (Shell,), {"path": path, "__slots__": ()})


def _instance(kind: Any, base: Any = None, state: Any = None) -> Shell:
    """Stand for copyreg._reconstructor, for shells alone."""
    if not (isinstance(kind, type) and issubclass(kind, Shell)) or state is not None:
        raise UnpicklingError("only instances of gensim's classes may be reconstructed")
    return kind()


def _encoded(content: Any, encoding: Any = "") -> bytes:
    """Stand for _codecs.encode, which carries the bytes of old pickles as Latin-1 text."""
    if not isinstance(content, str) or encoding not in LATIN_1:
        raise UnpicklingError("only bytes written as Latin-1 text may be decoded")
    charge(len(content))
    return content.encode("latin-1")


def _bytes(content: Any = b"", encoding: Any = "latin1") -> bytes:
    return content if isinstance(content, bytes) else _encoded(content, encoding)


def _items(items: Any = ()) -> list[Any]:
    if not isinstance(items, list | tuple | set | frozenset):
        raise UnpicklingError("a container is filled from something that is not a list")
    charge(ITEM_BYTES * len(items))
    return list(items)


def _distinct(items: Any = ()) -> list[Any]:
    """Return items that a set may hash."""
    charge(ENTRY_BYTES * len(listed := _items(items)))
    refuse_dear_keys(listed)
    return listed


def _tuple(items: Any = ()) -> tuple[Any, ...]:
    """Return a tuple, which no pickle of a model makes by a call and which may serve as a key."""
    refuse_dear_keys([made := tuple(_items(items))])
    return made


def _frozen(items: Any = ()) -> set[Any]:
    """Return a set that cannot be a key, equal to the frozen one."""
    return set(_distinct(items))


def _mapping(items: Any = ()) -> dict[Any, Any]:
    if isinstance(items, dict):
        charge(ENTRY_BYTES * len(items))
        return dict(items)
    pairs = _items(items)
    charge(ENTRY_BYTES * len(pairs))
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise UnpicklingError("a mapping is filled from something that is not pairs")
    refuse_dear_keys([key for key, _ in pairs])
    return dict(pairs)


class Builder:
    """A call that a pickle may make."""

    __slots__ = ("_build",)

    def __init__(self, build: Callable[..., Any]) -> None:
        self._build = build

    def __call__(self, *args: Any) -> Any:
        """Build plain data."""
        return self._build(*args)

    def __setstate__(self, state: Any) -> None:
        raise UnpicklingError("a pickle may not change what its names mean")


_PYTHONS = ("builtins", "__builtin__")
_COLLECTIONS = ("collections",)
_NUMPYS = ("numpy._core", "numpy.core")

BUILDERS: dict[tuple[str, str], Builder] = {
    (module, name): Builder(build)
    for modules, name, build in (
        (("numpy",), "dtype", Dtype),
        (tuple(f"{n}.multiarray" for n in _NUMPYS), "_reconstruct", Array),
        (tuple(f"{n}.multiarray" for n in _NUMPYS), "scalar", scalar),
        (tuple(f"{n}.numeric" for n in _NUMPYS), "_frombuffer", from_buffer),
        (("copyreg", "copy_reg"), "_reconstructor", _instance),
        (("_codecs",), "encode", _encoded),
        (_COLLECTIONS, "OrderedDict", _mapping),
        (_COLLECTIONS, "Counter", _mapping),
        (_COLLECTIONS, "defaultdict", lambda *_: {}),
        (_PYTHONS, "dict", _mapping),
        (_PYTHONS, "list", _items),
        (_PYTHONS, "tuple", _tuple),
        (_PYTHONS, "set", _frozen),
        (_PYTHONS, "frozenset", _frozen),
        (_PYTHONS, "bytes", _bytes),
        (_PYTHONS, "bytearray", _bytes),
    )
    for module in modules
}

INERT = frozenset(
    [(m, n) for m in _PYTHONS for n in ("object", "hash", "int", "long", "float", "str", "unicode")]
    + [("numpy", n) for n in ("ndarray", "float16", "float32", "float64", "int32", "int64")]
    + [("numpy", n) for n in ("uint8", "uint32", "uint64")]
)
"""Names that models mention as values (a default type, a hash function) and never need called."""
