"""Whatever strangers call their words, files, lists and models: no command obeys a name."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli import console
from fairvec.cli.console import CiCommandEscaper
from fairvec.core.text import JOINERS
from tests import toys
from tests.cli.conftest import Answer, Shell

SIGN = "\x1b[31m\x9b2J\x07\x08\u202e\u200b\U000e0041[red]MARK[bold]"
"""What no word, file name or title should do: colours, a bell, text turned around, markup."""

LINE = f"{SIGN}\r\n::error::forged\n##[error]forged"
FILE = f"{SIGN}\n::error::forged"


def toml(text: str) -> str:
    """Return text as TOML writes it, by its numbers alone."""
    return '"' + "".join(f"\\U{ord(letter):08x}" for letter in text) + '"'


@pytest.fixture(autouse=True)
def _in_a_pipeline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    entry = f"""
[[models]]
name = "mine"
title = {toml(LINE)}
language = "en"
licence = {toml(LINE)}
origin = {toml(LINE)}
format = {toml(LINE)}
dimensions = 3
source = {{ kind = "url", url = "http://ann:secret@127.0.0.1:9/x" }}
"""
    (tmp_path / "home" / "models.toml").write_text(entry, encoding="utf-8")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A model, a suite, a concept and a text, all of whose names are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    toy = toys.embedding(1.0)
    model = folder / f"{FILE}.vec"
    rows = [f"{len(toy) + 3} {toy.dimensions}"]
    for key, vector in zip(toy.keys, toy.vectors, strict=True):
        rows.append(" ".join([key, *map(str, vector)]))
    for number, place in enumerate((0, 5, 10)):
        rows.append(" ".join([f"{SIGN}{number}", *map(str, toy.vectors[place] + 0.001)]))
    # Names of files and keys hold what their formats let them.
    model.write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")
    evil = toml(LINE)
    text = toys.suite_text()
    for plain in ('"Toy"', '"Toy (2026)"', '"None needed."', '"x words"', '"y words"', '"One"'):
        text = text.replace(plain, evil)
    text = text.replace("'boss'", toml(f"{SIGN}0"))
    text = text.replace(
        "[sets.x]", f"notes = {evil}\n[sets.x]\nsensitive = true\nsensitive_reason = {evil}"
    )
    suite = folder / f"{FILE}.toml"
    suite.write_text(text, encoding="utf-8")
    concept = folder / f"{SIGN}concept.toml"
    concept.write_text(
        f"""
version = "1"
language = "en"
[concepts.c]
title = {evil}
category = "gender"
source = {evil}
licence = {evil}
default = "pairs"
specific = [{toml(f"{SIGN}1")}]
equalise = [["man", "woman"]]
[concepts.c.variants.pairs]
title = {evil}
pairs = [["man", "woman"], ["boy", "girl"], ["father", "mother"]]
""",
        encoding="utf-8",
    )
    document = folder / f"{FILE}.txt"
    document.write_text(f"She is a nurse. He is a {SIGN} boss.\n{LINE}\n", encoding="utf-8")
    broken = folder / f"{FILE}.jsonl"
    broken.write_text(json.dumps({LINE: LINE}) + "\n", encoding="utf-8")
    return {
        "MODEL": str(model),
        "SUITE": str(suite),
        "CONCEPT": f"{concept}",
        "TEXT": str(document),
        "BROKEN": str(broken),
        "EVIL": LINE,
        "WORD": f"{SIGN}0",
    }


def faults_of(answer: Answer) -> list[str]:
    """Say what of the text that a command printed a terminal, rich or a pipeline would obey."""
    text = answer.out + answer.err
    kinds = {unicodedata.category(letter) for letter in {*text} - {*f"\n\t{JOINERS}"}}
    lines = [line.lstrip() for line in text.splitlines()]
    # Markdown and LaTeX escape brackets.
    marks = text.replace("\\", "").count("[red]MARK[bold]")
    found = {
        "a terminal obeys it": bool(kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}),
        "a pipeline obeys it": any(line.startswith("::") or "##[" in line for line in lines),
        "markup is obeyed": marks != text.count("MARK"),
        "a fault of ours": answer.code not in (0, 1, 2),
        "a secret": "secret" in text,
    }
    return [fault for fault, there in found.items() if there]


COMMANDS = [
    "audit MODEL -s SUITE",
    "audit MODEL -s SUITE --csv",
    "audit MODEL -s SUITE --latex",
    "audit MODEL -s SUITE --json",
    "audit MODEL -s SUITE -o NEW",
    "audit EVIL",
    "audit MODEL -s EVIL",
    "audit MODEL --metric EVIL",
    "report NEW -o PAGE",
    "report BROKEN",
    "compare NEW NEW",
    "compare NEW NEW --json",
    "compare NEW EVIL",
    "check NEW --fail-if p<=1",
    "check NEW --fail-if p<=1 --markdown --junit XML",
    "check NEW --fail-if EVIL",
    "check BROKEN --fail-if p<=1",
    "convert MODEL -o COPY",
    "convert BROKEN -o COPY",
    "convert MODEL -o EVIL",
    "debias MODEL -m hard --concept CONCEPT -s SUITE -o CHANGED",
    "debias MODEL -m EVIL --concept CONCEPT -o CHANGED",
    "neighbours MODEL office WORD",
    "neighbours MODEL EVIL",
    "neighbours MODEL office --count EVIL",
    "analogy MODEL man woman WORD",
    "biased-analogies MODEL --concept CONCEPT",
    "document TEXT --model MODEL",
    "document TEXT",
    "document EVIL",
    "suites show SUITE",
    "suites lint SUITE --model MODEL",
    "suites needs SUITE --model MODEL",
    "suites lint BROKEN",
    "suites show EVIL",
    "concepts show CONCEPT",
    "concepts lint CONCEPT --model MODEL",
    "concepts show EVIL",
    "models list",
    "models show mine",
    "models show EVIL",
    "models get mine",
    "benchmarks show EVIL",
    "benchmarks ask MODEL --benchmark BROKEN",
    "plugins check EVIL",
    "reproduce EVIL",
    "study EVIL",
    "study BROKEN",
    "train EVIL -o CHANGED",
    "frontier EVIL -o NEW",
    "task sentiment EVIL",
    "distil EVIL -o CHANGED",
    "explore EVIL",
    "EVIL",
    "--EVIL",
    "audit MODEL --EVIL",
]


def test_no_command_obeys_a_name(
    shell: Shell, files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other, because later ones read what earlier ones wrote."""
    monkeypatch.chdir(tmp_path)
    names = files | {
        "NEW": str(tmp_path / f"{FILE}run"),
        "PAGE": str(tmp_path / f"{FILE}.html"),
        "XML": str(tmp_path / f"{FILE}.xml"),
        "COPY": str(tmp_path / f"{FILE}.fairvec"),
        "CHANGED": str(tmp_path / f"{FILE}2.fairvec"),
    }
    count, wrong = 0, []
    for command in COMMANDS:
        words = [names.get(word, word) for word in command.split()]
        words = [word.replace("EVIL", LINE) for word in words]
        answer = shell(*words)
        faults = faults_of(answer)
        if "--json" in words:
            faults += [] if [json.loads(line) for line in answer.out.splitlines()] else ["nothing"]
        wrong += [f"{command}: {fault}: {answer}" for fault in faults]
        count += "MARK" in answer.out + answer.err
    assert not wrong, "\n".join(wrong)
    # Most of them name what they were given, so that the law has something to look at.
    assert count > 0.7 * len(COMMANDS)


def test_a_progress_bar_shows_its_title(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console.err, "_force_terminal", True)
    monkeypatch.setenv("TERM", "xterm")
    with console.progress_bar(f"a\x1b]0;own\x07[red]{SIGN}") as draw:
        draw(1, 2)
        draw(2, 2, f"b\x1b]0;own\x07{SIGN}")
        console.print_note(f"c\x1b]0;own\x07{SIGN}")
    message = capsys.readouterr().err
    assert "own" in message
    assert not {"\x07", "\x9b", "\u202e", "\x08"} & {*message}
    assert "\x1b]" not in message


@pytest.mark.parametrize(
    ("pieces", "output"),
    [
        (["::error::x"], ":\\u003aerror::x"),
        (["  ::error::x"], "  :\\u003aerror::x"),
        (["a\n", "::x"], "a\n:\\u003ax"),
        (["a ::x"], "a ::x"),
        (["a ", "::x"], "a ::x"),
        ([" ", "::x"], " :\\u003ax"),
        (["a ##[error]x"], "a ##\\u005berror]x"),
        (["##vso[task]x ##teamcity[y]"], "#\\u0023vso[task]x ##teamcity\\u005by]"),
        (["a # b\n# c"], "a # b\n# c"),
    ],
    ids=range(9),
)
def test_a_runner_finds_no_command(pieces: list[str], output: str) -> None:
    harmless = CiCommandEscaper(in_pipeline=True)
    assert "".join(map(harmless, pieces)) == output
    as_it_is = CiCommandEscaper(in_pipeline=False)
    assert "".join(map(as_it_is, pieces)) == "".join(pieces)


@given(st.lists(st.text(":#[ \na", max_size=5), max_size=6))
def test_a_runner_finds_no_command_in_whatever_pieces_it_comes(pieces: list[str]) -> None:
    text = "".join(map(CiCommandEscaper(in_pipeline=True), pieces))
    assert not re.search(r"^\s*(::|##)|##\w*\[", text, re.MULTILINE)
    assert re.sub(r"\\u(....)", lambda found: chr(int(found[1], 16)), text) == "".join(pieces)
