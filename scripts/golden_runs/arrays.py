"""Models and transforms as text: their headers, a digest and some numbers of each array."""

import json
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "u1"}
SAMPLED = 120
"""So many numbers of an array are kept, evenly spaced from the first to the last."""


def told(name: str, content: bytes) -> str:
    """Return what is kept of a binary file, one JSON record a line."""
    if name.endswith((".fairvec", ".safetensors")):
        return _safetensors(content)
    if name.endswith(".npz"):
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            return "".join(_array(key, arrays[key]) for key in arrays.files)
    return _line({"name": "bytes", "size": len(content), "sha256": sha256(content).hexdigest()})


def _safetensors(content: bytes) -> str:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    lines = [_line({"name": "header", "metadata": _opened(header.pop("__metadata__", {}))})]
    for name, about in header.items():
        start, end = (8 + length + offset for offset in about["data_offsets"])
        values = np.frombuffer(content[start:end], dtype=DTYPES[about["dtype"]])
        lines.append(_array(name, values.reshape(about["shape"])))
    return "".join(lines)


def _opened(metadata: dict[str, str]) -> dict[str, Any]:
    """Open what is JSON within JSON, so that a difference is found in its place."""
    opened: dict[str, Any] = {}
    for key, value in metadata.items():
        try:
            opened[key] = json.loads(value)
        except ValueError:
            opened[key] = value
    return opened


def _array(name: str, values: NDArray[Any]) -> str:
    record: dict[str, Any] = {"name": name, "dtype": str(values.dtype), "shape": values.shape}
    digest = sha256(np.ascontiguousarray(values).tobytes()).hexdigest()
    # Only a whole digest may differ where vectors are computed: words and counts may not.
    record["sha256"] = digest if values.dtype.kind == "f" else digest[:16]
    flat = values.ravel()
    if flat.size and values.dtype.kind in "fiu":
        exact = flat.astype(np.float64)
        record |= {"mean": float(exact.mean()), "spread": float(exact.std())}
    if values.dtype.kind == "f":
        places = np.linspace(0, flat.size - 1, min(flat.size, SAMPLED)).astype(int)
        record["sampled"] = flat[places].astype(np.float64).tolist()
    return _line(record)


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
