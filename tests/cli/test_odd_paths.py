"""A path of odd characters is shown on one line, wherever a command takes one and fails."""

import inspect
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairvec.cli.app import COMMANDS, loaded
from tests import toys
from tests.cli.conftest import Shell, write_model
from tests.cli.test_within_reason import commands

ODD = "o\nerror: forged\r\x1b[2J\x9b1A\u202e\u2028\t\x7fdd"


def paths_of(command: Any) -> Iterator[Any]:
    """Yield what a command takes that may be a path: each argument, and options of paths."""
    kinds = inspect.signature(command.callback).parameters
    for param in command.params:
        kind = str(kinds[param.name].annotation) if param.name in kinds else ""
        if param.param_type_name == "argument" or "Path" in kind or "str" in kind:
            yield param


def faults_of(text: str) -> list[str]:
    """Name the characters that a terminal would obey."""
    letters = {*text} - {"\n"}
    return [hex(ord(one)) for one in letters if unicodedata.category(one) in ("Cc", "Cf", "Zl")]


def line_of(command: Any, name: str, odd: Any, path: str) -> list[str]:
    """Return the command with an odd path for one parameter, and names of nothing for others."""
    words = name.split()
    for param in command.params:
        value = path if param is odd else "x"
        if param.param_type_name == "argument" and (param.required or param is odd):
            words.append(value)
        elif param is odd or (param.required and param.opts):
            words += [max(param.opts, key=len), value]
    return words


@pytest.mark.parametrize("top", [top for top in COMMANDS if top != "explore"])
@pytest.mark.parametrize("ending", ["", ".toml", "/x.vec"], ids=["bare", "toml", "inside"])
def test_an_odd_path_is_one_line(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, top: str, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    tried = 0
    for name, command in commands(loaded(top), top):
        for param in paths_of(command):
            answer = shell(*line_of(command, name, param, ODD + ending))
            assert not faults_of(answer.out + answer.err), (name, param.name)
            assert "error: forged" not in answer.err.splitlines(), (name, param.name)
            if answer.code == 2:
                assert answer.err.count("\n") == 1, (name, param.name, answer.err)
            tried += 1
    assert tried or top in ("plugins", "models", "benchmarks")


@pytest.mark.parametrize(
    "line",
    [
        "audit MODEL -s SUITE -o OUT",
        "convert MODEL OUT.vec",
        "debias MODEL --concept CONCEPT -s SUITE -o OUT.fairvec",
        "suites new OUT/x.toml",
        "concepts new OUT/x.toml",
        "study new OUT.toml",
        "document TEXT -o OUT",
        "document TEXT --apply OUT",
        "report RUN -o OUT.html",
        "audit ODDMODEL -s SUITE",
    ],
)
def test_what_is_said_of_an_odd_path_is_one_line(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"SUITE": "toy.toml", "CONCEPT": "en/gender", "TEXT": "t.txt", "RUN": "run"}
    names |= {"MODEL": "m.vec", "ODDMODEL": f"{ODD}.vec"}
    for model in ("m.vec", f"{ODD}.vec"):
        write_model(tmp_path / model, 1.0)
    Path("toy.toml").write_text(toys.suite_text(), encoding="utf-8")
    Path("t.txt").write_text("She is a nurse.\n", encoding="utf-8")
    if "RUN" in line:
        shell("audit", "m.vec", "-s", "toy.toml", "-o", "run")
    words = [names.get(word, word.replace("OUT", f"{ODD}2")) for word in line.split()]
    answer = shell(*words)
    assert answer.code == 0, answer.err
    assert not faults_of(answer.out + answer.err)
    assert not [line for line in answer.err.splitlines() if line.startswith("error: forged")]
    if "OUT" in line:
        assert "\\u000aerror: forged" in answer.out + answer.err
