"""The compiled loops that put pairs into tiles."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.compiled import compiled

Array = NDArray[Any]


@compiled()
def count_tiles(
    starts: Array, columns: Array, slots: Array, block: int, blocks: int, sizes: Array
) -> None:
    """Count the pairs of each tile."""
    for word in range(len(starts) - 1):
        targets = slots[word] // block
        for entry in range(starts[word], starts[word + 1]):
            contexts = slots[columns[entry]] // block
            sizes[(contexts - targets) % blocks * blocks + targets] += 1


@compiled()
def fill_tiles(
    starts: Array,
    columns: Array,
    counts: Array,
    unit: int,
    slots: Array,
    block: int,
    blocks: int,
    largest: float,
    power: float,
    ends: Array,
    rows: Array,
    others: Array,
    logs: Array,
    trust: Array,
) -> None:
    """Write the pairs of each tile, with log X and f(X)."""
    filled = np.zeros(len(ends), np.int64)
    filled[1:] = ends[:-1]
    for word in range(len(starts) - 1):
        slot = slots[word]
        targets = slot // block
        for entry in range(starts[word], starts[word + 1]):
            other = slots[columns[entry]]
            contexts = other // block
            tile = (contexts - targets) % blocks * blocks + targets
            place = filled[tile]
            filled[tile] += 1
            count = counts[entry] / unit
            rows[place] = slot - targets * block
            others[place] = other - contexts * block
            logs[place] = np.log(count)
            trust[place] = min(1.0, (count / largest) ** power)


@compiled()
def shuffle_tiles(
    ends: Array, seed: int, rows: Array, others: Array, logs: Array, trust: Array
) -> None:
    """Bring the pairs of each tile into a random order (Fisher and Yates; Durstenfeld, 1964)."""
    np.random.seed(seed)
    start = 0
    for end in ends:
        for last in range(end - 1, start, -1):
            one = start + np.random.randint(0, last - start + 1)
            rows[one], rows[last] = rows[last], rows[one]
            others[one], others[last] = others[last], others[one]
            logs[one], logs[last] = logs[last], logs[one]
            trust[one], trust[last] = trust[last], trust[one]
        start = end
