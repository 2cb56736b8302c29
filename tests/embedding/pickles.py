"""Pickles written by hand, attacks among them, and how each must be refused."""

import pickle
import struct
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.resource_limits import outcome

# --- Pickles written by hand: instruction by instruction, or with classes that only bear a name


def pushed(value: Any) -> bytes:
    """The instructions that push a plain value, without the protocol and the final stop."""
    return pickle.dumps(value, 2)[2:-1]


def called(module: str, name: str, *args: Any) -> bytes:
    """The oldest way: a name on two lines, then REDUCE."""
    return b"c" + f"{module}\n{name}\n".encode() + pushed(args) + b"R"


def called_by_stack(module: str, name: str, *args: Any) -> bytes:
    """Protocol 4's way, in which a dotted name walks from attribute to attribute."""
    texts = (text.encode() for text in (module, name))
    return b"".join(b"\x8c" + bytes([len(t)]) + t for t in texts) + b"\x93" + pushed(args) + b"R"


def whole(instructions: bytes, protocol: int = 4) -> bytes:
    return b"\x80" + bytes([protocol]) + instructions + b"."


def forged(monkeypatch: pytest.MonkeyPatch, *paths: str) -> dict[str, type]:
    """Empty classes that pickle writes under these paths, by their last names."""
    classes = {}
    for path in paths:
        module, _, name = path.rpartition(".")
        steps = module.split(".")
        for end in range(1, len(steps) + 1):
            parent = ".".join(steps[:end])
            if getattr(sys.modules.get(parent), "is_forged", False):
                continue
            holder = ModuleType(parent)
            setattr(holder, "is_forged", True)  # noqa: B010 - no attribute of modules
            monkeypatch.setitem(sys.modules, parent, holder)
        classes[name] = type(name, (), {"__module__": module})
        setattr(sys.modules[module], name, classes[name])
    return classes


def made(kind: type, **state: object) -> Any:
    built = kind()
    built.__dict__.update(state)
    return built


def written(path: Path, value: object, protocol: int = 2) -> Path:
    path.write_bytes(pickle.dumps(value, protocol))
    return path


# --- Small pickles that ask for much: memory, time, depth, or a traceback, by name ---


PRIME = 2**61 - 1
"""Python hashes whole numbers by their rest modulo this."""
SIDE = 50_000
DOUBLED = b")" + b"2\x86" * 60
"""A tuple of two equal tuples of two equal tuples...: 60 objects, 2**60 paths."""
DEEP = b")" + b"\x85" * SIDE
VECTORS = called("numpy._core.multiarray", "_reconstruct", None, (0,), b"b")


def array(dtype: str, shape: bytes, content: bytes, order: bytes = b"X\x01\0\0\0<") -> bytes:
    """The instructions of an array whose shape and content are instructions themselves."""
    kind = called("numpy", "dtype", dtype, False, True) + b"(K\x03" + order
    return (
        VECTORS
        + b"(K\x01"
        + shape
        + kind
        + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
        + (b"\x89" + content + b"tb")
    )


MATRIX = array("f4", pushed((1, 2)), b"B\x08\0\0\0" + struct.pack("<2f", 1, 2))

HALVES = array("O8", pushed((1,)), b"]|a").split(b"|")
DEEP_ARRAYS = HALVES[0] * 3000 + b"N" + HALVES[1] * 3000


def model(kind: str = "KeyedVectors", /, **state: bytes) -> bytes:
    """A model of gensim whose parts are instructions."""
    parts = b"".join(pushed(name) + value for name, value in state.items())
    return whole(b"cgensim.models.keyedvectors\n" + kind.encode() + b"\n)\x81}(" + parts + b"ub")


def keyed(key: bytes) -> bytes:
    return whole(b"}" + key + b"Ns")


def many(first: bytes, again: bytes, times: int) -> bytes:
    """Something large in the memo at 250, then the same small thing done with it many times."""
    return whole(b"(" + first + b"q\xfa" + again * times + b"l")


def long_text(length: int) -> bytes:
    return b"X" + struct.pack("<I", length) + b"a" * length


def numbers(count: int) -> bytes:
    return b"(" + b"K\x07" * count


def late_chain(links: int) -> bytes:
    """Lists that lie in one another, each filled only after it was put where it lies."""
    steps = (
        b"j" + struct.pack("<I", n) + b"]r" + struct.pack("<I", n + 1) + b"a0" for n in range(links)
    )
    return whole(b"]r\0\0\0\0" + b"".join(steps))


def colliding(count: int, add: bytes, begin: bytes, between: bytes) -> bytes:
    huge = ((PRIME * (n + 2**70)).to_bytes(18, "little", signed=True) for n in range(count))
    return whole(begin + b"(" + b"".join(b"\x8a\x12" + n + between for n in huge) + add)


Bytes = Callable[[], bytes]
ATTACKS: dict[str, Bytes] = {
    "memo number": lambda: bytes.fromhex("80024e72ffffff0f2e"),
    "memo number in text": lambda: b"\x80\x02Np268435455\n.",
    "memo number of many digits": lambda: b"\x80\x02Np" + b"1" * 10**6 + b"\n.",
    "memo number asked for": lambda: b"\x80\x02g" + b"1" * 10**6 + b"\n.",
    "deep tuple": lambda: whole(DEEP),
    "deep key": lambda: keyed(DEEP),
    "deep lists": lambda: whole(b"]" * SIDE + b"a" * (SIDE - 1)),
    "deep dicts": lambda: whole(b"}" + b"N}" * SIDE + b"s" * SIDE),
    "deep marks": lambda: whole(b"(" * SIDE + b"t" * SIDE),
    "deep frozen sets": lambda: whole(b"(" * SIDE + b"\x91" * SIDE),
    "deep shells": lambda: whole(
        b"cgensim.models\nA\nq\0" + b"h\0)\x81}K\x01" * SIDE + b"N" + b"sb" * SIDE
    ),
    "deep calls": lambda: whole(b"N" + b"\x85q\0cbuiltins\nlist\nh\0R\x85" * (SIDE // 10)),
    "deep arrays": lambda: whole(DEEP_ARRAYS),
    "deep by late filling": lambda: late_chain(SIDE),
    "doubled key": lambda: keyed(DOUBLED),
    "doubled key of a mark": lambda: whole(b"(" + DOUBLED + b"Nd"),
    "doubled member": lambda: whole(b"\x8f(" + DOUBLED + b"\x90"),
    "doubled frozen member": lambda: whole(b"(" + DOUBLED + b"\x91"),
    "doubled member by a call": lambda: whole(b"cbuiltins\nset\n]" + DOUBLED + b"a\x85R"),
    "doubled key by a call": lambda: whole(
        b"ccollections\nOrderedDict\n](" + DOUBLED + b"Nta\x85R"
    ),
    "doubled tuple by a call": lambda: keyed(b"cbuiltins\ntuple\n]" + DOUBLED + b"a\x85R"),
    "doubled scalar": lambda: keyed(
        b"cnumpy._core.multiarray\nscalar\n" + called("numpy", "dtype", "O8") + DOUBLED + b"\x86R"
    ),
    "doubled name of a state": lambda: whole(b"cgensim.models\nA\n)\x81}" + DOUBLED[:-60] + b"Nsb"),
    "doubled word": lambda: model(vectors=MATRIX, index_to_key=b"]" + DOUBLED + b"a"),
    "doubled lists as word": lambda: model(
        vectors=MATRIX, index_to_key=b"]]q\xfa" + b"0](h\xfah\xfaeq\xfa" * 40 + b"a"
    ),
    "doubled number of balls": lambda: model(
        "MixPoincareKeyedVectors", vectors=MATRIX, index_to_key=pushed(["a"]), num_embs=DOUBLED
    ),
    "doubled n-grams": lambda: model(
        vectors_vocab=MATRIX, vectors_ngrams=MATRIX, index_to_key=pushed(["a"]), min_n=DOUBLED
    ),
    "doubled element type": lambda: whole(b"cnumpy\ndtype\n" + DOUBLED + b"\x85R"),
    "doubled byte order": lambda: whole(array("f4", pushed((0,)), b"B\0\0\0\0", DOUBLED)),
    "doubled shape": lambda: whole(array("f4", DOUBLED, b"B\0\0\0\0")),
    "doubled length of a side": lambda: whole(array("f4", DOUBLED + b"\x85", b"B\0\0\0\0")),
    "a word that holds itself": lambda: model(vectors=MATRIX, index_to_key=b"]]q\xfah\xfaaa"),
    "empty texts S0": lambda: model(
        vectors=MATRIX, index_to_key=array("S0", pushed((3 * 10**9,)), b"B\0\0\0\0")
    ),
    "empty texts U0": lambda: model(
        vectors=MATRIX, index_to_key=array("U0", pushed((3 * 10**9,)), b"B\0\0\0\0")
    ),
    "empty records V0": lambda: whole(array("V0", pushed((3 * 10**9,)), b"B\0\0\0\0")),
    "rows without columns": lambda: model(
        vectors=array("f4", pushed((2**40, 0)), b"B\0\0\0\0"), index_to_key=pushed(["a"])
    ),
    "words without letters": lambda: model(
        vectors=MATRIX, index_to_key=array("U1", pushed((2**40, 0)), b"B\0\0\0\0")
    ),
    "colliding keys": lambda: colliding(20_000, b"u", b"}", b"N"),
    "colliding keys of a mark": lambda: colliding(20_000, b"d", b"", b"N"),
    "colliding members": lambda: colliding(20_000, b"\x90", b"\x8f", b""),
    "colliding frozen members": lambda: colliding(20_000, b"\x91", b"", b""),
    "colliding members by a call": lambda: whole(
        b"cbuiltins\nset\n" + colliding(20_000, b"l", b"", b"")[2:-1] + b"\x85R"
    ),
    "keys of numbers": lambda: whole(
        b"}(" + b"".join(pushed((n, -n)) + b"N" for n in range(20_000)) + b"u"
    ),
    "number of a megabyte": lambda: whole(b"\x8b" + struct.pack("<i", 10**6) + b"\x01" * 10**6),
    "number of a million digits": lambda: whole(b"I" + b"1" * 10**6 + b"\n"),
    "long number of a million digits": lambda: whole(b"L" + b"1" * 10**6 + b"L\n"),
    "float of a million digits": lambda: whole(b"F" + b"1" * 10**6 + b"\n"),
    "row of 600 digits": lambda: model(
        vectors=MATRIX, vocab=b"}" + pushed("a") + b"I" + b"9" * 600 + b"\ns"
    ),
    "word of 4301 digits": lambda: model(
        vectors=MATRIX, index_to_key=b"]L" + b"9" * 4301 + b"L\na"
    ),
    "word of a huge number": lambda: model(
        vectors=MATRIX, index_to_key=b"]\x8b" + struct.pack("<i", 2000) + b"\x7f" * 2000 + b"a"
    ),
    "bytes of no file": lambda: whole(b"\x8e" + struct.pack("<Q", 2**62)),
    "bytes of four gigabytes": lambda: whole(b"B\xff\xff\xff\xff"),
    "text of no file": lambda: whole(b"\x8d" + struct.pack("<Q", 2**40)),
    "bytearray of no file": lambda: whole(b"\x96" + struct.pack("<Q", 2**34), 5),
    "frame of no file": lambda: whole(b"\x95" + struct.pack("<Q", 2**33) + b"N"),
    "frame in a frame": lambda: whole(
        b"\x95" + struct.pack("<Q", 11) + b"\x95" + struct.pack("<Q", 2) + b"N"
    ),
    "frame that cuts a text": lambda: whole(b"\x95" + struct.pack("<Q", 3) + pushed("abcdef")),
    "sets of nothing": lambda: whole(b"(" + b"\x8f" * 500_000 + b"l"),
    "dicts of nothing": lambda: whole(b"(" + b"}" * 3_200_000 + b"l"),
    "shells of nothing": lambda: whole(b"cgensim.models\nA\nq\0(" + b"h\0)\x81" * 1_200_000 + b"l"),
    "extension": lambda: whole(b"\x82\x01"),
    "outer buffer": lambda: whole(b"\x97\x98", 5),
    "call by keyword": lambda: whole(b"cgensim.models\nA\n)}\x92"),
    "unknown instruction": lambda: whole(b"\xff"),
    "lists copied": lambda: many(numbers(SIDE) + b"l", b"cbuiltins\nlist\nh\xfa\x85R", SIDE // 10),
    "sets copied": lambda: many(
        numbers(SIDE) + b"l", b"cbuiltins\nfrozenset\nh\xfa\x85R", SIDE // 10
    ),
    "dicts copied": lambda: many(
        b"}(" + b"".join(pushed(n) + b"N" for n in range(SIDE)) + b"u",
        b"cbuiltins\ndict\nh\xfa\x85R",
        SIDE // 10,
    ),
    "texts encoded": lambda: many(
        long_text(10**6), b"c_codecs\nencode\nh\xfaX\x06\0\0\0latin1\x86R", SIDE // 10
    ),
    "arrays of one list": lambda: many(
        numbers(SIDE) + b"l", array("O8", pushed((SIDE,)), b"h\xfa"), SIDE // 50
    ),
    "states copied": lambda: many(
        b"}(" + b"".join(pushed(f"n{n}") + b"N" for n in range(SIDE)) + b"u",
        b"cgensim.models\nA\n)\x81h\xfab",
        SIDE // 10,
    ),
    "states of many parts": lambda: many(
        b"(" + b"N" * SIDE + b"t", b"cgensim.models\nA\n)\x81h\xfab", SIDE // 10
    ),
    "type of many parts": lambda: many(
        numbers(SIDE) + b"l", called("numpy", "dtype", "f4") + b"h\xfab", SIDE // 10
    ),
    "calls with many arguments": lambda: many(
        b"(" + b"N" * SIDE + b"t", b"cgensim.models\nA\nh\xfaR", SIDE // 10
    ),
    "objects with many arguments": lambda: many(
        b"(" + b"N" * SIDE + b"t", b"cgensim.models\nA\nh\xfa\x81", SIDE // 10
    ),
    "endless name": lambda: many(long_text(10**6), b"X\x06\0\0\0gensimh\xfa\x93", SIDE // 10),
    "classes without end": lambda: whole(
        b"(" + b"".join(f"cgensim\na{n}\n".encode() for n in range(SIDE)) + b"l"
    ),
    "one long key again and again": lambda: whole(
        b"}"
        + long_text(10**6)
        + b"Ns0}"
        + long_text(10**6)
        + b"q\xfa(h\xfaN"
        + b"h\xfaN" * SIDE
        + b"u"
    ),
    "sides without end": lambda: many(
        numbers(SIDE) + b"t", array("f4", b"h\xfa", b"B\0\0\0\0"), 10
    ),
    "shape of huge numbers": lambda: whole(
        array("f4", b"(" + (b"\x8a\xff" + b"\x7f" * 255) * 60 + b"t", b"B\0\0\0\0")
    ),
    "negative shape": lambda: whole(array("f4", pushed((-1, -4)), b"B\x10\0\0\0" + bytes(16))),
    "shape past a word": lambda: whole(array("f4", pushed((2**32, 2**32)), b"B\0\0\0\0")),
    "keys of no dimension": lambda: model(
        vectors=MATRIX, index_to_key=array("i8", b")", b"B\x08\0\0\0" + bytes(8))
    ),
    "keys of two dimensions": lambda: model(
        vectors=MATRIX, index_to_key=array("i8", pushed((1, 1)), b"B\x08\0\0\0" + bytes(8))
    ),
    "letters that are none": lambda: model(
        vectors=MATRIX, index_to_key=array("U1", pushed((1,)), b"B\x04\0\0\0\xff\xff\xff\x7f")
    ),
    "half a letter": lambda: model(vectors=MATRIX, index_to_key=b"]X\x03\0\0\0\xed\xa0\x80a"),
    "n-grams without end": lambda: model(
        vectors_vocab=MATRIX,
        vectors_ngrams=MATRIX,
        index_to_key=b"]" + long_text(30_000) + b"a",
        min_n=pushed(1),
        max_n=pushed(10**9),
    ),
    "n-grams of a long word": lambda: model(
        vectors_vocab=MATRIX,
        vectors_ngrams=MATRIX,
        index_to_key=b"]" + long_text(3_000_000) + b"a",
        min_n=pushed(1),
        max_n=pushed(50),
    ),
    "line without end": lambda: whole(b"V" + b"a" * 3_000_000),
}


# --- Pickles that have one large thing looked through, decoded, hashed or copied again and again


LETTERS, TIMES = 225_000, 20_000
TEXT = b"B" + struct.pack("<I", 4 * LETTERS) + ("\u4e00" * LETTERS).encode("utf-32-le") + b"q\xfa0"
KIND = called("numpy", "dtype", f"U{LETTERS}", False, True) + b"q\xe20"
SCALAR = b"cnumpy._core.multiarray\nscalar\nq\xe10" + KIND + TEXT
ONE_SCALAR = b"h\xe1h\xe2h\xfa\x86R"


def _arrays() -> bytes:
    build = b"cnumpy._core.numeric\n_frombuffer\nq\xe10" + KIND + TEXT
    given = b"(h\xfah\xe2K\x01\x85X\x01\0\0\0Ctq\xe30"
    return whole(build + given + b"h\xe1h\xe3R0" * TIMES + b"N")


def _codec() -> bytes:
    """A codec's name is compared without its dashes, of which there are a million."""
    name = b"X" + struct.pack("<I", 10**6) + b"latin1".rjust(10**6, b"-") + b"q\xfa0"
    build = b"c_codecs\nencode\nq\xe10X\0\0\0\0q\xe20" + name
    return whole(build + b"h\xe1h\xe2h\xfa\x86R0" * TIMES + b"N")


def _names() -> bytes:
    """Names in the bytes of Python 2, which are made text each time that a state is set."""
    names = b"".join(b"B" + struct.pack("<I", 64_000) + b"%064000dN" % n for n in range(14))
    return whole(b"}(" + names + b"uq\xfa0cgensim.models\nA\n)\x81" + b"h\xfab" * 10 * TIMES)


def _in_base_16() -> bytes:
    numbers = (PRIME * k + 7 + g for g in range(4) for k in range(1, 2040))
    return whole(b"}(" + b"".join(b"I0x%x\nN" % n for n in numbers) + b"u")


def _of_constants() -> bytes:
    """Tuples of constants, whose hashes no random start protects either."""
    keys = (bytes(b"\x88\x89"[n >> bit & 1] for bit in range(11)) for n in range(2048))
    return whole(b"}(" + b"".join(b"(" + key + b"tN" for key in keys) + b"u")


def _of_empty_tuples() -> bytes:
    keys = (b"".join((b")", b")\x85")[n >> bit & 1] for bit in range(11)) for n in range(2048))
    return whole(b"}(" + b"".join(b"(" + key + b"tN" for key in keys) + b"u")


MEMORY = "far more memory than a file of its size holds"
FORGED = "too many of its keys are huge numbers or tuples of numbers"
REPEATED: dict[str, tuple[str, Callable[[], bytes]]] = {
    "texts out of one array": (MEMORY, lambda: whole(SCALAR + b"(" + ONE_SCALAR * TIMES + b"l")),
    "one text as every key": (
        "one of its keys is too large",
        lambda: whole(SCALAR + b"}" + (ONE_SCALAR + b"Ns") * TIMES),
    ),
    "arrays of one text": (MEMORY, _arrays),
    "codec of a million dashes": ("only bytes written as Latin-1 text", _codec),
    "names decoded again": (MEMORY, _names),
    "keys in base 16": (FORGED, _in_base_16),
    "keys of constants": (FORGED, _of_constants),
    "keys of empty tuples": (FORGED, _of_empty_tuples),
    "zeros behind the pickle": (
        MEMORY,
        lambda: whole(b"(" + b"}" * 3_200_000 + b"l") + bytes(30_000_000),
    ),
}
"""By name: what the refusal says, and the attack."""


# --- Files that nobody should read, shown to fairvec in a process that may take little ---


TRIAL = """
import sys
from pathlib import Path
import fairvec
from fairvec.core.errors import FileFormatError
{before}
expected = {expected!r}
for path in sorted(Path({folder!r}).glob({files!r})):
    print(path.stem, flush=True)
    try:
        fairvec.load(path, format={format!r})
    except FileFormatError as error:
        said = str(error)
        if isinstance(error.__cause__, MemoryError):
            sys.exit(f"{{path.stem}} took all memory")
        if expected.get(path.stem, "") not in said:
            sys.exit(f"{{path.stem}} is refused for another reason: {{said}}")
        if chr(10) in said or path.name not in said or len(said) > 400:
            sys.exit(f"{{path.stem}} says: {{said}}")
    else:
        sys.exit(f"{{path.stem}} was read")
print("each was refused")
"""


def refuse_each(
    folder: Path,
    files: str,
    format: str,
    *,
    expected: Mapping[str, str] | None = None,
    before: str = "",
    megabytes: int,
) -> None:
    """Hold that each of the files is refused in one short sentence that names it.

    `expected` says by the name of a file why; `before` is run first.
    """
    shown = {path.stem for path in folder.glob(files)}
    assert shown
    assert expected is None or shown == {*expected}
    how = {"folder": str(folder), "files": files, "format": format, "before": before}
    trial = TRIAL.format(**how, expected=dict(expected or {}))
    assert outcome(trial, megabytes=megabytes) == "each was refused"
