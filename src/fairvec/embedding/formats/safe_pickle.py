"""Pickles rebuilt without running what they ask for, within limits of memory.

A pickle is a program: it names Python objects, calls them and sets their state. Here every name
that it may use leads to one of our own stand-ins, so a hostile file can reach neither a function
of the system nor numpy's own unpickling, which trusts the sizes and flags it is told.

- numpy's array, dtype and scalar become stand-ins that check every size before building an array;
- plain containers become plain containers;
- anything under gensim or glove_code (Poincaré GloVe's addition to its fork of gensim), and the
  random generators that their models carry, becomes a Stub, which stores its state and can do
  nothing;
- every other name is refused with UnsafeFileError, and so are persistent ids.

Before that, `scan_pickle` walks over the instructions once and refuses a pickle that would take far
more memory or time than an honest one of its size. While it is rebuilt, `charge` counts the bytes
that its calls copy against what the scan left over.
"""

import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, BinaryIO, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.core.text import escape_control, short_repr
from fairvec.embedding.formats.kernels import pickle_kernels as kernel
from fairvec.embedding.formats.kernels.pickle_kernels import (
    ACTS,
    COSTS,
    FORMS,
    MOST_FORGEABLE,
    MOST_WEIGHT,
    scan,
)

REMEDY = (
    "fairvec never runs code from a pickle: if you trust the file, open it with the tool that "
    "wrote it and save the vectors in word2vec text or binary format."
)
MALFORMED_PICKLE = (
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
MOST_STUBS = 256
Content = bytes | mmap


def load_pickle(path: Path) -> Any:
    """Return the object that the pickle at `path` describes, made of stand-ins only."""
    try:
        with path.open("rb") as file, memory_limit(scan_pickle(map_file(file)).left):
            rebuilt = _SafeUnpickler(file, path).load()
    except MALFORMED_PICKLE as error:
        raise FileFormatError(
            f"{path.name} is not a whole pickle of a gensim model ({short_reason(error)}); copy or "
            "download it again."
        ) from error
    return rebuilt.value if isinstance(rebuilt, Array) else rebuilt


def map_file(file: BinaryIO) -> Content:
    """Return the bytes of a file, memory-mapped."""
    empty = os.fstat(file.fileno()).st_size == 0
    return b"" if empty else mmap(file.fileno(), 0, access=ACCESS_READ)


def short_reason(error: BaseException) -> str:
    """Return the message of an error, short and on one line."""
    return escape_control(str(error).partition("\n")[0][:200]) or "it is cut short"


class _SafeUnpickler(pickle.Unpickler):
    """An unpickler whose every name leads to a stand-in."""

    def __init__(self, file: Any, path: Path) -> None:
        # Strings of Python 2 stay bytes, so that neither words nor numbers are re-encoded.
        super().__init__(file, encoding="bytes")
        self._path = path
        self._stubs: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a name, or refuse it."""
        if (module, name) in BUILDERS:
            return BUILDERS[module, name]
        if len(module) + len(name) > LONGEST_NAME:
            raise pickle.UnpicklingError("it asks for something under an endless name")
        if (module, name) in INERT or _is_inert(module, name):
            self._stubs.add(f"{module}.{name}")
            if len(self._stubs) > MOST_STUBS:
                raise pickle.UnpicklingError("it asks for more classes than any model has")
            return stub_class(f"{module}.{name}")
        requested = escape_control(f"{module}.{name}", but="")
        raise UnsafeFileError(f"{self._path.name} asks for {requested}; {REMEDY}")

    def persistent_load(self, pid: Any) -> Any:
        """Refuse a reference to an object outside the file."""
        raise UnsafeFileError(f"{self._path.name} refers to an object outside itself; {REMEDY}")


def _is_inert(module: str, name: str) -> bool:
    """Say whether the name is one level deep in a package whose objects become stubs."""
    packages = ("gensim", "glove_code", "numpy.random")
    inside = any(module == package or module.startswith(f"{package}.") for package in packages)
    return inside and name.isidentifier() and all(p.isidentifier() for p in module.split("."))


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
                self.state.update({text(name): value for name, value in part.items()})

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


def _hashable_items(items: Any = ()) -> list[Any]:
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
    return set(_hashable_items(items))


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


class Array:
    """An array, empty until its state is set."""

    __slots__ = ("value",)

    def __init__(self, *_: Any) -> None:
        self.value: NDArray[Any] = np.empty(0)

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or not 4 <= len(state) <= 5:
            raise UnpicklingError("an array has no proper state")
        shape, dtype, fortran, content = state[-4:]
        self.value = _fill_array(content, dtype, shape, "F" if fortran in (1, True) else "C")


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


@dataclass
class _Budget:
    """The memory and the forgeable keys that a pickle may still use while it is rebuilt."""

    memory: int
    forgeable: int = MOST_FORGEABLE


_BUDGET: ContextVar[_Budget] = ContextVar("left")


@contextmanager
def memory_limit(memory: int) -> Iterator[None]:
    """Limit the bytes that the calls of a pickle may copy."""
    token = _BUDGET.set(_Budget(memory))
    try:
        yield
    finally:
        _BUDGET.reset(token)


def charge(memory: int) -> None:
    """Count bytes against the limit, or refuse the pickle."""
    budget = _BUDGET.get()
    budget.memory -= memory
    if budget.memory < 0:
        raise UnpicklingError("it asks for far more memory than a file of its size holds")


def refuse_costly_keys(keys: Iterable[Any]) -> None:
    """Raise where hashing or comparing keys could take long: large ones, or forged collisions."""
    for key in keys:
        if type(key) is str and len(key) <= BYTES_A_UNIT:
            continue
        if _weight(key, MOST_WEIGHT) > MOST_WEIGHT:
            raise UnpicklingError("one of its keys is too large")
        if isinstance(key, tuple) or (isinstance(key, int) and key.bit_length() > 64):
            budget = _BUDGET.get()
            budget.forgeable -= 1
            if budget.forgeable < 0:
                raise UnpicklingError("too many of its keys are huge numbers or tuples of numbers")


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


ALWAYS_ALLOWED, ALLOWED_PER_BYTE = 1 << 26, 64
"""Honest models take up to 45 bytes of memory for each of the pickle (a small object a word)."""
PLAIN_STEPS, STEPS_WHEN_LOADED = 300_000, 1000
"""So many instructions are scanned in plain Python before the compiled scan is loaded."""
TYPES = (np.int32, np.int32, np.int32, np.int32, np.int16, np.int16, np.int16)
"""Types of the stack, marks and memo, and of the depth, weight, length and flags of nodes."""
REASONS = {
    kernel.CUT: "it ends before its parts do",
    kernel.STRANGE: "it holds an instruction that pickles of models do not",
    kernel.DEEP: "its parts lie inside one another too deep",
    kernel.HEAVY: "one of its keys is too large",
    kernel.FORGEABLE: "too many of its keys are huge numbers or tuples of numbers",
    kernel.COSTLY: "it asks for far more memory than a file of its size holds",
    kernel.LONG_TEXT: "it holds a number of too many digits",
    kernel.MISSING: "it uses what it has not made",
    kernel.FRAMES: "its frames cut its parts",
    kernel.ARGUMENTS: "it makes a call with too many arguments",
}


@dataclass(frozen=True)
class Scan:
    """Where a pickle ends, how deep and heavy its object is, and the memory left for its calls."""

    end: int
    depth: int
    weight: int
    left: int


def scan_pickle(content: Content, start: int = 0, *, plain_steps: int | None = None) -> Scan:
    """Scan the pickle that begins at `start`; raise UnpicklingError where it would take too much.

    After `plain_steps` instructions compiled code goes on, which is loaded for long pickles only.
    """
    if plain_steps is None:
        loaded = _compiled_scan.cache_info().currsize > 0
        plain_steps = STEPS_WHEN_LOADED if loaded else PLAIN_STEPS
    state: Any = [0] * kernel.STATES
    state[kernel.AT], state[kernel.SIZE] = start, len(content)
    state[kernel.ALLOWED] = _allowance(len(content) - start)
    state[kernel.STEPS], state[kernel.TRIED] = plain_steps, -1
    tables: list[Any] = [[-1] * 256 for _ in TYPES]
    answer, tables = _walk(scan, content, (FORMS, ACTS, COSTS), state, tables)
    if answer == kernel.PAUSE:
        answer, state = _finish_compiled(content, state, tables)
    end = int(state[kernel.AT])
    # Bytes after the pickle do not count: zeros would cost an attacker nothing when compressed.
    left = _allowance(end - start) - int(state[kernel.SPENT])
    if answer == kernel.DONE and left < 0:
        answer = kernel.COSTLY
    if answer != kernel.DONE:
        raise UnpicklingError(REASONS[answer])
    return Scan(
        end=end,
        depth=int(state[kernel.DEPTH] + state[kernel.DEBT]),
        weight=int(state[kernel.WEIGHT]),
        left=left,
    )


def _allowance(size: int) -> int:
    return ALWAYS_ALLOWED + ALLOWED_PER_BYTE * size


@cache
def _compiled_scan() -> Callable[..., int]:
    from fairvec.core.jit import jit

    return jit()(scan)


def _finish_compiled(content: Content, state: list[int], tables: list[Any]) -> tuple[int, Any]:
    numbers = np.array(state, dtype=np.int64)
    numbers[kernel.STEPS] = -1
    known = tuple(np.array(table, dtype=np.int64) for table in (FORMS, ACTS, COSTS))
    tables = [np.array(table, dtype=kind) for table, kind in zip(tables, TYPES, strict=True)]
    code = np.frombuffer(content, dtype=np.uint8)
    return _walk(_compiled_scan(), code, known, numbers, tables)[0], numbers


def _walk(
    walk: Callable[..., int], code: Any, known: tuple[Any, ...], state: Any, tables: list[Any]
) -> tuple[int, list[Any]]:
    """Walk over the pickle, enlarging the tables whenever the walk needs it."""
    while (answer := walk(code, known, state, tuple(tables))) in (kernel.GROW, kernel.RUN):
        stack, marks, memo, *nodes = tables
        if answer == kernel.RUN:
            skip_run(code, state, memo, marks)
            continue
        if state[kernel.TOP] + 1 >= len(stack):
            stack = _grow(stack, len(stack))
        if state[kernel.MARKED] + 1 >= len(marks):
            marks = _grow(marks, len(marks))
        if state[kernel.WANTED] > len(memo):
            memo = _grow(memo, 2 * int(state[kernel.WANTED]) - len(memo))
        if state[kernel.NODES] + 1 >= len(nodes[0]):
            nodes = [_grow(table, len(table)) for table in nodes]
        tables = [stack, marks, memo, *nodes]
    return answer, tables


def _grow(table: Any, more: int) -> Any:
    if isinstance(table, list):
        return table + [-1] * more
    return np.concatenate([table, np.full(more, -1, dtype=table.dtype)])


LONGEST_WORD, TEXT_VALUE, PARTS_A_STEP = 64, 3, 4
_LENGTHS = b"|".join(b"%b.{%d}" % (re.escape(bytes([n])), n) for n in range(1, LONGEST_WORD + 1))
_WORD = rb"\x8c(?:" + _LENGTHS + rb")\x94"
_KNOWN, _NUMBER = rb"h.|j.{4}", rb"K.|M..|J.{4}"
WORDS = re.compile(rb"(?:" + _WORD + rb")*+", re.DOTALL)
ONE_WORD = re.compile(rb"()" + _WORD, re.DOTALL)
ENTRIES = re.compile(rb"(?:" + _KNOWN + b"|" + _NUMBER + rb")*+", re.DOTALL)
ONE_PART = re.compile(rb"(" + _KNOWN + b")|(?:" + _NUMBER + b")", re.DOTALL)
APPENDS, SETITEMS, FRAME, MARK = b"eu\x95("
WORD_COSTS = COSTS[0x8C] + COSTS[0x94] + 16
ENTRY_COSTS = COSTS[ord("h")] + COSTS[ord("K")] + 80


def skip_run(content: Any, state: Any, memo: list[int], marks: Any) -> None:
    """Skip a run of words or entries after the current mark in one step, or change nothing.

    Words fill a list, and numbers of known words a dict; afterwards the stack is as before.
    """
    fence = marks[state[kernel.MARKED] - 1] if state[kernel.MARKED] else 0
    if state[kernel.TOP] <= fence or state[kernel.DEBT] + 1 > kernel.MOST_DEPTH:
        return
    begin = state[kernel.AT] + 1
    words = content[begin] == 0x8C
    pieces, end, frame_end = _pieces(content, begin, state, WORDS if words else ENTRIES)
    if not pieces or content[end - 1] != (APPENDS if words else SETITEMS):
        return
    part_pattern = ONE_WORD if words else ONE_PART
    parts = [*chain.from_iterable(part_pattern.findall(content, *piece) for piece in pieces)]
    count, filled = len(parts), state[kernel.FILLED]
    if words:
        # Instructions that name no place fill the next one, if none was filled ahead of it.
        memo.extend([-1] * (filled + count + 1 - len(memo)))
        if memo[filled : filled + count] != [-1] * count:
            return
        spent = COSTS[MARK] + WORD_COSTS * count
    else:
        keys, count = parts[::2], 0
        places = [int.from_bytes(key[1:], "little") for key in keys]
        if not all(keys) or any(parts[1::2]) or len(parts) % 2 or max(places) >= len(memo):
            return
        if any(memo[place] != TEXT_VALUE for place in places):
            return
        spent = COSTS[MARK] + ENTRY_COSTS * len(keys)
    if state[kernel.SPENT] + spent > state[kernel.ALLOWED]:
        return
    memo[filled : filled + count] = [TEXT_VALUE] * count
    state[kernel.AT], state[kernel.FRAME_END] = end, frame_end
    state[kernel.FILLED] += count
    state[kernel.SPENT] += spent
    state[kernel.STEPS] = max(0, state[kernel.STEPS] - len(parts) // PARTS_A_STEP - 1)


def _pieces(
    content: Any, begin: int, state: Any, run: "re.Pattern[bytes]"
) -> tuple[list[tuple[int, int]], int, int]:
    """Return where the parts lie, and the ends of the instruction after them and of its frame.

    There are no pieces where the frames are malformed.
    """
    size, frame_end = state[kernel.SIZE], state[kernel.FRAME_END]
    pieces, at = [], begin
    while True:
        found = run.match(content, at, frame_end or size)
        if found is None or found.end() >= size:
            return [], begin, 0
        pieces.append((at, found.end()))
        at = found.end()
        if at == frame_end:
            frame_end = 0
        if content[at] != FRAME or frame_end:
            break
        frame_end = at + 9 + int.from_bytes(content[at + 1 : at + 9], "little")
        at += 9
        if not at < frame_end <= size:
            return [], begin, 0
    at += 1
    return pieces, at, 0 if at == frame_end else frame_end
