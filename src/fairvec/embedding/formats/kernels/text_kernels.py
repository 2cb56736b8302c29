"""Numbers to and from lines of text, in compiled loops; importing this module imports numba.

Reading: `split_lines` finds key and values of each line, `read_values` parses the values to
float32. A value that the compiled loop cannot round for certain is left NaN, and Python's float
decides. Writing: `write_lines` writes the shortest decimal that reads back as the same float32; a
line with a number for which it is not found is written by numpy. Both use a pool of threads.
float64 is read and written by Python's float, line by line.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import pairwise
from math import floor, frexp, log10
from os import cpu_count
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError
from fairvec.core.format import pluralize
from fairvec.core.jit import jit
from fairvec.core.text import short_repr
from fairvec.embedding.formats import text as text_head
from fairvec.embedding.formats.base import FileContent, ReadOptions, Vectors
from fairvec.embedding.formats.rows import Block, GrowingMatrix, Vocabulary, refuse_empty
from fairvec.embedding.formats.text import Layout, LineBlock, line_blocks, truncation_note

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
TAB, RETURN, SPACE, PLUS, MINUS, POINT, ZERO, NINE = 9, 13, 32, 43, 45, 46, 48, 57
UPPER_E, LOWER_E = 69, 101
ONE = np.uint64(1)
KEY_START, KEY_END, VALUES_START, LINE_END, LINE = range(5)
LARGEST_EXTENDABLE = (
    2**63 - 10
) // 10  # a mantissa up to here takes one more digit without overflow
EXACT_MANTISSA, EXACT_POWER = 2**53, 22
LARGEST_POWER = 280
POWERS = np.array([float(f"1e{power}") for power in range(LARGEST_POWER + 1)])
JUST_BELOW, JUST_ABOVE = 1 - 2.0**-50, 1 + 2.0**-50

Result = TypeVar("Result")
MOST_THREADS = 8
DIGITS_AND_GAPS = b"0123456789+-.eE \t"


def read_lines(path: Path, layout: Layout, options: ReadOptions) -> FileContent:
    """Read every line, keep those of `options.words`, and check the number of rows promised."""
    reader = _TextReader(path, layout, options)
    with ThreadPoolExecutor(min(cpu_count() or 1, MOST_THREADS)) as pool:
        for block in line_blocks(path, layout.offset, options.progress):
            reader.read_block(block, pool)
    return reader.finish()


class _TextReader:
    """The state of one file while it is read."""

    def __init__(self, path: Path, layout: Layout, options: ReadOptions) -> None:
        self.path, self.layout = path, layout
        self.vocabulary = Vocabulary(options)
        rows = layout.expected_rows
        self.matrix = GrowingMatrix(
            rows if options.words is None else min(rows, len(options.words)),
            layout.columns,
            layout.dtype,
        )
        self.next_line = 1 if layout.promised_rows is None else 2
        self.rows = 0

    def read_block(self, block: LineBlock, pool: Executor) -> None:
        """Read the lines of a block: all are counted, those of `options.words` are kept."""
        array, columns = block.array, self.layout.columns
        places = np.empty((len(block.starts), 5), dtype=np.int64)
        places[:, LINE] = np.arange(len(places))
        _run_in_parts(
            pool,
            len(places),
            lambda part: split_lines(
                array, block.starts[part], block.ends[part], columns, places[part]
            ),
        )
        places = places[places[:, KEY_START] >= 0]
        self._refuse_wrong_number_of_values(block, places)
        self.rows += len(places)
        spans = zip(places[:, KEY_START].tolist(), places[:, KEY_END].tolist(), strict=True)
        chosen = self.vocabulary.admit(
            [block.buffer[start:end] for start, end in spans],
            lambda position: self._where(places[position]),
        )
        places = places[chosen]
        vectors = self.matrix.next_rows(len(places))
        if vectors.dtype == np.float64:
            unsettled = [self._read_float64(block, places, vectors)]
        else:
            unsettled = _run_in_parts(
                pool,
                len(places),
                lambda part: read_values(array, places[part], vectors[part]),
            )
        if any(unsettled):
            self._settle(block, places, vectors)
        self.next_line += len(block.starts)

    def finish(self) -> FileContent:
        """Return what was read, if the header is right."""
        promised = self.layout.promised_rows
        if promised is not None and promised != self.rows:
            vectors = "vector" if promised == 1 else "vectors"
            raise FileFormatError(
                f"{self.path.name} promises {promised:,} {vectors} on its first line but holds "
                f"{self.rows:,}; fetch it again if it was cut off, or correct the first line."
            )
        refuse_empty(self.path, self.rows, self.layout.columns)
        notes = self.vocabulary.notes | truncation_note(self.path, self._numbers_on)
        return FileContent(self.vocabulary.keys, self.matrix.finish(), self.rows, notes)

    def _numbers_on(self, line: str) -> list[str]:
        """Return the numbers of a line; none of a header, or of an incomplete line."""
        texts = line.strip("\r").replace("\t", " ").split(" ")
        numbers = [text for text in texts if text]
        return numbers[-self.layout.columns :] if len(numbers) > self.layout.columns else []

    def _where(self, place: NDArray[np.int64]) -> str:
        return f"{self.path.name}, line {self.next_line + int(place[LINE])}"

    def _refuse_wrong_number_of_values(self, block: LineBlock, places: NDArray[np.int64]) -> None:
        wrong = places[places[:, KEY_END] < 0]
        if len(wrong):
            line = block.line(int(wrong[0, LINE]))
            fields = text_head.fields(line)
            key = fields[0].decode("utf-8", "replace")
            if text_head.holds_vector(fields[: -self.layout.columns], self.layout.columns):
                raise FileFormatError(
                    f"{self._where(wrong[0])} ({short_repr(key, 40)}) holds the numbers of more "
                    "than one word: line breaks were lost; fetch the file again or, if its lines "
                    "end in carriage returns alone, run \"tr '\\r' '\\n'\" on it."
                )
            source = (
                "most lines have" if self.layout.promised_rows is None else "the header promises"
            )
            # A file that is cut off ends in a line that is too short.
            count = text_head.count_values(line)
            cut = count < self.layout.columns and wrong[0, LINE] == places[-1, LINE]
            remedy = "fetch the file again if it was cut off there, or " if cut else ""
            raise FileFormatError(
                f"{self._where(wrong[0])} ({short_repr(key, 40)}) ends in "
                f"{pluralize(count, 'number')} where {source} {self.layout.columns}; {remedy}"
                "correct or remove that line."
            )

    def _read_float64(
        self, block: LineBlock, places: NDArray[np.int64], vectors: NDArray[np.float64]
    ) -> int:
        """Read the values of each line by Python's float; return how many lines are left NaN."""
        unsettled = 0
        for row, (start, end) in enumerate(places[:, [VALUES_START, LINE_END]].tolist()):
            values = bytes(block.buffer[start:end])
            try:
                # Python's float also reads 1_000, nan and numbers in other blanks.
                good = not values.translate(None, DIGITS_AND_GAPS)
                vectors[row] = [float(text) for text in values.split()] if good else np.nan
            except ValueError:
                vectors[row] = np.nan
            unsettled += not np.isfinite(vectors[row]).all()
        return unsettled

    def _settle(self, block: LineBlock, places: NDArray[np.int64], vectors: NDArray[Any]) -> None:
        """Let Python read each value that was left NaN, or refuse it."""
        for row in np.flatnonzero(~np.isfinite(vectors).all(axis=1)):
            values = block.buffer[places[row, VALUES_START] : places[row, LINE_END]]
            texts = text_head.fields(bytes(values))
            for column in np.flatnonzero(~np.isfinite(vectors[row])):
                with np.errstate(over="ignore"):
                    number = text_head.NUMBER.fullmatch(texts[column])
                    vectors[row, column] = float(texts[column]) if number else np.nan
                if not np.isfinite(vectors[row, column]):
                    text = texts[column].decode("utf-8", "replace")
                    spelt_out = text_head.NOT_FINITE.fullmatch(texts[column])
                    reason = "" if spelt_out else f" that {vectors.dtype} holds"
                    raise FileFormatError(
                        f"{self._where(places[row])}, value {column + 1}: "
                        f"{short_repr(text, 40)} is not a finite number{reason}; correct or "
                        "remove that line."
                    )


def _run_in_parts(pool: Executor, length: int, work: Callable[[slice], Result]) -> list[Result]:
    """Call `work` on equal parts of 0..length, one per thread."""
    cuts = np.linspace(0, length, min(cpu_count() or 1, MOST_THREADS) + 1).astype(int).tolist()
    return list(pool.map(work, (slice(start, stop) for start, stop in pairwise(cuts))))


@jit()
def _separates(byte: int) -> bool:
    return byte in (SPACE, TAB)


@jit()
def split_lines(
    block: Bytes, starts: Places, ends: Places, dimensions: int, places: Places
) -> None:
    """Find key and values of each line: the LAST `dimensions` fields are the values.

    `places` gets a row per line (see KEY_START ...); KEY_START is -1 where the line is blank, and
    KEY_END is -1 where the number of values is wrong, or the key holds another vector.
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
        gaps = _count_gaps(block[start:end])
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
        if gaps < dimensions or (
            gaps > dimensions
            and (
                _ends_in_number(block, key_start, key_end)
                or _holds_vector(block, key_start, key_end, dimensions)
            )
        ):
            places[line, KEY_END] = -1


@jit()
def _count_gaps(line: Bytes) -> int:
    """Count the gaps that a field follows; without branches, so that it is vectorised."""
    gaps = 0
    for here in range(len(line) - 1):
        gaps += _separates(line[here]) & (not _separates(line[here + 1]))
    return gaps


@jit()
def _first_gap(block: Bytes, here: int) -> tuple[int, int]:
    """Return where the first gap starts and ends."""
    while not _separates(block[here]):
        here += 1
    start = here
    while _separates(block[here]):
        here += 1
    return start, here


@jit()
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


@jit()
def _ends_in_number(block: Bytes, start: int, end: int) -> bool:
    """Say whether a key of several fields ends in a number: the line has a value too many."""
    last = end
    while last > start and not _separates(block[last - 1]):
        last -= 1
    if last == start:
        return False
    value, after = _number(block, last)
    return after == end and not np.isnan(value)


@jit()
def _holds_vector(block: Bytes, start: int, end: int, dimensions: int) -> bool:
    """Say in compiled code what `text.holds_vector` says of a key."""
    here, run = _first_gap(block, start)[1], 0
    while here < end:
        stop = here
        while stop < end and not _separates(block[stop]):
            if block[stop] == RETURN:
                return True
            stop += 1
        value, after = _number(block, here)
        run = run + 1 if after == stop and not np.isnan(value) else 0
        if run >= dimensions - 1 > 1:
            return True
        here = stop
        while here < end and _separates(block[here]):
            here += 1
    return False


@jit()
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


@jit()
def _number(block: Bytes, here: int) -> tuple[np.float32, int]:
    """Return the number that starts at `here` (NaN if undecided) and the place after it."""
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
        readable = here > start and exponent < LARGEST_EXTENDABLE and dropped == 0
        power += -exponent if downwards else exponent
    value = _scaled(mantissa, power) if readable else np.float32(np.nan)
    return -value if negative else value, here


@jit()
def _digits(block: Bytes, here: int, number: int, dropped: int) -> tuple[int, int, Any]:
    """Append the digits from `here` on to `number`, counting those that no longer fit."""
    place = np.uint64(here)  # an unsigned index needs no check for a negative one
    while ZERO <= block[place] <= NINE:
        if number <= LARGEST_EXTENDABLE:
            number = number * 10 + (block[place] - ZERO)
        else:
            dropped += 1
        place += ONE
    return number, dropped, np.int64(place)


@jit()
def _scaled(mantissa: int, power: int) -> np.float32:
    """Return mantissa x 10^power, or NaN where the nearest float32 is uncertain."""
    if mantissa == 0:
        return np.float32(0)
    if not -LARGEST_POWER <= power <= LARGEST_POWER:
        return np.float32(np.nan)
    scaled = mantissa * POWERS[power] if power >= 0 else mantissa / POWERS[-power]
    if mantissa <= EXACT_MANTISSA and -EXACT_POWER <= power <= EXACT_POWER:
        return np.float32(scaled)
    below, above = np.float32(scaled * JUST_BELOW), np.float32(scaled * JUST_ABOVE)
    return below if below == above else np.float32(np.nan)


NEWLINE = 10
LONGEST_VALUE = 24
"""A space and a float32 take at most 20 bytes."""
UNSETTLED = -1
TEN = np.uint64(10)  # dividing unsigned numbers is several times faster
FEWEST_DIGITS, MOST_DIGITS = 6, 9
SMALLEST_NORMAL = 2.0**-126
FIXED_FROM, FIXED_BELOW = -4, 16
"""Powers of ten between which numbers are written without an exponent, as Python does."""


@jit()
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


@jit()
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


@jit()
def _shortest(value: np.float32) -> tuple[np.uint64, int]:
    """Return digits and power of ten of the shortest decimal; digits are 0 if it is not found."""
    wide = np.float64(value)
    top = floor(log10(wide))
    is_power_of_two = frexp(wide)[0] == 0.5  # float32 are half as far apart below as above
    fewest = FEWEST_DIGITS if wide >= SMALLEST_NORMAL else 1
    for length in range(fewest, MOST_DIGITS + 1):
        power = top + 1 - length
        scaled = wide * POWERS[-power] if power <= 0 else wide / POWERS[power]
        nearest = np.rint(scaled)
        for digits in (nearest, nearest + 1):
            back = digits / POWERS[-power] if power <= 0 else digits * POWERS[power]
            if np.float32(back * JUST_BELOW) == value == np.float32(back * JUST_ABOVE):
                return np.uint64(digits), power
            if not is_power_of_two:
                break
    return np.uint64(0), 0


@jit()
def _write_fixed(digits: np.uint64, length: int, power: int, text: Bytes, here: int) -> int:
    """Write the digits with a point among, before or after them, and zeros to reach it."""
    integer_digits = length + power
    if integer_digits <= 0:
        here = _write_zeros(1, text, here)
        text[here] = POINT
        here = _write_zeros(-integer_digits, text, here + 1)
        return _write_digits(digits, length, text, here)
    if power >= 0:
        here = _write_digits(digits, length, text, here)
        here = _write_zeros(power, text, here)
        text[here] = POINT
        return _write_zeros(1, text, here + 1)
    _write_digits(digits, length, text, here + 1)
    for place in range(here, here + integer_digits):
        text[place] = text[place + 1]
    text[here + integer_digits] = POINT
    return here + length + 1


@jit()
def _write_scientific(digits: np.uint64, length: int, exponent: int, text: Bytes, here: int) -> int:
    after = _write_digits(digits, length, text, here + 1)
    text[here] = text[here + 1]
    text[here + 1] = POINT
    here = after if length > 1 else here + 1
    text[here] = LOWER_E
    text[here + 1] = MINUS if exponent < 0 else PLUS
    return _write_digits(np.uint64(abs(exponent)), 2, text, here + 2)


@jit()
def _write_digits(digits: np.uint64, length: int, text: Bytes, here: int) -> int:
    for place in range(here + length - 1, here - 1, -1):
        text[place] = ZERO + np.int64(digits % TEN)
        digits //= TEN
    return here + length


@jit()
def _write_zeros(count: int, text: Bytes, here: int) -> int:
    for place in range(here, here + count):
        text[place] = ZERO
    return here + count


def format_lines(blocks: Iterable[Block], *, mark_float64: bool = False) -> Iterator[bytes]:
    """Yield the lines of each block in order, while the next blocks are being formatted.

    `mark_float64` has the first line tell the reader that the numbers are float64.
    """
    threads = min(cpu_count() or 1, MOST_THREADS)
    pending: deque[Future[bytes]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for block in blocks:
            pending.append(pool.submit(_format_block, block, mark_float64))
            mark_float64 = False
            if len(pending) > threads:
                yield pending.popleft().result()
        for future in pending:
            yield future.result()


def _format_block(block: Block, mark_float64: bool) -> bytes:
    keys = [key.encode() for key in block.keys]
    if block.vectors.dtype.itemsize > 4:
        lines = [*map(_format_line, keys, block.vectors.astype(np.float64, copy=False))]
        first = [repr(number) for number in block.vectors[0].tolist()]
        if mark_float64 and text_head.float_type(first) is np.float32:
            first[0] = f"{float(first[0]):.{text_head.DECIMALS_OF_NO_FLOAT}e}"
            lines[0] = b"%b %b\n" % (keys[0], " ".join(first).encode())
        return b"".join(lines)
    # Every float16 is a float32, and is read back as one.
    return _format_float32(keys, block.vectors.astype(np.float32, copy=False))


def _format_float32(keys: Sequence[bytes], vectors: NDArray[np.float32]) -> bytes:
    joined = np.frombuffer(b"".join(keys), dtype=np.uint8)
    key_ends = np.cumsum(np.fromiter(map(len, keys), np.int64, len(keys)))
    room = len(joined) + vectors.size * LONGEST_VALUE + len(keys)
    text, line_ends = np.empty(room, dtype=np.uint8), np.empty(len(keys), dtype=np.int64)
    length = write_lines(joined, key_ends, vectors, text, line_ends)
    written = text[:length].tobytes()
    if (line_ends != UNSETTLED).all():
        return written
    pieces, start = [], 0
    for key, vector, end in zip(keys, vectors, line_ends.tolist(), strict=True):
        if end == UNSETTLED:
            pieces.append(_format_line(key, vector))
        else:
            pieces.append(written[start:end])
            start = end
    return b"".join(pieces)


def _format_line(key: bytes, vector: Vectors) -> bytes:
    return b"%b %b\n" % (key, " ".join(map(_format_number, vector)).encode())


def _format_number(value: np.float32 | np.float64) -> str:
    """Return the shortest decimal, or a longer one that readers through float64 get right too."""
    exact = float(value)
    if isinstance(value, np.float64):
        return repr(exact)
    short = np.format_float_scientific(value)
    return short if np.float32(float(short)) == value else repr(exact)
