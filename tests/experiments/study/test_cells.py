"""Cells of a study on workers and clusters."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fairvec.core.errors import ClusterError
from fairvec.experiments.study.cells import CellTask, run_cell
from fairvec.experiments.study.cluster import (
    CellResult,
    SentFile,
    installed_packages,
    run_cell_on_worker,
)
from fairvec.experiments.study.plan import read_study
from fairvec.experiments.study.study import prepare_cells
from fairvec.results.study import CellRecord, FailedCell, StudyCell
from tests.experiments.study.toys import write_study_files

# --- cells on worker ---


@pytest.fixture
def task(tmp_path: Path) -> CellTask:
    (task, *_), _ = prepare_cells(read_study(write_study_files(tmp_path)), tmp_path / "out")
    return task


def sent(task: CellTask, size: int = 1000) -> tuple[list[SentFile], list[list[bytes]]]:
    """Return the files of a task as they are sent, in small pieces."""
    contents = [file.read_bytes() for file in task.files]
    hashes = [sha256(content).hexdigest() for content in contents]
    pieces = [
        [zlib.compress(content[at : at + size]) for at in range(0, len(content), size)]
        for content in contents
    ]
    return list(map(SentFile, task.files, hashes)), pieces


def found(
    task: CellTask, files: Sequence[SentFile], pieces: Sequence[Sequence[bytes]]
) -> CellResult:
    return run_cell_on_worker(run_cell, task, installed_packages(), files, pieces)


def test_a_cell_is_found_without_the_files_of_the_caller(task: CellTask) -> None:
    here = run_cell(task)
    files, pieces = sent(task)
    assert [file.path.suffix for file in files] == [".txt", ".words", ".toml"]
    assert len(pieces[0]) > 2
    for file in task.files:
        file.unlink()
    there = found(task, files, pieces)[0]
    assert isinstance(here, StudyCell)
    assert isinstance(there, StudyCell)
    assert there.model_copy(update={"seconds": here.seconds}) == here


def test_a_gap_says_what_was_missing_and_not_what_an_audit_would_do(task: CellTask) -> None:
    words = task.words.read_text().split("\n")
    task.words.write_text("\n".join(words[:3]))
    found = run_cell(task)
    assert isinstance(found, StudyCell)
    assert found.gaps
    for gap in found.gaps:
        assert gap.reason.startswith("Only ")
        assert gap.reason.endswith("less than 50%.")


@pytest.mark.parametrize("number", [0, 1, 2], ids=["the text", "the words", "the suite"])
def test_a_file_that_is_not_what_was_sent_is_refused(number: int, task: CellTask) -> None:
    files, pieces = sent(task)
    pieces[number] = pieces[number][:-1]
    with pytest.raises(ClusterError, match=r"is not what was sent .*restart that worker"):
        found(task, files, pieces)


def test_other_lists_under_the_same_name_are_refused(task: CellTask) -> None:
    suite = task.files[2]
    suite.write_text(suite.read_text().replace('"daisy"', '"worda"'))
    with pytest.raises(ClusterError, match=r"has other lists of .*toy\.toml than the study"):
        found(task, *sent(task))
    unknown = replace(task, suites=("nobody-knows-it",))
    with pytest.raises(ClusterError, match="has other lists of nobody-knows-it than the study"):
        found(unknown, *sent(unknown))


@pytest.mark.parametrize("name", [*installed_packages()])
def test_other_versions_are_refused(name: str, task: CellTask) -> None:
    other = installed_packages() | {name: "0"}
    with pytest.raises(ClusterError, match=f"has {name} .* is asked with 0, .*install the same"):
        run_cell_on_worker(run_cell, task, other, *sent(task))


def test_a_package_that_only_the_caller_has_is_named(task: CellTask) -> None:
    other = installed_packages() | {"something": "3"}
    with pytest.raises(ClusterError, match="has something absent, and the study is asked with 3"):
        run_cell_on_worker(run_cell, task, other, *sent(task))


def test_a_reason_names_the_files_of_the_caller(task: CellTask) -> None:
    def failing(own: CellTask) -> CellRecord:
        assert own.text != task.text
        return FailedCell(place=own.place, reason=f"{own.text}: it is odd; see {own.words}.")

    there = run_cell_on_worker(failing, task, installed_packages(), *sent(task))
    reason = f"{task.text}: it is odd; see {task.words}."
    assert there == (FailedCell(place=task.place, reason=reason), None)
