"""Counting on a Dask cluster: a block travels with its task, its rows come back.

Nothing but the connection is shared: workers need no common disk. A task is a function of what it
is sent, so the block of a worker that died is counted again by another one, and what comes back is
used once. The scheduler keeps a task until its rows were taken.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import ClusterError, in_brief
from fairvec.ground.machine.mapped_files import let_go
from fairvec.training.counting.block_rows import whole_rows
from fairvec.training.counting.blocks import TextBlock, blocks_of
from fairvec.training.counting.cooccurrences import Weighting
from fairvec.training.counting.rows import Rows
from fairvec.training.scheduler import connected, done_first

if TYPE_CHECKING:
    from distributed import Future

BLOCKS_A_CORE = 4
"""Each core has several blocks, so that a slow one holds up only a part of its share."""

SMALLEST_BLOCK = 2**18
"""A block of so many words takes a tenth of a second, sending it a hundredth."""

LARGEST_BLOCK = 2**21
"""What is sent with a task stays under the ten megabytes that schedulers are made for."""

BYTES_A_PAIR_SENT = 12


@dataclass(frozen=True)
class Sending:
    """How a text is sent: places of a block, and how many blocks are under way at once."""

    block: int
    ahead: int


def sending(length: int, vocabulary: int, window: int, memory: int, cores: int) -> Sending:
    """Cut a text for so many cores, within a limit of memory of the caller.

    The rows of a block are held by the caller while those of the next one come, in two copies at
    times, and blocks wait to be sent: each has an eighth of the limit, even if no pair of words is
    seen twice.
    """
    room = memory // 8
    fits = max(1, (room - 8 * vocabulary) // (2 * window * BYTES_A_PAIR_SENT))
    wanted = max(SMALLEST_BLOCK, vocabulary, -(-length // (BLOCKS_A_CORE * max(1, cores))))
    block = min(wanted, LARGEST_BLOCK, fits)
    return Sending(block, max(2, min(2 * cores, room // (8 * (block + 2 * window)))))


def counted_on_cluster(
    address: str,
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    memory: int,
) -> Generator[tuple[int, Rows]]:
    """Give how many places were counted, and the rows of a block of them, in any order."""
    with connected(address) as client:
        cores = sum(client.nthreads().values())
        how = sending(len(tokens), vocabulary, weighting.window, memory, cores)

        def sent(block: TextBlock) -> tuple[Future[Rows], int]:
            own = TextBlock(np.array(block.text), block.first, block.last)
            let_go(block.text)
            # Not named by its content, as finding such a name takes as long as sending it.
            return client.submit(whole_rows, own, vocabulary, weighting, pure=False), len(block)

        blocks = blocks_of(tokens, how.block, weighting.window)
        pending = dict(map(sent, islice(blocks, how.ahead)))
        while pending:
            for future in done_first(client, pending, address):
                rows = _rows_of(future, address)
                places = pending.pop(future)
                del future
                pending.update(map(sent, islice(blocks, 1)))
                yield places, rows


def _rows_of(future: Future[Rows], address: str) -> Rows:
    """Return what a worker counted, or say why it could not."""
    from distributed import KilledWorker

    if future.status != "error":
        return future.result()
    error = future.exception()
    if isinstance(error, KilledWorker):
        raise ClusterError(
            f"Several workers of the cluster at {address} died over the same block, which is most "
            "often for want of memory; give them more of it, or lower the limit of memory, which "
            "makes blocks smaller."
        )
    raise ClusterError(
        f"A worker of the cluster at {address} failed ({in_brief(error)}); "
        "install the same version of fairvec there as here."
    ) from error
