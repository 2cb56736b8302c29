"""What the first bytes of a file say about it: text or binary, with a header or without."""

import re
from collections import Counter
from typing import Literal, NamedTuple

BOM = b"\xef\xbb\xbf"
HEADER = re.compile(rb"[ \t]*(\d+)[ \t]+(\d+)[ \t\r]*\n")
GAP = re.compile(rb"[ \t]+")
NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
"""Each digit has one place in it: else a field of a million digits and a letter takes for ever."""
NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)
UNWRITABLE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

Kind = Literal["word2vec-text", "word2vec-binary", "glove-text"]


class Header(NamedTuple):
    """The first line of a word2vec file, and where the second begins."""

    rows: int
    columns: int
    length: int


def header(head: bytes) -> Header | None:
    """Return the line "rows columns" that a word2vec file begins with, if it is there."""
    start = len(BOM) if head.startswith(BOM) else 0
    match = HEADER.match(head, start)
    # More digits than this no file can hold, and Python refuses to read thousands of them.
    if match is None or max(len(match[1]), len(match[2])) > 18:
        return None
    return Header(int(match[1]), int(match[2]), match.end())


def fields(line: bytes) -> list[bytes]:
    """Split at spaces and tabs only: other Unicode spaces are part of a key."""
    stripped = line.strip(b" \t\r\n")
    return GAP.split(stripped) if stripped else []


def values_on(line: bytes) -> int:
    """Count the numbers that end a line, taking its first field for the key in any case."""
    count = 0
    for field in reversed(fields(line)[1:]):
        if not (NUMBER.fullmatch(field) or NOT_FINITE.fullmatch(field)):
            break
        count += 1
    return count


def usual_values(lines: list[bytes]) -> int:
    """Return how many numbers end most lines."""
    counts = Counter(values_on(line) for line in lines if fields(line))
    return counts.most_common(1)[0][0] if counts else 0


def whole_lines(head: bytes) -> list[bytes]:
    """Return the lines that `head` holds whole; of a very long first line, what there is."""
    body = head.removeprefix(BOM)
    end = body.rfind(b"\n")
    return (body[: end + 1] if end >= 0 else body).split(b"\n")


def kind_of(head: bytes) -> Kind | None:
    """Say which of the line-based formats begins like this, if any does."""
    found = header(head)
    if found is not None:
        return "word2vec-binary" if _is_binary(head[found.length :], found) else "word2vec-text"
    if UNWRITABLE.search(head):
        return None
    # A single number after each key is a list of counts, not an embedding.
    return "glove-text" if usual_values(whole_lines(head)) >= 2 else None


def _is_binary(body: bytes, found: Header) -> bool:
    """Say whether the first record is a key and raw floats, not a line of numbers."""
    line = body.split(b"\n", 1)[0]
    if values_on(line) >= min(found.columns, 8):
        return False
    start = body.find(b" ") + 1
    vector = body[start : start + 4 * found.columns]
    return UNWRITABLE.search(vector) is not None or not _is_utf8(vector)


def _is_utf8(cut: bytes) -> bool:
    """Say whether bytes are UTF-8 up to a character that the cut may have split."""
    try:
        cut.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(cut) - 3
    return True
