"""Embeddings as text: a line per key, the key first, then its numbers.

word2vec and fastText (.vec) begin with a header "rows columns"; GloVe has none, and its keys may
contain spaces, so the LAST fields of a line are the numbers. A file whose last line has no line
break may be cut off inside its last number, which is noted in the history. Numbers are read as
float32, but as float64 where the first lines show that float32 would round them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError
from fairvec.core.format import setting_hint
from fairvec.core.io.atomic_files import Progress
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    HEAD_BYTES,
    FileContent,
    ReadOptions,
    WritableFormat,
    WriteOptions,
    open_compressed,
)
from fairvec.embedding.formats.rows import UNENDED_LIST, blocks, refuse_empty

Kind = Literal["word2vec-text", "word2vec-binary", "glove-text"]
FloatType = type[np.float32] | type[np.float64]

BOM = b"\xef\xbb\xbf"
HEADER = re.compile(rb"[ \t]*(\d+)[ \t]+(\d+)[ \t\r]*\n")


class Header(NamedTuple):
    """The first line of a word2vec file, and where the second begins."""

    rows: int
    columns: int
    length: int


def parse_header(head: bytes) -> Header | None:
    """Return the line "rows columns" that a word2vec file begins with, if it is there."""
    start = len(BOM) if head.startswith(BOM) else 0
    match = HEADER.match(head, start)
    # More digits than this no file can hold, and Python refuses to read thousands of them.
    if match is None or max(len(match[1]), len(match[2])) > 18:
        return None
    return Header(int(match[1]), int(match[2]), match.end())


GAP = re.compile(rb"[ \t]+")


def fields(line: bytes) -> list[bytes]:
    """Split at spaces and tabs only: other Unicode spaces are part of a key."""
    stripped = line.strip(b" \t\r\n")
    return GAP.split(stripped) if stripped else []


NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
"""Without ambiguity: else a field of a million digits and a letter takes quadratic time."""
NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def count_values(line: bytes) -> int:
    """Count the numbers that end a line, of which the first field is always the key."""
    count = 0
    for field in reversed(fields(line)[1:]):
        if not (NUMBER.fullmatch(field) or NOT_FINITE.fullmatch(field)):
            break
        count += 1
    return count


def holds_vector(key: Sequence[bytes], columns: int) -> bool:
    """Say whether the fields of a key hold numbers in a row as a vector before its own does.

    Where a line break was lost, the last of these may be one field with the next word. Two numbers
    a line are too few to tell, as a word may hold one, unless a carriage return stands in it.
    """
    run = 0
    for field in key[1:]:
        if b"\r" in field:
            return True
        run = run + 1 if NUMBER.fullmatch(field) else 0
        if run >= columns - 1 > 1:
            return True
    return False


def usual_value_count(lines: list[bytes]) -> int:
    """Return how many numbers end most lines."""
    counts = Counter(count_values(line) for line in lines if fields(line))
    return counts.most_common(1)[0][0] if counts else 0


def complete_lines(head: bytes) -> list[bytes]:
    """Return the complete lines of `head`; of a very long first line, what there is."""
    body = head.removeprefix(BOM)
    end = body.rfind(b"\n")
    return (body[: end + 1] if end >= 0 else body).split(b"\n")


CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def line_format(head: bytes) -> Kind | None:
    """Return which of the line-based formats begins like this, if any does."""
    found = parse_header(head)
    if found is not None:
        return "word2vec-binary" if _is_binary(head[found.length :], found) else "word2vec-text"
    if CONTROL_BYTES.search(head):
        return None
    # A single number after each key is a list of counts, not an embedding.
    return "glove-text" if usual_value_count(complete_lines(head)) >= 2 else None


def _is_binary(body: bytes, found: Header) -> bool:
    """Say whether the first record is a key and raw floats, not a line of numbers."""
    line = body.split(b"\n", 1)[0]
    if count_values(line) >= min(found.columns, 8):
        return False
    start = body.find(b" ") + 1
    vector = body[start : start + 4 * found.columns]
    return CONTROL_BYTES.search(vector) is not None or not _is_utf8(vector)


def _is_utf8(data: bytes) -> bool:
    """Say whether bytes are UTF-8 up to a character that the cut may have split."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 3
    return True


@dataclass(frozen=True)
class Layout:
    """How many numbers a line has, how many rows to expect, where lines begin, and the dtype."""

    columns: int
    promised_rows: int | None
    expected_rows: int
    offset: int
    dtype: FloatType


@dataclass(frozen=True)
class TextFormat(WritableFormat):
    """Lines of numbers, with the line "rows columns" before them or without."""

    name: Kind
    suffixes: tuple[str, ...]
    header: bool
    holds: str
    impossible_key: Pattern[str]
    compressible = True
    keeps = frozenset({"float64"})

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the head is text of this kind."""
        return line_format(head) == self.name

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file block by block on all cores."""
        # Imported here: the kernels import numba, which other formats do not need.
        from fairvec.embedding.formats.kernels.text_kernels import read_lines

        return read_lines(path, self._layout(path), options)

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write line after line, blocks of them at a time on all cores."""
        # Imported here: the kernels import numba, which other formats do not need.
        from fairvec.embedding.formats.kernels.text_kernels import format_lines

        if not self.header and embedding.dimensions == 1:
            raise FileFormatError(
                f"{path.name}: {self.name} with one number per key would be taken for a list of "
                "counts; choose .fairvec or .vec."
            )
        for key in embedding.keys if not self.header else ():
            if " " in key and holds_vector(key.encode().split(b" "), embedding.dimensions):
                raise FileFormatError(
                    f"{path.name}: {short_repr(key, 40)}, written as {self.name}, would be taken "
                    "for the lines of several words; choose .fairvec."
                )
        with open_compressed(path) as file:
            if self.header:
                file.write(b"%d %d\n" % embedding.vectors.shape)
            lines = format_lines(
                blocks(embedding, path, options.progress), mark_float64=has_float64(embedding)
            )
            for line in lines:
                file.write(line)

    def _layout(self, path: Path) -> Layout:
        size = path.stat().st_size
        with path.open("rb") as file:
            # The header and the first vector, however long, and some more.
            head = file.readline(BLOCK_BYTES) + file.readline(BLOCK_BYTES) + file.read(HEAD_BYTES)
        if not head.removeprefix(BOM).strip():
            raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
        if not self.header:
            lines = complete_lines(head)
            columns = usual_value_count(lines)
            if not columns:
                raise FileFormatError(
                    f"{path.name} is not an embedding in text form: no line ends in numbers; "
                    "name the right file, or its format with format=... (--format)."
                )
            if columns == 1:
                raise FileFormatError(
                    f"{path.name} has one number per key: that is a list of counts, not an "
                    "embedding; name the file with the vectors."
                )
            offset = len(BOM) if head.startswith(BOM) else 0
            likely = size * sum(map(bool, map(bytes.strip, lines))) // len(head) + 1
            rows = min(likely, _max_rows(size, columns))
            return Layout(columns, None, rows, offset, _dtype(lines, columns))
        found = parse_header(head)
        if found is None:
            raise FileFormatError(
                f"{path.name} does not begin with the line 'rows columns' of word2vec's text "
                "format; add that line, or read the file with "
                f"{setting_hint('format', 'glove-text')}."
            )
        refuse_empty(path, found.rows, found.columns)
        # The file bounds the rows, whatever the header says.
        rows = min(found.rows, _max_rows(size, found.columns))
        dtype = _dtype(complete_lines(head[found.length :]), found.columns)
        return Layout(found.columns, found.rows, rows, found.length, dtype)


DIGITS = re.compile(r"[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE][+-]?[0-9]+)?")
DIGITS_OF_FLOAT32 = 9
"""So many digits tell each float32 from all others."""
DECIMALS_OF_NO_FLOAT = 20
"""More decimals than programs write of a float: `format_lines` marks a file of float64 by them."""


def float_type(numbers: Iterable[str]) -> FloatType:
    """Return float64 where one of the numbers is written so, float32 else.

    A number is a float64 if it has more digits than float32 needs and no float32 is equal to it,
    or if it has DECIMALS_OF_NO_FLOAT.
    """
    for text in numbers:
        found = DIGITS.fullmatch(text) if len(text) > DIGITS_OF_FLOAT32 else None
        if found is None:
            continue
        whole, rest = found.groups(default="")
        long = len((whole + rest).strip("0")) > DIGITS_OF_FLOAT32
        if len(rest) >= DECIMALS_OF_NO_FLOAT or (long and not is_float32(np.array(float(text)))):
            return np.float64
    return np.float32


def is_float32(numbers: NDArray[np.floating[Any]]) -> bool:
    """Say whether each number is equal to a float32."""
    with np.errstate(over="ignore"):
        return bool((numbers.astype(np.float32) == numbers).all())


def _dtype(lines: list[bytes], columns: int) -> FloatType:
    texts = (text for line in lines for text in fields(line)[-columns:])
    return float_type(text.decode("ascii", "replace") for text in texts)


def _max_rows(size: int, columns: int) -> int:
    """Return how many lines fit into a file: a number takes a digit and a space or line break."""
    return (size + 1) // (2 * columns)


WORD2VEC_TEXT = TextFormat(
    "word2vec-text",
    (".vec", ".w2v"),
    header=True,
    holds="keys of at least one character without spaces and control characters",
    impossible_key=re.compile(rf"^\Z|[\x00-\x20\x7f]|{HALF_CHARACTERS}"),
)

NUMBER_IN_KEY = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)"
# A key may hold spaces, but then its last part must not look like the first number of the vector.
GLOVE_TEXT = TextFormat(
    "glove-text",
    (".txt", ".glove"),
    header=False,
    holds="keys without control characters, with spaces only inside and not before a number",
    impossible_key=re.compile(
        rf"^\Z|^[ \ufeff]| \Z|[\x00-\x1f\x7f]|{HALF_CHARACTERS}| ({NUMBER_IN_KEY})\Z",
        re.IGNORECASE,
    ),
)

BLOCK_BYTES = 1 << 24
NEWLINE = 10
MOST_LINES = 1 << 18
"""The most lines of a block: the offsets of an empty line take more memory than the line."""


@dataclass(frozen=True)
class LineBlock:
    """Complete lines, each ending at a newline byte; valid until the next block is read."""

    buffer: bytearray
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def array(self) -> NDArray[np.uint8]:
        """The same bytes for compiled code."""
        return np.frombuffer(self.buffer, dtype=np.uint8)

    def line(self, index: int) -> bytes:
        """Return the bytes of one line."""
        return bytes(self.buffer[self.starts[index] : self.ends[index]])


def line_blocks(
    path: Path, offset: int, progress: Progress | None, size: int = BLOCK_BYTES
) -> Iterator[LineBlock]:
    """Yield the lines from `offset` on, in one reused buffer; a missing last newline is added."""
    total = path.stat().st_size
    buffer = bytearray(min(size, total) + 1)
    memory, array = memoryview(buffer), np.frombuffer(buffer, dtype=np.uint8)
    carried = 0
    with path.open("rb", buffering=0) as file:
        file.seek(offset)
        while True:
            # The last byte stays free for the newline that the file may lack.
            stop = carried + (count := file.readinto(memory[carried:-1]) or 0)
            if not count:
                if carried:
                    memory[stop] = NEWLINE
                    yield LineBlock(buffer, np.array([0]), np.array([stop]))
                return
            ends = np.flatnonzero(array[:stop] == NEWLINE)
            if not len(ends) and stop == len(memory) - 1 and stop < total:
                raise FileFormatError(
                    f"{path.name} has a line longer than {stop:,} bytes, so it is not an embedding "
                    "in text form; name its format with format=... (--format)."
                )
            if len(ends):
                rest = 0
                for first in range(0, len(ends), MOST_LINES):
                    block_ends = ends[first : first + MOST_LINES]
                    yield LineBlock(
                        buffer, np.concatenate([[rest], block_ends[:-1] + 1]), block_ends
                    )
                    rest = int(block_ends[-1]) + 1
                carried = stop - rest
                memory[:carried] = memory[rest:stop]
            else:
                carried = stop
            if progress is not None:
                progress(file.tell(), total)


def has_float64(embedding: Embedding) -> bool:
    """Say whether some number is no float32, so that a file must be read as float64."""
    return embedding.vectors.dtype.itemsize > 4 and not all(
        is_float32(block.vectors) for block in blocks(embedding)
    )


UNENDED = "last_line_break"
"""A detail in the history: after which number the last line break is missing."""
UNCLOSED = "unclosed_quotation_mark"
"""A detail in the history: the first line of a table whose quotation mark is taken as a letter."""
TAIL_BYTES = 1 << 16
"""How many bytes at the end of a file are looked at."""
LONGEST_SHOWN = 40


def truncation_note(path: Path, numbers_on: Callable[[str], Sequence[str]]) -> dict[str, Any]:
    """Return notes on a text file whose last line has no line break; none where it has one.

    `numbers_on` returns the numbers of a line.
    """
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        tail = file.read(TAIL_BYTES).rstrip(b" \t")
    if not tail or tail[-1:] in b"\r\n":
        return {}
    numbers = numbers_on(tail.rpartition(b"\n")[2].decode("utf-8", "replace"))
    if not numbers:
        return {UNENDED: "missing"}
    last = numbers[-1]
    shown = last if len(last) <= LONGEST_SHOWN else f"{last[:LONGEST_SHOWN]}..."
    return {UNENDED: f"missing after {shown}"}


def remark_on_damage(embedding: Embedding) -> str:
    """Return the warning that a file just read may be cut off or damaged; empty where it is not."""
    details = embedding.history[-1].details if embedding.history else {}
    if UNENDED in details:
        return (
            f"The last line break of {embedding.name} is {details[UNENDED]}: if it was not written "
            "so, it is cut off there; compare its size with the original's."
        )
    if UNENDED_LIST in details:
        return (
            f"The last line break of {details['vocabulary']} is {details[UNENDED_LIST]}: if it was "
            "not written so, its last word is cut off; compare its size with the original's."
        )
    if UNCLOSED in details:
        return (
            f"{embedding.name} has a quotation mark that is never closed, on line "
            f"{details[UNCLOSED]}: it was taken as a letter of the word; write the word in "
            "quotation marks, or fetch the file again if it is damaged there."
        )
    return ""
