"""Packages of strangers in a real process: the shell finds them, and says which one is broken."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.experiments.study.toys import PLAN, write_study_files
from tests.plugin_package import METHOD, METRIC, write_example, write_package

Run = Callable[..., subprocess.CompletedProcess[str]]
PROGRAM = "import sys; sys.argv[0] = 'fairvec'; from fairvec.cli import main; main()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_example(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def run(folder: Path, tmp_path: Path) -> Run:
    """A function that runs ``fairvec ARGUMENTS`` in a process that finds the folder."""
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "200"}
    environment.pop("FAIRVEC_DATA", None)

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=tmp_path,
        )

    return call


AUDIT = ("audit", "glove-en-small", "-s", "caliskan2017/weat-6", "--json")


def test_the_shell_measures_by_a_metric_of_a_package(run: Run) -> None:
    done = run(*AUDIT, "--metric", "cosine-gap")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout.splitlines()[0])
    assert record["metric"] == "cosine-gap"
    assert record["value"] > 0.1
    assert record["described"]["settings"] == {"weight": 1.0, "package": "fairvec-gap"}
    assert record["versions"]["fairvec-gap"] == "1.2"


def test_the_shell_measures_by_a_metric_of_a_module(run: Run, folder: Path) -> None:
    (folder / "mine.py").write_text(METRIC.replace("cosine-gap", "my-gap"), encoding="utf-8")
    done = run(*AUDIT, "--metric", "python:mine:Gap", "--metric", "weat")
    assert done.returncode == 0, done.stderr
    mine, weat, *_ = map(json.loads, done.stdout.splitlines())
    assert (mine["metric"], mine["described"]["settings"]["package"]) == ("my-gap", "mine")
    assert mine["versions"]["mine"].startswith("sha256 ")
    assert "mine" not in weat["versions"]
    assert "package" not in weat["described"]["settings"]


def test_the_shell_debiases_by_a_method_of_a_package(run: Run, tmp_path: Path) -> None:
    done = run(
        *("debias", "glove-en-small", "--concept", "en/gender", "--method", "first-pair"),
        *("-s", "caliskan2017/weat-6", "-o", "out.fairvec"),
    )
    assert done.returncode == 0, done.stderr
    assert "Package: fairvec-gap 1.2" in done.stderr
    lines = (tmp_path / "out.fairvec.run" / "results.jsonl").read_text(encoding="utf-8")
    steps = [step for line in lines.splitlines() for step in json.loads(line)["model"]["history"]]
    assert ["fairvec-gap 1.2"] in [step.get("package") for step in steps]


def test_help_and_a_slip_name_what_packages_add(run: Run) -> None:
    page = " ".join(run("audit", "--help").stdout.split())
    assert "or, of other packages, cosine-gap; may be repeated" in page
    assert "of other packages, first-pair." in " ".join(run("debias", "--help").stdout.split())
    sentiment = " ".join(run("task", "sentiment", "--help").stdout.split())
    assert "of other packages, first-pair; may be" in sentiment
    done = run(*AUDIT, "--metric", "cosine-gaps")
    assert done.returncode == 2
    assert "did you mean cosine-gap or" in done.stderr


def test_a_broken_package_is_named_and_costs_no_other(run: Run, folder: Path) -> None:
    write_package(
        folder,
        "fairvec-broken",
        {
            "torn_module": "import no_such_thing",
            "leaving": "raise SystemExit(0)",
            "empty": "x = 1",
        },
        metrics={"torn": "torn_module:It", "gone": "leaving:It", "hollow": "empty:x"},
    )
    write_package(
        folder, "fairvec-thief", {"thief": METRIC}, metrics={"weat": "thief:Gap"}, version="3"
    )
    assert run(*AUDIT, "--metric", "cosine-gap").returncode == 0
    for name, message in {
        "torn": "cannot be imported (ModuleNotFoundError: No module named 'no_such_thing')",
        "gone": "cannot be imported (SystemExit: 0)",
        "hollow": "is no frozen dataclass",
    }.items():
        done = run(*AUDIT, "--metric", name)
        assert done.returncode == 2
        assert f"error: The metric '{name}' of fairvec-broken 1.2 {message};" in " ".join(
            done.stderr.split()
        )
    listed = " ".join(run("plugins", "list").stdout.split())
    assert "metric cosine-gap fairvec-gap 1.2 works" in listed
    assert "method first-pair fairvec-gap 1.2 works" in listed
    assert "The metric 'weat' comes with fairvec, so that of fairvec-thief 3 is refused" in listed
    assert listed.count("cannot be imported") == 2


def test_a_metric_that_fails_is_bad_input_and_no_fault_of_fairvec(run: Run, folder: Path) -> None:
    broken = METRIC.replace("cosine-gap", "torn").replace("float(x - y)", "float(x - y) / 0")
    (folder / "mine.py").write_text(broken, encoding="utf-8")
    done = run(*AUDIT, "--metric", "python:mine:Gap", "--metric", "weat")
    assert done.returncode == 2, done.stderr
    message = " ".join(done.stderr.split())
    assert (
        "error: 1 of 3 results met a fault, the first caliskan2017/weat-6: torn of mine" in message
    )
    assert "failed (ZeroDivisionError: " in message
    assert "fault of fairvec" not in message
    torn, weat, *_ = map(json.loads, done.stdout.splitlines())
    assert (torn["cause"], weat["status"]) == ("foreign", "measured")


def test_nothing_of_a_package_is_imported_unless_it_is_named(run: Run, folder: Path) -> None:
    (folder / "gap_metric.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    for arguments in (AUDIT, ("--help",), ("audit", "--help"), (*AUDIT, "--metric", "weta")):
        done = run(*arguments)
        assert "imported" not in done.stderr + done.stdout
    assert "RuntimeError: imported" in run(*AUDIT, "--metric", "cosine-gap").stderr


def test_a_file_cannot_name_code_to_run(run: Run, folder: Path, tmp_path: Path) -> None:
    own = METRIC.replace("cosine-gap", "my-gap")
    (folder / "mine.py").write_text("open('was-run', 'w').close()" + own, encoding="utf-8")
    plan = write_study_files(tmp_path, 'metrics = ["python:mine:Gap"]' + PLAN)
    done = run("study", plan, "-o", "out")
    assert done.returncode == 2
    assert "There is no metric named 'python:mine:Gap'" in done.stderr
    assert not (tmp_path / "was-run").exists()
    assert run(*AUDIT, "--metric", "python:mine:Gap").returncode == 0
    assert (tmp_path / "was-run").exists()


def test_a_method_is_checked_where_it_works(run: Run, folder: Path) -> None:
    flat = METHOD.replace("first-pair", "flat-pair").replace(
        "        words = ConceptWords",
        "        embedding.geometry.curvature and 1 / 0\n        words = ConceptWords",
    )
    (folder / "mine.py").write_text(flat, encoding="utf-8")
    check = ("plugins", "check", "--method", "python:mine:FirstPair")
    done = run(*check)
    assert done.returncode == 1, done.stderr
    assert "flat-pair (poincare space" in done.stdout
    done = run(*check, "--space", "euclidean")
    assert (done.returncode, done.stdout) == (0, "The method flat-pair obeys all laws.\n")
    for wrong, message in {
        "poincar": "There is no geometry named 'poincar'",
        "poincare-x4": "10 dimensions, which are not cut into 4 equal balls; say poincare-x5",
    }.items():
        done = run(*check, "--space", wrong)
        assert done.returncode == 2
        assert message in " ".join(done.stderr.split())
    done = run("plugins", "check", "-m", "cosine-gap", "--space", "euclidean")
    assert done.returncode == 2
    assert "are for methods; name one with --method" in done.stderr


def test_the_laws_can_be_run_from_the_shell(run: Run, folder: Path) -> None:
    (folder / "mine.py").write_text(
        METRIC.replace("cosine-gap", "one-sided").replace("float(x - y)", "float(abs(x - y))"),
        encoding="utf-8",
    )
    done = run("plugins", "check", "-m", "cosine-gap", "-m", "python:mine:Gap")
    assert done.returncode == 1, done.stderr
    message = done.stdout
    assert "The metric cosine-gap obeys all laws." in message
    assert "The metric one-sided (euclidean space, seed 0) breaks the law 'sees what it" in message
