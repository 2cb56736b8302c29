"""A file's name may be no text at all: every command that takes one works, or refuses it first."""

import gzip
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import FileFormatError
from fairvec.results import read_results
from fairvec.web.open_models import OpenModels, open_models
from fairvec.web.questions.runs import ResultsFolders
from tests import toys
from tests.cli.conftest import Shell, write_model
from tests.web.asking import ask, explorer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")

NAME = os.fsdecode(b"m\xff")
SHOWN = "m\\udcff"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of such a name, with files of such names."""
    folder = tmp_path / os.fsdecode(b"d\xfe")
    folder.mkdir()
    monkeypatch.chdir(folder)
    model = write_model(folder / f"{NAME}.vec", 1.0)
    (folder / f"{NAME}.vec.gz").write_bytes(gzip.compress(model.read_bytes()))
    (folder / f"{NAME}.toml").write_text(toys.suite_text(), encoding="utf-8")
    (folder / f"{NAME}.words").write_text("\n".join(toys.embedding(1.0).keys), encoding="utf-8")
    (folder / f"{NAME}.txt").write_text("She is a nurse and he is a chairman.\n" * 9)
    return folder


WORKING = [
    "audit M.vec -s M.toml -o RUN",
    "audit M.vec.gz -s M.toml --json",
    "audit M.vec -s M.toml --csv",
    "audit M.vec -s M.toml --latex",
    "report RUN",
    "report RUN -o M.html",
    "check RUN --fail-if p<0",
    "check RUN --fail-if p<0 --markdown",
    "check RUN --fail-if p<0 --junit M.xml",
    "compare RUN RUN",
    "compare RUN RUN --json",
    "convert M.vec M.fairvec",
    "convert M.fairvec M.npz",
    "convert M.vec M.csv --words M.words",
    "convert M.vec M.safetensors",
    "audit M.fairvec -s M.toml -o M3",
    "train M.txt --language en -o Mt.fairvec --min-count 1 --dim 4 --epochs 1",
    "document M.txt -o Mdoc",
    "document . -o Mdocs",
    "document M.txt --apply Mapplied.txt",
    "report Mdoc",
    "suites lint M.toml",
    "suites lint M.toml --model M.vec",
    "suites show M.toml",
    "study new Mplan.toml",
]
"""In this order: one uses what another wrote. M is the name that is no text, RUN a folder of it."""


def spelt(line: str) -> list[str]:
    return [
        word.replace("M", NAME).replace("RUN", f"{NAME} run").replace("<", " < ")
        for word in line.split()
    ]


def test_names_that_are_no_text_work_all_the_way(shell: Shell, place: Path) -> None:
    for line in WORKING:
        answer = shell(*spelt(line))
        assert answer.code == 0, f"{line}: {answer.err}"
        for text in (answer.out, answer.err):
            text.encode()
    names = {one.model.name for one in read_results(place / f"{NAME} run")}
    assert names == {SHOWN}
    for file in place.rglob("*"):
        if file.suffix in (".jsonl", ".html", ".xml"):
            assert "udcff" in file.read_text(encoding="utf-8")
    assert fairvec.load(place / f"{NAME}.fairvec").history[0].details["file"] == f"{SHOWN}.vec"


def test_a_model_of_such_a_name_is_debiased(shell: Shell, place: Path) -> None:
    made = ("--concept", "hi/gender", "-s", "malik2022/maths-arts")
    assert shell("convert", "glove-hi-small", f"{NAME}.bin").code == 0
    answer = shell("debias", f"{NAME}.bin", *made, "--language", "hi", "-o", f"{NAME}d.fairvec")
    assert answer.code == 0, answer.err
    assert fairvec.load(f"{NAME}d.fairvec").name.startswith(SHOWN)
    run = place / f"{NAME}d.fairvec.run"
    assert SHOWN in (run / "report.html").read_text(encoding="utf-8")
    assert shell("report", run).code == 0


@pytest.mark.parametrize(
    "line",
    [
        "audit M",
        "audit glove-en-small -s M",
        "debias glove-en-small --concept M -o x.fairvec",
        "debias glove-en-small --concept en/gender --method M -o x.fairvec",
        "benchmarks ask glove-en-small M",
        "check RUN --fail-if model=='M'",
        "neighbours M.vec M",
        "models get M",
        "reproduce M",
        "suites new Ms.toml",
        "concepts new Mc.toml",
        "M",
        "audit --M",
    ],
)
def test_a_name_that_can_mean_nothing_is_refused(shell: Shell, place: Path, line: str) -> None:
    before = {*place.rglob("*")}
    answer = shell(*spelt(line))
    assert answer.code == 2, answer.err
    assert "fault of fairvec" not in answer.err
    assert {*place.rglob("*")} == before


def test_what_cannot_work_is_said_before_the_work(shell: Shell, place: Path) -> None:
    encoder = place / f"{NAME}-encoder"
    encoder.mkdir()
    (encoder / "config.json").write_text("{}")
    (place / f"{NAME}-plan.toml").write_text("")
    for command in (
        ("audit", encoder.name, "-s", f"{NAME}.toml"),
        ("distil", encoder.name, "--words", f"{NAME}.words", "-o", "x.vec"),
        ("study", f"{NAME}-plan.toml", "-o", "out"),
    ):
        answer = shell(*command)
        assert answer.code == 2
        assert "its name is not UTF-8" in answer.err


def test_the_explorer_shows_such_names(shell: Shell, place: Path) -> None:
    assert shell(*spelt(WORKING[0])).code == 0
    file = f"{NAME}.vec"
    models = open_models([(file, fairvec.load(file)), (f"./{file}", fairvec.load(file))])
    found = OpenModels(models, ResultsFolders((place,)).checked())
    app = explorer(found)
    told = ask(app, "/api/models")
    assert told.status == 200
    assert SHOWN in json.dumps(told.json).replace("\\\\", "\\")
    runs = ask(app, "/api/results")
    assert runs.status == 200
    (name,) = (run["name"] for run in runs.json["runs"])
    assert ask(app, "/run", {"name": name}).status == 200


HALF = "a\ud800"


def as_npz(path: Path) -> Path:
    np.savez(path / "x.npz", keys=np.array([HALF, "b"]), vectors=np.eye(2))
    return path / "x.npz"


def as_npy(path: Path) -> Path:
    np.save(path / "x.npy", np.eye(2))
    (path / "x.json").write_text(json.dumps([HALF, "b"]))
    return path / "x.npy"


@pytest.mark.parametrize("written", [as_npz, as_npy])
def test_keys_with_half_a_character_are_refused_on_reading(
    tmp_path: Path, written: Callable[[Path], Path]
) -> None:
    file = written(tmp_path)
    with pytest.raises(FileFormatError, match="half a character"):
        fairvec.load(file)
    assert [*fairvec.load(file, invalid_utf8="replace").keys] == ["a\ufffd", "b"]


def test_halves_in_what_was_found_in_documents_are_refused(shell: Shell, place: Path) -> None:
    assert shell("document", f"{NAME}.txt", "-o", "run").code == 0
    file = place / "run" / "document.jsonl"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(r"m\\udcff", r"m\ud800"), encoding="utf-8")
    assert r'"m\ud800.txt' in file.read_text(encoding="utf-8")
    answer = shell("report", "run")
    assert answer.code == 2
    assert "a text in it holds half a character" in " ".join(answer.err.split())


def test_halves_in_metadata_and_records_are_refused(shell: Shell, place: Path) -> None:
    named = fairvec.load(f"{NAME}.vec", name=f"x{HALF}")
    assert named.name == "xa\\ud800"
    file = fairvec.save(named, place / "half.fairvec")
    assert fairvec.load(file).name == "xa\\ud800"
    assert shell("audit", file, "-s", f"{NAME}.toml", "-o", "run").code == 0
    content = file.read_bytes().replace(b"xa\\\\ud800", b"xaa\\ud800")
    assert content != file.read_bytes()
    file.write_bytes(content)
    with pytest.raises(FileFormatError, match="holds half a character"):
        fairvec.load(file)
    results = place / "run" / "results.jsonl"
    text = results.read_text(encoding="utf-8")
    assert "xa\\\\ud800" in text
    results.write_text(text.replace("xa\\\\ud800", "xa\\ud800"), encoding="utf-8")
    for command in (("report", "run"), ("compare", "run", "run"), ("check", "run", "--fail-if")):
        more = ("p < 0",) if command[0] == "check" else ()
        answer = shell(*command, *more)
        assert answer.code == 2, answer.err
        assert "half a character" in " ".join(answer.err.split())
