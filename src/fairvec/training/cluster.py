"""Training on a Dask cluster: the connection, and counting block by block.

What is asked of the workers is somebody else's: counting sends blocks of a text, a study its cells.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import ClusterError, MissingExtraError, SettingError, brief
from fairvec.core.mapped_arrays import release_pages
from fairvec.training.counting.blocks import TextBlock, blocks_of, whole_rows
from fairvec.training.counting.counts import Rows, Weighting

if TYPE_CHECKING:
    from distributed import Client, Future


ADDRESS = r"(?:(?:tcp|tls|ws|wss)://)?(?:\[[0-9A-Fa-f:.]+\]|[\w-]+(?:\.[\w-]+)*):([0-9]{1,5})"

PORTS = 1 << 16

CONNECT_SECONDS = 10
"""So long is a scheduler waited for."""

PATIENCE_SECONDS = 60
"""So long may a cluster be without any worker: a new one takes its time to start."""

LOOK_SECONDS = 2
"""So often is it asked whether there are workers, while nothing comes."""


def check_cluster(address: str, purpose: str = "Counting on a cluster") -> None:
    """Raise an error if no scheduler answers, before any work is done for it."""
    with cluster_client(address, purpose):
        pass  # that it answers is all that is asked


@contextmanager
def cluster_client(
    address: str,
    purpose: str = "Counting on a cluster",
    lost: str = "what was counted is given up; start the scheduler and the work again",
) -> Iterator[Client]:
    """Open a connection to a scheduler; what goes wrong with the cluster is said as one error.

    `purpose` says for what the extra is needed, and `lost` what becomes of the work, and what to
    do, when the connection breaks.
    """
    try:
        from distributed import CancelledError, Client
    except ImportError:
        raise MissingExtraError(purpose, "cluster") from None
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
            f"The connection to the scheduler at {address} was lost ({brief(error)}), and {lost}."
        ) from None
    finally:
        client.close()


def _greet(address: str) -> None:
    """Shake hands with a scheduler in time: a Client waits for ever where somebody is silent."""
    from distributed.comm.core import connect

    no_address = SettingError(
        f"{address.rpartition('@')[2]!r} is no address of a scheduler; give a host and a port, as "
        "in tcp://10.0.0.5:8786."
    )
    found = re.fullmatch(ADDRESS, address)
    if found is None or not 0 < int(found[1]) < PORTS:
        raise no_address

    async def greeting() -> None:
        comm = await asyncio.wait_for(connect(address, timeout=CONNECT_SECONDS), CONNECT_SECONDS)
        await comm.close()

    # In a thread of its own, because a notebook has a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        try:
            pool.submit(asyncio.run, greeting()).result()
        except TypeError as error:  # what is said of tls where no certificate is set
            raise ClusterError(
                f"{address} cannot be asked ({brief(error)}); set Dask's certificates."
            ) from None
        except ValueError:  # of a name that no host can have
            raise no_address from None


def wait_any(client: Client, pending: Iterable[Future[Any]], address: str) -> list[Any]:
    """Return what was finished by the workers, as soon as there is something."""
    from distributed import wait

    seen, waited_for = monotonic(), [*pending]
    while True:
        try:
            with client.as_current():
                return [*wait(waited_for, LOOK_SECONDS, return_when="FIRST_COMPLETED").done]
        except TimeoutError:
            seen = monotonic() if client.nthreads() else seen
        if monotonic() - seen > PATIENCE_SECONDS:
            raise ClusterError(
                f"The cluster at {address} has no worker since {PATIENCE_SECONDS} seconds; start "
                f"some with `dask worker {address}`."
            )


# Counting on a Dask cluster: a block travels with its task, its rows come back.


BLOCKS_A_CORE = 4
"""Each core has several blocks, so that a slow one holds up only a part of its share."""

SMALLEST_BLOCK = 2**18
"""A block of so many words takes a tenth of a second, sending it a hundredth."""

LARGEST_BLOCK = 2**21
"""What is sent with a task stays under the ten megabytes that schedulers are made for."""

BYTES_A_PAIR_SENT = 12


@dataclass(frozen=True)
class BlockPlan:
    """How a text is sent: places of a block, and how many blocks are under way at once."""

    block: int
    ahead: int


def plan_blocks(length: int, vocabulary: int, window: int, memory: int, cores: int) -> BlockPlan:
    """Cut a text for so many cores, within a limit of memory of the caller.

    The rows of a block are held by the caller while those of the next one come, in two copies at
    times, and blocks wait to be sent: each has an eighth of the limit, even if no pair of words is
    seen twice.
    """
    room = memory // 8
    fits = max(1, (room - 8 * vocabulary) // (2 * window * BYTES_A_PAIR_SENT))
    wanted = max(SMALLEST_BLOCK, vocabulary, -(-length // (BLOCKS_A_CORE * max(1, cores))))
    block = min(wanted, LARGEST_BLOCK, fits)
    return BlockPlan(block, max(2, min(2 * cores, room // (8 * (block + 2 * window)))))


def counted_on_cluster(
    address: str,
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    memory: int,
) -> Generator[tuple[int, Rows]]:
    """Give how many places were counted, and the rows of a block of them, in any order."""
    with cluster_client(address) as client:
        cores = sum(client.nthreads().values())
        how = plan_blocks(len(tokens), vocabulary, weighting.window, memory, cores)

        def sent(block: TextBlock) -> tuple[Future[Rows], int]:
            own = TextBlock(np.array(block.text), block.first, block.last)
            release_pages(block.text)
            # Not named by its content, as finding such a name takes as long as sending it.
            return client.submit(whole_rows, own, vocabulary, weighting, pure=False), len(block)

        blocks = blocks_of(tokens, how.block, weighting.window)
        pending = dict(map(sent, islice(blocks, how.ahead)))
        while pending:
            for future in wait_any(client, pending, address):
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
        f"A worker of the cluster at {address} failed ({brief(error)}); "
        "install the same version of fairvec there as here."
    ) from error
