"""The cells of a study on the workers of a Dask cluster.

Workers need no common disk. A text is sent in pieces that are tasks themselves: a worker asks
another one for those it lacks, and the scheduler makes again what was lost with a worker. Files are
checked against their SHA-256 where they arrive, and versions and tests against the caller's.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, Any

from fairvec.core.errors import ClusterError, FairvecError, brief
from fairvec.core.io.atomic_files import atomic_path, scratch_folder
from fairvec.encoders.versions import versions
from fairvec.experiments.study.cells import (
    CELL_VERSION,
    CellTask,
    test_identities,
    version_of_package,
)
from fairvec.lexicon import select_tests
from fairvec.results import CellRecord, FailedCell
from fairvec.training.cluster import check_cluster, cluster_client, wait_any

if TYPE_CHECKING:
    from distributed import Client, Future

    from fairvec.experiments.study.study import CellMapping


TRAINING_PACKAGES = ("numba", "gensim")
"""Packages that affect training, in addition to those that every record names."""


@dataclass(frozen=True)
class SentFile:
    """A file of the caller, and the SHA-256 of what it holds."""

    path: Path
    sha256: str


@dataclass(frozen=True)
class CellFound:
    """A cell's record, and its model as a file if that is to be kept."""

    record: CellRecord
    model: bytes | None = None


def pass_through(piece: bytes) -> bytes:
    """Return a piece of a text as it came: as a task it is sent once to each worker."""
    return piece


def packages_here() -> dict[str, str]:
    """Return the versions of all that could move a digit of a cell; absent ones are named so."""
    training = {name: version_of_package(name) for name in TRAINING_PACKAGES}
    return versions() | training | {"way of studying": str(CELL_VERSION)}


def run_cell_on_worker(
    function: Callable[[CellTask], CellRecord],
    task: CellTask,
    packages: dict[str, str],
    files: Sequence[SentFile],
    pieces: Sequence[Sequence[bytes]],
) -> CellFound:
    """Measure a cell with the files that were sent, if this worker gives the caller's figures."""
    _refuse_other_versions(packages)
    with scratch_folder() as folder:
        local_paths = {
            file.path: _write_file(file, parts, folder / str(number))
            for number, (file, parts) in enumerate(zip(files, pieces, strict=True))
        }
        local_task = replace(
            task,
            text=local_paths[task.text],
            words=local_paths[task.words],
            suites=tuple(str(local_paths.get(Path(suite), suite)) for suite in task.suites),
            keep=folder / "model" / task.keep.name if task.keep else None,
        )
        _refuse_other_tests(local_task)
        record = function(local_task)
        if isinstance(record, FailedCell):
            reason = record.reason
            for path, local_path in local_paths.items():
                reason = reason.replace(str(local_path), str(path))
            return CellFound(record.model_copy(update={"reason": reason}))
        return CellFound(record, local_task.keep.read_bytes() if local_task.keep else None)


def _refuse_other_versions(packages: dict[str, str]) -> None:
    """Raise an error if this worker has other versions than the caller."""
    installed = packages_here()
    for name, expected in packages.items():
        if (found := installed.get(name, "absent")) != expected:
            raise ClusterError(
                f"The worker on {gethostname()} has {name} {found}, and the study is asked with "
                f"{expected}, which might give other figures; install the same version there."
            )


def _write_file(file: SentFile, pieces: Sequence[bytes], folder: Path) -> Path:
    """Write a file that was sent, under its own name, and hold it against its hash."""
    folder.mkdir()
    path, digest = folder / file.path.name, sha256()
    with path.open("wb") as out:
        for piece in pieces:
            content = zlib.decompress(piece)
            digest.update(content)
            out.write(content)
    if digest.hexdigest() != file.sha256:
        raise ClusterError(
            f"What the worker on {gethostname()} has of {file.path} is not what was sent (another "
            "SHA-256); restart that worker, and run the study again."
        )
    return path


def _refuse_other_tests(task: CellTask) -> None:
    """Raise an error if a suite has other words here: the figure would be one of another test."""
    try:
        same = test_identities(select_tests(task.suites)) == json.loads(task.identity)["tests"]
    except FairvecError:
        same = False
    if not same:
        raise ClusterError(
            f"The worker on {gethostname()} has other lists of {', '.join(task.suites)} than the "
            "study; install the same version of fairvec there."
        )


TASK_NAME = "A study on a cluster"
LOST_ADVICE = (
    "the cells that came before are kept; start the scheduler, and run the same study again"
)

PIECE_BYTES = 2**23
"""What is sent with a task stays under the ten megabytes that schedulers are made for."""


def dask_mapping(address: str) -> CellMapping:
    """Return what runs cells on the workers of a Dask cluster, for `study(..., mapping=...)`.

    Records are given as they arrive, and are those of this machine to the last digit. That a
    scheduler answers is checked at once.
    """
    check_cluster(address, TASK_NAME)
    return partial(_records, address)


def _records(
    address: str, function: Callable[[CellTask], CellRecord], tasks: Sequence[CellTask]
) -> Iterator[CellRecord]:
    if not tasks:
        return
    packed_files = {
        path: _pack(path) for path in dict.fromkeys(path for task in tasks for path in task.files)
    }
    # Models are written out here, where an error of this disk is not taken for one of the cluster.
    for task, found in _results(address, function, tasks, packed_files):
        if task.keep and found.model is not None:
            with atomic_path(task.keep) as draft:
                draft.write_bytes(found.model)
        yield found.record


def _results(
    address: str,
    function: Callable[[CellTask], CellRecord],
    tasks: Sequence[CellTask],
    packed_files: dict[Path, _PackedFile],
) -> Iterator[tuple[CellTask, CellFound]]:
    """Give every cell once, as soon as it is found."""
    with cluster_client(address, TASK_NAME, LOST_ADVICE) as client:
        pieces = {
            path: _send(client, packed_file.pieces) for path, packed_file in packed_files.items()
        }

        def submit(task: CellTask) -> Future[CellFound]:
            sent_files = [SentFile(path, packed_files[path].sha256) for path in task.files]
            parts = [pieces[path] for path in task.files]
            arguments = (function, task, packages_here(), sent_files, parts)
            return client.submit(run_cell_on_worker, *arguments, pure=False)

        pending = {submit(task): task for task in tasks}
        while pending:
            for future in wait_any(client, pending, address):
                task = pending.pop(future)
                found = _cell_result(future, task, address)
                del future
                yield task, found


@dataclass(frozen=True)
class _PackedFile:
    sha256: str
    pieces: tuple[bytes, ...]


def _pack(path: Path) -> _PackedFile:
    content, pieces = sha256(), []
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            content.update(piece)
            pieces.append(zlib.compress(piece))
    return _PackedFile(content.hexdigest(), tuple(pieces))


def _send(client: Client, pieces: Iterable[bytes]) -> list[Future[bytes]]:
    return [client.submit(pass_through, piece, pure=False) for piece in pieces]


def _cell_result(future: Future[Any], task: CellTask, address: str) -> CellFound:
    """Return what a worker found, or say why it could not."""
    from distributed import KilledWorker

    if future.status != "error":
        result: CellFound = future.result()
        return result
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
        f"({brief(error)}), most often because another version of "
        "fairvec is installed there; mend that, and run the study again: cells that came before "
        "are kept."
    ) from error
