"""Text whose last line has no line break: it may be cut off inside its last number.

Every writer ends its lines, and some honest files lack the last break all the same; so that alone
is said and no more. A file is suspected where the last number is also shorter than its numbers are:
as few decimals, digits or digits of the exponent as one in 300 has, or fewer decimals than 99
others that all have as many. If the last number is like any other of an honest file, it is
suspected in one case of a hundred at the most: 1/300 for each of the three, or 1/100 where only
decimals count.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairvec.embedding.embedding import Embedding

LONGEST_SHOWN = 40
LOOKED_AT = 1 << 16
"""So many bytes at the beginning and at the end of a file are looked at."""
RARE, FEWEST_ALIKE = 1 / 300, 99
UNENDED, SUSPECTED = "last_line_break", "last_number"
"""What the history says: that the last break is missing, and what is odd about the last number."""
PARTS = re.compile(r"[+-]?([0-9]*)(?:(\.)([0-9]*))?(?:[eE][+-]?([0-9]+))?")


class Written(NamedTuple):
    """How a number is written; without a point it has -1 decimals, without an exponent 9 digits."""

    decimals: int
    digits: int
    exponent: int


def written(text: str) -> Written | None:
    """Return how many decimals, digits after leading zeros and digits of an exponent there are."""
    found = PARTS.fullmatch(text)
    if found is None:
        return None
    whole, point, rest, exponent = found.groups(default="")
    digits = len((whole + rest).lstrip("0"))
    return Written(len(rest) if point else -1, digits, len(exponent) or 9)


def oddity(last: str, others: Sequence[str]) -> str:
    """Say in what the last number falls short of the others; nothing where it does not.

    Zero is written with few digits everywhere, and numbers of few digits are as honest as they are
    common: what counts is the share of others that are as short.
    """
    seen = written(last)
    known = [how for each in others if (how := written(each)) is not None]
    if seen is None or not known:
        return ""
    for name, mine, theirs in (
        ("decimals", seen.decimals, [how.decimals for how in known]),
        ("digits", seen.digits, [how.digits for how in known]),
        ("digits of its exponent", seen.exponent, [how.exponent for how in known]),
    ):
        as_short = sum(count <= mine for count in theirs)
        alike = len(known) >= FEWEST_ALIKE and len(set(theirs)) == 1 and not as_short
        if (alike and name == "decimals") or (as_short + 1) / (len(known) + 1) <= RARE:
            some = f"{as_short:,}" if as_short else "none"
            return (
                f"the last, {_shown(last)}, has {max(mine, 0)} {name}, where {some} of "
                f"{len(known):,} others has so few"
            )
    return ""


def said_of_ending(path: Path, numbers_on: Callable[[str], Sequence[str]]) -> dict[str, Any]:
    """Return what the history says of the end of a text file: nothing where its last line is ended.

    `numbers_on` gives the numbers of a line.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(LOOKED_AT)
        file.seek(max(0, size - LOOKED_AT))
        tail = file.read(LOOKED_AT)
    if not tail.rstrip(b" \t") or tail.rstrip(b" \t")[-1:] in b"\r\n":
        return {}
    lines = [line.decode("utf-8", "replace") for line in head.split(b"\n")[:-1]]
    *before, last = (line.decode("utf-8", "replace") for line in tail.split(b"\n"))
    if size > LOOKED_AT:
        lines += before[1:]
    mine = numbers_on(last)
    if not mine:
        return {UNENDED: "missing"}
    odd = oddity(mine[-1], [*mine[:-1], *(each for line in lines for each in numbers_on(line))])
    return {UNENDED: f"missing after {_shown(mine[-1])}"} | ({SUSPECTED: odd} if odd else {})


def _shown(number: str) -> str:
    return number if len(number) <= LONGEST_SHOWN else f"{number[:LONGEST_SHOWN]}..."


def remark_on_ending(embedding: Embedding) -> str:
    """Say aloud that a file which was just read may be cut off; nothing of one that is ended."""
    details = embedding.history[-1].details if embedding.history else {}
    if SUSPECTED in details:
        return (
            f"{embedding.name} may be cut off inside its last number: its last line has no line "
            f"break, and of its numbers {details[SUSPECTED]}; compare its size with the "
            "original's, or fetch it again."
        )
    if UNENDED in details:
        return (
            f"The last line break of {embedding.name} is {details[UNENDED]}: if it was not written "
            "so, it is cut off there; compare its size with the original's."
        )
    return ""
