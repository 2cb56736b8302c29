"""Compiled loops that write numbers; importing this file imports numba.

The shortest decimal of a float32 has one to nine digits. For a growing number of digits, the
nearest decimal m / 10^k is computed in float64, off by less than 2^-50 of itself; it is taken when
it rounds to the same float32 over all of that error, so never when it lies half-way between two. A
normal float32 has at most one decimal of six digits or fewer, so the search starts at six and drops
the zeros at the end.
"""

from math import floor, frexp, log10

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.text_lines.reading_kernels import (
    JUST_ABOVE,
    JUST_BELOW,
    LOWER_E,
    MINUS,
    PLUS,
    POINT,
    POWERS,
    SPACE,
    ZERO,
    Bytes,
    Places,
)
from fairvec.ground.machine.compiled import compiled

NEWLINE = 10
LONGEST_VALUE = 24
"""A space and a float32 take at most 20 bytes."""
UNSETTLED = -1
TEN = np.uint64(10)  # dividing unsigned numbers is several times faster
FEWEST_DIGITS, MOST_DIGITS = 6, 9
SMALLEST_NORMAL = 2.0**-126
FIXED_FROM, FIXED_BELOW = -4, 16
"""Powers of ten between which numbers are written without an exponent, as Python does."""


@compiled()
def write_lines(
    keys: Bytes, key_ends: Places, vectors: NDArray[np.float32], text: Bytes, line_ends: Places
) -> int:
    """Write a line per key and return the length of all; an UNSETTLED line is left out."""
    here, key_start = 0, 0
    for row in range(len(vectors)):
        start = here
        for place in range(key_start, key_ends[row]):
            text[here] = keys[place]
            here += 1
        key_start = key_ends[row]
        for column in range(vectors.shape[1]):
            text[here] = SPACE
            here = _write_number(vectors[row, column], text, here + 1)
            if here == UNSETTLED:
                break
        line_ends[row] = here
        if here == UNSETTLED:
            here = start
        else:
            text[here] = NEWLINE
            here += 1
            line_ends[row] = here
    return here


@compiled()
def _write_number(value: np.float32, text: Bytes, here: int) -> int:
    if np.copysign(np.float32(1), value) < 0:
        text[here] = MINUS
        here += 1
    digits, power = np.uint64(0), 0
    if value != 0:
        digits, power = _shortest(np.abs(value))
        if digits == 0:
            return UNSETTLED
        while digits % TEN == 0:
            digits //= TEN
            power += 1
    length = 1
    while length <= MOST_DIGITS and digits >= POWERS[length]:
        length += 1
    exponent = length - 1 + power
    if FIXED_FROM <= exponent < FIXED_BELOW:
        return _write_fixed(digits, length, power, text, here)
    return _write_scientific(digits, length, exponent, text, here)


@compiled()
def _shortest(value: np.float32) -> tuple[np.uint64, int]:
    """Return digits and power of ten of the shortest decimal; digits are 0 if it is not found."""
    wide = np.float64(value)
    top = floor(log10(wide))
    on_the_edge = frexp(wide)[0] == 0.5  # float32 are half as far apart below as above
    fewest = FEWEST_DIGITS if wide >= SMALLEST_NORMAL else 1
    for length in range(fewest, MOST_DIGITS + 1):
        power = top + 1 - length
        scaled = wide * POWERS[-power] if power <= 0 else wide / POWERS[power]
        nearest = np.rint(scaled)
        for digits in (nearest, nearest + 1):
            back = digits / POWERS[-power] if power <= 0 else digits * POWERS[power]
            if np.float32(back * JUST_BELOW) == value == np.float32(back * JUST_ABOVE):
                return np.uint64(digits), power
            if not on_the_edge:
                break
    return np.uint64(0), 0


@compiled()
def _write_fixed(digits: np.uint64, length: int, power: int, text: Bytes, here: int) -> int:
    """Write the digits with a point among, before or after them, and zeros to reach it."""
    whole = length + power
    if whole <= 0:
        here = _write_zeros(1, text, here)
        text[here] = POINT
        here = _write_zeros(-whole, text, here + 1)
        return _write_digits(digits, length, text, here)
    if power >= 0:
        here = _write_digits(digits, length, text, here)
        here = _write_zeros(power, text, here)
        text[here] = POINT
        return _write_zeros(1, text, here + 1)
    _write_digits(digits, length, text, here + 1)
    for place in range(here, here + whole):
        text[place] = text[place + 1]
    text[here + whole] = POINT
    return here + length + 1


@compiled()
def _write_scientific(digits: np.uint64, length: int, exponent: int, text: Bytes, here: int) -> int:
    after = _write_digits(digits, length, text, here + 1)
    text[here] = text[here + 1]
    text[here + 1] = POINT
    here = after if length > 1 else here + 1
    text[here] = LOWER_E
    text[here + 1] = MINUS if exponent < 0 else PLUS
    return _write_digits(np.uint64(abs(exponent)), 2, text, here + 2)


@compiled()
def _write_digits(digits: np.uint64, length: int, text: Bytes, here: int) -> int:
    for place in range(here + length - 1, here - 1, -1):
        text[place] = ZERO + np.int64(digits % TEN)
        digits //= TEN
    return here + length


@compiled()
def _write_zeros(count: int, text: Bytes, here: int) -> int:
    for place in range(here, here + count):
        text[place] = ZERO
    return here + count
