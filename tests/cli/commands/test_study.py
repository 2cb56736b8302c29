from pathlib import Path

import pytest

from fairvec.evaluation.studies.study_plan import parse_study
from fairvec.results import StudyCell, read_study_lines
from tests.cli.conftest import Shell
from tests.evaluation.studies.toy import PLAN, write_study_files


def test_records_tables_and_page_are_left_and_the_same_again(shell: Shell, tmp_path: Path) -> None:
    plan, folder = write_study_files(tmp_path), tmp_path / "out"
    answer = shell("study", plan, "-o", folder)
    assert answer.code == 0, answer.err
    assert "8 cells; very roughly 0 min" in answer.err
    assert "toy/one: " in answer.out
    assert "corpus kind" in answer.out
    assert "Seeds" in answer.out
    cells = [line for line in read_study_lines(folder) if isinstance(line, StudyCell)]
    assert len(cells) == 8
    page = (folder / "report.html").read_bytes()
    again = shell("study", plan, "-o", folder)
    assert (again.code, again.out) == (0, answer.out)
    assert "8 of them kept already: nothing is left to train." in again.err
    (folder / "report.html").unlink()
    assert shell("report", folder).code == 0
    assert (folder / "report.html").read_bytes() == page


def test_processes_beside_one_another_find_the_same(shell: Shell, tmp_path: Path) -> None:
    plan = write_study_files(tmp_path, PLAN.replace("[2, 4]", "[2]"))
    alone = shell("study", plan, "-o", tmp_path / "one")
    beside = shell("study", plan, "-o", tmp_path / "two", "--jobs", 2)
    assert (beside.code, beside.out) == (0, alone.out)


def test_a_new_plan_is_written_once_and_can_be_read(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    answer = shell("study", "new", file, "--language", "ru")
    assert answer.code == 0, answer.err
    assert parse_study(file.read_text(encoding="utf-8"), "mine").suites == ("pestova",)
    again = shell("study", "new", file)
    assert again.code == 2
    assert "exists already" in again.err
    assert "is a .toml file" in shell("study", "new", tmp_path / "mine.txt").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{plan}"], "say -o FOLDER"),
        (["{plan}", "{plan}", "-o", "{out}"], "A study has one plan"),
        (["{plan}.absent", "-o", "{out}"], "study file cannot be read"),
        (["{plan}", "-o", "{plan}"], "holds something else"),
        (["{plan}", "-o", "{folder}"], "holds something else"),
    ],
    ids=["no folder", "two plans", "no plan", "a file as folder", "somebody else's folder"],
)
def test_a_slip_is_one_sentence_and_leaves_nothing(
    shell: Shell, arguments: list[str], said: str, tmp_path: Path
) -> None:
    plan, out = write_study_files(tmp_path), tmp_path / "out"
    given = [one.format(plan=plan, out=out, folder=tmp_path) for one in arguments]
    answer = shell("study", *given)
    assert answer.code == 2
    assert said in answer.err
    assert not out.exists()
