"""Files that are small and wrong, in ways that no honest writer is."""

import json
import struct
from collections.abc import Callable
from functools import partial

import numpy as np

from tests.embedding.crafted.parts import (
    array,
    head,
    history,
    native,
    navec,
    npy,
    npz,
    safetensors,
    tar,
    tensors,
    zipped,
)

WORDS, FLOATS = array(["a", "b"]), np.eye(2, dtype=np.float32).tobytes()
DEEP = "[" * 100_000 + "]" * 100_000
DIGITS = "9" * 5000
HEADS = {
    "unclosed": "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2",
    "minuses": "-" * 7000,
    "parentheses": "(" * 3000 + ")" * 3000,
    "braces": "{" * 3000,
    "true": head("<f4", "(True, 4)"),
    "negative": head("<f4", "(-2, -2)"),
    "number": head("<f4", "4"),
    "text": head("<f4", "'22'"),
    "digits": head("<f4", f"({DIGITS}, 2)"),
    "dimensions": head("<f4", f"({'1, ' * 100})"),
    "objects": head("|O", "(2, 2)"),
    "structure": "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2), }",
    "no-type": head("zz", "(2, 2)"),
    "wide-type": head("<U999999999", "(2, 2)"),
    "twice": "{'shape': (2, 2), 'shape': (2, 2), 'descr': '<f4', 'fortran_order': False}",
    "program": "__import__('os').getcwd()",
    "nothing": "",
    "bytes": "\xff\xfe\x00",
}


def _letter(number: int) -> bytes:
    return npz(npy(head("<U1", "(2,)"), struct.pack("<2I", 97, number)))


def _zip_with(place: bytes, offset: int, value: bytes) -> bytes:
    """Return a zip with a field changed after a mark of its directory."""
    content = bytearray(zipped({"model.vec": b"1 2\na 1 2\n"}))
    start = content.index(place) + offset
    content[start : start + len(value)] = value
    return bytes(content)


def _in_npz(head: str) -> bytes:
    return npz(WORDS, npy(head, FLOATS))


def _in_npy(head: str) -> bytes:
    return npy(head, FLOATS)


def _fitted(on: object) -> bytes:
    return history(fitted_on=on)


ODD: dict[str, Callable[[], bytes]] = {
    **{f"{name}.npz": partial(_in_npz, text) for name, text in HEADS.items()},
    **{f"{name}.npy": partial(_in_npy, text) for name, text in HEADS.items()},
    "version.npy": lambda: b"\x93NUMPY\x09\x00" + npy(head("<f4", "(2, 2)"), FLOATS)[8:],
    "cut-head.npy": lambda: npy(head("<f4", "(2, 2)"))[:40],
    "beyond.npz": lambda: _letter(0x110000),
    "far-beyond.npz": lambda: _letter(0xFFFFFFFF),
    "surrogate.npz": lambda: _letter(0xD800),
    "words-twice-deep.npz": lambda: npz(array([["a", "b"]])),
    "geometry.npz": lambda: npz(
        WORDS, geometry=npy(head("<U1", "(1,)"), struct.pack("<I", 0x200000))
    ),
    "curvature.npz": lambda: npz(
        WORDS, geometry=array("poincare"), curvature=array(np.array([1, 2]))
    ),
    "dimensions.safetensors": lambda: tensors(
        vectors={"dtype": "F32", "shape": [1] * 65 + [4], "data_offsets": [0, 16]}
    ),
    "shared.safetensors": lambda: tensors(
        more={"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}
    ),
    "outside.safetensors": lambda: tensors(
        vectors={"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 24]}
    ),
    "deep.safetensors": lambda: safetensors(f'{{"a": {DEEP}}}'.encode()),
    "digits.safetensors": lambda: safetensors(f'{{"a": {DIGITS}}}'.encode()),
    "twice.safetensors": lambda: safetensors(b'{"a": {}, "a": {}}'),
    "latin.safetensors": lambda: safetensors(b'{"\xff": {}}'),
    "utf-16.safetensors": lambda: safetensors('{"a": {}}'.encode("utf-16-le")),
    "metadata.safetensors": lambda: tensors({"a": 5}),
    "half.safetensors": lambda: tensors({"words": "\ud800"}),
    "half-name.safetensors": lambda: tensors(**{"\ud800": {}}),
    "not-a-number.safetensors": lambda: tensors(
        vectors={"dtype": "F32", "shape": [float("nan"), 2], "data_offsets": [0, 16]}
    ),
    "name.fairvec": lambda: native(name="\udcff"),
    "origin.fairvec": lambda: native(origin="\ud800x"),
    "deep.fairvec": lambda: native(history=DEEP),
    "digits.fairvec": lambda: native(history=f"[{DIGITS}]"),
    "half.fairvec": lambda: native(history=r'[{"action": "\ud800", "details": {}}]'),
    "twice.fairvec": lambda: native(history='[{"action": "a", "details": {"b": 1, "b": 2}}]'),
    "action.fairvec": lambda: native(history='[{"action": 5, "details": {}}]'),
    "details.fairvec": lambda: native(history='[{"action": "a", "details": [["b", 1]]}]'),
    "no-details.fairvec": lambda: native(history='[{"action": "a"}]'),
    "steps.fairvec": lambda: native(history='{"action": "a"}'),
    "text-steps.fairvec": lambda: native(history='"abc"'),
    "null-steps.fairvec": lambda: native(history="null"),
    **{
        f"fitted-{place}.fairvec": partial(_fitted, value)
        for place, value in enumerate([5, None, True, "words", {"a": 1}, [1], [["a"]], [None]])
    },
    "composed.fairvec": lambda: history(composed=7),
    "language.fairvec": lambda: native(language="\x1b[31m"),
    "curvature.fairvec": lambda: native(geometry="poincare", curvature="nan"),
    "geometry.fairvec": lambda: native(geometry=f"poincare-x{DIGITS}"),
    "meta.tar": lambda: tar(navec(meta=DEEP.encode())),
    "digits.tar": lambda: tar(navec(meta=f'{{"id": {DIGITS}, "protocol": 1}}'.encode())),
    "half.tar": lambda: tar(navec(meta=rb'{"id": "\ud800", "protocol": 1}')),
    "list.tar": lambda: tar(navec(meta=b"[1]")),
    "negative.tar": lambda: tar(navec(), size=-512),
    "encrypted.zip": lambda: _zip_with(b"PK\x01\x02", 8, b"\x01\x00"),
    "method.zip": lambda: _zip_with(b"PK\x01\x02", 10, b"\x63\x00"),
    "version.zip": lambda: _zip_with(b"PK\x01\x02", 6, b"\xff\x00"),
    "offset.zip": lambda: _zip_with(b"PK\x01\x02", 42, b"\xff\xff\xff\x7f"),
    "directory.zip": lambda: _zip_with(b"PK\x05\x06", 12, b"\xff\xff\xff\x7f"),
    "name.zip": lambda: _zip_with(b"PK\x01\x02", 8, b"\x00\x08").replace(
        b"model.vec", b"\xff\xfeodel.vec"
    ),
    "dot.zip": lambda: zipped({".": b"1 2\na 1 2\n"}),
    "long-name.zip": lambda: zipped({"x" * 5000 + ".vec": b"1 2\na 1 2\n"}),
    "control.zip": lambda: zipped({"\x1b[2J": b"nothing", "b": b"nothing"}),
    "slow-number.txt": lambda: b"a " + b"1" * 60_000 + b"x 1\n",
    "slow-number.csv": lambda: b"a," + b"1" * 60_000 + b"x,1\n",
    "slow-quotes.csv": lambda: b'a,1,2\n"' + b'""\n' * 100_000,
    "list.json": lambda: json.dumps(["a"]).encode(),
}
