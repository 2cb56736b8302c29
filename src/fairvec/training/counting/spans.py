"""Rows in spans that fit into memory."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def spans(sizes: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Cut rows into spans of at most `most` entries, or of one row that is longer."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield first, last
        first = last
