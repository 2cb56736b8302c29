"""The head of a .fairvec file, for models that become one while they are fetched."""

import json
import struct
from dataclasses import dataclass
from typing import Any, Literal

WIDTHS = {"F16": 2, "F32": 4}


@dataclass(frozen=True)
class Told:
    """What the file says of its vectors; `details` are those of its making."""

    name: str
    licence: str
    origin: str
    details: dict[str, Any]


def native_head(
    shape: tuple[int, int], numbers: Literal["F16", "F32"], key_bytes: int, told: Told
) -> bytes:
    """Return the head of a safetensors file that holds the vectors and then the keys."""
    end = shape[0] * shape[1] * WIDTHS[numbers]
    about = {
        "__metadata__": {
            "fairvec": "1",
            "name": told.name,
            "geometry": "euclidean",
            "curvature": "0.0",
            "licence": told.licence,
            "origin": told.origin,
            "history": json.dumps([{"action": "convert", "details": told.details}]),
        },
        "vectors": {"dtype": numbers, "shape": shape, "data_offsets": [0, end]},
        "keys": {"dtype": "U8", "shape": [key_bytes], "data_offsets": [end, end + key_bytes]},
    }
    text = json.dumps(about).encode()
    text += b" " * (-(8 + len(text)) % 64)  # vectors that lie on cache lines are mapped fastest
    return struct.pack("<Q", len(text)) + text
