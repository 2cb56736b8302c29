"""How much memory is allowed: sizes as people write and read them."""

import re

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown

LETTERS = ("", "k", "m", "g", "t")
UNITS = {
    "": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate(LETTERS)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate(LETTERS) if letter},
}
MOST = 2**60
"""No machine has an exabyte."""


def bytes_of(size: str) -> int:
    """Return the bytes in a size such as 500MB, 1.5 GB (thousands) or 2GiB (1024s)."""
    found = re.fullmatch(r"\s*([0-9]{1,18}(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*", size, re.ASCII)
    unit = UNITS.get(found[2].lower()) if found else None
    count = float(found[1]) * unit if found and unit else 0.0
    # What no machine addresses is a slip of the hand, or more digits than a number has.
    if not 1 <= count < MOST:
        raise SettingError(f"{shown(size)} is no size of memory; say it like 500MB, 1.5GB or 2GiB.")
    return int(count)


def in_words(count: int) -> str:
    """Return a number of bytes as people say it."""
    if count >= 1e9:
        return f"{count / 1e9:,.1f} GB"
    kilobytes = max(1, round(count / 1e3))
    return f"{kilobytes} kB" if kilobytes < 1000 else f"{round(count / 1e6):,} MB"
