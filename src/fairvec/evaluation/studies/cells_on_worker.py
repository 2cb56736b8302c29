"""One cell on a worker of a cluster: what was sent is checked, laid out, and learnt from."""

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from socket import gethostname

from fairvec.evaluation.runs.describe import versions
from fairvec.evaluation.studies.cells import (
    WAY_OF_STUDYING,
    CellTask,
    asked_of,
    version_of_package,
)
from fairvec.ground.disk.drafts import scratch
from fairvec.ground.errors import ClusterError, FairvecError
from fairvec.lexicon import select
from fairvec.results import CellRecord, FailedCell

TRAINING_WITH = ("numba", "gensim")
"""Packages that move a digit of what is trained, beside those that every record names."""


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


def held(piece: bytes) -> bytes:
    """Return a piece of a text as it came: as a task it is sent once to each worker."""
    return piece


def packages_here() -> dict[str, str]:
    """Return the versions of all that could move a digit of a cell; absent ones are named so."""
    found = {name: version_of_package(name) for name in TRAINING_WITH}
    return versions() | found | {"way of studying": str(WAY_OF_STUDYING)}


def found_by_worker(
    function: Callable[[CellTask], CellRecord],
    task: CellTask,
    packages: dict[str, str],
    files: Sequence[SentFile],
    pieces: Sequence[Sequence[bytes]],
) -> CellFound:
    """Measure a cell with the files that were sent, if this worker gives the caller's figures."""
    _refuse_other(packages)
    with scratch() as folder:
        places = {
            file.path: _laid(file, parts, folder / str(number))
            for number, (file, parts) in enumerate(zip(files, pieces, strict=True))
        }
        own = replace(
            task,
            text=places[task.text],
            words=places[task.words],
            suites=tuple(str(places.get(Path(suite), suite)) for suite in task.suites),
            keep=folder / "model" / task.keep.name if task.keep else None,
        )
        _refuse_other_tests(own)
        record = function(own)
        if isinstance(record, FailedCell):
            said = record.reason
            for path, place in places.items():
                said = said.replace(str(place), str(path))
            return CellFound(record.model_copy(update={"reason": said}))
        return CellFound(record, own.keep.read_bytes() if own.keep else None)


def _refuse_other(packages: dict[str, str]) -> None:
    """Raise an error if this worker has other versions than the caller."""
    here = packages_here()
    for name, wanted in packages.items():
        if (found := here.get(name, "absent")) != wanted:
            raise ClusterError(
                f"The worker on {gethostname()} has {name} {found}, and the study is asked with "
                f"{wanted}, which might give other figures; install the same version there."
            )


def _laid(file: SentFile, pieces: Sequence[bytes], folder: Path) -> Path:
    """Write a file that was sent, under its own name, and hold it against its hash."""
    folder.mkdir()
    place, content = folder / file.path.name, sha256()
    with place.open("wb") as out:
        for piece in pieces:
            part = zlib.decompress(piece)
            content.update(part)
            out.write(part)
    if content.hexdigest() != file.sha256:
        raise ClusterError(
            f"What the worker on {gethostname()} has of {file.path} is not what was sent (another "
            "SHA-256); restart that worker, and run the study again."
        )
    return place


def _refuse_other_tests(task: CellTask) -> None:
    """Raise an error if a suite has other words here: the figure would be one of another test."""
    try:
        same = asked_of(select(task.suites)) == json.loads(task.identity)["tests"]
    except FairvecError:
        same = False
    if not same:
        raise ClusterError(
            f"The worker on {gethostname()} has other lists of {', '.join(task.suites)} than the "
            "study; install the same version of fairvec there."
        )
