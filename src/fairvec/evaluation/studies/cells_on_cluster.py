"""A study's cells on a Dask cluster: texts travel to the workers, records come back.

Workers need no common disk. A text is sent in pieces that are tasks themselves: a worker asks
another one for those it lacks, and the scheduler makes again what was lost with a worker. Files are
held against their SHA-256 where they arrive, and versions and tests against those of the caller.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairvec.evaluation.studies.cells import CellTask
from fairvec.evaluation.studies.cells_on_worker import (
    CellFound,
    SentFile,
    found_by_worker,
    held,
    packages_here,
)
from fairvec.ground.disk.files import replacing
from fairvec.ground.errors import ClusterError, in_brief
from fairvec.results import CellRecord, FailedCell
from fairvec.training.scheduler import check_cluster, connected, done_first

if TYPE_CHECKING:
    from distributed import Client, Future

    from fairvec.evaluation.studies.running import CellMapping

PURPOSE = "A study on a cluster"
LOST = "the cells that came before are kept; start the scheduler, and run the same study again"

PIECE = 2**23
"""What is sent with a task stays under the ten megabytes that schedulers are made for."""


def on_cluster(address: str) -> CellMapping:
    """Return what runs cells on the workers of a Dask cluster, for `study(..., mapping=...)`.

    Records are given as they arrive, and are those of this machine to the last digit. That a
    scheduler answers is checked at once.
    """
    check_cluster(address, PURPOSE)
    return partial(_records, address)


def _records(
    address: str, function: Callable[[CellTask], CellRecord], tasks: Sequence[CellTask]
) -> Iterator[CellRecord]:
    if not tasks:
        return
    packed = {path: _packed(path) for path in dict.fromkeys(p for t in tasks for p in t.files)}
    # Models are written out here, where an error of this disk is not taken for one of the cluster.
    for task, found in _arriving(address, function, tasks, packed):
        if task.keep and found.model is not None:
            with replacing(task.keep) as draft:
                draft.write_bytes(found.model)
        yield found.record


def _arriving(
    address: str,
    function: Callable[[CellTask], CellRecord],
    tasks: Sequence[CellTask],
    packed: dict[Path, _Packed],
) -> Iterator[tuple[CellTask, CellFound]]:
    """Give every cell once, as soon as it is found."""
    with connected(address, PURPOSE, LOST) as client:
        pieces = {path: _sent(client, one.pieces) for path, one in packed.items()}

        def asked(task: CellTask) -> Future[CellFound]:
            sent = [SentFile(path, packed[path].sha256) for path in task.files]
            parts = [pieces[path] for path in task.files]
            given = (function, task, packages_here(), sent, parts)
            return client.submit(found_by_worker, *given, pure=False)

        pending = {asked(task): task for task in tasks}
        while pending:
            for future in done_first(client, pending, address):
                task = pending.pop(future)
                found = _found(future, task, address)
                del future
                yield task, found


@dataclass(frozen=True)
class _Packed:
    sha256: str
    pieces: tuple[bytes, ...]


def _packed(path: Path) -> _Packed:
    content, pieces = sha256(), []
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            content.update(piece)
            pieces.append(zlib.compress(piece))
    return _Packed(content.hexdigest(), tuple(pieces))


def _sent(client: Client, pieces: Iterable[bytes]) -> list[Future[bytes]]:
    return [client.submit(held, piece, pure=False) for piece in pieces]


def _found(future: Future[Any], task: CellTask, address: str) -> CellFound:
    """Return what a worker found, or say why it could not."""
    from distributed import KilledWorker

    if future.status != "error":
        found: CellFound = future.result()
        return found
    error = future.exception()
    if isinstance(error, KilledWorker):
        reason = (
            "Several workers of the cluster died while this cell was with them, which is most "
            "often for want of memory; give them more of it, and run the study again."
        )
        return CellFound(FailedCell(place=task.place, reason=reason))
    if isinstance(error, ClusterError):
        raise error from None
    raise ClusterError(
        f"A worker of the cluster at {address} failed over the cell {task.place} "
        f"({in_brief(error)}), most often because another version of "
        "fairvec is installed there; mend that, and run the study again: cells that came before "
        "are kept."
    ) from error
