"""A short text for a value of a stranger's file, however deep or large the value is."""

from reprlib import Repr
from typing import Any

import numpy as np

LONGEST, LONGEST_BITS = 100, 128


class _Short(Repr):
    """Plain values as Python writes them, cut short; of anything else the name of its type."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring = 3, 40

    def repr_int(self, x: int, level: int) -> str:
        return str(x) if x.bit_length() <= LONGEST_BITS else "a huge number"

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, bool | float):
            return repr(x)
        if isinstance(x, np.integer):
            return str(x)
        return repr(x[:40]) if isinstance(x, bytes) else f"<{type(x).__name__}>"


def described(value: Any) -> str:
    """Return a value as Python writes it, as far as that is short, else the name of its type."""
    said = _Short().repr(value)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
