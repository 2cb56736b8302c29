"""Pieces of which crafted files are made."""

import gzip
import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

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
