"""fairvec document reads, checks and changes documents as the functions of Python do."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.documents import toy_rewriter
from tests.loops import loop_over

TEXTS = Path(__file__).parents[2] / "documents" / "texts"
ADVERT = TEXTS / "advert.txt"


@pytest.fixture(autouse=True)
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairvec.languages.en.rewriting.suggest", toy_rewriter.suggest)


def test_findings_come_first_then_statistics_and_the_records_can_be_gated(
    shell: Shell, tmp_path: Path
) -> None:
    answer = shell("document", ADVERT, "--model", "glove-en-small", "-o", tmp_path / "out")
    assert answer.code == 0
    findings, _, figures = answer.out.partition("\n\n")
    assert f"{ADVERT}:1:99-107  warning  Gender-neutral alternative: chair  [en.chair]" in findings
    assert "6 findings in 1 document (1 warning, 5 suggestions); --fix changes 1." in figures
    titles = [line for line in figures.splitlines()[1:] if line and not line.startswith(" ")]
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
    assert answer.out.startswith("No findings in 1 document.\n\nstandard input: 2 words")
    assert "Mentions: men 0, women 1; too little text for statistics." in answer.out


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
    monkeypatch.setattr("fairvec.report.documents.page.DocumentsPage.parts", fail)
    answer = shell("document", tmp_path / "a.txt", "-o", tmp_path / "out", "--force")
    assert (answer.code != 0, "no page" in answer.err) == (True, True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["document.jsonl"]


# --- Findings: exit codes, formats, rules, fixes ---


@loop_over(
    ("arguments", "code"),
    [
        ("", 0),
        ("--fail-on never", 0),
        ("--fail-on error", 0),
        ("--fail-on warning", 1),
        ("--fail-on suggestion", 1),
        ("--fail-on suggestion --off en", 0),
        ("--error en", 1),
        ("--fail-on sometimes", 2),
        ("--off en.salesmann", 2),
        ("--format yaml", 2),
        ("--diff --fix", 2),
        ("--changed no-such-branch", 2),
    ],
)
def test_the_exit_code_says_what_was_found(shell: Shell, arguments: str, code: int) -> None:
    answer = shell("document", ADVERT, *arguments.split())
    assert answer.code == code
    assert ("error: " in answer.err) == (code == 2)


def test_each_format_is_all_that_is_printed(shell: Shell) -> None:
    starts = {"json": "[", "sarif": "{", "junit": "<?xml", "checkstyle": "<?xml", "github": "::"}
    for format, start in starts.items():
        answer = shell("document", ADVERT, "--format", format)
        assert answer.out.startswith(start), format
        assert "Who is mentioned" not in answer.out


def test_commands_for_github_reach_its_runner(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    answer = shell("document", ADVERT, "--format", "github")
    assert [line[:15] for line in answer.out.splitlines()].count("::warning file=") == 1


def test_rules_are_listed_and_explained(shell: Shell) -> None:
    listed = shell("document", "rules").out
    assert all(id in listed for id in ("en.salesman", "hi.बेटा", "ru.секретарша"))
    answer = shell("document", "--why", "en.salesman")
    assert (answer.code, "salesperson" in answer.out) == (0, True)
    assert shell("document", "--why", "en.salesmann").code == 2


def test_a_fix_is_made_in_the_file_and_what_is_left_is_reported(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    before = ADVERT.read_text(encoding="utf-8")
    file.write_text(before, encoding="utf-8")
    answer = shell("document", file, "--diff", "--fail-on", "warning")
    assert "+++ " in answer.out
    assert answer.code == 1
    assert file.read_text(encoding="utf-8") == before
    answer = shell("document", file, "--fix", "--fail-on", "warning")
    assert answer.code == 0
    assert "1 change made in 1 file." in answer.err
    assert "5 findings in 1 document (5 suggestions); none can be fixed." in answer.out
    assert file.read_text(encoding="utf-8") == before.replace("the chairman", "the chair")


def test_settings_are_read_from_the_working_folder(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("The chairman smiled.")
    assert shell("document", "a.txt").code == 0
    (tmp_path / "fairvec.toml").write_text('[document]\nfail-on = "warning"\n')
    assert shell("document", "a.txt").code == 1
    assert shell("document", "a.txt", "--fail-on", "never").code == 0
    (tmp_path / "fairvec.toml").write_text('[document]\nfail-on = "warning"\noff = ["en"]\n')
    assert shell("document", "a.txt").code == 0


def test_the_findings_of_many_documents_are_those_of_each(shell: Shell, tmp_path: Path) -> None:
    row = "The chairman left, and he"
    table = tmp_path / "t.csv"
    table.write_text("text\n" + f'"{row}"\n' * 201, encoding="utf-8")
    answer = shell("document", table, "--column", "text", "--language", "en", "--format", "json")
    found = json.loads(answer.out)
    assert len(found) == 402
    (tmp_path / "one.txt").write_text(row)
    answer = shell("document", tmp_path / "one.txt", "--language", "en", "--format", "json")
    one = [{**finding, "file": ""} for finding in json.loads(answer.out)]
    assert [{**finding, "file": ""} for finding in found[-2:]] == one
    assert found[-1]["file"] == f"{table}, row 202"
