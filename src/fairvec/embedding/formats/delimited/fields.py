"""The fields of a line: what stands between separators, in quotation marks or without."""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

NUMBER = re.compile(r"[ ]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ ]*")
NOT_FINITE = re.compile(r"[ ]*[+-]?(nan|inf|infinity)[ ]*", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[ ]*[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?[ ]*")
WHOLE = re.compile(r"[+-]?[0-9]+")
TOLD_APART = re.compile(r"-0|[+-]?0[0-9]+")
"""What no whole number is written like, and what is left of -0,5 or 0,05 cut at its comma."""
TITLES_OF_WORDS = ("word", "words", "key", "keys", "token", "tokens", "term", "terms")
TITLES = (*TITLES_OF_WORDS, "", "index", "unnamed: 0")
TITLES_OF_COUNTS = (
    *("count", "counts", "freq", "frequency", "rank", "id"),
    *("index", "level_0", "unnamed: 0"),
)
LONGEST_WORD, MOST_BREAKS = 1 << 16, 64
"""No word is longer, or has more line breaks, each of which is looked at again from its start."""
SURELY_COUNTED = 4
"""So many whole numbers in a row count columns and are no vector."""


def is_number(text: str) -> bool:
    """Say whether a field is a number, be it NaN or infinity, which is refused later."""
    return bool(NUMBER.fullmatch(text) or NOT_FINITE.fullmatch(text))


def records(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that is not blank, and its fields.

    A word in quotation marks may hold separators and line breaks. A mark that opens and never
    closes on a line of numbers is a word of its own, as naive writers leave it.
    """
    held, began, breaks = "", 0, 0
    for number, line in enumerate(lines, start=1):
        if not held and '"' not in line:
            bare = line.rstrip("\r\n")
            if bare.strip():
                yield number, bare.split(separator)
            continue
        held, began, breaks = held + line, began or number, breaks + 1
        short = len(held) < LONGEST_WORD and breaks <= MOST_BREAKS
        # Only a mark can close a word.
        fields = _quoted(held, separator) if '"' in line else None
        if fields is None and short and not _is_bare(line, held, separator):
            continue
        yield began, held.rstrip("\r\n").split(separator) if fields is None else fields
        held, began, breaks = "", 0, 0
    if held:
        yield began, held.rstrip("\r\n").split(separator)


def _quoted(text: str, separator: str) -> list[str] | None:
    """Return the fields of a text whose quotation marks close, or None."""
    try:
        found = list(csv.reader([text], delimiter=separator, strict=True))
    except csv.Error:
        return None
    return found[0] if len(found) == 1 else None


def _is_bare(line: str, held: str, separator: str) -> bool:
    """Say whether a quotation mark is a word: its line is whole without reading it as a mark."""
    word, *values = line.rstrip("\r\n").split(separator)
    return line == held and len(values) > 1 and bool(word) and all(map(is_number, values))


def no_dimension(title: str) -> bool:
    """Say whether a column is called as counts and row numbers are, which are no coordinates."""
    return title.strip().lower() in TITLES_OF_COUNTS


def is_header(fields: list[str]) -> bool:
    """Say whether a line names the columns: no number in it, or they are counted 0, 1, 2 ..."""
    title, values = fields[0], fields[1:]
    if not any(is_number(value) or DECIMAL_COMMA.fullmatch(value) for value in values):
        return True
    if not all(value.isascii() and value.isdigit() and len(value) < 9 for value in values):
        return False
    counted = [int(value) for value in values]
    in_order = counted[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(counted))
    return in_order and (title.strip().lower() in TITLES or len(counted) >= SURELY_COUNTED)


def cut_at_commas(values: Iterable[str]) -> bool:
    """Say whether numbers look like decimals whose comma was taken for a separator."""
    texts = [value.strip() for value in values]
    return all(map(WHOLE.fullmatch, texts)) and any(map(TOLD_APART.fullmatch, texts))
