"""Lists, texts and records that a shell hands over as a pipe: `<(command)` and /dev/stdin."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairvec.core.io import read_files as piped
from tests import toys
from tests.cli.conftest import Shell, write_model

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
        "check RUN --fail-if p>1",
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
