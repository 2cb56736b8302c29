"""Pickles that have one large thing looked through, decoded, hashed or copied again and again."""

import struct
from collections.abc import Callable

from tests.embedding.formats.pickles.attacks import PRIME
from tests.embedding.pickles import called, whole

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
    "one text as every key": (MEMORY, lambda: whole(SCALAR + b"}" + (ONE_SCALAR + b"Ns") * TIMES)),
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
