"""The cells of a study on the workers of a Dask cluster.

Workers need no common disk. A text is sent in pieces that are tasks themselves: workers fetch
missing pieces from one another, and the scheduler recomputes those of a lost worker. Workers check
files against their SHA-256, and versions and tests against the caller's.
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

from fairvec.core.errors import ClusterError, FairvecError
from fairvec.core.io.atomic_files import atomic_path, scratch_folder
from fairvec.encoders.encoder import versions
from fairvec.experiments.study.cells import (
    CELL_VERSION,
    CellTask,
    test_identities,
    version_of_package,
)
from fairvec.lexicon import select_tests
from fairvec.results.study import CellRecord, FailedCell
from fairvec.training.cluster import (
    WorkersDiedError,
    check_cluster,
    cluster_client,
    future_result,
    wait_any,
)

if TYPE_CHECKING:
    from distributed import Client, Future

    from fairvec.experiments.study.study import CellMapping


TRAINING_PACKAGES = ("numba", "gensim")
"""Packages that affect training, in addition to those that every record names."""


@dataclass(frozen=True)
class SentFile:
    """A file of the caller, and the SHA-256 of its content."""

    path: Path
    sha256: str


CellResult = tuple[CellRecord, bytes | None]
"""A cell's record, and its model as a file if that is to be saved."""


def pass_through(piece: bytes) -> bytes:
    """Return a piece of a text unchanged: as a task it is sent once to each worker."""
    return piece


def installed_packages() -> dict[str, str]:
    """Return the versions of all packages that may change a figure of a cell."""
    training = {name: version_of_package(name) for name in TRAINING_PACKAGES}
    return versions() | training | {"way of studying": str(CELL_VERSION)}


def run_cell_on_worker(
    function: Callable[[CellTask], CellRecord],
    task: CellTask,
    packages: dict[str, str],
    files: Sequence[SentFile],
    pieces: Sequence[Sequence[bytes]],
) -> CellResult:
    """Measure a cell with the files sent, on a worker with the caller's versions and tests."""
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
            return record.model_copy(update={"reason": reason}), None
        return record, local_task.keep.read_bytes() if local_task.keep else None


def _refuse_other_versions(packages: dict[str, str]) -> None:
    """Raise an error if this worker has other versions than the caller."""
    installed = installed_packages()
    for name, expected in packages.items():
        if (version := installed.get(name, "absent")) != expected:
            raise ClusterError(
                f"The worker on {gethostname()} has {name} {version}, and the study is asked with "
                f"{expected}, which might give other figures; install the same version there."
            )


def _write_file(file: SentFile, pieces: Sequence[bytes], folder: Path) -> Path:
    """Write a file that was sent, under its own name, and check its hash."""
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
    """Raise an error if a suite has other words here: the figure would be of another test."""
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
"""Below the ten megabytes per task that schedulers are made for."""


def dask_mapping(address: str) -> CellMapping:
    """Return a mapping that runs cells on a Dask cluster, for `study(..., mapping=...)`.

    Records come as they are finished, equal to those of this machine to the last digit. The
    connection to the scheduler is checked at once.
    """
    check_cluster(address, TASK_NAME)
    return partial(_records, address)


def _records(
    address: str, function: Callable[[CellTask], CellRecord], tasks: Sequence[CellTask]
) -> Iterator[CellRecord]:
    if not tasks:
        return
    packed = dict(map(_pack, dict.fromkeys(path for task in tasks for path in task.files)))
    # Models are written here, so that an error of this disk is not mistaken for the cluster's.
    for task, (record, model) in _results(address, function, tasks, packed):
        if task.keep and model is not None:
            with atomic_path(task.keep) as draft:
                draft.write_bytes(model)
        yield record


def _results(
    address: str,
    function: Callable[[CellTask], CellRecord],
    tasks: Sequence[CellTask],
    packed: dict[SentFile, list[bytes]],
) -> Iterator[tuple[CellTask, CellResult]]:
    """Yield every cell once, as soon as it is finished."""
    with cluster_client(address, TASK_NAME, LOST_ADVICE) as client:
        sent = {file.path: (file, _send(client, pieces)) for file, pieces in packed.items()}

        def submit(task: CellTask) -> Future[CellResult]:
            files, pieces = zip(*(sent[path] for path in task.files), strict=True)
            arguments = (function, task, installed_packages(), files, pieces)
            return client.submit(run_cell_on_worker, *arguments, pure=False)

        pending = {submit(task): task for task in tasks}
        while pending:
            for future in wait_any(client, pending, address):
                task = pending.pop(future)
                result = _cell_result(future, task, address)
                del future
                yield task, result


def _pack(path: Path) -> tuple[SentFile, list[bytes]]:
    content, pieces = sha256(), []
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            content.update(piece)
            pieces.append(zlib.compress(piece))
    return SentFile(path, content.hexdigest()), pieces


def _send(client: Client, pieces: Iterable[bytes]) -> list[Future[bytes]]:
    return [client.submit(pass_through, piece, pure=False) for piece in pieces]


def _cell_result(future: Future[Any], task: CellTask, address: str) -> CellResult:
    """Return the result of a worker; a cell over which workers died is a failed one."""
    try:
        result: CellResult = future_result(
            future,
            address,
            task=f"the cell {task.place}",
            on_death="and run the study again",
            on_failure="install the same version, and run the study again: cells that came before "
            "are kept",
        )
    except WorkersDiedError as error:
        return FailedCell(place=task.place, reason=str(error)), None
    return result
