"""Folders and files of results."""

import json
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.report import render, write_report
from fairvec.results import Outcome, read_results, write_results
from fairvec.results.documents import read_document_lines, write_documents
from fairvec.results.frontier import read_frontier, write_frontier
from fairvec.results.rows import COLUMNS, to_row
from fairvec.results.store import as_jsonl, json_schema
from fairvec.results.study import CellKey, FailedCell, read_study_lines, write_study
from tests.fault_injection import kills
from tests.results.toys import compared, figure, measured, point, skipped, viewed

# --- store ---


def outcomes() -> list[Outcome]:
    return [measured(), skipped(), compared(), viewed()]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = write_results(outcomes(), tmp_path / "run")
    assert read_results(tmp_path / "run") == outcomes()
    assert read_results(path) == outcomes()
    assert path.read_text(encoding="utf-8") == as_jsonl(outcomes())


def test_writing_again_leaves_one_whole_file(tmp_path: Path) -> None:
    write_results(outcomes(), tmp_path)
    write_results([measured(effect=0.5)], tmp_path)
    assert read_results(tmp_path) == [measured(effect=0.5)]
    assert [path.name for path in tmp_path.iterdir()] == ["results.jsonl"]


def test_a_folder_without_results_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="fairvec audit MODEL -o"):
        read_results(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no records"),
        ("{}\n", "line 1"),
        ("not json\n", "line 1"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "results.jsonl").write_text(text)
    with pytest.raises(FileFormatError, match=message):
        read_results(tmp_path)


def test_a_line_separator_in_a_name_is_no_line(tmp_path: Path) -> None:
    odd = [measured(model="a\u2028b")]
    write_results(odd, str(tmp_path))
    assert read_results(str(tmp_path)) == odd


def test_records_that_another_editor_saved_are_read(tmp_path: Path) -> None:
    """Some put a mark at the start of a file, and some end lines in their own way."""
    for mark, end in (("\ufeff", "\n"), ("\ufeff", "\r\n"), ("", "\r")):
        text = mark + as_jsonl(outcomes()).replace("\n", end)
        (tmp_path / "results.jsonl").write_bytes(text.encode())
        assert read_results(tmp_path) == outcomes()


def test_bytes_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match=r"results\.jsonl, line \d+: this is not UTF-8"):
        read_results(tmp_path)


def test_an_unknown_field_is_refused(tmp_path: Path) -> None:
    line = as_jsonl([measured()]).replace('"metric":', '"surprise":1,"metric":')
    (tmp_path / "results.jsonl").write_text(line)
    with pytest.raises(FileFormatError, match="surprise"):
        read_results(tmp_path)


def test_nan_is_never_a_result() -> None:
    with pytest.raises(ValueError, match="finite"):
        measured(effect=float("nan"))


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (("p", "value"), 17, "p.value"),
        (("p", "low"), -0.1, "p.low"),
        (("p_holm",), 1.5, "p_holm"),
        (("min_coverage",), 2, "min_coverage"),
        (("coverage", 2, "wanted"), -(10**18), "coverage.2.wanted"),
        (("family",), -1, "family"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_probability_and_no_count_is_refused(
    tmp_path: Path, place: tuple[str | int, ...], value: float, why: str
) -> None:
    record = json.loads(as_jsonl([measured()]))
    *there, last = place
    inner = record
    for name in there:
        inner = inner[name]
    inner[last] = value
    (tmp_path / "results.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(FileFormatError, match=rf"measured\.{re.escape(why)}: .* than or equal to"):
        read_results(tmp_path)


@pytest.mark.parametrize("outcome", outcomes(), ids=lambda outcome: outcome.status)
def test_a_row_has_every_column(outcome: Outcome) -> None:
    assert list(to_row(outcome)) == list(COLUMNS)


def test_a_row_counts_words_over_all_lists() -> None:
    row = to_row(measured())
    assert (row["words_found"], row["words_wanted"], row["coverage"]) == (12, 16, 0.75)


def test_a_row_of_a_change_has_no_effect_of_its_own() -> None:
    row = to_row(compared())
    assert (row["status"], row["change"], row["p_paired"]) == ("compared", "removed", 0.01)
    assert (row["model_before"], row["model"]) == ("model", "model, debiased")
    assert (row["effect_before"], row["effect"], row["effect_after"]) == (1.0, None, 0.2)
    assert row["coverage"] is None
    assert to_row(compared(p=None))["p_paired"] is None


def test_a_row_of_a_view_has_no_figures() -> None:
    row = to_row(viewed())
    assert (row["status"], row["test"], row["kind"]) == ("viewed", "en/gender:pairs", "concept")
    assert (row["effect"], row["coverage"], row["reason"]) == (None, None, None)


@pytest.mark.parametrize(("version", "remedy"), [(99, "upgrade"), (2, "run 'fairvec audit' again")])
def test_another_schema_is_refused(tmp_path: Path, version: int, remedy: str) -> None:
    line = as_jsonl([measured()])
    assert '"schema_version":3' in line
    file = tmp_path / "results.jsonl"
    file.write_text(line.replace('"schema_version":3', f'"schema_version":{version}'))
    with pytest.raises(FileFormatError, match=rf"schema.version.* {version}.*{remedy}"):
        read_results(tmp_path)


def test_every_record_meets_the_published_schema() -> None:
    schema = json_schema()
    for outcome in outcomes():
        record = json.loads(outcome.model_dump_json())
        own = schema["$defs"][type(outcome).__name__]
        assert record.keys() == own["properties"].keys()
        assert {*own["required"]} <= record.keys()


# --- A folder of records is of one run


def run_of(model: str) -> list[Outcome]:
    return [measured(model=model)]


@cache
def page_of(model: str) -> str:
    return render(run_of(model), title=f"Page of {model}")


def writing_of(folder: Path, model: str) -> Callable[[], Path]:
    return partial(write_results, run_of(model), folder, {"report.html": page_of(model)})


def write(folder: Path, model: str) -> None:
    writing_of(folder, model)()


def test_records_and_page_are_of_one_run_whenever_it_is_killed(tmp_path: Path) -> None:
    folder, seen = tmp_path / "run", set()
    write(folder, "first")
    for _ in kills(writing_of(folder, "second"), folder):
        (record,) = read_results(folder)
        page = folder / "report.html"
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        seen.add((record.model.name, text.partition("Page of ")[2].split("<")[0]))
        write(folder, "first")
    assert seen == {("first", "first"), ("first", ""), ("second", ""), ("second", "second")}


def test_records_may_be_joined_by_hand_and_a_page_be_anybodys(tmp_path: Path) -> None:
    write(tmp_path / "one", "first")
    write(tmp_path / "two", "second")
    with (tmp_path / "one/results.jsonl").open("ab") as file:
        file.write((tmp_path / "two/results.jsonl").read_bytes())
    (tmp_path / "one/report.html").write_text("my own page")
    assert read_results(tmp_path / "one") == [*run_of("first"), *run_of("second")]


def test_the_same_run_gives_the_same_bytes_and_nothing_else(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, "first")
    found = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    ]
    assert found[0] == found[1]
    assert {*found[0]} == {"results.jsonl", "report.html"}


def test_records_alone_leave_the_page_that_a_person_wrote(tmp_path: Path) -> None:
    write(tmp_path, "first")
    write_report(run_of("second"), tmp_path / "report.html")
    write_results(run_of("second"), tmp_path)
    assert read_results(tmp_path) == run_of("second")
    assert (tmp_path / "report.html").exists()


def test_a_run_without_a_page_leaves_no_page_of_other_records(tmp_path: Path) -> None:
    write(tmp_path, "first")
    write_results(run_of("second"), tmp_path, {"table.md": "second"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.jsonl", "table.md"]
    (tmp_path / "new").mkdir()
    (tmp_path / "new/report.html").write_text("of something else")
    write_results(run_of("second"), tmp_path / "new", {"table.md": "second"})
    assert (tmp_path / "new/report.html").exists()


STUDY = FailedCell(
    place=CellKey(corpus="news", model="glove", window=3, dim=10, seed=1), reason="None."
)
KINDS: dict[str, tuple[Callable[..., Path], Callable[[Path], object], object]] = {
    "results": (write_results, read_results, measured()),
    "frontier": (write_frontier, read_frontier, point("hard", 0.1, 0.9)),
    "study": (write_study, read_study_lines, STUDY),
    "document": (write_documents, read_document_lines, figure()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_record_is_of_one_run_whenever_it_is_killed(
    kind: str, tmp_path: Path
) -> None:
    writing, reading, line = KINDS[kind]
    writing([line], tmp_path, {"report.html": "first"})
    seen = set()
    for _ in kills(partial(writing, [line], tmp_path, {"report.html": "second"}), tmp_path):
        assert reading(tmp_path) == [line]
        page = tmp_path / "report.html"
        seen.add(page.read_text() if page.exists() else "")
        writing([line], tmp_path, {"report.html": "first"})
    assert seen == {"first", "", "second"}


@pytest.mark.parametrize("write", [write_results, write_frontier, write_study, write_documents])
def test_a_slip_in_writing_is_answered_with_the_function_that_was_called(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    read = write.__name__.replace("write", "read").removesuffix("s")
    with pytest.raises(SettingError, match=rf"say {write.__name__}\(records, 'runs/mine'\)"):
        write(tmp_path, [])
    with pytest.raises(SettingError, match=rf"as {read}\w* returns it"):
        write([3], tmp_path)
