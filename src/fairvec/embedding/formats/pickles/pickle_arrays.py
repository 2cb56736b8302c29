"""Arrays inside a pickle, built from checked sizes instead of by numpy's own unpickling.

numpy believes the flags and lengths that a pickle gives it, so a forged element type can turn
bytes into pointers. Here an array is made only of numbers, of text or of objects that the pickle
has already built, and only when its content is exactly as long as its shape asks for.
"""

import re
from math import prod
from pickle import UnpicklingError
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.pickles.allowance import ENTRY_BYTES, charge
from fairvec.ground.text.shown_values import shown

ELEMENTS = re.compile(r"[<>|=]?(b1|[iu][1248]|f(2|4|8|16)|c(8|16)|[SU][1-9]\d{0,6}|O[48]?)")
"""The element types that are rebuilt; records, dates and raw bytes are never part of a model."""

MOST_SIDES, LONGEST_SIDE, LAST_LETTER, LONG_NAME = 64, 2**62, 0x10FFFF, 64


class Dtype:
    """An element type; a pickle may set its byte order and nothing else."""

    __slots__ = ("dtype",)

    def __init__(self, name: Any, align: Any = False, copy: Any = False) -> None:
        if not ELEMENTS.fullmatch(text(name)):
            raise UnpicklingError(
                f"arrays of type {shown(text(name), 40)} hold neither numbers nor text"
            )
        self.dtype: np.dtype[Any] = np.dtype(text(name))

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or not 5 <= len(state) <= 10:
            raise UnpicklingError("an array has no proper type")
        _, order, subarray, names, fields, *_ = state
        if not (subarray is None and names is None and fields is None):
            raise UnpicklingError("arrays of records hold neither numbers nor text")
        self.dtype = self.dtype.newbyteorder(cast(Literal["<", ">", "|", "="], text(order)))


class Array:
    """An array, empty until its state is set."""

    __slots__ = ("value",)

    def __init__(self, *_: Any) -> None:
        self.value: NDArray[Any] = np.empty(0)

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or not 4 <= len(state) <= 5:
            raise UnpicklingError("an array has no proper state")
        shape, dtype, fortran, content = state[-4:]
        self.value = _filled(content, dtype, shape, "F" if fortran in (1, True) else "C")


def from_buffer(content: Any, dtype: Any, shape: Any, order: Any, *_: Any) -> Array:
    """Stand for numpy's _frombuffer, by which protocol 5 writes arrays."""
    made = Array()
    made.value = _filled(content, dtype, shape, text(order))
    return made


def scalar(dtype: Any, content: Any = b"") -> Any:
    """Stand for numpy's scalar; the result is a plain Python number or text."""
    if not isinstance(dtype, Dtype) or dtype.dtype.kind not in "biufSU":
        raise UnpicklingError("a single value is neither a number nor text")
    found = _filled(content, dtype, (), "C")
    charge(len(content))
    # As a key each of a thousand extended floats would hash as the same plain one.
    return float(found) if dtype.dtype.kind == "f" else found.item()


def _filled(content: Any, dtype: Any, shape: Any, order: str) -> NDArray[Any]:
    """Return an array over `content`, whose length must be exactly what the shape asks for."""
    if not (isinstance(dtype, Dtype) and isinstance(shape, tuple) and order in ("C", "F")):
        raise UnpicklingError("an array has no proper type, shape and order")
    if len(shape) > MOST_SIDES or not all(
        isinstance(side, int) and 0 <= side <= LONGEST_SIDE for side in shape
    ):
        raise UnpicklingError("an array has a shape that no array has")
    size = 1 if dtype.dtype.kind == "O" else dtype.dtype.itemsize
    if not isinstance(content, list if dtype.dtype.kind == "O" else (bytes, bytearray)):
        raise UnpicklingError("an array holds something else than its type says")
    if len(content) != prod(shape) * size:
        raise UnpicklingError(f"an array of shape {shape} has {len(content)} bytes or objects")
    layout = cast(Literal["C", "F"], order)
    if isinstance(content, bytes | bytearray):
        if dtype.dtype.kind == "U" or isinstance(content, bytearray):
            charge(len(content))  # one text may be looked through, or copied, again and again
        if dtype.dtype.kind == "U":
            _refuse_no_letters(content, dtype.dtype)
        # A pickle can still lengthen a bytearray and so move it away from under the array.
        return np.ndarray(shape, dtype.dtype, buffer=bytes(content), order=layout)
    charge(ENTRY_BYTES * len(content))
    array = np.empty(len(content), dtype=object)
    for position, item in enumerate(content):
        array[position] = item
    return array.reshape(shape, order=layout)


def _refuse_no_letters(content: bytes | bytearray, dtype: np.dtype[Any]) -> None:
    letters = np.frombuffer(content, np.dtype(np.uint32).newbyteorder(dtype.byteorder))
    if letters.max(initial=0) > LAST_LETTER:
        raise UnpicklingError("an array of text holds letters that Unicode does not have")


def text(name: Any) -> str:
    """Return a name as text; pickles of Python 2 write names as bytes."""
    if isinstance(name, bytes):
        if len(name) > LONG_NAME:
            charge(len(name))  # it is decoded each time that it is used
        return name.decode("ascii")
    if not isinstance(name, str):
        raise UnpicklingError("a name is not text")
    return name
