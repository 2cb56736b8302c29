"""The tokens and sentences of a line of text, by simple rules that hold in every script."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_JOINED_BY = "'’\\-‐‑"
_JOINERS = "\u200c\u200d"
# Beyond the first plane letters come in blocks, and pictures have one of their own: two ranges are
# near enough there, and hundreds would make the search ten times slower.
_BEYOND = "\U00010000-\U0001efff\U00020000-\U0003ffff"

# Possessive, and only from the first stop of several: a million dots in a row are read in one go.
_END = re.compile(r"(?<![.!?…।॥])[.!?…।॥]++[\"'”’»)\]]*+\s++")
_NO_END = re.compile(r"(?:^|[\W_])(?:[^\W\d_]|Dr|Mr|Mrs|Ms|Prof|St|डॉ)$")


@cache
def token_pattern() -> re.Pattern[str]:
    r"""Return what finds the tokens: letters, their marks and digits, joined by - and ' within.

    Not \w, which knows no marks and cuts कि into क and a vowel sign. Joiners (ZWJ, ZWNJ) within a
    word change its look alone.
    """
    return re.compile(f"[{_letters()}]+(?:(?:[{_JOINED_BY}]|[{_JOINERS}]++)[{_letters()}]+)*")


@cache
def _letters() -> str:
    """Return letters, marks and numbers as what stands within the brackets of a pattern."""
    wanted = [unicodedata.category(chr(code))[0] in "LMN" for code in range(0x10000)]
    ends = [code for code in range(0x10000) if wanted[code] != (code > 0 and wanted[code - 1])]
    ranges = zip(ends[::2], ends[1::2], strict=True)
    return "".join(f"{chr(start)}-{chr(end - 1)}" for start, end in ranges) + _BEYOND


def sentences_of(line: str) -> Iterator[str]:
    """Give the sentences of a line, without the space around them."""
    for start, end in sentence_spans(line):
        yield line[start:end]


def sentence_spans(line: str) -> Iterator[tuple[int, int]]:
    """Give where each sentence of a line starts and ends: a stop, its closing quotes and a space.

    Not before a small letter (approx. five), and a full stop not after an initial or a title (J.
    Smith, Dr. Rao).
    """
    end = len(line.rstrip())
    start = len(line) - len(line.lstrip())
    for stop in _END.finditer(line, start, end):
        if line[stop.end()].islower():
            continue
        if stop.group()[0] == "." and _NO_END.search(line, max(0, stop.start() - 6), stop.start()):
            continue
        yield start, start + len(line[start : stop.end()].rstrip())
        start = stop.end()
    if start < end:
        yield start, end
