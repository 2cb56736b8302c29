"""A short text for a value of a stranger, however deep, large or odd the value is."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, time
from numbers import Integral, Real
from reprlib import Repr
from typing import Any

from fairvec.ground.text.enumerations import first_of

LONGEST, LONGEST_BITS = 100, 128
LONGEST_TEXT = 60
LONGEST_NAME = 200
_NAME = re.compile(rf"(\S{{{LONGEST_NAME}}})\S{{{LONGEST_NAME},}}")
"""What is twice as long as a name may be, and would hide the sentence it stands in."""
MOST_NAMED = 12
"""How many names of a stranger's list a message repeats."""


class _Short(Repr):
    """Plain values as Python writes them, cut short; of anything else the name of its type."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.maxlevel, self.maxstring = 3, most

    def repr_str(self, x: str, level: int) -> str:
        return repr(x if len(x) <= self.maxstring else f"{x[: self.maxstring]}...")

    def repr_int(self, x: int, level: int) -> str:
        return str(x) if x.bit_length() <= LONGEST_BITS else "a huge number"

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, bool):
            return repr(x)
        if isinstance(x, date | time):
            return str(x)
        if isinstance(x, bytes):
            return repr(x[: self.maxstring])
        with suppress(OverflowError, ValueError):  # a fraction may be beyond every float
            if isinstance(x, Integral):
                return self.repr_int(int(x), level)
            if isinstance(x, Real):
                return repr(float(x))
        return f"<{type(x).__name__}>"


def shown(value: Any, most: int = LONGEST_TEXT) -> str:
    """Return a value as Python writes it, on one line and as far as that is short.

    Of a text `most` letters are repeated, in quotation marks; control characters, half characters
    and what turns text around are shown by their numbers. Of an object only its type is named,
    for what it says of itself is a stranger's too.
    """
    if isinstance(value, str):
        return _Short(most).repr_str(str(value), 0)
    said = _Short(most).repr(value)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}..."


def few_named(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return the first names of a stranger's list, each as far as it is short; none if none is.

    They stand without quotation marks: a, b, c and 400 more.
    """
    first = [shown(name)[1:-1] for name in names[:most]]
    return first_of([*first, *names[most:]], most) or "none"


def short_names(sentence: str) -> str:
    """Return a sentence in which names of hundreds of letters are cut short."""
    return _NAME.sub(r"\1...", sentence)
