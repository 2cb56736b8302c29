"""fairvec check on a folder with document.jsonl."""

from pathlib import Path

from fairvec.results import write_documents, write_results
from tests.cli.conftest import Shell
from tests.results.documents import figure, read_document
from tests.results.make import measured

FEW_WOMEN = "measure == 'mentions' and value < 0.3"


def test_a_folder_of_documents_is_gated(shell: Shell, tmp_path: Path) -> None:
    write_documents([read_document(), figure(), figure(what="title", value=0.6)], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", FEW_WOMEN)
    assert answer.code == 1
    assert answer.out.count("\n") == 1
    assert "document=a.txt  measure=mentions  what=all  value=0.25" in answer.out
    assert "1 of 2 figures meets" in answer.err
    file = tmp_path / "document.jsonl"
    assert shell("check", file, "--fail-if", "value < 0.2").code == 0


def test_a_column_of_results_is_not_one_of_documents(shell: Shell, tmp_path: Path) -> None:
    write_documents([figure()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "effect > 1")
    assert answer.code == 2
    assert "no column named 'effect'" in answer.err


def test_both_in_one_folder_are_told_apart_by_name(shell: Shell, tmp_path: Path) -> None:
    write_documents([figure()], tmp_path)
    write_results([measured()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", FEW_WOMEN)
    assert answer.code == 2
    assert "holds both results.jsonl and document.jsonl" in answer.err
    assert shell("check", tmp_path / "document.jsonl", "--fail-if", FEW_WOMEN).code == 1
    assert shell("check", tmp_path / "results.jsonl", "--fail-if", "effect > 5").code == 0


def test_documents_without_figures_pass_no_check(shell: Shell, tmp_path: Path) -> None:
    write_documents([read_document()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", FEW_WOMEN)
    assert answer.code == 2
    assert "nothing to check" in answer.err
