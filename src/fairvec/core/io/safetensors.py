"""The layout of a safetensors file: u64 header length, JSON header, then the tensors' bytes.

The header is checked against the size of the file before anything is mapped; tensors are views
of one read-only memory map, so that opening a file costs no more than its header.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import Progress, atomic_path
from fairvec.core.io.mapped_arrays import release_pages
from fairvec.core.io.read_files import require_regular_file
from fairvec.core.parsing import parse_json
from fairvec.core.text import escape_surrogates, join_names, short_repr

LENGTH_BYTES = 8
_MAX_HEADER = 100_000_000
"""The limit that the reference implementation sets."""
ALIGNMENT = 64
BLOCK_BYTES = 1 << 24
DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "U8": "|u1", "I64": "<i8"}
ITEM_BYTES = {code: np.dtype(dtype).itemsize for code, dtype in DTYPES.items()}
CODES = {np.dtype(dtype): code for code, dtype in DTYPES.items()}
_MAX_DIMENSIONS, _MAX_ELEMENTS = 32, 2**59
"""Dimensions and elements that numpy supports in every version and for every type."""
MALFORMED = (ValueError, TypeError, KeyError, AttributeError)


class TensorEntry(NamedTuple):
    """Where one tensor lies, counted from the first byte after the header."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True)
class TensorFile:
    """The header of a safetensors file, and the file's bytes as a memory map."""

    path: Path
    entries: Mapping[str, TensorEntry]
    metadata: Mapping[str, str]
    content: NDArray[np.uint8]

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def tensor(self, name: str) -> NDArray[Any]:
        """Return a tensor as a read-only view of the file."""
        if name not in self.entries:
            raise FileFormatError(
                f"{self.path.name} has no tensor named {short_repr(name)}, only "
                f"{_first_names(self.entries)}; write the file again."
            )
        entry = self.entries[name]
        if entry.dtype not in DTYPES:
            raise FileFormatError(
                f"{self.path.name} stores {short_repr(name)[1:-1]} as "
                f"{short_repr(entry.dtype)[1:-1]}, which fairvec does not read; save it as F32."
            )
        dtype = np.dtype(DTYPES[entry.dtype])
        return self.content[entry.start : entry.end].view(dtype).reshape(entry.shape)


def looks_like_safetensors(head: bytes) -> bool:
    """Return whether a file begins with a plausible header length and a JSON object."""
    length = int.from_bytes(head[:LENGTH_BYTES], "little")
    return head[LENGTH_BYTES : LENGTH_BYTES + 1] == b"{" and 2 <= length <= _MAX_HEADER


def header_contains(path: Path, text: bytes) -> bool:
    """Return whether the header of a safetensors file contains some bytes, without parsing it."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(LENGTH_BYTES), "little")
        return length <= _MAX_HEADER and text in file.read(length)


def open_tensors(path: Path) -> TensorFile:
    """Read the header and map the rest, after checking every offset against the file's size."""
    require_regular_file(path, FileFormatError)
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(LENGTH_BYTES), "little")
        if size < LENGTH_BYTES or length > min(size - LENGTH_BYTES, _MAX_HEADER):
            raise FileFormatError(
                f"{path.name} is {size} bytes long, too short for the header of {length} bytes "
                "that it announces; copy or download it again."
            )
        header = file.read(length)
    start = LENGTH_BYTES + length
    try:
        descriptions = parse_json(header)
        metadata = dict(descriptions.pop("__metadata__", {}).items())
        if not all(isinstance(text, str) for text in metadata.values()):
            raise ValueError("its metadata are not all text")
        entries = {name: _parse_entry(entry, size - start) for name, entry in descriptions.items()}
        _check_overlap(entries)
    except MALFORMED as error:
        raise FileFormatError(
            f"{path.name} has a damaged header ({error}); copy or download it again."
        ) from error
    content = np.asarray(np.memmap(path, np.uint8, mode="r"))[start:]
    return TensorFile(path, entries, metadata, content)


def _parse_entry(description: dict[str, Any], available: int) -> TensorEntry:
    dtype, shape = str(description["dtype"]), tuple(description["shape"])
    start, end = description["data_offsets"]
    if {*map(type, numbers := (*shape, start, end))} != {int} or min(numbers) < 0:
        raise ValueError("shapes and offsets must be whole numbers")
    if not start <= end <= available:
        raise ValueError(f"a tensor lies at {start} to {end}, outside the {available} bytes")
    # Before the sides are multiplied: a million of them would take hours.
    if len(shape) > _MAX_DIMENSIONS:
        raise ValueError(f"a tensor has {len(shape):,} dimensions, as no array has")
    if dtype in DTYPES and end - start != prod(shape) * ITEM_BYTES[dtype]:
        tensor = f"a tensor of shape {short_repr(shape)} and type {dtype}"
        raise ValueError(f"{tensor} takes {end - start} bytes")
    # Next to a side of length zero another may be larger than any array.
    if prod(filter(None, shape)) > _MAX_ELEMENTS:
        raise ValueError(f"a tensor of shape {short_repr(shape)} is larger than any array")
    return TensorEntry(dtype, shape, start, end)


def _first_names(entries: Mapping[str, TensorEntry]) -> str:
    return join_names(sorted(entries))


def _check_overlap(entries: Mapping[str, TensorEntry]) -> None:
    """Raise where two tensors share bytes, by which a short file could unpack to any size."""
    places = sorted((entry.start, entry.end) for entry in entries.values())
    for (_, end), (start, _) in pairwise(places):
        if start < end:
            raise ValueError(f"two tensors share the bytes {start} to {end}")


def write_tensors(
    path: Path,
    tensors: Mapping[str, NDArray[Any]],
    metadata: Mapping[str, str],
    progress: Progress | None = None,
) -> None:
    """Write a safetensors file whole or not at all; wide elements come first, to stay aligned."""
    ordered = sorted(tensors.items(), key=lambda item: -item[1].itemsize)
    # A lone surrogate, as in a file name that is not UTF-8, must not fail the save at its end.
    header: dict[str, Any] = {
        "__metadata__": {name: escape_surrogates(text) for name, text in metadata.items()}
    }
    end = 0
    for name, tensor in ordered:
        start, end = end, end + tensor.nbytes
        header[name] = {
            "dtype": CODES[tensor.dtype],
            "shape": tensor.shape,
            "data_offsets": [start, end],
        }
    # Lone surrogates are written as JSON escapes them.
    text = json.dumps(header, ensure_ascii=False).encode("utf-8", "backslashreplace")
    text += b" " * (-(LENGTH_BYTES + len(text)) % ALIGNMENT)
    done = 0
    with atomic_path(path) as draft, draft.open("wb") as file:
        file.write(len(text).to_bytes(LENGTH_BYTES, "little"))
        file.write(text)
        for _, tensor in ordered:
            # In blocks, because a matrix that is not contiguous would be copied as a whole.
            rows = max(1, BLOCK_BYTES // max(1, tensor[:1].nbytes))
            for start in range(0, len(tensor), rows):
                block = np.ascontiguousarray(tensor[start : start + rows])
                done += file.write(block.data)
                release_pages(block)
                if progress is not None:
                    progress(done, end)
