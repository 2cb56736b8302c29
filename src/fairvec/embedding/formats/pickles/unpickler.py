"""Pickles rebuilt without running what they ask for, within limits of memory.

A pickle is a program: it names Python objects, calls them and sets their state. SafeUnpickler
carries out the instructions that pickles of models have, and no others. Every name that a pickle
may use leads to a stand-in of `objects`, so a hostile file can reach neither a function of the
system nor numpy's own unpickling, which trusts the sizes and flags it is told; every other name is
refused with UnsafeFileError, and so are persistent ids.

The instructions are carried out in Python: a .kv of gensim 4 with 3 million words loads in 6.5 s of
processor time, and one of gensim 3, with an object a word, takes 9 microseconds a word.
"""

import os
import pickle
import struct
from codecs import escape_decode
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from pickle import UnpicklingError
from struct import Struct
from typing import Any, BinaryIO

from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.core.text import escape_control
from fairvec.embedding.formats.pickles.objects import (
    BUILDERS,
    ENTRY_BYTES,
    INERT,
    LIMITS,
    Array,
    Builder,
    PickleLimits,
    Stub,
    hashable_items,
    refuse_costly_keys,
    stub_class,
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
        with path.open("rb") as file:
            rebuilt = SafeUnpickler(path, map_file(file)).load()
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


CUT, MISSING = "it ends before its parts do", "it uses what it has not made"
STRANGE = "it holds an instruction that pickles of models do not"
TOO_LONG = "it holds a number of too many digits"
ALLOWED_PER_BYTE = 64
"""Honest models take up to 45 bytes of memory for each of the pickle (a small object a word)."""
LIST_BYTES, DICT_BYTES, SET_BYTES, CALL_BYTES, MEMO_BYTES = 80, 88, 240, 330, 16
"""About how much memory a container takes, an object, and a place in the memo."""
SPENT_UNSEEN = 1 << 20
MOST_ARGUMENTS, LONGEST_NUMBER, LONGEST_DIGITS = 64, 255, 640
NEVER_STORED = object()
MOST_AHEAD = 1000
"""An honest place in the memo is below the number of bytes so far."""
_UINT2, _UINT4, _INT4 = (Struct(form).unpack_from for form in ("<H", "<I", "<i"))

Instruction = Callable[["SafeUnpickler"], None]
INSTRUCTIONS: dict[int, Instruction] = {}
"""What an instruction does, by its byte; all others are refused."""
MEMOIZE, LONG_BINPUT = pickle.MEMOIZE[0], pickle.LONG_BINPUT[0]
SHORT_BINUNICODE, BINUNICODE = pickle.SHORT_BINUNICODE[0], pickle.BINUNICODE[0]
BINGET, LONG_BINGET = pickle.BINGET[0], pickle.LONG_BINGET[0]
BININT, BININT2 = pickle.BININT[0], pickle.BININT2[0]
MARK, EMPTY_DICT, EMPTY_TUPLE = pickle.MARK[0], pickle.EMPTY_DICT[0], pickle.EMPTY_TUPLE[0]
STOP = pickle.STOP[0]
_NUMBERS = (BININT, BININT2)
_SHARED = (MEMOIZE, LONG_BINPUT, BINGET, LONG_BINGET)
FREQUENT = frozenset(
    (*_NUMBERS, *_SHARED, SHORT_BINUNICODE, BINUNICODE, MARK, EMPTY_DICT, EMPTY_TUPLE, STOP)
)
"""Those that `_run` carries out itself."""
CONSTANTS = {
    pickle.NONE: None,
    pickle.NEWTRUE: True,
    pickle.NEWFALSE: False,
}
STRINGS = {pickle.SHORT_BINSTRING: 1, pickle.BINSTRING: 4}
BYTES = {pickle.SHORT_BINBYTES: 1, pickle.BINBYTES: 4, pickle.BINBYTES8: 8}
TEXTS = {pickle.BINUNICODE8: 8}
"""Bytes of the number that says how many bytes follow."""


def instruction(*codes: bytes) -> Callable[[Instruction], Instruction]:
    """Have a method carry out these instructions."""

    def register(method: Instruction) -> Instruction:
        INSTRUCTIONS.update({code[0]: method for code in codes})
        return method

    return register


class SafeUnpickler:
    """An unpickler that makes plain data and stand-ins, and knows no instruction beyond these.

    A stack, marks on it and a memo, as Python's own; pickletools describes each instruction.
    """

    encoding = "bytes"
    """What strings of Python 2 are decoded from; "bytes" leaves them as they are."""

    def __init__(
        self, path: Path, content: Content, start: int = 0, *, further_bytes: int = 0
    ) -> None:
        """Read the pickle at `start`; `further_bytes` of its file count for the limit of memory."""
        self.at, self._frame_end = start, 0
        self._path, self._content = path, content
        self._paid = start - further_bytes
        self.limits = PickleLimits(self._earned)
        self._charge = self.limits.charge
        self._stack: list[Any] = []
        self._marks: list[list[Any]] = []
        self._memo: list[Any] = []
        self._stubs: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a name, or refuse it."""
        if (module, name) in BUILDERS:
            return BUILDERS[module, name]
        if len(module) + len(name) > LONGEST_NAME:
            raise UnpicklingError("it asks for something under an endless name")
        if (module, name) in INERT or _is_inert(module, name):
            self._stubs.add(f"{module}.{name}")
            if len(self._stubs) > MOST_STUBS:
                raise UnpicklingError("it asks for more classes than any model has")
            return stub_class(f"{module}.{name}")
        requested = escape_control(f"{module}.{name}", but="")
        raise UnsafeFileError(f"{self._path.name} asks for {requested}; {REMEDY}")

    def persistent_load(self, pid: Any) -> Any:
        """Refuse a reference to an object outside the file."""
        raise UnsafeFileError(f"{self._path.name} refers to an object outside itself; {REMEDY}")

    def _earned(self) -> int:
        """Return the memory that the instructions since the last call allow.

        What follows the pickle does not count: zeros cost an attacker nothing when compressed.
        """
        earned, self._paid = ALLOWED_PER_BYTE * (self.at - self._paid), self.at
        return earned

    def load(self) -> Any:
        """Return the object that the pickle describes; `at` is then where it ends."""
        token = LIMITS.set(self.limits)
        try:
            return self._run()
        except struct.error as error:
            raise UnpicklingError(CUT) from error
        except IndexError as error:
            raise UnpicklingError(CUT if self.at >= len(self._content) else MISSING) from error
        finally:
            LIMITS.reset(token)

    def _run(self) -> Any:
        """Carry out instructions; frequent ones here, since a call of each would take longer."""
        content, memo, marks, stack = self._content, self._memo, self._marks, self._stack
        at, spent = self.at, 0
        try:
            while (code := content[at]) != STOP:
                at += 1
                if code == MEMOIZE:
                    memo.append(stack[-1])
                    spent += MEMO_BYTES
                elif code == SHORT_BINUNICODE:
                    end = at + 1 + content[at]
                    stack.append(str(content[at + 1 : end], "utf-8", "surrogatepass"))
                    at = end
                elif code == LONG_BINGET:
                    stack.append(memo[_UINT4(content, at)[0]])
                    at += 4
                elif code == BINGET:
                    stack.append(memo[content[at]])
                    at += 1
                elif code == BININT:
                    stack.append(_INT4(content, at)[0])
                    at += 4
                elif code == BININT2:
                    stack.append(_UINT2(content, at)[0])
                    at += 2
                elif code == LONG_BINPUT:
                    place = _UINT4(content, at)[0]
                    if place == len(memo):
                        memo.append(stack[-1])
                        spent += MEMO_BYTES
                    else:
                        self.at = at
                        self._store(place)
                    at += 4
                elif code == BINUNICODE:
                    end = at + 4 + _UINT4(content, at)[0]
                    stack.append(str(content[at + 4 : end], "utf-8", "surrogatepass"))
                    at = end
                elif code == MARK:
                    marks.append(stack)
                    self._stack = stack = []
                    spent += LIST_BYTES
                elif code == EMPTY_DICT:
                    stack.append({})
                    spent += DICT_BYTES
                elif code == EMPTY_TUPLE:
                    stack.append(())
                else:
                    self.at = at
                    INSTRUCTIONS.get(code, _refuse)(self)
                    at, stack = self.at, self._stack
                if spent > SPENT_UNSEEN:
                    self.at = at
                    self._charge(spent)
                    spent = 0
        finally:
            self.at = max(at, self.at)
        self.at += 1
        self._charge(spent)
        return stack.pop()

    # --- What follows an instruction, and what lies since the last mark

    def _take(self, count: int) -> bytes:
        end = self.at + count
        if end > len(self._content):
            raise UnpicklingError(CUT)
        found = self._content[self.at : end]
        self.at = end
        return found

    def _number(self, count: int) -> int:
        return int.from_bytes(self._take(count), "little")

    def _line(self) -> bytes:
        end = self._content.find(b"\n", self.at)
        if end < 0:
            raise UnpicklingError(CUT)
        line = self._content[self.at : end]
        self.at = end + 1
        return line

    def _digits(self) -> bytes:
        if len(line := self._line()) > LONGEST_DIGITS:
            raise UnpicklingError(TOO_LONG)
        return line

    def _place(self) -> int:
        """Return a place in the memo that is written as text."""
        line = self._line()
        if len(line) > 12 or not line.isdigit():
            raise UnpicklingError(MISSING)
        return int(line)

    def _since_mark(self) -> list[Any]:
        found = self._stack
        self._stack = self._marks.pop()
        return found

    # --- Constants, numbers and texts

    @instruction(pickle.PROTO)
    def _protocol(self) -> None:
        if self._number(1) > pickle.HIGHEST_PROTOCOL:
            raise UnpicklingError(STRANGE)

    @instruction(pickle.FRAME)
    def _frame(self) -> None:
        begin, size = self.at - 1, self._number(8)
        if begin < self._frame_end:
            raise UnpicklingError("its frames cut its parts")
        self._frame_end = self.at + size
        if self._frame_end > len(self._content):
            raise UnpicklingError(CUT)

    @instruction(*CONSTANTS)
    def _constant(self) -> None:
        self._stack.append(CONSTANTS[self._content[self.at - 1 : self.at]])

    @instruction(pickle.INT)
    def _int(self) -> None:
        line = self._digits()
        self._stack.append(line == b"01" if line in (b"00", b"01") else int(line, 0))

    @instruction(pickle.LONG)
    def _long(self) -> None:
        self._stack.append(int(self._digits().removesuffix(b"L"), 0))

    @instruction(pickle.BININT1)
    def _binint1(self) -> None:
        self._stack.append(self._number(1))

    @instruction(pickle.LONG1)
    def _long1(self) -> None:
        size = self._number(1)
        self._stack.append(int.from_bytes(self._take(size), "little", signed=True))

    @instruction(pickle.LONG4)
    def _long4(self) -> None:
        size = self._number(4)
        if size > LONGEST_NUMBER:
            raise UnpicklingError(TOO_LONG)
        self._stack.append(int.from_bytes(self._take(size), "little", signed=True))

    @instruction(pickle.FLOAT)
    def _float(self) -> None:
        self._stack.append(float(self._digits()))

    @instruction(pickle.BINFLOAT)
    def _binfloat(self) -> None:
        self._stack.append(struct.unpack(">d", self._take(8))[0])

    @instruction(*STRINGS, *BYTES, *TEXTS)
    def _text(self) -> None:
        """Bytes, text, or a string of Python 2, after the number of its bytes."""
        code = self._content[self.at - 1 : self.at]
        found = self._take(self._number({**STRINGS, **BYTES, **TEXTS}[code]))
        if code in TEXTS:
            self._stack.append(str(found, "utf-8", "surrogatepass"))
        else:
            self._stack.append(self._decode(found) if code in STRINGS else found)

    def _decode(self, string: bytes) -> bytes | str:
        return string if self.encoding == "bytes" else str(string, self.encoding)

    @instruction(pickle.BYTEARRAY8)
    def _bytearray(self) -> None:
        self._stack.append(bytearray(self._take(self._number(8))))

    @instruction(pickle.STRING)
    def _string(self) -> None:
        line = self._line()
        if len(line) < 2 or line[0] != line[-1] or line[:1] not in (b"'", b'"'):
            raise UnpicklingError("one of its texts has no quotation marks")
        self._stack.append(self._decode(escape_decode(line[1:-1])[0]))

    @instruction(pickle.UNICODE)
    def _unicode(self) -> None:
        self._stack.append(str(self._line(), "raw-unicode-escape"))

    # --- Containers

    @instruction(pickle.EMPTY_LIST)
    def _empty_list(self) -> None:
        self._charge(LIST_BYTES)
        self._stack.append([])

    @instruction(pickle.EMPTY_SET)
    def _empty_set(self) -> None:
        self._charge(SET_BYTES)
        self._stack.append(set())

    @instruction(pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3)
    def _short_tuple(self) -> None:
        size = self._content[self.at - 1] - pickle.TUPLE1[0] + 1
        if len(self._stack) < size:
            raise UnpicklingError(MISSING)
        self._stack[-size:] = [tuple(self._stack[-size:])]

    @instruction(pickle.TUPLE)
    def _tuple(self) -> None:
        found = tuple(self._since_mark())
        self._stack.append(found)

    @instruction(pickle.LIST)
    def _list(self) -> None:
        found = self._since_mark()
        self._stack.append(found)

    @instruction(pickle.DICT)
    def _dict(self) -> None:
        items = self._since_mark()
        self._charge(DICT_BYTES)
        self._stack.append({})
        self._fill(items)

    @instruction(pickle.FROZENSET)
    def _frozenset(self) -> None:
        items = self._since_mark()
        self._charge(SET_BYTES + ENTRY_BYTES * len(items))
        refuse_costly_keys(items)
        self._stack.append(frozenset(items))

    def _top(self, *kinds: type) -> Any:
        """Return what lies on top, if it is of one of these kinds."""
        if not isinstance(self._stack[-1], kinds):
            raise UnpicklingError("it fills something that is no container")
        return self._stack[-1]

    @instruction(pickle.APPEND)
    def _append(self) -> None:
        item = self._stack.pop()
        self._top(list, bytearray).append(item)

    @instruction(pickle.APPENDS)
    def _appends(self) -> None:
        items = self._since_mark()
        self._top(list, bytearray).extend(items)

    @instruction(pickle.SETITEM)
    def _setitem(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._fill([key, value])

    @instruction(pickle.SETITEMS)
    def _setitems(self) -> None:
        self._fill(self._since_mark())

    def _fill(self, items: list[Any]) -> None:
        if len(items) % 2:
            raise UnpicklingError(MISSING)
        refuse_costly_keys(keys := items[::2])
        self._top(dict).update(zip(keys, items[1::2], strict=True))

    @instruction(pickle.ADDITEMS)
    def _additems(self) -> None:
        items = hashable_items(self._since_mark())
        self._top(set).update(items)

    # --- Names, calls and states

    @instruction(pickle.GLOBAL)
    def _global(self) -> None:
        self._stack.append(self._named_by_lines())

    def _named_by_lines(self) -> Any:
        module, name = self._line(), self._line()
        return self.find_class(str(module, "utf-8"), str(name, "utf-8"))

    @instruction(pickle.STACK_GLOBAL)
    def _stack_global(self) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        if type(name) is not str or type(module) is not str:
            raise UnpicklingError("a name is not text")
        self._stack.append(self.find_class(module, name))

    @instruction(pickle.PERSID)
    def _persid(self) -> None:
        self._stack.append(self.persistent_load(str(self._line(), "ascii")))

    @instruction(pickle.BINPERSID)
    def _binpersid(self) -> None:
        self._stack.append(self.persistent_load(self._stack.pop()))

    @instruction(pickle.REDUCE, pickle.NEWOBJ)
    def _reduce(self) -> None:
        arguments, build = self._stack.pop(), self._stack.pop()
        self._call(build, arguments)

    @instruction(pickle.OBJ)
    def _obj(self) -> None:
        build, *arguments = self._since_mark()
        self._call(build, tuple(arguments))

    @instruction(pickle.INST)
    def _inst(self) -> None:
        build = self._named_by_lines()
        self._call(build, tuple(self._since_mark()))

    def _call(self, build: Any, arguments: Any) -> None:
        self._charge(CALL_BYTES)
        if not isinstance(arguments, tuple) or len(arguments) > MOST_ARGUMENTS:
            raise UnpicklingError("it makes a call with too many arguments")
        is_stub = isinstance(build, type) and issubclass(build, Stub)
        if not (is_stub or isinstance(build, Builder)):
            raise UnpicklingError("it calls something that builds nothing")
        self._stack.append(build(*arguments))

    @instruction(pickle.BUILD)
    def _build(self) -> None:
        state, built = self._stack.pop(), self._stack[-1]
        if not hasattr(type(built), "__setstate__"):
            raise UnpicklingError("it sets the state of something that has none")
        built.__setstate__(state)

    # --- Stack and memo

    @instruction(pickle.POP)
    def _pop(self) -> None:
        if self._stack:
            self._stack.pop()
        else:
            self._since_mark()

    @instruction(pickle.POP_MARK)
    def _pop_mark(self) -> None:
        self._since_mark()

    @instruction(pickle.DUP)
    def _dup(self) -> None:
        self._stack.append(self._stack[-1])

    @instruction(pickle.GET)
    def _get(self) -> None:
        self._stack.append(self._memo[self._place()])

    @instruction(pickle.PUT)
    def _put(self) -> None:
        self._store(self._place())

    @instruction(pickle.BINPUT)
    def _binput(self) -> None:
        self._store(self._number(1))

    def _store(self, place: int) -> None:
        if place > self.at + MOST_AHEAD:
            raise UnpicklingError(MISSING)
        gap = max(0, place + 1 - len(self._memo))
        self._charge(MEMO_BYTES * gap)
        self._memo += [NEVER_STORED] * gap
        self._memo[place] = self._stack[-1]


def _refuse(_: SafeUnpickler) -> None:
    raise UnpicklingError(STRANGE)


def _is_inert(module: str, name: str) -> bool:
    """Say whether the name is one level deep in a package whose objects become stubs."""
    packages = ("gensim", "glove_code", "numpy.random")
    inside = any(module == package or module.startswith(f"{package}.") for package in packages)
    return inside and name.isidentifier() and all(p.isidentifier() for p in module.split("."))
