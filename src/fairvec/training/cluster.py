"""A Dask cluster: the connection to its scheduler, and counting blocks of a text on its workers.

Studies use the connection too, and send their own tasks.
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
from fairvec.core.io.mapped_arrays import release_pages
from fairvec.training.counting.blocks import TextBlock, block_rows, text_blocks
from fairvec.training.counting.counts import Rows, Weighting

if TYPE_CHECKING:
    from distributed import Client, Future


ADDRESS = r"(?:(?:tcp|tls|ws|wss)://)?(?:\[[0-9A-Fa-f:.]+\]|[\w-]+(?:\.[\w-]+)*):([0-9]{1,5})"

PORTS = 1 << 16

CONNECT_SECONDS = 10
"""How long to wait for a scheduler."""

PATIENCE_SECONDS = 60
"""How long a cluster may be without any worker: a new one takes its time to start."""

LOOK_SECONDS = 2
"""How often to check for workers while no result comes."""


def check_cluster(address: str, purpose: str = "Counting on a cluster") -> None:
    """Raise an error if no scheduler answers, before any work is done for it."""
    with cluster_client(address, purpose):
        pass  # an answer is all that is needed


@contextmanager
def cluster_client(
    address: str,
    purpose: str = "Counting on a cluster",
    lost: str = "what was counted is given up; start the scheduler and the work again",
) -> Iterator[Client]:
    """Open a connection to a scheduler; whatever fails in the cluster is raised as a ClusterError.

    `purpose` says for what the extra is needed, and `lost` what becomes of the work, and what to
    do, when the connection breaks.
    """
    try:
        from distributed import CancelledError, Client
    except ImportError:
        raise MissingExtraError(purpose, "cluster") from None
    try:
        _check_answers(address)
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


def _check_answers(address: str) -> None:
    """Connect once within a time limit: a Client waits for ever for a host that does not answer."""
    from distributed.comm.core import connect

    no_address = SettingError(
        f"{address.rpartition('@')[2]!r} is no address of a scheduler; give a host and a port, as "
        "in tcp://10.0.0.5:8786."
    )
    match = re.fullmatch(ADDRESS, address)
    if match is None or not 0 < int(match[1]) < PORTS:
        raise no_address

    async def connect_once() -> None:
        comm = await asyncio.wait_for(connect(address, timeout=CONNECT_SECONDS), CONNECT_SECONDS)
        await comm.close()

    # In a thread of its own, because a notebook has a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        try:
            pool.submit(asyncio.run, connect_once()).result()
        except TypeError as error:  # what is said of tls where no certificate is set
            raise ClusterError(
                f"{address} cannot be asked ({brief(error)}); set Dask's certificates."
            ) from None
        except ValueError:  # of a name that no host can have
            raise no_address from None


def wait_any(client: Client, pending: Iterable[Future[Any]], address: str) -> list[Any]:
    """Return the finished futures as soon as there is one."""
    from distributed import wait

    last_worker, futures = monotonic(), [*pending]
    while True:
        try:
            with client.as_current():
                return [*wait(futures, LOOK_SECONDS, return_when="FIRST_COMPLETED").done]
        except TimeoutError:
            last_worker = monotonic() if client.nthreads() else last_worker
        if monotonic() - last_worker > PATIENCE_SECONDS:
            raise ClusterError(
                f"The cluster at {address} has no worker since {PATIENCE_SECONDS} seconds; start "
                f"some with `dask worker {address}`."
            )


class WorkersDiedError(ClusterError):
    """Several workers died over the same task, which was then given up."""


def future_result(
    future: Future[Any], address: str, *, task: str, on_death: str, on_failure: str
) -> Any:
    """Return what a worker gave back; raise a ClusterError if it failed, its own one as it is.

    `task` is what it worked on; `on_death` and `on_failure` are what to do.
    """
    from distributed import KilledWorker

    if future.status != "error":
        return future.result()
    error = future.exception()
    if isinstance(error, ClusterError):
        raise error from None
    if isinstance(error, KilledWorker):
        raise WorkersDiedError(
            "Several workers of the cluster died over the same task, which is most often for want "
            f"of memory; give them more of it, {on_death}."
        ) from None
    raise ClusterError(
        f"A worker of the cluster at {address} failed over {task} ({brief(error)}), most often "
        f"because another version of fairvec is installed there; {on_failure}."
    ) from error


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
    suitable = max(SMALLEST_BLOCK, vocabulary, -(-length // (BLOCKS_A_CORE * max(1, cores))))
    block = min(suitable, LARGEST_BLOCK, fits)
    return BlockPlan(block, max(2, min(2 * cores, room // (8 * (block + 2 * window)))))


def count_on_cluster(
    address: str,
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    memory: int,
) -> Generator[tuple[int, Iterable[Rows]]]:
    """Yield the number of places and the rows of each block, in any order."""
    with cluster_client(address) as client:
        cores = sum(client.nthreads().values())
        plan = plan_blocks(len(tokens), vocabulary, weighting.window, memory, cores)

        def send(block: TextBlock) -> tuple[Future[Rows], int]:
            copy = TextBlock(np.array(block.text), block.first, block.last)
            release_pages(block.text)
            # Not named by its content, as finding such a name takes as long as sending it.
            return client.submit(block_rows, copy, vocabulary, weighting, pure=False), len(block)

        blocks = text_blocks(tokens, plan.block, weighting.window)
        pending = dict(map(send, islice(blocks, plan.ahead)))
        while pending:
            for future in wait_any(client, pending, address):
                rows: Rows = future_result(
                    future,
                    address,
                    task="a block of the text",
                    on_death="or lower the limit of memory, which makes blocks smaller",
                    on_failure="install the same version there as here",
                )
                places = pending.pop(future)
                del future
                pending.update(map(send, islice(blocks, 1)))
                yield places, [rows]
