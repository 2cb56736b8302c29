"""Which runs there are, and what each installs."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from scripts import test_everywhere as everywhere
from tests.conftest import SLOW

OWN = f"3.{sys.version_info.minor}"


@pytest.fixture
def on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"3.11": "/bin/a", "3.13": "/bin/c", OWN: "/bin/own"}
    monkeypatch.setattr(
        everywhere, "supported_versions", lambda: sorted({"3.11", "3.12", "3.13", OWN})
    )
    monkeypatch.setattr(everywhere, "interpreter", lambda version: places.get(version))


@pytest.mark.usefixtures("on_this_machine")
def test_every_python_that_is_here_is_run_and_the_others_are_named() -> None:
    able, absent = everywhere.available_trials()
    assert absent == [version for version in ("3.12",) if version != OWN]
    assert {*able} == {"3.11", "3.13", OWN, "oldest"}
    assert able["oldest"].constraints == "constraints-oldest.txt"
    # What make test-all runs already is not run again.
    assert {trial.name for trial in everywhere.select_trials(able, ())} == {*able} - {OWN}
    newest = [] if OWN >= "3.13" else ["3.13"]
    assert [trial.name for trial in everywhere.select_trials(able, ["newest"])] == newest
    assert [trial.name for trial in everywhere.select_trials(able, ["oldest"])] == ["oldest"]
    folders = [trial.folder for name, trial in able.items() if name != OWN]
    assert len({*folders}) == len(folders)
    assert everywhere.ROOT / ".venv" not in folders


def test_what_make_test_leaves_out_is_run_by_make_test_all() -> None:
    lines = (everywhere.ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    recipes = {line.split(":")[0]: below for line, below in pairwise(lines) if ":" in line}
    run = next(line for line in lines if line.startswith("PYTEST :="))
    assert "-m pytest" in run
    assert '"not slow"' in recipes["test"]
    assert " -m " not in recipes["test-all"] + run.replace(" -m pytest", "")
    tests = everywhere.ROOT / "tests"
    assert [place for place in SLOW if not (tests / place).exists()] == []


def test_the_pythons_are_those_of_the_classifiers() -> None:
    assert everywhere.supported_versions()[0] == "3.11"
    assert "3.13" in everywhere.supported_versions()


def test_without_torch_no_package_that_needs_it_is_installed() -> None:
    all_packages, less = (everywhere.requirements_of("dev", torch=torch) for torch in (True, False))
    assert {line.split(">=")[0] for line in {*all_packages} - {*less}} == {
        *everywhere.BUILT_ON_TORCH
    }
    assert "h5py>=3.8" in less


@pytest.mark.parametrize(
    ("ends", "passed", "message"), [(0, True, "3 passed"), (1, False, "1 failed, 2 passed")]
)
def test_a_run_is_judged_by_how_it_ends(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    ends: int,
    passed: bool,
    message: str,
) -> None:
    python = tmp_path / "bin/python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\necho "$@"\necho "{message} in 2.1s"\nexit {ends}\n')
    python.chmod(0o755)
    ended = everywhere.run_tests(everywhere.Trial("3.13", "", tmp_path, ""), cuda=False)
    assert (ended.passed, ended.summary) == (passed, message)
    assert "--hypothesis-profile" not in capsys.readouterr().out
