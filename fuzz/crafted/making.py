"""Small tools for those who write attacks."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from fuzz.cases import Files


def main_file(make: Callable[[], bytes]) -> Callable[[Files, str], Files]:
    """Put these bytes in the place of the file that is read."""
    return lambda honest, main: {**honest, main: make()}


def content(data: bytes) -> Callable[[Files, str], Files]:
    """Put these bytes in the place of the file that is read."""
    return lambda honest, main: {**honest, main: data}


def arguments(*given: str) -> Callable[[Files, str], Files]:
    """Call a command so."""
    return lambda honest, main: {**honest, main: json.dumps(given).encode()}


def header(shape: str, descr: str = "'<f4'", *, closing: str = "}") -> bytes:
    """Return the head of a .npy file with a shape and a type as they are written."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}{closing}".encode(
        "latin-1"
    )
    text += b" " * (-(10 + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def zipped(members: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of some files, always with the same date."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = how
            archive.writestr(info, data)
    return buffer.getvalue()


def tensors(described: Mapping[str, Any], data: bytes = b"") -> bytes:
    """Return a safetensors file with a header as it is said."""
    text = json.dumps(described).encode()
    return len(text).to_bytes(8, "little") + text + data


def with_metadata(file: bytes, **changes: Any) -> bytes:
    """Return a safetensors file whose metadata says something else; a text is put in as it is."""
    length = int.from_bytes(file[:8], "little")
    described = json.loads(file[8 : 8 + length])
    for name, value in changes.items():
        described["__metadata__"][name] = value if isinstance(value, str) else json.dumps(value)
    return tensors(described, file[8 + length :])
