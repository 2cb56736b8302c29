"""fairvec check: figures over all rows, Markdown, JUnit, and exit codes."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fairvec.cli.startup import EXIT_CODES
from fairvec.results import write_documents, write_results
from tests.cli.conftest import Shell
from tests.results.documents import figure
from tests.results.make import compared, measured, pooled, skipped


@pytest.fixture
def run(tmp_path: Path) -> Path:
    one, two = measured(effect=1.2, p_holm=0.01), measured(effect=-0.4, p_holm=0.5, test="toy/b")
    write_results([one, two, skipped(), compared()], tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("count(verdict == 'biased') > 0", 1),
        ("count(verdict == 'biased') > 3", 0),
        ("mean(abs(effect)) > 0.5", 1),
        ("max(p_holm) < 0.01", 0),
        ("mean(abs(effect), where=category == 'gendre') > 0.5", 2),
        ("count(verdict == 'biassed') > 0", 2),
        ("detectable > 1 and count() > 2", 2),
        (" + ".join(["effect"] * 900) + " > 1", 2),
        ("effect > " + "9" * 400, 2),
    ],
    ids=range(9),
)
def test_the_exit_code_is_the_answer(shell: Shell, run: Path, asked: str, code: int) -> None:
    answer = shell("check", run, "--fail-if", asked)
    assert answer.code == code
    assert code != 2 or re.search(r"^error: .*[.5]$", answer.err, re.MULTILINE)


def test_a_figure_says_what_it_was_taken_over(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "count(category == 'gender') > 9")
    assert answer.out == (
        "count(category == 'gender') = 4, over 4 of 4 results (2 measured, 1 skipped, 1 compared)\n"
    )
    assert "Not met, over all 4 results: count(category == 'gender') > 9" in answer.err


def test_what_no_row_has_cannot_pass(shell: Shell, tmp_path: Path) -> None:
    write_results([measured()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "change == 'reversed'")
    assert answer.code == 2
    assert "No row has a value of change" in answer.err
    answer = shell("check", tmp_path, "--fail-if", "effect_after > 1")
    assert answer.code == 2
    assert "none of the 1 result has what it asks about" in answer.err


def test_some_that_cannot_be_decided_are_counted(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "effect > 5")
    assert answer.code == 0
    assert "2 of 4 results lack what the condition asks about" in answer.err


def test_markdown_and_junit_of_results(shell: Shell, run: Path, tmp_path: Path) -> None:
    asked = "effect > 1 or change == 'removed'"
    answer = shell("check", run, "--fail-if", asked, "--markdown", "--junit", tmp_path / "a.xml")
    assert answer.code == 1
    assert answer.out.startswith("**fairvec check: Failed.** 2 of 4 results meet: `effect > 1 or")
    assert "| model | toy/one | 1.2 | 0.01 | 0.01 | biased | large |  |  |  |  |" in answer.out
    assert "| model, debiased | toy/one |  |  |  |  |  | 1 | 0.2 | 0.01 | removed |" in answer.out
    ends = [len(case) and case[0].tag for case in ET.parse(tmp_path / "a.xml").iter("testcase")]
    assert ends == ["failure", "skipped", "skipped", "failure"]


def test_documents_have_figures_over_all_markdown_and_junit(shell: Shell, tmp_path: Path) -> None:
    write_documents([figure(), figure(what="title", value=0.6)], tmp_path)
    assert shell("check", tmp_path, "--fail-if", "mean(value) < 0.5").code == 1
    file = tmp_path / "gate.xml"
    answer = shell("check", tmp_path, "--fail-if", "value < 0.3", "--markdown", "--junit", file)
    assert "| document | measure | what |" in answer.out
    assert [case.attrib["name"] for case in ET.parse(file).iter("testcase")] == [
        "mentions (all)",
        "mentions (title)",
    ]


def test_the_answer_of_a_category_can_be_asked_for(shell: Shell, tmp_path: Path) -> None:
    asked = "count(verdict == 'biased', where=status == 'pooled' and category == '{}') > 0"
    write_results([measured(p_holm=0.5), pooled(0.9)], tmp_path / "with")
    write_results([measured(p_holm=0.5)], tmp_path / "without")
    assert shell("check", tmp_path / "with", "--fail-if", asked.format("gender")).code == 1
    assert shell("check", tmp_path / "with", "--fail-if", asked.format("caste")).code == 2
    assert shell("check", tmp_path / "without", "--fail-if", asked.format("gender")).code == 2
    answer = shell("check", tmp_path / "with", "--fail-if", "mean(effect) > 5")
    assert "over 2 of 2 results (1 measured, 1 pooled)" in answer.out


def test_the_exit_codes_are_told(shell: Shell) -> None:
    for code in ("0 ", "1 ", "2 ", "3 "):
        assert code in EXIT_CODES
    assert "condition cannot be decided" in " ".join(EXIT_CODES.split())


def test_names_of_pictures_stay_text(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(model=":bug:")], tmp_path)
    assert "model=:bug:" in shell("check", tmp_path, "--fail-if", "p < 1").out
