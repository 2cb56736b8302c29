"""Numbers that nothing can be reckoned with are refused, whichever option they are given to."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairvec.cli.app import COMMANDS, LARGEST, loaded
from fairvec.core.errors import SettingError
from tests.cli.conftest import Shell


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield a command, or all commands of a group, by name."""
    if not hasattr(command, "commands"):
        yield name, command
    for inner, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{name} {inner}")


def numbers_of(command: Any) -> Iterator[tuple[Any, type]]:
    """Yield the options of a command that take a number, and of which type it is."""
    kinds = inspect.signature(command.callback).parameters
    for option in command.params:
        kind = str(kinds[option.name].annotation if option.name in kinds else "")
        if found := re.match(r"(?:typing\.)?Annotated\[(int|float)\b|<class '(int|float)'>", kind):
            yield option, int if "int" in found.groups() else float


OPTIONS = [
    pytest.param(command, option, kind, id=f"{name} {option.name}")
    for top in COMMANDS
    for name, command in commands(loaded(top), top)
    for option, kind in numbers_of(command)
]


def test_every_command_with_numbers_is_looked_at() -> None:
    assert len(OPTIONS) > 40
    assert {"neighbours count", "audit samples", "suites needs draws"} <= {p.id for p in OPTIONS}


@pytest.mark.parametrize(("command", "option", "kind"), OPTIONS)
def test_every_option_refuses_numbers_without_end(command: Any, option: Any, kind: type) -> None:
    wrong: dict[type, list[float]] = {
        int: [LARGEST + 1, -LARGEST - 1, 10**20, 10**4000],
        float: [float("nan"), float("inf"), -float("inf")],
    }
    for number in wrong[kind]:
        with pytest.raises(SettingError, match=f"^{max(option.opts, key=len)} is ") as refused:
            command.callback(**{option.name: number})
        assert len(str(refused.value)) < 500


@pytest.mark.parametrize("typed", ["9" * 20, "9" * 5000, "-1", "0", "nan", "inf", "1e3", "x", ""])
def test_a_count_of_neighbours_may_be_anything(typed: str, shell: Shell, model_file: Path) -> None:
    answer = shell("neighbours", model_file, "office", f"--count={typed}")
    assert answer.code == 2
    assert "Traceback" not in answer.err
    assert "fault of fairvec" not in answer.err


def test_more_neighbours_than_there_are_words_are_refused(shell: Shell, model_file: Path) -> None:
    answer = shell("neighbours", model_file, "office", "--count", LARGEST)
    assert answer.code == 2
    assert "There are fewer than 1000000000000 points" in answer.err


@pytest.mark.parametrize(
    "typed", ["x=" + "[" * 100_000, "x=NaN", "strength=1e999", "strength=" + "9" * 5000, "="]
)
def test_a_setting_may_be_anything(typed: str, shell: Shell, model_file: Path) -> None:
    out = model_file.with_name("out.vec")
    answer = shell("debias", model_file, "--concept", "en/gender", "-o", out, "--set", typed)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert len(answer.err) < 1000
    assert not out.exists()


@pytest.mark.parametrize("typed", ["nan", "inf", "-inf", "1e999"])
@pytest.mark.parametrize("option", ["--min-coverage", "--curvature"])
def test_shares_and_curvatures_are_finite(
    option: str, typed: str, shell: Shell, model_file: Path, suite_file: Path
) -> None:
    answer = shell("audit", model_file, "--suite", suite_file, f"{option}={typed}")
    assert answer.code == 2
    assert answer.err.startswith(f"error: {option} is ")


def test_so_many_processes_are_not_started(shell: Shell, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.touch()
    answer = shell("study", plan, "-o", tmp_path / "out", "--jobs", "1025")
    assert answer.code == 2
    assert "--jobs" in answer.err


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        (["audit", "MODEL", "-o", ""], "--output"),
        (["audit", "MODEL", "--output="], "--output"),
        (["audit", ""], "MODELS"),
        (["check", "run", "--fail-if", "p < 1", "--junit", ""], "--junit"),
        (["check", "", "--fail-if", "p < 1"], "FOLDER"),
        (["compare", "run", ""], "AFTER"),
        (["report", "run", "-o", ""], "--output"),
        (["convert", "MODEL", ""], "FILE"),
    ],
    ids=range(8),
)
def test_an_empty_name_is_not_the_folder_one_stands_in(
    typed: list[str], named: str, shell: Shell, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model_file.parent)
    before = sorted(model_file.parent.iterdir())
    answer = shell(*(str(model_file) if word == "MODEL" else word for word in typed))
    assert answer.code == 2
    assert answer.err == f"error: {named} is empty; say which one is meant, or leave it out.\n"
    assert sorted(model_file.parent.iterdir()) == before
