"""What a pickle may make: plain data, and stand-ins for all other objects.

- numpy's array, dtype and scalar become stand-ins that check every size before building an array;
- plain containers become plain containers;
- anything under gensim or glove_code (Poincaré GloVe's addition to its fork of gensim), and the
  random generators that their models carry, becomes a Stub, which stores its state and can do
  nothing.

Keys are looked at before they are hashed, and `charge` counts the memory that is taken.
"""

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import lru_cache
from math import prod
from pickle import UnpicklingError
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from fairvec.core.text import short_repr

LATIN_1 = ("latin1", "latin-1", b"latin1", b"latin-1")


class Stub:
    """An object of a class that is never imported: it stores its state and can do nothing."""

    __slots__ = ("state",)
    path: ClassVar[str]
    state: dict[str, Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> "Stub":
        """Forget the arguments: models keep what matters in their state."""
        stub = super().__new__(cls)
        stub.state = {}
        return stub

    def __setstate__(self, state: Any) -> None:
        parts = state if isinstance(state, tuple) else (state,)
        charge(ENTRY_BYTES * len(parts))
        for part in parts:
            if isinstance(part, dict):
                charge(ENTRY_BYTES * len(part))
                plain = all(type(name) is str for name in part)
                self.state.update(part if plain else {text(n): v for n, v in part.items()})

    def get(self, name: str) -> Any:
        """Return an attribute, or None where the object has none of that name."""
        value = self.state.get(name)
        return value.value if isinstance(value, Array) else value


@lru_cache(maxsize=256)
def stub_class(path: str) -> type[Stub]:
    """Return the Stub class that stands for the class or function at `path`."""
    return type(path.rpartition(".")[2], (Stub,), {"path": path, "__slots__": ()})


def _reconstruct(kind: Any, base: Any = None, state: Any = None) -> Stub:
    """Stand for copyreg._reconstructor, for stubs alone."""
    if not (isinstance(kind, type) and issubclass(kind, Stub)) or state is not None:
        raise UnpicklingError("only instances of gensim's classes may be reconstructed")
    return kind()


def _encode_latin1(content: Any, encoding: Any = "") -> bytes:
    """Stand for _codecs.encode, which carries the bytes of old pickles as Latin-1 text."""
    if not isinstance(content, str) or encoding not in LATIN_1:
        raise UnpicklingError("only bytes written as Latin-1 text may be decoded")
    charge(len(content))
    return content.encode("latin-1")


def _bytes(content: Any = b"", encoding: Any = "latin1") -> bytes:
    return content if isinstance(content, bytes) else _encode_latin1(content, encoding)


def _items(items: Any = ()) -> list[Any]:
    if not isinstance(items, list | tuple | set | frozenset):
        raise UnpicklingError("a container is filled from something that is not a list")
    charge(ITEM_BYTES * len(items))
    return list(items)


def hashable_items(items: Any = ()) -> list[Any]:
    """Return items that a set may hash."""
    charge(ENTRY_BYTES * len(found := _items(items)))
    refuse_costly_keys(found)
    return found


def _tuple(items: Any = ()) -> tuple[Any, ...]:
    """Return a tuple, which no pickle of a model makes by a call and which may serve as a key."""
    refuse_costly_keys([items_tuple := tuple(_items(items))])
    return items_tuple


def _set(items: Any = ()) -> set[Any]:
    """Return a set that cannot be a key, equal to the frozen one."""
    return set(hashable_items(items))


def _mapping(items: Any = ()) -> dict[Any, Any]:
    if isinstance(items, dict):
        charge(ENTRY_BYTES * len(items))
        return dict(items)
    pairs = _items(items)
    charge(ENTRY_BYTES * len(pairs))
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise UnpicklingError("a mapping is filled from something that is not pairs")
    refuse_costly_keys([key for key, _ in pairs])
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


ELEMENTS = re.compile(r"[<>|=]?(b1|[iu][1248]|f(2|4|8|16)|c(8|16)|[SU][1-9]\d{0,6}|O[48]?)")
"""The element types that are rebuilt; records, dates and raw bytes are never part of a model."""
MOST_SIDES, LONGEST_SIDE, LAST_CODE_POINT, LONG_NAME = 64, 2**62, 0x10FFFF, 64


class Dtype:
    """An element type; a pickle may set its byte order and nothing else."""

    __slots__ = ("dtype",)

    def __init__(self, name: Any, align: Any = False, copy: Any = False) -> None:
        if not ELEMENTS.fullmatch(text(name)):
            raise UnpicklingError(
                f"arrays of type {short_repr(text(name), 40)} hold neither numbers nor text"
            )
        self.dtype: np.dtype[Any] = np.dtype(text(name))

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or not 5 <= len(state) <= 10:
            raise UnpicklingError("an array has no proper type")
        _, order, subarray, names, fields, *_ = state
        if not (subarray is None and names is None and fields is None):
            raise UnpicklingError("arrays of records hold neither numbers nor text")
        self.dtype = self.dtype.newbyteorder(cast(Literal["<", ">", "|", "="], text(order)))


NESTED_ARRAYS = "an array holds objects that are neither text nor numbers"
"""Python frees nested containers one after another, numpy what an array holds by recursion."""


class Array:
    """An array, empty until its state is set; one that another array holds holds no objects."""

    __slots__ = ("is_item", "value")

    def __init__(self, *_: Any) -> None:
        self.value: NDArray[Any] = np.empty(0)
        self.is_item = False

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or not 4 <= len(state) <= 5:
            raise UnpicklingError("an array has no proper state")
        shape, dtype, fortran, content = state[-4:]
        value = _fill_array(content, dtype, shape, "F" if fortran in (1, True) else "C")
        if self.is_item and value.dtype.kind == "O":
            raise UnpicklingError(NESTED_ARRAYS)
        self.value = value


def from_buffer(content: Any, dtype: Any, shape: Any, order: Any, *_: Any) -> Array:
    """Stand for numpy's _frombuffer, by which protocol 5 writes arrays."""
    array = Array()
    array.value = _fill_array(content, dtype, shape, text(order))
    return array


def scalar(dtype: Any, content: Any = b"") -> Any:
    """Stand for numpy's scalar; the result is a plain Python number or text."""
    if not isinstance(dtype, Dtype) or dtype.dtype.kind not in "biufSU":
        raise UnpicklingError("a single value is neither a number nor text")
    value = _fill_array(content, dtype, (), "C")
    charge(len(content))
    # As a key each of a thousand extended floats would hash as the same plain one.
    return float(value) if dtype.dtype.kind == "f" else value.item()


def _fill_array(content: Any, dtype: Any, shape: Any, order: str) -> NDArray[Any]:
    """Return an array over `content`, whose length must be exactly what the shape asks for."""
    if not (isinstance(dtype, Dtype) and isinstance(shape, tuple) and order in ("C", "F")):
        raise UnpicklingError("an array has no proper type, shape and order")
    if len(shape) > MOST_SIDES or not all(
        isinstance(side, int) and 0 <= side <= LONGEST_SIDE for side in shape
    ):
        raise UnpicklingError("an array has a shape that no array has")
    size = 1 if dtype.dtype.kind == "O" else dtype.dtype.itemsize
    if not isinstance(content, list if dtype.dtype.kind == "O" else (bytes, bytearray)):
        raise UnpicklingError("an array holds something else than its type says")
    if len(content) != prod(shape) * size:
        raise UnpicklingError(f"an array of shape {shape} has {len(content)} bytes or objects")
    layout = cast(Literal["C", "F"], order)
    if isinstance(content, bytes | bytearray):
        if dtype.dtype.kind == "U" or isinstance(content, bytearray):
            charge(len(content))  # a pickle may use one text again and again
        if dtype.dtype.kind == "U":
            _refuse_non_unicode(content, dtype.dtype)
        # A pickle can still lengthen a bytearray and so move it away from under the array.
        return np.ndarray(shape, dtype.dtype, buffer=bytes(content), order=layout)
    charge(ENTRY_BYTES * len(content))
    array = np.empty(len(content), dtype=object)
    for position, item in enumerate(content):
        if isinstance(item, Array) and item.value.dtype.kind != "O":
            item.is_item = True
        elif not isinstance(item, str | bytes | int | float | None):
            raise UnpicklingError(NESTED_ARRAYS)
        array[position] = item
    return array.reshape(shape, order=layout)


def _refuse_non_unicode(content: bytes | bytearray, dtype: np.dtype[Any]) -> None:
    code_points = np.frombuffer(content, np.dtype(np.uint32).newbyteorder(dtype.byteorder))
    if code_points.max(initial=0) > LAST_CODE_POINT:
        raise UnpicklingError("an array of text holds letters that Unicode does not have")


def text(name: Any) -> str:
    """Return a name as text; pickles of Python 2 write names as bytes."""
    if isinstance(name, bytes):
        if len(name) > LONG_NAME:
            charge(len(name))  # it is decoded at each use
        return name.decode("ascii")
    if not isinstance(name, str):
        raise UnpicklingError("a name is not text")
    return name


_BUILTINS = ("builtins", "__builtin__")
_COLLECTIONS = ("collections",)
_NUMPYS = ("numpy._core", "numpy.core")
BUILDERS: dict[tuple[str, str], Builder] = {
    (module, name): Builder(build)
    for modules, name, build in (
        (("numpy",), "dtype", Dtype),
        (tuple(f"{n}.multiarray" for n in _NUMPYS), "_reconstruct", Array),
        (tuple(f"{n}.multiarray" for n in _NUMPYS), "scalar", scalar),
        (tuple(f"{n}.numeric" for n in _NUMPYS), "_frombuffer", from_buffer),
        (("copyreg", "copy_reg"), "_reconstructor", _reconstruct),
        (("_codecs",), "encode", _encode_latin1),
        (_COLLECTIONS, "OrderedDict", _mapping),
        (_COLLECTIONS, "Counter", _mapping),
        (_COLLECTIONS, "defaultdict", lambda *_: {}),
        (_BUILTINS, "dict", _mapping),
        (_BUILTINS, "list", _items),
        (_BUILTINS, "tuple", _tuple),
        (_BUILTINS, "set", _set),
        (_BUILTINS, "frozenset", _set),
        (_BUILTINS, "bytes", _bytes),
        (_BUILTINS, "bytearray", _bytes),
    )
    for module in modules
}
INERT = frozenset(
    [
        (m, n)
        for m in _BUILTINS
        for n in ("object", "hash", "int", "long", "float", "str", "unicode")
    ]
    + [("numpy", n) for n in ("ndarray", "float16", "float32", "float64", "int32", "int64")]
    + [("numpy", n) for n in ("uint8", "uint32", "uint64")]
)
"""Names that models mention as values (a default type, a hash function) and never need called."""

ITEM_BYTES, ENTRY_BYTES = 8, 80
BYTES_A_UNIT = 1024
MOST_WEIGHT = 64
"""The most parts of a key that are hashed with it; a long text counts as one for each unit."""


class PickleLimits:
    """The memory that the pickle which is read may still take, and its forgeable keys so far.

    `earned` returns what the instructions since the last question allow.
    """

    def __init__(self, earned: Callable[[], int]) -> None:
        self._earned, self._allowed = earned, ALWAYS_ALLOWED
        self.spent = self._forgeable = 0

    def charge(self, memory: int) -> None:
        """Count bytes of memory, or refuse the pickle."""
        self.spent += memory
        if self.spent > self._allowed:
            self._allowed += self._earned()
            if self.spent > self._allowed:
                raise UnpicklingError("it asks for far more memory than a file of its size holds")

    def count_forgeable(self) -> None:
        """Count a key whose hash can be forged."""
        self._forgeable += 1
        if self._forgeable > MOST_FORGEABLE:
            raise UnpicklingError("too many of its keys are huge numbers or tuples of numbers")


ALWAYS_ALLOWED, MOST_FORGEABLE = 1 << 26, 1000
LIMITS: ContextVar[PickleLimits] = ContextVar("limits")


def charge(memory: int) -> None:
    """Count bytes against the limit of the pickle that is read, or refuse it."""
    LIMITS.get().charge(memory)


def refuse_costly_keys(keys: Iterable[Any]) -> None:
    """Raise where hashing or comparing keys could take long: large ones, or forged collisions."""
    for key in keys:
        if type(key) is str and len(key) <= BYTES_A_UNIT:
            continue
        if _weight(key, MOST_WEIGHT) > MOST_WEIGHT:
            raise UnpicklingError("one of its keys is too large")
        if _is_forgeable(key):
            LIMITS.get().count_forgeable()


def _weight(key: Any, most: int) -> int:
    """Return how many parts are hashed with a key, or something above `most`."""
    if isinstance(key, str | bytes):
        return 1 + len(key) // BYTES_A_UNIT
    if not isinstance(key, tuple | frozenset):
        return 1
    weight = 1
    for part in key:
        if weight > most:
            break
        weight += _weight(part, most - weight)
    return weight


def _is_forgeable(key: Any) -> bool:
    """Say whether many keys of one hash can be made: no random start protects those of numbers."""
    if isinstance(key, tuple):
        return not all(isinstance(part, str | bytes) for part in key)
    return isinstance(key, int) and key.bit_length() > 64
