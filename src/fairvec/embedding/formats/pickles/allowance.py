"""The memory that the calls of a pickle may take while it is rebuilt, and the keys they may hash.

The walk over the instructions sees what they make; what a call copies is known when it is made.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pickle import UnpicklingError
from typing import Any

from fairvec.embedding.formats.pickles.scan_terms import MOST_FORGEABLE, MOST_WEIGHT

ITEM_BYTES, ENTRY_BYTES = 8, 80
BYTES_A_UNIT = 1024


@dataclass
class _Left:
    """What a pickle may still take; it shrinks while the pickle is rebuilt."""

    memory: int
    forgeable: int = MOST_FORGEABLE


_LEFT: ContextVar[_Left] = ContextVar("left")


@contextmanager
def allowed(memory: int) -> Iterator[None]:
    """Allow the calls of a pickle to copy so many bytes."""
    before = _LEFT.set(_Left(memory))
    try:
        yield
    finally:
        _LEFT.reset(before)


def charge(memory: int) -> None:
    """Take bytes from what is left, or refuse the pickle."""
    left = _LEFT.get()
    left.memory -= memory
    if left.memory < 0:
        raise UnpicklingError("it asks for far more memory than a file of its size holds")


def refuse_dear_keys(keys: Iterable[Any]) -> None:
    """Raise when hashing or comparing the keys could take long: they are heavy or forged alike."""
    for key in keys:
        if type(key) is str and len(key) <= BYTES_A_UNIT:
            continue
        if _weight(key, MOST_WEIGHT) > MOST_WEIGHT:
            raise UnpicklingError("one of its keys is too large")
        if isinstance(key, tuple) or (isinstance(key, int) and key.bit_length() > 64):
            left = _LEFT.get()
            left.forgeable -= 1
            if left.forgeable < 0:
                raise UnpicklingError("too many of its keys are huge numbers or tuples of numbers")


def _weight(key: Any, most: int) -> int:
    """Return how many parts are hashed with a key, or something above `most`."""
    if isinstance(key, str | bytes):
        return 1 + len(key) // BYTES_A_UNIT
    if not isinstance(key, tuple | frozenset):
        return 1
    found = 1
    for part in key:
        if found > most:
            break
        found += _weight(part, most - found)
    return found
