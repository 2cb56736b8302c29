"""A document's characters as HTML that gives back the same characters."""

from collections.abc import Sequence
from itertools import accumulate

from markupsafe import Markup, escape

BLOCK, LONG_LINE = 2_000, 8_000
"""Characters after which a block ends with its line, or within a line that goes on and on, with a
word: the browser lays out only blocks in sight."""
FEW_LINES = 150
"""The same for a text with so many notes that they would drift away from their lines."""


def as_html(text: str) -> Markup:
    """Return the text escaped; a browser would read a bare carriage return as a line feed.

    A NUL cannot stand in HTML at all and is shown as the sign for one.
    """
    return Markup(str(escape(text)).replace("\r", "&#13;").replace("\0", "␀"))  # noqa: S704  (escaped)


def block_ends(text: str, size: int = BLOCK) -> list[int]:
    """Return where blocks of at least `size` characters end, the last at the end of the text."""
    ends: list[int] = []
    done = 0
    while len(text) - done > size:
        line = text.find("\n", done + size)
        if not 0 <= line < done + LONG_LINE:
            word = text.find(" ", done + LONG_LINE)
            line = min((end for end in (line, word) if end >= 0), default=-1)
        if line < 0 or line + 1 >= len(text):
            break
        done = line + 1
        ends.append(done)
    return [*ends, len(text)] if text else []


def utf16_places(text: str) -> Sequence[int]:
    """Return each character's place as a browser counts: those above U+FFFF count twice there."""
    return (
        range(len(text) + 1)
        if text.isascii()
        else list(accumulate((1 + (letter > "\uffff") for letter in text), initial=0))
    )


def shortened_quote(text: str, most: int = 40) -> str:
    """Return the text in one line; of a long one the first words."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    head = line[:most].rpartition(" ")[0]
    return f"{head or line[:most]} …"
