"""The .npy files that gensim puts beside a model, checked before they are mapped into memory."""

from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.npz_file.array_header import MALFORMED, announced
from fairvec.embedding.formats.pickles.safe_pickle import reason_of
from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.errors import FileFormatError


def side_array(side: Path, model: str) -> NDArray[Any]:
    """Return the array of floats in a file beside a model, mapped and not read."""
    try:
        return _mapped(side)
    except MALFORMED as error:
        raise FileFormatError(
            f"{side.name}, a part of {model}, is not a whole .npy file ({reason_of(error)}); "
            "copy or download it again."
        ) from error


def _mapped(side: Path) -> NDArray[Any]:
    # A pipe in its place would never answer.
    if not is_file(side):
        raise ValueError("it is no file")
    with side.open("rb") as file:
        shape, dtype = announced(file)
        begins = file.tell()
    if dtype.kind != "f":
        raise ValueError("it does not hold floats")
    if not all(type(length) is int and length >= 0 for length in shape):
        raise ValueError("its shape is none of an array")
    needed, there = begins + dtype.itemsize * prod(shape), side.stat().st_size
    if there != needed:
        raise ValueError(f"it has {there} bytes")
    if there == begins:
        return np.empty(shape, dtype)
    array: NDArray[Any] = np.load(side, mmap_mode="r", allow_pickle=False)
    return array
