"""Names that would move the cursor, forge a line or turn text around are shown, not obeyed."""

import json
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from fairvec.cli import console
from fairvec.experiments.audit.categories import category_answers
from fairvec.results import write_results
from tests.cli.conftest import Shell
from tests.evaluation.categories.drawn_suites import Drawn, embedding, outcomes_of, suite_of

EVIL = "m\x1b[2J\x9b1A\u202e\nPASSED\rx"
SUITE = suite_of(Drawn("gender", seed=1), Drawn("gender", seed=2))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    outcomes = [
        one for name in (EVIL, "plain") for one in outcomes_of(SUITE, of=embedding(name=name))
    ]
    write_results([*outcomes, *category_answers(outcomes)], tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ("check", "RUN", "--fail-if", "p <= 1"),
        ("check", "RUN", "--fail-if", "p <= 1", "--markdown"),
        ("check", "RUN", "--fail-if", "model == 'no'"),
        ("compare", "RUN", "RUN"),
        ("compare", "RUN", "RUN", "--fail-if", "answered == 'both'"),
        ("compare", "RUN", "RUN", "--json"),
    ],
    ids=range(6),
)
def test_no_command_obeys_a_name(shell: Shell, run: Path, command: tuple[str, ...]) -> None:
    answer = shell(*(str(run) if word == "RUN" else word for word in command))
    for text in (answer.out, answer.err):
        assert not {"\x1b", "\x9b", "\u202e", "\r"} & {*text}
        assert not [line for line in text.splitlines() if line.startswith("PASSED")]
    if "--json" in command:
        assert json.loads(answer.out.splitlines()[0])["model_before"] == EVIL


def test_audit_does_not_obey_names(shell: Shell, tmp_path: Path, suite_file: Path) -> None:
    from tests.cli.conftest import write_model

    model = write_model(tmp_path / "m\x1b[2J\u202e.vec", 1.0)
    answer = shell("audit", model, "-s", suite_file)
    assert answer.code == 0
    assert not {"\x1b", "\u202e"} & {*(answer.out + answer.err)}


def test_every_way_of_printing_shows_controls(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("a")
    table.add_row("x\x1b[1m")
    console.print_table(table)
    console.out.print(Text("y\x9b", style="bold"))
    console.print_answer("z\x1b\n\tw")
    console.print_note("s\u202e")
    got = capsys.readouterr()
    for shown in ("x\\u001b[1m", "y\\u009b", "z\\u001b\n"):
        assert shown in got.out
    assert got.err == "s\\u202e\n"


def test_rows_of_one_name_are_told_apart(shell: Shell, tmp_path: Path) -> None:
    english, hindi = (
        outcomes_of(suite_of(Drawn("gender", seed=1), id=id, language=language))
        for id, language in (("e", "en"), ("h", "hi"))
    )
    outcomes = [*english, *hindi]
    write_results([*outcomes, *category_answers(outcomes)], tmp_path)
    file = tmp_path / "gate.xml"
    answer = shell("check", tmp_path, "--fail-if", "status == 'pooled'", "--junit", file)
    assert "test=category/gender  language=en  effect=" in answer.out
    assert "test=category/gender  language=hi  effect=" in answer.out
    assert 'name="category/gender (weat, hi)"' in file.read_text()
    shown = shell("check", tmp_path, "--fail-if", "status == 'pooled'", "--markdown").out
    assert "| category/gender | hi |" in shown
    gate = ("--fail-if", "kind == 'category'")
    assert "language=hi" in shell("compare", tmp_path, tmp_path, *gate).out
    write_results([*english, *category_answers(english)], tmp_path / "one")
    assert "language" not in shell("check", tmp_path / "one", "--fail-if", "p <= 1").out
