"""The compiled loops that put pairs into tiles."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.machine.compiled import compiled

Array = NDArray[Any]


@compiled()
def count_tiles(starts: Array, columns: Array, block_of: Array, blocks: int, sizes: Array) -> None:
    """Count the pairs of each tile."""
    for word in range(len(starts) - 1):
        targets = block_of[word]
        for entry in range(starts[word], starts[word + 1]):
            contexts = block_of[columns[entry]]
            sizes[(contexts - targets) % blocks * blocks + targets] += 1


@compiled()
def fill_tiles(
    starts: Array,
    columns: Array,
    counts: Array,
    unit: int,
    block_of: Array,
    slots: Array,
    borders: Array,
    largest: float,
    power: float,
    ends: Array,
    rows: Array,
    others: Array,
    logs: Array,
    trust: Array,
) -> None:
    """Write the pairs of each tile, with log X and f(X)."""
    blocks = len(borders) - 1
    filled = np.zeros(len(ends), np.int64)
    filled[1:] = ends[:-1]
    for word in range(len(starts) - 1):
        targets = block_of[word]
        for entry in range(starts[word], starts[word + 1]):
            other = columns[entry]
            contexts = block_of[other]
            tile = (contexts - targets) % blocks * blocks + targets
            place = filled[tile]
            filled[tile] += 1
            count = counts[entry] / unit
            rows[place] = slots[word] - borders[targets]
            others[place] = slots[other] - borders[contexts]
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
