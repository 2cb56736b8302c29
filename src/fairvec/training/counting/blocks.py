"""A text in blocks: each of its places belongs to one of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TextBlock:
    """Some of a text: the places from `first` to `last` are counted, the words beside are seen.

    A window reaches over the ends of what is counted, so a line may be cut anywhere and the counts
    of all blocks add up to those of the text.
    """

    text: NDArray[np.int32]
    first: int
    last: int

    def __len__(self) -> int:
        """How many places are counted."""
        return self.last - self.first


def blocks_of(tokens: NDArray[np.int32], most: int, window: int) -> Iterator[TextBlock]:
    """Cut a text into blocks of `most` places, the last of what is left; nothing is copied."""
    for start in range(0, max(1, len(tokens)), most):
        stop = min(start + most, len(tokens))
        before = min(start, window)
        text = tokens[start - before : stop + window]
        yield TextBlock(text, before, before + stop - start)
