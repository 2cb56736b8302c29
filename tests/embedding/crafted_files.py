"""Files made by hand to ask for more than they hold, or to be what no reader expects."""

import gzip
import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

# --- Pieces of which crafted files are made ---


MEGABYTE = 1_000_000


def npy(head: str | bytes, body: bytes = b"") -> bytes:
    """Return an array of numpy with any head."""
    text = head.encode("latin-1") if isinstance(head, str) else head
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


def head(descr: str, shape: object) -> str:
    return f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}"


def array(values: Any) -> bytes:
    held = io.BytesIO()
    np.save(held, np.asarray(values))
    return held.getvalue()


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method, compresslevel=1) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return held.getvalue()


def npz(words: bytes, vectors: bytes | None = None, **more: bytes) -> bytes:
    vectors = array(np.eye(2, dtype=np.float32)) if vectors is None else vectors
    members = {"words": words, "vectors": vectors, **more}
    return zipped({f"{name}.npy": content for name, content in members.items()})


def safetensors(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def tensors(metadata: Any = None, **entries: Any) -> bytes:
    """Return a safetensors file with two good vectors, and what is put over them."""
    good = {
        "vectors": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
        "keys": {"dtype": "U8", "shape": [3], "data_offsets": [16, 19]},
    }
    header = {"__metadata__": {} if metadata is None else metadata} | good | entries
    return safetensors(header, np.eye(2, dtype="<f4").tobytes() + b"a\nb")


NATIVE = {"fairvec": "1", "name": "m", "geometry": "euclidean", "curvature": "0.0"}


def native(**metadata: Any) -> bytes:
    return tensors(NATIVE | metadata)


def history(**details: Any) -> bytes:
    return native(history=json.dumps([{"action": "debias", "details": details}]))


def fasttext(
    words: tuple[bytes, ...] = (b"one", b"two"),
    *,
    dim: int = 4,
    bucket: int = 3,
    ngrams: tuple[int, int] = (3, 6),
    entries: int | None = None,
    labels: int = 0,
    pruned: int = -1,
    rows: int | None = None,
) -> bytes:
    """Return a fastText model with any of its sizes forged."""
    count = len(words) if entries is None else entries
    settings = (dim, 5, 5, 1, 5, 1, 2, 2, bucket, *ngrams, 100)
    content = struct.pack("<2i12id", 793712314, 12, *settings, 1e-4)
    content += struct.pack("<3i2q", count, count, labels, 100, pruned)
    for word in words:
        content += word + b"\0" + struct.pack("<qb", 5, 0)
    real = len(words) + 3
    content += struct.pack("<?2q", False, real if rows is None else rows, dim)
    return content + np.zeros(real * 4, "<f4").tobytes()


def navec(
    pq: bytes | None = None, vocab: bytes | None = None, meta: bytes = b'{"id": "x", "protocol": 1}'
) -> dict[str, bytes]:
    words = struct.pack("<3I", 2, 5, 5) + b"a\nb"
    quantised = struct.pack("<4I", 2, 4, 2, 1) + bytes(4) + bytes(16)
    return {
        "meta.json": meta,
        "vocab.bin": gzip.compress(words if vocab is None else vocab, 1),
        "pq.bin": quantised if pq is None else pq,
    }


def tar(members: Mapping[str, bytes], **changes: Any) -> bytes:
    """Return a tar file; `changes` are made in the head of its last member, sizes left forged."""
    held = io.BytesIO()
    for place, (name, content) in enumerate(members.items()):
        info = tarfile.TarInfo(name)
        info.size = len(content)
        if place == len(members) - 1:
            for field, value in changes.items():
                setattr(info, field, value)
        held.write(info.tobuf(tarfile.GNU_FORMAT))
        held.write(content + bytes(-len(content) % 512))
    return held.getvalue() + bytes(1024)


# --- Files of kilobytes that ask for gigabytes ---


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


# --- Files that are small and wrong, in ways that no honest writer is ---


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
