"""Mutations that know nothing of the file: flips, cuts, splices and numbers put in place."""

from collections.abc import Sequence
from random import Random
from typing import Literal

from fuzz.mutations.odd_values import odd_integer


def of_bytes(data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """Return the bytes with one change, and what it was."""
    if not data:
        return random.randbytes(8), "8 random bytes"
    at = random.randrange(len(data))
    end = min(len(data), at + random.choice((1, 2, 4, 8, 64, 1024)))
    way = random.randrange(9)
    if way == 0:
        return _replace_at(data, at, bytes([data[at] ^ 1 << random.randrange(8)])), f"bit at {at}"
    if way == 1:
        return _replace_at(data, at, random.randbytes(random.choice((1, 2, 4)))), f"bytes at {at}"
    if way == 2:
        return data[:at], f"cut at {at}"
    if way == 3:
        return data[:at] + data[end:], f"{at}:{end} left out"
    if way == 4:
        times = random.choice((2, 2, 3, 100))
        return data[:at] + data[at:end] * times + data[end:], f"{at}:{end} {times} times"
    if way == 5 and others:
        other = random.choice(others)
        start = random.randrange(len(other) + 1)
        return data[:at] + other[start:], f"spliced at {at}"
    if way == 6:
        return data[:at] + random.randbytes(random.choice((1, 4, 32))) + data[at:], f"more at {at}"
    width = random.choice((1, 2, 4, 8))
    order: Literal["little", "big"] = random.choice(("little", "big"))
    number = odd_integer(random) % (1 << 8 * width)
    # The first bytes are where sizes stand.
    at = random.randrange(min(len(data), 64)) if random.random() < 0.5 else at
    return _replace_at(
        data, at, number.to_bytes(width, order)
    ), f"{number} ({order} {width}) at {at}"


def _replace_at(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]
