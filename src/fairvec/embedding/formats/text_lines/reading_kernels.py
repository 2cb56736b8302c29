"""Compiled loops over the bytes of a text file; importing this file imports numba.

A number is read as digits and a power of ten. It is exact when the digits fit 53 bits and the power
is at most 22; otherwise the product is off by less than 2^-50 of itself, which settles the float32
unless that error straddles two of them. What is not settled, or not a number, becomes NaN and is
left to the caller, so every other value equals float32(float(text)).

All loops live in this one file, because numba's cache of machine code watches only the file of the
function that is called.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.machine.compiled import compiled

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

TAB, RETURN, SPACE, PLUS, MINUS, POINT, ZERO, NINE = 9, 13, 32, 43, 45, 46, 48, 57
UPPER_E, LOWER_E = 69, 101
ONE = np.uint64(1)
KEY_START, KEY_END, VALUES_START, LINE_END, LINE = range(5)

ROOMY = (2**63 - 10) // 10  # a mantissa up to here takes one more digit without overflow
EXACT_MANTISSA, EXACT_POWER = 2**53, 22
LARGEST_POWER = 280
POWERS = np.array([float(f"1e{power}") for power in range(LARGEST_POWER + 1)])
JUST_BELOW, JUST_ABOVE = 1 - 2.0**-50, 1 + 2.0**-50


@compiled()
def _separates(byte: int) -> bool:
    return byte in (SPACE, TAB)


@compiled()
def split_lines(
    block: Bytes, starts: Places, ends: Places, dimensions: int, places: Places
) -> None:
    """Find key and values of each line: the LAST `dimensions` fields are the values.

    `places` gets a row per line (see KEY_START ...); KEY_START is -1 where the line is blank, and
    KEY_END is -1 where the number of values is wrong.
    """
    for line in range(len(starts)):
        start, end = starts[line], ends[line]
        while end > start and (_separates(block[end - 1]) or block[end - 1] == RETURN):
            end -= 1
        places[line, LINE_END] = end
        if end == start:
            places[line, KEY_START] = -1
            continue
        indented = _separates(block[start])
        gaps = _gaps(block[start:end])
        if not indented and gaps == dimensions:
            key_end, first = _first_gap(block, start)
        else:
            key_end, first = _gap_before(block, start, end, dimensions)
        key_start = start
        while key_start < key_end and _separates(block[key_start]):
            key_start += 1
        places[line, KEY_START] = key_start
        places[line, KEY_END] = key_end
        places[line, VALUES_START] = first
        if gaps < dimensions or (gaps > dimensions and _ends_in_number(block, key_start, key_end)):
            places[line, KEY_END] = -1


@compiled()
def _gaps(line: Bytes) -> int:
    """Count the gaps that a field follows; without branches, it compiles to wide steps."""
    gaps = 0
    for here in range(len(line) - 1):
        gaps += _separates(line[here]) & (not _separates(line[here + 1]))
    return gaps


@compiled()
def _first_gap(block: Bytes, here: int) -> tuple[int, int]:
    """Return where the first gap starts and ends."""
    while not _separates(block[here]):
        here += 1
    start = here
    while _separates(block[here]):
        here += 1
    return start, here


@compiled()
def _gap_before(block: Bytes, start: int, end: int, fields: int) -> tuple[int, int]:
    """Return where the gap before the last `fields` fields starts and ends."""
    first = here = end
    while fields > 0 and here > start:
        while here > start and not _separates(block[here - 1]):
            here -= 1
        first, fields = here, fields - 1
        while here > start and _separates(block[here - 1]):
            here -= 1
    return here, first


@compiled()
def _ends_in_number(block: Bytes, start: int, end: int) -> bool:
    """Say whether a key of several fields ends in a number: then it is a value too many."""
    last = end
    while last > start and not _separates(block[last - 1]):
        last -= 1
    if last == start:
        return False
    value, after = _number(block, last)
    return after == end and not np.isnan(value)


@compiled()
def read_values(block: Bytes, places: Places, vectors: NDArray[np.float32]) -> int:
    """Read the values of each line into a row of `vectors`; return how many are not finite."""
    unsettled = 0
    for row in range(len(places)):
        here, end = places[row, VALUES_START], places[row, LINE_END]
        for column in range(vectors.shape[1]):
            value, here = _number(block, here)
            if here < end and not _separates(block[here]):
                value = np.float32(np.nan)
                while here < end and not _separates(block[here]):
                    here += 1
            while here < end and _separates(block[here]):
                here += 1
            vectors[row, column] = value
            if not np.isfinite(value):
                unsettled += 1
    return unsettled


@compiled()
def _number(block: Bytes, here: int) -> tuple[np.float32, int]:
    """Return the number that starts at `here` (NaN if unsettled) and the place after it."""
    negative = block[here] == MINUS
    if negative or block[here] == PLUS:
        here += 1
    start = here
    mantissa, dropped, here = _digits(block, here, 0, 0)
    count, power = here - start, dropped
    if block[here] == POINT:
        start = here + 1
        mantissa, dropped, here = _digits(block, start, mantissa, dropped)
        count += here - start
        power = dropped - (here - start)
    readable = count > 0
    if readable and (block[here] == LOWER_E or block[here] == UPPER_E):
        downwards = block[here + 1] == MINUS
        start = here + (2 if downwards or block[here + 1] == PLUS else 1)
        exponent, dropped, here = _digits(block, start, 0, 0)
        readable = here > start and exponent < ROOMY and dropped == 0
        power += -exponent if downwards else exponent
    value = _scaled(mantissa, power) if readable else np.float32(np.nan)
    return -value if negative else value, here


@compiled()
def _digits(block: Bytes, here: int, number: int, dropped: int) -> tuple[int, int, Any]:
    """Append the digits from `here` on to `number`, counting those that no longer fit."""
    place = np.uint64(here)  # an unsigned index spares the check for a negative one
    while ZERO <= block[place] <= NINE:
        if number <= ROOMY:
            number = number * 10 + (block[place] - ZERO)
        else:
            dropped += 1
        place += ONE
    return number, dropped, np.int64(place)


@compiled()
def _scaled(mantissa: int, power: int) -> np.float32:
    """Return mantissa x 10^power, or NaN where two float32 are too near to choose from here."""
    if mantissa == 0:
        return np.float32(0)
    if not -LARGEST_POWER <= power <= LARGEST_POWER:
        return np.float32(np.nan)
    scaled = mantissa * POWERS[power] if power >= 0 else mantissa / POWERS[-power]
    if mantissa <= EXACT_MANTISSA and -EXACT_POWER <= power <= EXACT_POWER:
        return np.float32(scaled)
    below, above = np.float32(scaled * JUST_BELOW), np.float32(scaled * JUST_ABOVE)
    return below if below == above else np.float32(np.nan)
