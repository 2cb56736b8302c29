"""Running commands as a shell would, in this process."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from fairvec.cli import main
from tests import toys


class Answer(NamedTuple):
    """What a shell sees of a command."""

    code: int
    out: str
    err: str


Shell = Callable[..., Answer]


@pytest.fixture(autouse=True)
def no_benchmarks_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands choose benchmarks by what lies on the machine: a test must not depend on that."""
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A function that runs ``fairvec ARGUMENTS`` and returns its exit code and output."""

    def run(*arguments: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["fairvec", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Answer(code, *capsys.readouterr())

    return run


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """A word2vec text file with a planted bias."""
    return write_model(tmp_path / "biased.vec", bias=1.0)


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    """The toy suite as a file."""
    path = tmp_path / "toy.toml"
    path.write_text(toys.suite_text(), encoding="utf-8")
    return path


def write_model(path: Path, bias: float) -> Path:
    """Write the toy embedding as word2vec text."""
    embedding = toys.embedding(bias)
    lines = [f"{len(embedding)} {embedding.dimensions}"]
    for key, vector in zip(embedding.keys, embedding.vectors, strict=True):
        lines.append(" ".join([key, *(f"{number:.9g}" for number in vector)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
