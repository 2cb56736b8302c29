"""Inputs and outputs that are pipes or devices."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairvec.core.io import read_files as piped
from tests import toys
from tests.cli.conftest import Answer, Shell, write_model
from tests.resource_limits import SOURCE, outcome

# --- Lists, texts and records that a shell hands over as a pipe: `<(command)` and /dev/stdin ---


pytestmark = pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")

Hand = Callable[[bytes], str]

CONCEPT = b"""
version = "1"
language = "en"
[concepts.toy]
title = "Toy"
category = "gender"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
[concepts.toy.variants.pairs]
title = "Pairs"
pairs = [["man", "woman"], ["boy", "girl"]]
"""


@pytest.fixture
def hand() -> Iterator[Hand]:
    """A function that hands bytes over as a shell does, and returns the path to read them at."""
    ends: list[int] = []

    def over(content: bytes) -> str:
        reading, writing = os.pipe()
        ends.append(reading)
        os.write(writing, content)
        os.close(writing)
        return f"/dev/fd/{reading}"

    yield over
    for each in ends:
        os.close(each)


@pytest.fixture
def contents(tmp_path: Path, shell: Shell) -> dict[str, bytes]:
    """What may stand in a pipe; the run is of a model that is written here."""
    model, suite = write_model(tmp_path / "m.vec", 1.0), tmp_path / "toy.toml"
    suite.write_text(toys.suite_text(), encoding="utf-8")
    assert shell("audit", model, "-s", suite, "-o", tmp_path / "run").code == 0
    return {
        "SUITE": toys.suite_text().encode(),
        "CONCEPT": CONCEPT,
        "WORDS": b"office\nhome\n",
        "TEXT": b"She is a nurse.\n",
        "RUN": (tmp_path / "run" / "results.jsonl").read_bytes(),
        "PAIRS": b"office,home,3\noffice,boss,8\nhome,boss,1\nman,boss,2\n",
    }


@pytest.mark.parametrize(
    "line",
    [
        "audit MODEL -s SUITE",
        "suites lint SUITE",
        "suites show SUITE",
        "concepts lint CONCEPT",
        "concepts show CONCEPT",
        "debias MODEL --concept CONCEPT -s SUITE -o OUT.fairvec",
        "convert MODEL OUT.vec --words WORDS",
        "document TEXT",
        "report RUN -o OUT.html",
        "check RUN --fail-if effect>99",
        "compare RUN RUN",
        "benchmarks ask MODEL PAIRS",
    ],
)
def test_what_a_shell_hands_over_is_read_as_a_file_is(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    contents: dict[str, bytes],
    hand: Hand,
    line: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"MODEL": "m.vec", "OUT": "out", "OUT.vec": "out.vec", "OUT.html": "out.html"}
    names["OUT.fairvec"] = "out.fairvec"
    words = [hand(contents[word]) if word in contents else word for word in line.split()]
    answer = shell(*(names.get(word, word) for word in words))
    assert answer.code == 0, answer.err
    for word in (word for word in line.split() if word.startswith("OUT")):
        assert Path(names[word]).exists()


@pytest.mark.parametrize(
    "line", ["audit PIPE", "train PIPE --language en -o out.vec", "convert PIPE out.vec"]
)
def test_what_is_read_twice_says_why_it_is_no_pipe(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hand: Hand, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = shell(
        *(hand(b"2 2\na 1 2\nb 3 4\n") if word == "PIPE" else word for word in line.split())
    )
    assert answer.code == 2
    assert "is a pipe, and only a plain file can be read twice" in answer.err
    assert "save what it gives as a file" in answer.err


def test_a_pipe_without_an_end_is_left(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, hand: Hand
) -> None:
    monkeypatch.setattr(piped, "ALWAYS_BYTES", 1000)
    assert shell("suites", "lint", hand(b"x" * 1000)).err.count("64 MiB") == 0
    answer = shell("suites", "lint", hand(b"x" * 1001))
    assert answer.code == 2
    assert "gives more than 1,000 bytes" in answer.err
    assert "save what it gives as a file" in answer.err


def test_standard_input_without_an_end_is_left(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, hand: Hand
) -> None:
    monkeypatch.setattr(piped, "ALWAYS_BYTES", 1000)
    descriptor = int(hand(b"He is a nurse. " * 100).rpartition("/")[2])
    with os.fdopen(os.dup(descriptor), encoding="utf-8") as given:
        monkeypatch.setattr("sys.stdin", given)
        answer = shell("document", "-")
    assert answer.code == 2
    assert "standard input gives more than 1,000 bytes" in answer.err


def test_a_pipe_with_a_name_may_have_no_writer(shell: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.toml")
    answer = shell("suites", "lint", tmp_path / "p.toml")
    assert answer.code == 2
    assert "may never have a writer" in answer.err
    assert "<(cat PIPE)" in answer.err


def test_standard_input_may_be_a_file(
    shell: Shell, tmp_path: Path, contents: dict[str, bytes]
) -> None:
    (tmp_path / "list").write_bytes(contents["SUITE"])
    with (tmp_path / "list").open("rb") as given:
        answer = shell("suites", "lint", f"/dev/fd/{given.fileno()}")
    assert answer.code == 0, answer.err


@pytest.mark.parametrize(
    "line", ["suites lint PLACE", "concepts show PLACE", "audit MODEL -s PLACE"]
)
def test_a_list_is_named_as_it_was(
    shell: Shell, model_file: Path, tmp_path: Path, line: str
) -> None:
    place = tmp_path / "list"
    names = {"PLACE": str(place), "MODEL": str(model_file)}
    answer = shell(*(names.get(word, word) for word in line.split()))
    assert answer.code == 2
    assert f"named '{place}'" in answer.err
    place.write_text(toys.suite_text(), encoding="utf-8")
    answer = shell(*(names.get(word, word) for word in line.split()))
    assert answer.code == 2
    assert f"{place} is a file whose name does not end in .toml" in answer.err


# --- Inputs without an end or a beginning, and outputs that are no files: refused before any work


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
from typing import Any
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
    message = outcome(PROGRAM.format(folder=str(tmp_path), commands=commands), seconds=120)
    assert message == "all were refused"
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


# --- A reader that has seen enough, as `head -1`, is no error, and changes no exit code ---


@pytest.mark.parametrize("unread", [("stdout",), ("stderr",), ("stdout", "stderr")])
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("audit MODEL -s SUITE", 0),
        ("audit MODEL -s SUITE --json", 0),
        ("check RUN --fail-if p>0", 1),
        ("suites show nothing-like-it", 2),
        ("audit --help", 0),
    ],
)
def test_a_reader_that_goes_away_is_no_error(
    line: str, code: int, unread: tuple[str, ...], contents: dict[str, bytes], tmp_path: Path
) -> None:
    assert contents  # it has written model, suite and run
    named = {"MODEL": "m.vec", "SUITE": "toy.toml", "RUN": "run"}
    words = [named.get(word, word) for word in line.split()]
    reading, writing = os.pipe()
    os.close(reading)
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    streams |= dict.fromkeys(unread, writing)
    done = subprocess.run(
        [sys.executable, "-m", "fairvec", *words],
        **streams,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        check=False,
        timeout=120,
    )
    os.close(writing)
    assert done.returncode == code
    assert b"Traceback" not in (done.stderr or b"")
    assert b"BrokenPipe" not in (done.stderr or b"")
    if code == 0 and "stdout" not in unread:
        assert done.stdout
