"""One epoch: round after round of tiles, the tiles of a round shared out to threads."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fairvec.training.glove.arranging import ArrangedPairs
from fairvec.training.glove.models import Arrays, GloveKind


class RoundsOnCpu:
    """The pairs and all that is learnt, in threads of the processor."""

    def __init__(
        self, pairs: ArrangedPairs, model: GloveKind, arrays: Arrays, threads: int
    ) -> None:
        self._pairs, self._arrays, self._threads = pairs, arrays, threads
        self._go = model.passing(pairs, arrays)
        self._pool = ThreadPoolExecutor(threads)

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss.

        The tiles of a round share no vector, so that the end does not depend on the threads.
        """
        pairs = self._pairs
        losses = np.zeros(len(pairs.ends))
        sizes = np.diff(pairs.ends, prepend=0).reshape(pairs.blocks, pairs.blocks)
        for one in generator.permutation(pairs.blocks):
            tiles = one * pairs.blocks + np.arange(pairs.blocks)
            shares = [tiles[part] for part in shared_out(sizes[one], self._threads)]
            list(self._pool.map(lambda some: self._go(some, losses), shares))
        return float(losses.sum() / pairs.pairs)

    def arrays(self) -> Arrays:
        """Return what was learnt so far."""
        return self._arrays

    def close(self) -> None:
        """End the threads, when what they are at is done."""
        self._pool.shutdown()


def shared_out(sizes: NDArray[np.int64], threads: int) -> list[slice]:
    """Cut tiles into as many spans as there are threads, with about as many pairs in each."""
    ends = np.cumsum(sizes)
    borders = np.searchsorted(ends, ends[-1] * np.arange(1, threads) / threads)
    cuts = [0, *(int(border) for border in borders), len(sizes)]
    return [slice(first, last) for first, last in pairwise(cuts) if last > first]
