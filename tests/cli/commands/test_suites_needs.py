import json
from pathlib import Path

import fairvec
from fairvec.experiments.sample_size import WordsNeeded
from tests import toys
from tests.cli.conftest import Shell

QUICK = ("--draws", "40", "--longest", "7")


def test_it_prints_a_line_for_each_length_and_a_sentence(
    shell: Shell, suite_file: Path, model_file: Path
) -> None:
    answer = shell("suites", "needs", suite_file, "--model", model_file, *QUICK)
    assert answer.code == 0
    assert answer.out.startswith("toy/one on biased: d +1.")
    first = [line.split()[0] for line in answer.out.splitlines() if line[:1] == " "]
    lengths = ["2", "3", "4", "5", "6+", "7+"]
    assert first == ["words", *lengths, "words", *lengths[:3], "5+", *lengths[4:]]
    assert "if the true effect is the one seen" in answer.out


def test_json_is_the_record_and_one_list_may_vary(
    shell: Shell, suite_file: Path, model_file: Path
) -> None:
    asked = ("suites", "needs", suite_file, "--model", model_file, "--list", "b", "--json")
    answer = shell(*asked, *QUICK)
    found = WordsNeeded.model_validate(json.loads(answer.out))
    assert [each.roles for each in found.lists] == [("b",)]


def test_a_sensitive_test_opens_with_its_reason(shell: Shell) -> None:
    answer = shell(
        "suites", "needs", "malik2022/caste-occupations", "--model", "glove-hi-small", *QUICK
    )
    assert answer.code == 0
    assert "Sensitive: Occupations that caste prejudice assigns" in answer.err


def test_slips_end_with_one_sentence(shell: Shell, model_file: Path) -> None:
    answer = shell("suites", "needs", "caliskan2017/weat-66", "--model", model_file)
    assert answer.code == 2
    assert "did you mean" in answer.err
    assert shell("suites", "needs", "caliskan2017/weat-6").code == 2


def test_a_line_end_in_a_name_is_shown(shell: Shell, suite_file: Path, tmp_path: Path) -> None:
    fairvec.save(toys.embedding().named("a[/b]\nc"), tmp_path / "odd.fairvec")
    answer = shell("suites", "needs", suite_file, "--model", tmp_path / "odd.fairvec", *QUICK)
    assert answer.out.startswith(r"toy/one on a[/b]\u000ac: d ")
