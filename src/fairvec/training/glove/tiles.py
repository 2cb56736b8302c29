"""The pairs of words in tiles, so that threads never meet and what they need fits into the cache.

Words are dealt into blocks that have about as many pairs each. A tile holds the pairs of a block of
targets and a block of contexts, and a round of tiles, one for each block of targets, has no block
of contexts twice: the tiles of a round share no vector, and may be worked on in any order, by any
number of threads, with the same end (Gemulla, Nijkamp, Haas and Sismanis, 2011,
doi:10.1145/2020408.2020426).
"""

from dataclasses import dataclass
from heapq import heapreplace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.io.mapped_arrays import create_array
from fairvec.training.counting.counts import Cooccurrences

MOST_WORDS = 2**16
"""A word within its block is a number of two bytes."""


@dataclass(frozen=True, eq=False)
class TiledPairs:
    """All pairs, tile by tile: round r has the tiles of target block b and context block b + r.

    `ends` says where each tile ends, round after round. `rows` and `columns` are places within the
    blocks, which begin at `borders`; `logs` is log X and `weights` f(X). Word i stands at
    `slots[i]` of the vectors.
    """

    borders: NDArray[np.int64]
    slots: NDArray[np.int64]
    ends: NDArray[np.int64]
    rows: NDArray[np.uint16]
    columns: NDArray[np.uint16]
    logs: NDArray[np.float32]
    weights: NDArray[np.float32]

    @property
    def blocks(self) -> int:
        """How many blocks of words there are."""
        return len(self.borders) - 1

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self.rows)

    @property
    def kernel_arrays(self) -> tuple[NDArray[Any], ...]:
        """What the kernels take, in their order."""
        return self.ends, self.borders, self.rows, self.columns, self.logs, self.weights


def tile_pairs(
    counted: Cooccurrences,
    folder: Path,
    *,
    blocks: int,
    largest: float,
    power: float,
    seed: int,
) -> TiledPairs:
    """Deal the words into blocks and write the pairs of each tile, in a random order, to `folder`.

    f(X) = min(1, (X / largest)^power), as Pennington, Socher and Manning (2014) weight a pair.
    """
    from fairvec.training.glove.kernels import count_tiles, fill_tiles, shuffle_tiles

    blocks_of_words, slots, borders = assign_blocks(np.diff(counted.starts), blocks, seed)
    ends = np.zeros(blocks * blocks, np.int64)
    count_tiles(counted.starts, counted.columns, blocks_of_words, blocks, ends)
    np.cumsum(ends, out=ends)
    found = TiledPairs(
        borders,
        slots,
        ends,
        rows=create_array(folder / "rows.u16", np.uint16, counted.pairs),
        columns=create_array(folder / "columns.u16", np.uint16, counted.pairs),
        logs=create_array(folder / "logs.f32", np.float32, counted.pairs),
        weights=create_array(folder / "trust.f32", np.float32, counted.pairs),
    )
    places = (found.rows, found.columns, found.logs, found.weights)
    counts = (counted.starts, counted.columns, counted.counts, counted.unit)
    fill_tiles(*counts, blocks_of_words, slots, borders, largest, power, ends, *places)
    shuffle_tiles(ends, seed, *places)
    return found


def assign_blocks(
    pairs: NDArray[np.int64], blocks: int, seed: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the block of each word, its slot among all words, and where the blocks begin.

    The words with the most pairs first, each goes to the block that has the fewest so far; words
    with as many are taken in a random order.
    """
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(len(pairs))
    order = shuffled[np.argsort(-pairs[shuffled], kind="stable")]
    block_of = np.empty(len(pairs), np.int32)
    loads = [(0, 0, block) for block in range(blocks)]
    for word, load in zip(order.tolist(), pairs[order].tolist(), strict=True):
        held, words, block = loads[0]
        block_of[word] = block
        heapreplace(loads, (held + load, words + 1, block))
    by_block = order[np.argsort(block_of[order], kind="stable")]
    sizes = np.bincount(block_of, minlength=blocks)
    if sizes.max() > MOST_WORDS:
        raise SettingError(
            f"A block of words would have {sizes.max():,} of them, and {MOST_WORDS:,} is the most; "
            "take more blocks."
        )
    slots = np.empty(len(pairs), np.int64)
    slots[by_block] = np.arange(len(pairs))
    return block_of, slots, np.concatenate([[0], np.cumsum(sizes)])
