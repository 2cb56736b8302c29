"""fairvec compare --fail-if: a regression against a baseline shuts the gate."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fairvec.experiments.comparison.table import COMPARISON_COLUMNS
from fairvec.results import write_results
from tests.cli.conftest import Shell
from tests.results.make import measured, skipped

WORSE = "change in ['appeared', 'introduced', 'overshot', 'reversed', 'increased']"


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """A baseline of three tests; one is reversed, one the same and one has vanished."""
    before = [measured(), measured(test="toy/two"), measured(test="toy/gone")]
    write_results(before, tmp_path / "before")
    write_results([measured(effect=-1.2), measured(test="toy/two")], tmp_path / "after")
    return tmp_path / "before", tmp_path / "after"


def test_a_regression_ends_with_1_and_is_named(shell: Shell, runs: tuple[Path, Path]) -> None:
    answer = shell("compare", *runs, "--fail-if", WORSE)
    assert answer.code == 1
    assert "test=toy/one" in answer.out
    assert "change=reversed" in answer.out
    assert "1 of 3 comparisons meets" in answer.err
    assert "1 of 3 comparisons lacks what the condition asks about" in answer.err
    before, after = runs
    assert shell("compare", before, before, "--fail-if", WORSE).code == 0
    assert shell("compare", before, after, "--fail-if", "change == 'lost'").code == 0


def test_a_test_that_vanished_is_told_and_can_be_asked_for(
    shell: Shell, runs: tuple[Path, Path]
) -> None:
    answer = shell("compare", *runs, "--fail-if", "change == 'lost'")
    assert "1 test had an answer before and has none now (toy/gone)" in answer.err
    for asked in ("pairing == 'vanished'", "count(answered == 'before') > 0"):
        assert shell("compare", *runs, "--fail-if", asked).code == 1
    assert "toy/gone" in shell("compare", *runs, "--fail-if", "pairing == 'vanished'").out


def test_a_test_that_is_skipped_now_is_told(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(), measured(test="toy/two")], tmp_path / "before")
    write_results([measured(), skipped(test="toy/two")], tmp_path / "after")
    answer = shell("compare", tmp_path / "before", tmp_path / "after", "--fail-if", WORSE)
    assert answer.code == 0
    assert "has none now (toy/two)" in answer.err


def test_figures_over_all_tests_decide(shell: Shell, runs: tuple[Path, Path]) -> None:
    grown = "mean(abs(effect_after) - abs(effect_before))"
    answer = shell("compare", *runs, "--fail-if", f"{grown} > 0.05")
    assert answer.code == 1
    assert f"{grown} = 0.1, over 2 of 3 comparisons; 1 lacks what it asks about" in answer.out
    assert shell("compare", *runs, "--fail-if", f"{grown} > 0.2").code == 0


def test_what_cannot_be_decided_is_bad_input(shell: Shell, runs: tuple[Path, Path]) -> None:
    for asked in ("p_paired < 0.01", "max(p_paired) < 0.01"):
        answer = shell("compare", *runs, "--fail-if", asked)
        assert answer.code == 2
        assert "cannot be decided" in answer.err


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("change == 'revesed'", "'revesed' is no value of change"),
        ("pairing == 'gone'", "'gone' is no value of pairing"),
        ("answered == 'yes'", "'yes' is no value of answered"),
        ("same_words == 'no'", "'no' is no value of same_words; known: True, False"),
        ("verdict_after in ['biassed']", "no value of verdict_after"),
        ("effect > 1", "no column named 'effect'"),
        ("  ", "--fail-if is empty"),
        ("change = 'reversed'", "cannot be read"),
        ("count(change == 'reversed') > 0 and p_paired < 1", "p_paired is of one row"),
    ],
)
def test_slips_are_bad_input(
    shell: Shell, runs: tuple[Path, Path], asked: str, sentence: str
) -> None:
    answer = shell("compare", *runs, "--fail-if", asked)
    assert (answer.code, answer.out) == (2, "")
    assert sentence in answer.err


def test_json_lines_say_what_meets(shell: Shell, runs: tuple[Path, Path]) -> None:
    plain = [json.loads(line) for line in shell("compare", *runs, "--json").out.splitlines()]
    assert [row["test"] for row in plain] == ["toy/one", "toy/two", "toy/gone"]
    assert [row["pairing"] for row in plain] == ["paired", "paired", "vanished"]
    assert [*plain[0]] == [*COMPARISON_COLUMNS]
    answer = shell("compare", *runs, "--json", "--fail-if", WORSE)
    rows = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.code == 1
    assert [row.pop("meets") for row in rows] == [True, False, None]
    assert rows == plain


def test_markdown_and_junit(shell: Shell, runs: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "new" / "gate.xml"
    answer = shell("compare", *runs, "--fail-if", WORSE, "--markdown", "--junit", file)
    assert answer.code == 1
    assert answer.out.startswith(
        "**fairvec compare: Failed.** 1 of 3 comparisons meets: `change in"
    )
    assert "| toy/one | model | model | paired | both | 1 | -1.2 |" in answer.out
    assert "has none now (toy/gone)" in answer.out
    ends = [len(case) and case[0].tag for case in ET.parse(file).iter("testcase")]
    assert ends == ["failure", 0, "skipped"]
    table = shell("compare", *runs, "--markdown")
    assert table.code == 0
    assert table.out.count("\n") == 4


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--json", "--markdown"], "choose one"),
        (["--junit", "gate.xml"], "add --fail-if"),
        (["--fail-if", "same_words", "--junit", "gate.txt"], "ends in .xml"),
    ],
)
def test_options_that_contradict_are_refused(
    shell: Shell, runs: tuple[Path, Path], options: list[str], sentence: str
) -> None:
    answer = shell("compare", *runs, *options)
    assert (answer.code, answer.out) == (2, "")
    assert sentence in answer.err


def test_a_junit_file_that_cannot_be_written_is_bad_input(
    shell: Shell, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("precious")
    place = tmp_path / "file" / "gate.xml"
    answer = shell("compare", *runs, "--fail-if", WORSE, "--junit", place)
    assert answer.code == 2
    assert answer.err.count("error: ") == 1
    assert (tmp_path / "file").read_text() == "precious"
