"""A cluster finds what this machine finds, to the last digit, whoever dies meanwhile."""

import operator
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest

from fairvec.core.errors import ClusterError
from fairvec.experiments.study import cluster as cells_on_cluster
from fairvec.experiments.study.cells import CellTask
from fairvec.experiments.study.cluster import (
    dask_mapping,
    installed_packages,
)
from fairvec.experiments.study.plan import read_study
from fairvec.experiments.study.study import Study, study
from fairvec.report import write_study_report
from fairvec.results.study import CellRecord, FailedCell, StudyCell
from fairvec.training import cluster as connection
from tests.experiments.study.toys import PLAN, place, write_study_files
from tests.training.local_cluster import running_scheduler, running_workers

MORE_MODELS = """
[models.cbow]
epochs = 2

[models.poincare-glove]
epochs = 2
init_words = 1000
"""
"""Of the last one every cell fails: there are not so many words."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("cluster")
    with (
        running_scheduler(folder) as (address, _),
        running_workers(address, folder, "steady"),
    ):
        yield address


def timeless(found: Study) -> Study:
    cells = [
        cell.model_copy(update={"seconds": 0}) if isinstance(cell, StudyCell) else cell
        for cell in found.cells
    ]
    return Study(found.head, found.answers, tuple(cells))


def page(found: Study, file: Path) -> bytes:
    write_study_report(found.lines, file)
    return file.read_bytes()


def models(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "models").iterdir()}


def test_a_worker_that_dies_in_the_middle_changes_nothing(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    from distributed import Client

    plan = read_study(write_study_files(tmp_path, PLAN + MORE_MODELS))
    here = study(plan, tmp_path / "here", keep_models=True)
    monkeypatch.setattr(cells_on_cluster, "PIECE_BYTES", 4000)
    packed = cells_on_cluster._pack
    gone: list[str] = []

    def packed_and_removed(path: Path) -> Any:
        """Workers have no common disk with the caller: what they read was sent to them."""
        found = packed(path)
        assert path.suffix != ".txt" or len(found[1]) > 2
        # The suite is read by the caller too, when all cells are there.
        if path.suffix != ".toml":
            gone.append(path.suffix)
            path.unlink()
        return found

    monkeypatch.setattr(cells_on_cluster, "_pack", packed_and_removed)
    arrived: list[str] = []
    killed: list[str] = []
    with (
        running_workers(address, tmp_path, "doomed") as workers,
        Client(address, set_as_default=False) as observer,
    ):

        def report(_: int, __: int, what: str) -> None:
            if what.startswith(("kind, ", "plain, ")):
                arrived.append(what)
                if not killed:
                    os.kill(workers["doomed"].pid, signal.SIGSTOP)
                    if given_to("doomed", observer):
                        workers["doomed"].kill()
                        killed.append(what)
                    else:  # it has just handed its cell in, and gets another
                        os.kill(workers["doomed"].pid, signal.SIGCONT)

        there = study(
            plan,
            tmp_path / "there",
            keep_models=True,
            mapping=dask_mapping(address),
            progress=report,
        )
        names = [worker["name"] for worker in observer.scheduler_info()["workers"].values()]
    assert killed
    assert names == ["steady"]
    assert sorted(gone) == [".txt", ".txt", ".words"]
    assert sorted(arrived) == sorted(str(cell.place) for cell in here.cells)
    assert sum(isinstance(cell, FailedCell) for cell in there.cells) == 8
    assert timeless(there) == timeless(here)
    assert page(there, tmp_path / "there.html") == page(here, tmp_path / "here.html")
    assert models(tmp_path / "there") == models(tmp_path / "here")


def given_to(name: str, observer: Any) -> bool:
    """Say whether a worker is at work on a cell, or is given one in a moment."""
    deadline = monotonic() + 1
    while monotonic() < deadline:
        places = {
            worker["name"]: place
            for place, worker in observer.scheduler_info(n_workers=-1)["workers"].items()
        }
        # A worker that the scheduler does not list, yet or any more, is given nothing.
        given = observer.processing().get(places.get(name), ())
        if any("run_cell_on_worker" in key for key in given):
            return True
        sleep(0.05)
    return False


def test_what_arrived_before_an_interruption_is_kept(address: str, tmp_path: Path) -> None:
    plan = read_study(write_study_files(tmp_path))
    given: list[int] = []

    def until(
        most: int, function: Callable[[CellTask], CellRecord], tasks: Sequence[CellTask]
    ) -> Iterable[CellRecord]:
        given.append(len(tasks))
        for number, record in enumerate(dask_mapping(address)(function, tasks)):
            if number == most:
                raise KeyboardInterrupt
            yield record

    with pytest.raises(KeyboardInterrupt):
        study(plan, tmp_path / "out", mapping=lambda *asked: until(3, *asked))
    found = study(plan, tmp_path / "out", mapping=lambda *asked: until(8, *asked))
    assert given == [8, 5]
    assert timeless(found) == timeless(study(plan, tmp_path / "here"))


def test_a_worker_that_would_give_other_figures_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = read_study(write_study_files(tmp_path))
    here = installed_packages()
    monkeypatch.setattr(cells_on_cluster, "installed_packages", lambda: here | {"numpy": "1.0"})
    message = rf"has numpy {here['numpy']}, and the study is asked with 1\.0"
    with pytest.raises(ClusterError, match=message):
        study(plan, tmp_path / "out", mapping=dask_mapping(address))
    assert not (tmp_path / "out" / "cells").exists()
    monkeypatch.setattr(cells_on_cluster, "run_cell_on_worker", operator.index)
    with pytest.raises(ClusterError, match=r"over the cell (kind|plain), .*another version of"):
        study(plan, tmp_path / "out", mapping=dask_mapping(address))
    assert not (tmp_path / "out" / "cells").exists()


def test_a_scheduler_that_dies_in_the_middle_leaves_what_was_found(tmp_path: Path) -> None:
    plan = read_study(write_study_files(tmp_path))
    ended: list[str] = []
    with (
        running_scheduler(tmp_path) as (address, scheduler),
        running_workers(address, tmp_path, "only"),
    ):

        def report(_: int, __: int, what: str) -> None:
            if what.startswith(("kind, ", "plain, ")):
                ended.append(what)
                scheduler.kill()

        with pytest.raises(ClusterError, match=r"was lost .* came before are kept; start the sch"):
            study(plan, tmp_path / "out", mapping=dask_mapping(address), progress=report)
    assert ended
    assert len([*(tmp_path / "out" / "cells").glob("*.json")]) == len(ended)


def test_a_cluster_without_workers_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(connection, "LOOK_SECONDS", 0.1)
    plan = read_study(write_study_files(tmp_path))
    with running_scheduler(tmp_path) as (address, _):
        mapping = dask_mapping(address)
        with pytest.raises(ClusterError, match=r"has no worker since .*`dask worker tcp://"):
            study(plan, tmp_path / "out", mapping=mapping)
    assert not (tmp_path / "out" / "cells").exists()


def test_a_dead_scheduler_is_noticed_before_a_text_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 1)
    with pytest.raises(ClusterError, match="No scheduler answers"):
        dask_mapping("tcp://127.0.0.1:9")


def test_a_cell_that_ends_one_worker_after_another_is_a_failed_one() -> None:
    from distributed import KilledWorker

    last: Any = None
    error = KilledWorker("cell", last, 3)
    future: Any = SimpleNamespace(status="error", exception=lambda: error)
    task: Any = SimpleNamespace(place=place())
    record, model = cells_on_cluster._cell_result(future, task, "tcp://127.0.0.1:8786")
    assert isinstance(record, FailedCell)
    assert record.place == place()
    assert "run the study again" in record.reason
    assert model is None
