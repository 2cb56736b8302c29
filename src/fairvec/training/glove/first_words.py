"""Poincaré GloVe's start: points that were learnt among the most frequent words alone.

Tifrea, Bécigneul and Ganea (2019) train first on a restricted vocabulary, and begin the training
of the whole one there.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.training.counting.cooccurrences import Cooccurrences
from fairvec.training.counting.rows import Rows, written
from fairvec.training.counting.spans import spans
from fairvec.training.glove.models import Arrays, PoincareGlove

ENTRIES_AT_A_TIME = 2**22


def among_first(counted: Cooccurrences, words: int, folder: Path) -> Cooccurrences:
    """Return the counts of the first words with one another; rows are written to `folder`."""

    def rows() -> Iterator[Rows]:
        for first, last in spans(np.diff(counted.starts[: words + 1]), ENTRIES_AT_A_TIME):
            part = slice(int(counted.starts[first]), int(counted.starts[last]))
            among = counted.columns[part] < words
            so_far = np.concatenate([[0], np.cumsum(among)])
            ends = so_far[counted.starts[first + 1 : last + 1] - part.start]
            yield Rows(first, ends, counted.columns[part][among], counted.counts[part][among])

    return written(rows(), words, folder).opened(counted.unit)


def begun_with(
    learnt: Arrays,
    slots: NDArray[np.int64],
    kind: PoincareGlove,
    all_slots: NDArray[np.int64],
    seed: int,
) -> Arrays:
    """Return what was learnt of the first words, with all others near the origin.

    The sums of squares go with the points: without them the first step of each would be as long
    as the rate, and what was learnt would be lost.
    """
    arrays = kind.start(len(all_slots), np.random.default_rng([seed, 1]))
    for name, numbers in learnt.items():
        arrays[name][all_slots[: len(slots)]] = numbers[slots]
    return arrays
