"""The pairs of words in tiles, so that threads never meet and what they need fits into the cache.

Words are dealt at random into blocks. A tile holds the pairs of a block of targets and a block of
contexts, and a round of tiles, one for each block of targets, has no block of contexts twice: the
tiles of a round share no vector, and may be worked on in any order, by any number of threads, with
the same end (Gemulla, Nijkamp, Haas and Sismanis, 2011, doi:10.1145/2020408.2020426).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.training.counting.cooccurrences import Cooccurrences
from fairvec.training.spilling import created

MOST_WORDS = 2**16
"""A word within its block is a number of two bytes."""


@dataclass(frozen=True, eq=False)
class ArrangedPairs:
    """All pairs, tile by tile: round r has the tiles of target block b and context block b + r.

    `ends` says where each tile ends, round after round. `rows` and `columns` are places within the
    blocks, `logs` is log X and `trust` f(X). Word i stands at `slots[i]` of the vectors.
    """

    blocks: int
    block: int
    slots: NDArray[np.int64]
    ends: NDArray[np.int64]
    rows: NDArray[np.uint16]
    columns: NDArray[np.uint16]
    logs: NDArray[np.float32]
    trust: NDArray[np.float32]

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self.rows)


def arranged(
    counted: Cooccurrences,
    folder: Path,
    *,
    block: int,
    largest: float,
    power: float,
    seed: int,
) -> ArrangedPairs:
    """Deal the words into blocks and write the pairs of each tile, in a random order, to `folder`.

    f(X) = min(1, (X / largest)^power), as Pennington, Socher and Manning (2014) weight a pair.
    """
    from fairvec.training.glove.arranging_kernel import count_tiles, fill_tiles, shuffle_tiles

    words = len(counted)
    block = min(block, words, MOST_WORDS)
    blocks = -(-words // block)
    slots = np.random.default_rng(seed).permutation(words)
    ends = np.zeros(blocks * blocks, np.int64)
    count_tiles(counted.starts, counted.columns, slots, block, blocks, ends)
    np.cumsum(ends, out=ends)
    found = ArrangedPairs(
        blocks,
        block,
        slots,
        ends,
        rows=created(folder / "rows.u16", np.uint16, counted.pairs),
        columns=created(folder / "columns.u16", np.uint16, counted.pairs),
        logs=created(folder / "logs.f32", np.float32, counted.pairs),
        trust=created(folder / "trust.f32", np.float32, counted.pairs),
    )
    places = (found.rows, found.columns, found.logs, found.trust)
    counts = (counted.starts, counted.columns, counted.counts, counted.unit)
    fill_tiles(*counts, slots, block, blocks, largest, power, ends, *places)
    shuffle_tiles(ends, seed, *places)
    return found
