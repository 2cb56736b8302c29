"""Counting on a Dask cluster: a block travels with its task, its rows come back.

Nothing but the connection is shared: workers need no common disk. A task is a function of what it
is sent, so the block of a worker that died is counted again by another one, and what comes back is
used once. The scheduler keeps a task until its rows were taken.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import ClusterError, MissingExtraError, SettingError
from fairvec.ground.memory import let_go
from fairvec.training.counting.block_rows import whole_rows
from fairvec.training.counting.blocks import TextBlock, blocks_of
from fairvec.training.counting.cooccurrences import Weighting
from fairvec.training.counting.rows import Rows

if TYPE_CHECKING:
    from distributed import Client, Future

ADDRESS = r"(?:(?:tcp|tls|ws|wss)://)?[^\s/]+:[0-9]{1,5}"

CONNECT_SECONDS = 10
"""So long is a scheduler waited for."""

PATIENCE_SECONDS = 60
"""So long may a cluster be without any worker: a new one takes its time to start."""

LOOK_SECONDS = 2
"""So often is it asked whether there are workers, while no rows come."""

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
            for future in _done(client, pending, address):
                rows = _rows_of(future, address)
                places = pending.pop(future)
                del future
                pending.update(map(sent, islice(blocks, 1)))
                yield places, rows


def check_cluster(address: str) -> None:
    """Raise an error if no scheduler answers, before any work is done for it."""
    with connected(address):
        pass  # that it answers is all that is asked


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Open a connection to a scheduler; what goes wrong with the cluster is said as one error."""
    try:
        from distributed import CancelledError, Client
    except ImportError:
        raise MissingExtraError("Counting on a cluster", "cluster") from None
    try:
        _greet(address)
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except OSError:
        raise ClusterError(
            f"No scheduler answers at {address} within {CONNECT_SECONDS} seconds; start one with "
            "`dask scheduler`, and give the address that it prints."
        ) from None
    try:
        yield client
    except (CancelledError, OSError) as error:
        raise ClusterError(
            f"The connection to the scheduler at {address} was lost ({_said(error)}), and what was "
            "counted is given up; start the scheduler and the work again."
        ) from None
    finally:
        client.close()


def _greet(address: str) -> None:
    """Shake hands with a scheduler in time: a Client waits for ever where somebody is silent."""
    from distributed.comm.core import connect

    if not re.fullmatch(ADDRESS, address):
        raise SettingError(
            f"{address!r} is no address of a scheduler; give a host and a port, as in "
            "tcp://10.0.0.5:8786."
        )

    async def greeting() -> None:
        comm = await asyncio.wait_for(connect(address, timeout=CONNECT_SECONDS), CONNECT_SECONDS)
        await comm.close()

    # In a thread of its own, because a notebook has a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, greeting()).result()


def _done(client: Client, pending: dict[Future[Rows], int], address: str) -> list[Any]:
    """Return the blocks that were counted, as soon as there is one."""
    from distributed import wait

    seen = monotonic()
    while True:
        try:
            with client.as_current():
                return [*wait([*pending], LOOK_SECONDS, return_when="FIRST_COMPLETED").done]
        except TimeoutError:
            seen = monotonic() if client.nthreads() else seen
        if monotonic() - seen > PATIENCE_SECONDS:
            raise ClusterError(
                f"The cluster at {address} has no worker since {PATIENCE_SECONDS} seconds; start "
                f"some with `dask worker {address}`."
            )


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
        f"A worker of the cluster at {address} failed ({type(error).__name__}: {_said(error)}); "
        "install the same version of fairvec there as here."
    ) from error


def _said(error: object) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
