"""Inputs without an end or a beginning, and outputs that are no files: refused before any work."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import toys
from tests.cli.conftest import Answer, Shell, write_model
from tests.limits import outcome

pytestmark = pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")

READING = [
    "audit PLACE",
    "audit PLACE.gz",
    "audit MODEL -s PLACE",
    "audit MODEL -s SUITE --contexts PLACE",
    "audit MODEL -s SUITE --vocabulary PLACE",
    "convert PLACE OUT.vec",
    "convert MODEL OUT.vec --words PLACE",
    "debias PLACE --concept en/gender -o OUT.fairvec",
    "debias MODEL --concept PLACE -o OUT.fairvec",
    "distil PLACE --words WORDS -o OUT.vec",
    "train PLACE --language en -o OUT.vec",
    "frontier PLACE --concept en/gender -o OUT",
    "task sentiment --model PLACE --data PLACE",
    "task sentiment --model MODEL --data PLACE",
    "study PLACE -o OUT",
    "explore PLACE --no-browser",
    "explore MODEL --results PLACE --no-browser",
    "neighbours PLACE x",
    "document PLACE",
    "document PLACE.txt",
    "report PLACE",
    "check PLACE --fail-if p<1",
    "compare PLACE PLACE",
    "suites lint PLACE",
    "suites lint PLACE.toml",
    "concepts lint PLACE.toml",
    "benchmarks ask MODEL PLACE",
]
PROGRAM = """
import os, sys
from pathlib import Path
from fairvec.cli import main
os.chdir({folder!r})
for line in {commands!r}:
    sys.argv = ["fairvec", *line]
    try:
        main()
        code = 0
    except SystemExit as stop:
        code = stop.code
    if code != 2:
        print("ended with", code, *line, file=sys.stderr)
        sys.exit()
print("all were refused", file=sys.stderr)
"""


@pytest.mark.parametrize("kind", ["pipe", "zero", "random", "socket", "folder", "loop"])
def test_no_command_reads_what_is_no_plain_file(tmp_path: Path, kind: str) -> None:
    write_model(tmp_path / "m.vec", 1.0)
    (tmp_path / "toy.toml").write_text(toys.suite_text(), encoding="utf-8")
    (tmp_path / "words").write_text("x\n")
    endings = ("", ".gz", ".toml", ".txt")
    for ending in endings:
        place = tmp_path / f"place{ending}"
        match kind:
            case "pipe":
                os.mkfifo(place)
            case "socket":
                with socket.socket(socket.AF_UNIX) as bound, pytest.MonkeyPatch.context() as patch:
                    patch.chdir(tmp_path)  # the name of a socket must be short
                    bound.bind(place.name)
            case "folder":
                place.mkdir()
            case "loop":
                place.symlink_to(place.name)
            case device:
                place.symlink_to({"zero": "/dev/zero", "random": "/dev/urandom"}[device])
    names = {"MODEL": "m.vec", "SUITE": "toy.toml", "WORDS": "words"}
    commands = [
        [
            names.get(word, word.replace("PLACE", "place").replace("OUT", "out"))
            for word in line.split()
        ]
        for line in READING
        # A folder without results is no mistake of the explorer's.
        if not (kind == "folder" and "--results" in line)
    ]
    said = outcome(PROGRAM.format(folder=str(tmp_path), commands=commands), seconds=120)
    assert said == "all were refused"
    assert not [*tmp_path.glob("out*")]


WRITING = [
    "convert MODEL PLACE.vec --force",
    "debias MODEL --concept en/gender -o PLACE.vec --force",
    "distil tests --words WORDS -o PLACE.vec --force",
    "train WORDS --language en -o PLACE.vec --force",
    "frontier MODEL --concept en/gender -o PLACE --force",
    "audit MODEL -s SUITE -o PLACE",
    "benchmarks ask MODEL -o PLACE",
    "task sentiment --model MODEL --data WORDS -o PLACE",
    "reproduce malik2022 -o PLACE",
    "document WORDS -o PLACE --force",
    "document WORDS --apply PLACE",
    "study PLAN -o PLACE",
    "study new PLACE.toml",
    "suites new PLACE.toml",
    "concepts new PLACE.toml",
    "report RUN -o PLACE.html",
    "check RUN --fail-if p<1 --junit PLACE.xml",
]


Write = Callable[[str, Callable[[Path], None]], tuple[Answer, Path]]


@pytest.fixture
def write(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function that runs a line with something in its place, and gives both.

    The inputs are not there: whoever complains about the place has not looked at them.
    """
    monkeypatch.chdir(tmp_path)

    def writing(line: str, make: Callable[[Path], None]) -> tuple[Answer, Path]:
        words = line.split()
        place = tmp_path / next(word for word in words if word.startswith("PLACE")).lower()
        make(place)
        return shell(*(word.lower() for word in words)), place

    return writing


@pytest.mark.parametrize("line", WRITING)
def test_no_command_writes_over_what_is_no_plain_file(
    write: Write, tmp_path: Path, line: str
) -> None:
    answer, place = write(line, os.mkfifo)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert place.name in answer.err
    assert [*tmp_path.iterdir()] == [place]
    assert place.is_fifo()


@pytest.mark.parametrize("line", [line for line in WRITING if "." in line])
def test_standard_output_is_no_place(write: Write, line: str) -> None:
    answer, place = write(line, lambda place: place.symlink_to("/dev/stdout"))
    assert (answer.code, answer.out) == (2, "")
    assert "is no plain file" in answer.err
    assert place.is_symlink()


def test_a_report_of_documents_is_not_lost_by_the_next(shell: Shell, tmp_path: Path) -> None:
    text, run = tmp_path / "a.txt", tmp_path / "run"
    text.write_text("She is a nurse.\n")
    assert shell("document", text, "-o", run).code == 0
    (run / "notes.txt").write_text("mine")
    before = (run / "document.jsonl").read_bytes()
    text.write_text("He is a doctor.\n")
    answer = shell("document", text, "-o", run)
    assert answer.code == 2
    assert "document.jsonl exists already" in answer.err
    assert "--force" in answer.err
    assert (run / "document.jsonl").read_bytes() == before
    assert shell("document", text, "-o", run, "--force").code == 0
    assert (run / "document.jsonl").read_bytes() != before
    assert (run / "notes.txt").read_text() == "mine"
