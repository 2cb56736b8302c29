"""Commands that write a run and commands that read one: killed anywhere, never a mixture unsaid."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fairvec.core.io.atomic_files import MARK
from fairvec.report import render
from fairvec.results import Outcome, read_results, write_results
from tests.cli.conftest import Answer, Shell, write_model
from tests.limits import SOURCE
from tests.nursery import off_this_one
from tests.results.make import measured
from tests.stopping import killed_before, kills

SAID = "holds parts of two runs, because one was interrupted while it put them in place: "


def write(folder: Path, model: str) -> None:
    outcomes: list[Outcome] = [measured(model=model)]
    write_results(outcomes, folder, {"report.html": render(outcomes)})


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with the page of a later run and the records of an earlier one."""
    folder = tmp_path / "run"
    write(folder, "first")
    killed_before(lambda: write(folder, "second"), folder / "results.jsonl", off_this_one)
    return folder


Ask = Callable[[Shell, Path], Answer]
READERS: dict[str, Ask] = {
    "report": lambda shell, run: shell("report", run),
    "check": lambda shell, run: shell("check", run, "--fail-if", "p < 0"),
    "compare": lambda shell, run: shell("compare", run, run),
}


@pytest.mark.parametrize("command", READERS)
def test_every_reader_tells_in_one_sentence_and_reads_a_file_alone(
    shell: Shell, mixed: Path, command: str
) -> None:
    answer = READERS[command](shell, mixed)
    assert answer.code == 2
    assert len(answer.err.strip().splitlines()) == 1
    assert f"{mixed} {SAID}report.html is of the later, results.jsonl is of the" in answer.err
    assert READERS[command](shell, mixed / "results.jsonl").code == 0


def test_a_page_made_of_the_records_makes_the_folder_one_again(shell: Shell, mixed: Path) -> None:
    assert shell("report", mixed / "results.jsonl").code == 0
    assert shell("check", mixed, "--fail-if", "p < 0").code == 0
    assert "second" not in (mixed / "report.html").read_text(encoding="utf-8")
    assert not (mixed / MARK).exists()


def test_a_page_that_goes_elsewhere_mends_nothing(
    shell: Shell, mixed: Path, tmp_path: Path
) -> None:
    assert shell("report", mixed / "results.jsonl", "-o", tmp_path / "page.html").code == 0
    assert shell("check", mixed, "--fail-if", "p < 0").code == 2


def test_an_audit_that_is_killed_leaves_one_run_or_is_told(
    shell: Shell, tmp_path: Path, suite_file: Path
) -> None:
    folder = tmp_path / "run"
    files = {name: write_model(tmp_path / f"{name}.vec", 1.0) for name in ("first", "second")}

    def audit(name: str) -> None:
        assert shell("audit", files[name], "--suite", suite_file, "-o", folder).code == 0

    def put_back(kept: dict[str, bytes]) -> None:
        for path in folder.iterdir():
            if path.is_file():
                path.unlink()
        for name, content in kept.items():
            (folder / name).write_bytes(content)

    audit("first")
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    seen = set()
    for _ in kills(lambda: audit("second"), folder, off_this_one):
        answer = shell("check", folder, "--fail-if", "p < 0")
        records = {one.model.name for one in read_results(folder / "results.jsonl")}
        page = (folder / "report.html").read_text(encoding="utf-8")
        pages = {name for name in files if f"What {name} associates" in page}
        assert (answer.code, SAID in answer.err) == ((0, False) if records == pages else (2, True))
        seen.add((*records, *pages))
        put_back(kept)
    assert seen == {("first", "first"), ("first", "second"), ("second", "second")}
    audit("first")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == kept


def test_a_page_that_cannot_be_made_costs_no_results(
    shell: Shell,
    tmp_path: Path,
    model_file: Path,
    suite_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "run"
    write(folder, "first")

    def broken(outcomes: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("fairvec.report.render", broken)
    assert shell("audit", model_file, "--suite", suite_file, "-o", folder).code == 3
    assert {one.model.name for one in read_results(folder)} == {"biased"}
    assert [path.name for path in folder.iterdir()] == ["results.jsonl"]


def test_two_audits_at_once_into_one_folder_end_with_one_whole_run(
    tmp_path: Path, suite_file: Path
) -> None:
    folder = tmp_path / "run"
    code = "import sys; from fairvec.cli import main; sys.argv[0] = 'fairvec'; main()"
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    running, quiet = [], subprocess.DEVNULL
    for name in ("first", "second"):
        model = write_model(tmp_path / f"{name}.vec", 1.0)
        asked = ["audit", str(model), "--suite", str(suite_file), "-o", str(folder)]
        command = [sys.executable, "-c", code, *asked]
        running.append(subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet))
    assert [each.wait(timeout=120) for each in running] == [0, 0]
    (model_name,) = {one.model.name for one in read_results(folder)}
    assert f"What {model_name} associates" in (folder / "report.html").read_text(encoding="utf-8")
    assert {path.name for path in folder.iterdir()} == {"results.jsonl", "report.html"}


def test_no_command_writes_a_page_beside_records_in_a_step_of_its_own() -> None:
    alone = re.compile(
        r"write_(\w+_)?report\(|write_(results|frontier|study|documents)\([^,]*, \w+\)"
    )
    found = {
        path.stem: alone.findall(path.read_text(encoding="utf-8"))
        for folder in ("cli/commands", "api", "web")
        for path in (SOURCE / "fairvec" / folder).glob("*.py")
    }
    assert [name for name, calls in found.items() if calls] == ["reports"]
