"""fairvec document reads, checks and changes documents as the functions of Python do."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.documents import toy_rewriter

TEXTS = Path(__file__).parents[2] / "documents" / "texts"
ADVERT = TEXTS / "advert.txt"


@pytest.fixture(autouse=True)
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairvec.languages.en.rewriting.suggest", toy_rewriter.suggest)


def test_the_summary_comes_first_and_the_records_can_be_gated(shell: Shell, tmp_path: Path) -> None:
    answer = shell("document", ADVERT, "--model", "glove-en-small", "-o", tmp_path / "out")
    assert answer.code == 0
    titles = [line for line in answer.out.splitlines() if not line.startswith(" ")]
    assert titles[1:] == [
        "Who is mentioned",
        "What stands near whom",
        "Coded words",
        "What leans in the model",
        "What could be changed",
    ]
    assert "34 mentions: 9 of women (26%" in answer.out
    assert "language en was assumed" in answer.err
    lines = (tmp_path / "out" / "document.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["line"] for line in lines} == {"document", "figure"}
    few = "measure == 'mentions' and what == 'all' and value < 0.3"
    assert shell("check", tmp_path / "out", "--fail-if", few).code == 1
    assert shell("check", tmp_path / "out", "--fail-if", few.replace("0.3", "0.2")).code == 0


def test_a_folder_gives_one_report_of_each_and_of_all(shell: Shell, tmp_path: Path) -> None:
    for name, text in {"a.txt": "He left.", "b.md": "She `he` left.", "c.txt": "Rain."}.items():
        (tmp_path / name).write_text(text)
    answer = shell("document", tmp_path, "--language", "en", "-o", tmp_path / "out")
    assert answer.code == 0
    assert "All documents in en together: 5 words, 3 sentences" in answer.out
    assert "b.md: 1 of 1 (100%)" in answer.out
    assert "1 document mentions nobody of either group" in answer.out


def test_rows_of_a_table_and_standard_input(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.csv").write_text("id,text\n1,He left.\n2,She left.\n")
    answer = shell("document", tmp_path / "t.csv", "--column", "text")
    assert answer.code == 0
    assert "t.csv, row 3: 1 of 1 (100%)" in answer.out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Она ушла.".encode("cp1251"))))
    answer = shell("document", "-", "--encoding", "cp1251")
    assert answer.code == 0
    assert answer.out.startswith("standard input: 2 words")


def test_a_fairer_version_is_a_new_file(shell: Shell, tmp_path: Path) -> None:
    new = tmp_path / "new.txt"
    answer = shell("document", ADVERT, "--apply", new)
    assert answer.code == 0
    assert "one document, 1 change made" in answer.err
    before = ADVERT.read_text(encoding="utf-8")
    assert new.read_text(encoding="utf-8") == before.replace("the chairman", "the chair")
    again = shell("document", ADVERT, "--apply", new)
    assert again.code == 2
    assert again.out == ""
    assert "exists already" in again.err
    swapped = tmp_path / "swapped.txt"
    assert shell("document", ADVERT, "--apply", swapped, "--aim", "swap").code == 0
    assert "chairwoman" in swapped.read_text(encoding="utf-8")
    refused = shell("document", ADVERT, "--apply", tmp_path / "x.txt", "--accept", "n99")
    assert refused.code == 2
    assert "no change named 'n99'" in refused.err


def test_the_page_is_written_and_made_again(shell: Shell, tmp_path: Path) -> None:
    answer = shell("document", ADVERT, "-o", tmp_path / "out")
    page = tmp_path / "out" / "report.html"
    assert f"Report:  {page}" in answer.err
    first = page.read_text()
    page.unlink()
    assert shell("report", tmp_path / "out").code == 0
    assert page.read_text() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.txt"], "the document cannot be read"),
        ([ADVERT, "--language", "hi"], "is written in Devanagari"),
        ([ADVERT, "--language", "xx"], "There is no language"),
        ([ADVERT, "--model", "glove-ru-smal"], "error"),
        ([ADVERT, "--accept", "n1"], "say both"),
        ([ADVERT, "--encoding", "klingon"], "no encoding named"),
    ],
    ids=["absent", "script", "language", "model", "accept", "encoding"],
)
def test_bad_input_is_one_sentence(shell: Shell, arguments: list[object], message: str) -> None:
    answer = shell("document", *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_a_gate_with_a_slip_is_refused(shell: Shell, tmp_path: Path) -> None:
    assert shell("document", ADVERT, "-o", tmp_path / "run").code == 0
    for slip, message in (
        ("what == 'al' and value < 0.9", "'al' is no value of what; known: all"),
        ("document == 'nope'", "'nope' is no value of document"),
        ("measure == 'mention'", "'mention' is no value of measure"),
    ):
        answer = shell("check", tmp_path / "run", "--fail-if", slip)
        assert answer.code == 2
        assert message in answer.err
    absent = "measure == 'near' and what == 'xylophonist' and p_holm < 0.05"
    assert shell("check", tmp_path / "run", "--fail-if", absent).code == 0


def test_copies_are_no_more_evidence(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for number in range(8):
        (tmp_path / "texts" / f"{number}.txt").write_text("He saw him.\n", encoding="utf-8")
    answer = shell("document", tmp_path / "texts", "--language", "en")
    assert answer.code == 0
    assert "7 documents repeat another, and all together counts each text once." in answer.err
    assert "more of men than chance" not in answer.out


@pytest.mark.parametrize("output", ["out", "out/run"])
def test_a_text_and_a_report_need_two_places(shell: Shell, tmp_path: Path, output: str) -> None:
    apply = ("--apply", tmp_path / "out")
    answer = shell("document", ADVERT, "-o", tmp_path / output, *apply)
    assert answer.code == 2
    assert "which is one place; name two" in " ".join(answer.err.split())
    assert not [*tmp_path.iterdir()]


def test_the_rows_that_the_page_does_not_list_are_named(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairvec.report.documents.page.MOST_LISTED", 2)
    (tmp_path / "t.csv").write_text("text\nHe left.\nShe left.\nThey left.\n")
    answer = shell("document", tmp_path / "t.csv", "--column", "text", "-o", tmp_path / "out")
    assert "The report lists the first 2 of 3 documents; document.jsonl holds all." in answer.err
    assert (tmp_path / "out" / "document.jsonl").read_text().count('"line":"document"') == 3


def test_records_are_not_lost_by_a_page_that_cannot_be_made(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> str:
        raise RuntimeError("no page")

    (tmp_path / "a.txt").write_text("He left.")
    assert shell("document", tmp_path / "a.txt", "-o", tmp_path / "out").code == 0
    monkeypatch.setattr("fairvec.report.documents.page.DocumentsPage.render", fail)
    answer = shell("document", tmp_path / "a.txt", "-o", tmp_path / "out", "--force")
    assert (answer.code != 0, "no page" in answer.err) == (True, True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["document.jsonl"]
