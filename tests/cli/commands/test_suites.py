from pathlib import Path

import pytest

from fairvec.lexicon import shipped_suites
from tests.cli.conftest import Shell


def test_list_names_every_shipped_suite(shell: Shell) -> None:
    answer = shell("suites", "list")
    assert answer.code == 0
    assert all(suite.id in answer.out for suite in shipped_suites())


def test_show_prints_source_and_words(shell: Shell) -> None:
    answer = shell("suites", "show", "pestova/e1")
    assert "Pestova" in answer.out
    assert "карьера" in answer.out
    assert "E2" not in answer.out


def test_sensitive_lists_open_with_their_reason(shell: Shell) -> None:
    answer = shell("suites", "show", "malik2022")
    assert answer.out.index("(sensitive: ") < answer.out.index("दलित")


def test_the_shipped_suites_are_clean(shell: Shell) -> None:
    answer = shell("suites", "lint")
    assert (answer.code, answer.out) == (0, "")


def test_a_finding_fails_the_lint(shell: Shell, suite_file: Path) -> None:
    text = suite_file.read_text(encoding="utf-8").replace("'wedding'", "'office'")
    suite_file.write_text(text, encoding="utf-8")
    answer = shell("suites", "lint", suite_file)
    assert answer.code == 1
    assert "target-overlap" in answer.out
    assert "(test one)" in answer.out


def test_a_repeated_word_is_named_with_its_list(shell: Shell, suite_file: Path) -> None:
    text = suite_file.read_text(encoding="utf-8").replace("'wedding'", "'Home'")
    suite_file.write_text(text, encoding="utf-8")
    answer = shell("suites", "lint", suite_file)
    assert answer.out == (
        "toy: duplicate-word: 'Home' repeats 'home' in list y and will count once\n"
    )


def test_a_waived_finding_passes_and_shows_its_reason_on_request(
    shell: Shell, suite_file: Path
) -> None:
    text = suite_file.read_text(encoding="utf-8").replace("'wedding'", "'office'")
    waiver = '[[waivers]]\nfinding = "target-overlap"\nwhere = "one"\nreason = "as published"\n'
    suite_file.write_text(text + waiver, encoding="utf-8")
    assert shell("suites", "lint", suite_file)[:2] == (0, "")
    assert "(waived: as published)" in shell("suites", "lint", suite_file, "--waived").out


def test_a_new_suite_is_clean_and_can_be_run(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert shell("suites", "new", file).code == 0
    answer = shell("suites", "lint", file, "--model", "glove-en-small")
    assert answer.code == 0
    assert "found" in answer.out
    assert shell("audit", "glove-en-small", "-s", file, "--csv").code == 0


@pytest.mark.parametrize("name", ["mine.yaml", "taken.toml"])
def test_new_never_writes_over_or_elsewhere(shell: Shell, tmp_path: Path, name: str) -> None:
    (tmp_path / "taken.toml").write_text("precious")
    answer = shell("suites", "new", tmp_path / name)
    assert answer.code == 2
    assert (tmp_path / "taken.toml").read_text() == "precious"


def test_one_suite_is_counted_as_one(shell: Shell, suite_file: Path) -> None:
    answer = shell("suites", "lint", suite_file)
    said = answer.out + answer.err
    assert "1 suite, " in said
    assert "1 suites" not in said
