"""Pickles that would run something, take all memory, or never end."""

import pickle
from collections.abc import Callable
from typing import Any

from fuzz.cases import Files
from fuzz.crafted.making import content, header, main_file
from fuzz.verdicts import RAN

NEW = "numpy.core.multiarray"


def calls(module: str, name: str, *given: Any) -> bytes:
    """Return a pickle that calls a function of a module."""
    return b"\x80\x02c" + f"{module}\n{name}\n".encode() + pickle.dumps(given, 2)[2:-1] + b"R."


def _deep(depth: int) -> bytes:
    return b"\x80\x02N" + b"\x85" * depth + b"."


def _doubled(times: int) -> bytes:
    """Return a tuple of a tuple of ... of one, each held twice: 2 ** times to hash, as a key."""
    return b"\x80\x02}N" + b"2\x86" * times + b"Ns."


def _colliding(count: int) -> bytes:
    """Return a dict whose keys all have the hash 0."""
    # Not by a dict of Python, which would take as long to make as to read.
    keys = (pickle.dumps((2**61 - 1) * n, 2)[2:-1] + b"N" for n in range(1, count))
    return b"\x80\x02}(" + b"".join(keys) + b"u."


def _array(dtype: bytes, count: int) -> bytes:
    """Return a pickled array of text that has no letters, of which a few bytes hold any number."""
    made = b"\x80\x02c" + NEW.encode() + b"\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R"
    kind = b"cnumpy\ndtype\n" + pickle.dumps((dtype.decode(), 0, 1), 2)[2:-1] + b"R"
    state = pickle.dumps((3, "<", None, None, None, 0, 4, 8), 2)[2:-1]
    shape = pickle.dumps((count,), 2)[2:-1]
    return made + b"(K\x01" + shape + kind + state + b"b\x89C\x00tb."


def _again(build: bytes, large: bytes, given: bytes, count: int = 20_000) -> bytes:
    """Return a pickle that makes one call with one large thing again and again."""
    first = b"B" + len(large).to_bytes(4, "little") + large
    return b"\x80\x02(" + build + b"q\xe1" + first + b"q\xe2" + given * count + b"l."


def _scalars() -> bytes:
    kind = b"cnumpy\ndtype\n" + pickle.dumps(("U100000", 0, 1), 2)[2:-1] + b"Rq\xe3"
    build = kind + b"c" + NEW.encode() + b"\nscalar\n"
    return _again(build, "\u4e00".encode("utf-32-le") * 100_000, b"h\xe1h\xe3h\xe2\x86R")


def _side_file(data: bytes) -> Callable[[Files, str], Files]:
    """Put these bytes in the place of an array that gensim keeps beside a model."""

    def attack(honest: Files, main: str) -> Files:
        beside = next((name for name in honest if name.endswith(".npy")), f"{main}.vectors.npy")
        return {**honest, beside: data}

    return attack


ATTACKS = {
    "runs os.system": content(calls("os", "system", f"touch {RAN}")),
    "runs open": content(calls("builtins", "open", RAN, "w")),
    "runs eval": content(calls("builtins", "eval", f"open({RAN!r}, 'w')")),
    "runs a method of numpy": content(calls("numpy", "save", RAN, 1)),
    "runs what a dotted name reaches": content(
        b"\x80\x04\x8c\x06gensim\x8c\x09os.system\x93"
        + pickle.dumps((f"touch {RAN}",), 2)[2:-1]
        + b"R."
    ),
    "memo of 4.3 GB in nine bytes": content(b"\x80\x02Nr\xff\xff\xff\x0f."),
    "memo by text": content(b"\x80\x02Np268435455\n."),
    "deep tuples": main_file(lambda: _deep(300_000)),
    "deep lists": main_file(lambda: b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b"."),
    "doubled keys": content(_doubled(60)),
    "keys that collide": main_file(lambda: _colliding(30_000)),
    "letterless texts": content(_array(b"S0", 3_000_000_000)),
    "letterless unicode": content(_array(b"U0", 3_000_000_000)),
    "one text made again and again": main_file(_scalars),
    "codec of dashes": main_file(
        lambda: _again(
            b"c_codecs\nencode\n",
            b"latin1".rjust(400_000, b"-"),
            b"h\xe1X\0\0\0\0h\xe2\x86R",
        )
    ),
    "keys in base 16": main_file(
        lambda: (
            b"\x80\x02}("
            + b"".join(b"I0x%x\nN" % ((2**61 - 1) * n + 7) for n in range(1, 2040))
            + b"u."
        )
    ),
    "zeros behind": main_file(lambda: b"\x80\x02(" + b"}" * 700_000 + b"l." + bytes(10**6)),
    "long digits": content(b"\x80\x02I" + b"9" * 4400 + b"\n."),
    "long number": content(b"\x80\x02\x8b\xff\xff\xff\x7f" + b"1" * 64 + b"."),
    "bytes announced": content(b"\x80\x04\x8e" + (2**62).to_bytes(8, "little") + b"x."),
    "bytearray announced": content(b"\x80\x05\x96" + (2**31).to_bytes(8, "little") + b"x."),
    "frame announced": content(b"\x80\x04\x95" + (2**63 - 1).to_bytes(8, "little") + b"N."),
}
ON_PICKLES = {
    "format-gensim": {
        **ATTACKS,
        "side file without a close": _side_file(header("(28, 8)", closing="")),
        "side file of dashes": _side_file(header("-" * 7000 + "1")),
        "side file of objects": _side_file(header("(1,)", "'|O'") + calls("os", "system", "true")),
        "side file announces much": _side_file(header("(1099511627776, 8)")),
        "side file without letters": _side_file(header("(2000000000,)", "'<U0'")),
    },
    "format-torch": ATTACKS,
}
