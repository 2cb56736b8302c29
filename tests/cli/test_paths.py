"""Paths given to commands: odd names, and nothing destroyed."""

import gzip
import inspect
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.cli.app import COMMANDS, load_command
from fairvec.core.errors import FileFormatError
from fairvec.report import render
from fairvec.results import Outcome, read_results, write_results
from fairvec.web.open_models import OpenModels, open_models
from fairvec.web.questions.runs import ResultsFolders
from tests import toys
from tests.cli.conftest import Shell, write_model
from tests.cli.test_app import commands_limits as commands
from tests.results.toys import measured
from tests.web.client import ask, explorer

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")


# --- A path of odd characters is shown on one line, wherever a command takes one and fails ---


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
    for name, command in commands(load_command(top), top):
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
def test_a_sentence_with_an_odd_path_is_one_line(
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


# --- A file's name may be no text at all: every command that takes one works, or refuses it first


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
    "check RUN --fail-if effect>99",
    "check RUN --fail-if effect>99 --markdown",
    "check RUN --fail-if effect>99 --junit M.xml",
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


@linux_only
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


@linux_only
def test_a_model_of_such_a_name_is_debiased(shell: Shell, place: Path) -> None:
    made = ("--concept", "hi/gender", "-s", "malik2022/maths-arts")
    assert shell("convert", "glove-hi-small", f"{NAME}.bin").code == 0
    answer = shell("debias", f"{NAME}.bin", *made, "--language", "hi", "-o", f"{NAME}d.fairvec")
    assert answer.code == 0, answer.err
    assert fairvec.load(f"{NAME}d.fairvec").name.startswith(SHOWN)
    run = place / f"{NAME}d.fairvec.run"
    assert SHOWN in (run / "report.html").read_text(encoding="utf-8")
    assert shell("report", run).code == 0


@linux_only
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


@linux_only
def test_what_cannot_work_is_refused_before_the_work(shell: Shell, place: Path) -> None:
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


@linux_only
def test_the_explorer_shows_such_names(shell: Shell, place: Path) -> None:
    assert shell(*spelt(WORKING[0])).code == 0
    file = f"{NAME}.vec"
    models = open_models([(file, fairvec.load(file)), (f"./{file}", fairvec.load(file))])
    found = OpenModels(models, ResultsFolders((place,)).require_runs())
    app = explorer(found)
    reply = ask(app, "/api/models")
    assert reply.status == 200
    assert SHOWN in json.dumps(reply.json).replace("\\\\", "\\")
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


@linux_only
@pytest.mark.parametrize("written", [as_npz, as_npy])
def test_keys_with_half_a_character_are_refused_on_reading(
    tmp_path: Path, written: Callable[[Path], Path]
) -> None:
    file = written(tmp_path)
    with pytest.raises(FileFormatError, match="half a character"):
        fairvec.load(file)
    assert [*fairvec.load(file, invalid_utf8="replace").keys] == ["a\ufffd", "b"]


@linux_only
def test_halves_in_what_was_found_in_documents_are_refused(shell: Shell, place: Path) -> None:
    assert shell("document", f"{NAME}.txt", "-o", "run").code == 0
    file = place / "run" / "document.jsonl"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(r"m\\udcff", r"m\ud800"), encoding="utf-8")
    assert r'"m\ud800.txt' in file.read_text(encoding="utf-8")
    answer = shell("report", "run")
    assert answer.code == 2
    assert "a text in it holds half a character" in " ".join(answer.err.split())


@linux_only
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
        more = ("effect > 99",) if command[0] == "check" else ()
        answer = shell(*command, *more)
        assert answer.code == 2, answer.err
        assert "half a character" in " ".join(answer.err.split())


# --- No command destroys what it reads, or what it could not have written itself ---


@pytest.fixture
def run(tmp_path: Path) -> Path:
    outcomes: list[Outcome] = [measured(model="m")]
    return write_results(outcomes, tmp_path / "run", {"report.html": render(outcomes)}).parent


def test_a_page_takes_the_place_of_a_page_alone(shell: Shell, run: Path, tmp_path: Path) -> None:
    records = run / "results.jsonl"
    before = records.read_bytes()
    model = write_model(tmp_path / "m.vec", 1.0)
    for place in (records, model):
        content = place.read_bytes()
        answer = shell("report", run, "-o", place)
        assert answer.code == 2
        assert f"{place} exists already and is no page" in answer.err
        assert place.read_bytes() == content
    page = tmp_path / "page.html"
    page.write_text("\ufeff\n<!doctype html>\nan earlier one", encoding="utf-8")
    assert shell("report", run, "-o", page).code == 0
    assert "an earlier one" not in page.read_text(encoding="utf-8")
    assert records.read_bytes() == before


def test_a_junit_file_takes_the_place_of_one_alone(shell: Shell, run: Path, tmp_path: Path) -> None:
    command = ("check", run, "--fail-if", "effect > 99", "--junit")
    notes = tmp_path / "notes.xml"
    notes.write_text("mine")
    answer = shell(*command, notes)
    assert (answer.code, notes.read_text()) == (2, "mine")
    assert f"{notes} exists already and is no JUnit file" in answer.err
    linked = tmp_path / "linked.xml"
    linked.symlink_to(run / "results.jsonl")
    assert shell(*command, linked).code == 2
    assert shell("report", run).code == 0
    for _ in range(2):
        assert shell(*command, tmp_path / "gate.xml").code == 0


def test_vectors_do_not_take_the_place_of_their_text(shell: Shell, tmp_path: Path) -> None:
    text = tmp_path / "texts" / "a.txt"
    text.parent.mkdir()
    text.write_text("one two three\n" * 9)
    (tmp_path / "link.txt").symlink_to(text)
    for place in (text, tmp_path / "link.txt", tmp_path / "texts" / "." / "a.txt"):
        answer = shell("train", text.parent, "--language", "en", "-o", place, "--force")
        assert answer.code == 2
        assert "is one of the texts to learn from" in answer.err
    assert text.read_text() == "one two three\n" * 9


@pytest.mark.parametrize("memory", [(), ("--max-memory", "500MB")], ids=["at once", "by blocks"])
def test_a_model_is_completely_written_over_itself(
    shell: Shell, tmp_path: Path, suite_file: Path, memory: tuple[str, ...]
) -> None:
    """Its file is mapped while it is read."""
    text = write_model(tmp_path / "m.vec", 1.0)
    model, other = tmp_path / "m.fairvec", tmp_path / "o" / "m.fairvec"
    assert shell("convert", text, model).code == 0
    other.parent.mkdir()
    shutil.copy(model, other)
    method = ("--method", "linear-projection")
    options = ("--concept", "en/gender", *method, "-s", suite_file, *memory)
    assert shell("debias", other, "-o", tmp_path / "new.fairvec", *options).code == 0
    assert shell("debias", model, "-o", model, *options, "--force").code == 0
    assert model.read_bytes() == (tmp_path / "new.fairvec").read_bytes()
    assert shell("convert", model, model, "--force").code == 0
    assert shell("audit", model, "-s", suite_file).code == 0
