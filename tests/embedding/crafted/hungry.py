"""Files of kilobytes that ask for gigabytes."""

import gzip
import struct
from collections.abc import Callable

import numpy as np

from tests.embedding.crafted.parts import (
    MEGABYTE,
    NATIVE,
    array,
    fasttext,
    head,
    native,
    navec,
    npy,
    npz,
    safetensors,
    tar,
    tensors,
    zipped,
)

LINE = b"w" + b" 0.5" * 32_000 + b"\n"
SPARSE = {"type": b"S", "size": 1 << 33}


def _letters(kind: str, count: int, width: int) -> bytes:
    return npz(npy(head(f"{kind}{width}", f"({count},)"), bytes(count * width)))


def _overlapping() -> bytes:
    """Return a zip whose 400 members are one piece of bytes under many names."""
    swollen = b"1 2\na 1 2\n" + b"\n" * 20 * MEGABYTE
    one = bytearray(zipped({"model.vec": swollen}))
    start = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    listed, local = bytes(one[start:end]), bytes(one[:start])
    names = [b"model.vec", *(b"model.vec.%03d" % each for each in range(400))]
    entries = b"".join(
        listed[:28] + struct.pack("<H", len(name)) + listed[30:46] + name for name in names
    )
    tail = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 401, 401, len(entries), len(local), 0)
    return local + entries + tail


def _quantised(rows: int, width: int) -> bytes:
    codes = struct.pack("<4I", rows, width, 1, 1) + bytes(rows) + bytes(4 * width)
    words = "\n".join(map(str, range(rows))).encode()
    return tar(navec(codes, struct.pack("<I", rows) + bytes(4 * rows) + words))


HUNGRY: dict[str, Callable[[], bytes]] = {
    "no-letters.npz": lambda: npz(npy(head("<U0", "(2000000000,)"))),
    "no-bytes.npz": lambda: npz(npy(head("|S0", "(2000000000,)"))),
    "many-letters.npz": lambda: _letters("|S", 100 * MEGABYTE, 1),
    "zeros.npz": lambda: npz(
        array(["a", "b"]), npy(head("<f4", "(2, 10000000)"), bytes(80 * MEGABYTE))
    ),
    "hidden-side.npz": lambda: npz(npy(head("<U1", "(0, 1000000000000)"))),
    "hidden-side.npy": lambda: npy(head("<f4", "(0, 100000000000000000)")),
    "long-line.txt": lambda: LINE + b"\n" * 200_000,
    "long-line.txt.gz": lambda: gzip.compress(LINE + b"\n" * 5 * MEGABYTE, 1),
    "newlines.vec": lambda: b"1 2\n" + b"\n" * 16 * MEGABYTE,
    "head.vec": lambda: b"2000000000 300\nw" + b" 0.5" * 300 + b"\n",
    "wide-head.vec": lambda: b"2 999999999999999999\nw 1 2\n",
    "many.gz": lambda: gzip.compress(b"1 2\na 1 2\n" + b"\n" * 80 * MEGABYTE, 1),
    "long-line.csv": lambda: LINE.replace(b" ", b",") + b"\n" * 200_000,
    "long-line.tsv.gz": lambda: gzip.compress(LINE.replace(b" ", b"\t") + b"\n" * 5 * MEGABYTE, 1),
    "head.bin": lambda: b"2000000000 300\nw " + b"\x80" * 1200,
    "wide-head.bin": lambda: b"2 999999999999999999\nw " + b"\x80" * 1200,
    "duplicates.zip": _overlapping,
    "members.zip": lambda: zipped({f"{n}.txt": b"a 1 2\n" for n in range(2000)}),
    "side-files.zip": lambda: zipped(
        {"m.vec": b"1 2\na 1 2\n"} | {f"m.vec.{n}": bytes(40 * MEGABYTE) for n in range(4)}
    ),
    "ngrams.bin": lambda: fasttext((b"x" * 30_000, b"two"), ngrams=(1, 10**9)),
    "short-ngrams.bin": lambda: fasttext((b"x" * MEGABYTE, b"two"), ngrams=(1, 100)),
    "negative-ngrams.bin": lambda: fasttext(ngrams=(-(2**31), 6)),
    "words.bin": lambda: fasttext(entries=2**31 - 1),
    "dimensions.bin": lambda: fasttext(dim=2**31 - 1),
    "buckets.bin": lambda: fasttext(bucket=2**31 - 1),
    "pruned.bin": lambda: fasttext(pruned=2**62),
    "matrix.bin": lambda: fasttext(rows=2**62),
    "sparse.tar": lambda: tar(navec(), **SPARSE),
    "long-name.tar": lambda: tar(navec(), type=b"L", size=1 << 35),
    "pax.tar": lambda: tar(navec(), type=b"x", size=8_000_000_000),
    "size.tar": lambda: tar(navec(), size=1 << 34),
    "link.tar": lambda: tar(navec(), type=b"2", linkname="/etc/passwd"),
    "device.tar": lambda: tar(navec(), type=b"3"),
    "bomb.tar": lambda: tar(navec(vocab=struct.pack("<I", 2) + bytes(80 * MEGABYTE))),
    "product.tar": lambda: _quantised(60_000, 60_000),
    "product.fairvec": lambda: _native_product(60_000, 60_000),
    "side.safetensors": lambda: tensors(
        vectors={"dtype": "F32", "shape": [0, 10**30], "data_offsets": [0, 0]}
    ),
    "tall-nothing.safetensors": lambda: tensors(
        vectors={"dtype": "F32", "shape": [2**62, 0], "data_offsets": [0, 0]}
    ),
    "header.safetensors": lambda: struct.pack("<Q", 90_000_000) + b"{}" + bytes(1000),
    "header.fairvec": lambda: struct.pack("<Q", 2**63) + b"{}" + bytes(1000),
    "many-digits.fairvec": lambda: native(curvature="9" * 100_000),
}


def _native_product(rows: int, width: int) -> bytes:
    keys = "\n".join(map(str, range(rows))).encode()
    ends = np.cumsum([0, 4 * width, rows, len(keys)]).tolist()
    header = {
        "__metadata__": NATIVE,
        "codebooks": {"dtype": "F32", "shape": [1, 1, width], "data_offsets": ends[0:2]},
        "codes": {"dtype": "U8", "shape": [rows, 1], "data_offsets": ends[1:3]},
        "keys": {"dtype": "U8", "shape": [len(keys)], "data_offsets": ends[2:4]},
    }
    return safetensors(header, bytes(4 * width + rows) + keys)
