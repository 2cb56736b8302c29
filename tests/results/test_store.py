import json
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import MARK
from fairvec.core.validation import SCHEMA_VERSION
from fairvec.report import render, write_report
from fairvec.results import (
    COLUMNS,
    CellPlace,
    FailedCell,
    Outcome,
    as_jsonl,
    json_schema,
    lacking,
    read_document_lines,
    read_frontier,
    read_results,
    read_study_lines,
    to_row,
    write_documents,
    write_frontier,
    write_results,
    write_study,
)
from tests.fault_injection import killed_before, kills
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
        (("smallest_coverage",), 2, "smallest_coverage"),
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


def test_a_later_schema_is_refused_and_an_earlier_one_says_what_it_lacks(tmp_path: Path) -> None:
    line = as_jsonl([measured()])
    assert '"schema_version":2' in line
    file = tmp_path / "results.jsonl"
    file.write_text(line.replace('"schema_version":2', '"schema_version":99'))
    with pytest.raises(FileFormatError, match=r"schema version 99.*upgrade"):
        read_results(tmp_path)
    old = json.loads(line) | {"schema_version": 1}
    for added in ("described", "family_of"):
        del old[added]
    del old["test"]["also"]
    file.write_text(json.dumps(old))
    outcomes = read_results(tmp_path)
    assert "lack the settings" in lacking(outcomes)
    assert lacking([measured()]) == ""


def test_a_change_of_the_first_schema_is_read_under_its_new_name(tmp_path: Path) -> None:
    old = json.loads(as_jsonl([compared()])) | {"schema_version": 1, "kind": "turned"}
    (tmp_path / "results.jsonl").write_text(json.dumps(old))
    assert [getattr(one, "kind", "") for one in read_results(tmp_path)] == ["overshot"]


def test_every_record_meets_the_published_schema() -> None:
    schema = json_schema()
    for outcome in outcomes():
        record = json.loads(outcome.model_dump_json())
        own = schema["$defs"][type(outcome).__name__]
        assert record.keys() == own["properties"].keys()
        assert {*own["required"]} <= record.keys()


@pytest.mark.parametrize(
    ("kind", "test", "wanted"),
    [
        ("similarity", "ws353", "more"),
        ("analogy", "google/family", "more"),
        ("sembias", "sembias/definition-held-out", "more"),
        ("sembias", "sembias/stereotype", "less"),
        ("sembias", "sembias/none", "less"),
    ],
)
@pytest.mark.parametrize("version", [1, SCHEMA_VERSION])
def test_a_figure_of_a_benchmark_from_before_says_what_it_is(
    tmp_path: Path, kind: str, test: str, wanted: str, version: int
) -> None:
    change = compared(of=kind, test=test, kind="lost")
    line = change.model_dump(mode="json") | {"schema_version": version}
    assert line["test"].pop("use")["wanted"] == wanted
    (tmp_path / "results.jsonl").write_text(json.dumps(line), encoding="utf-8")
    (found,) = read_results(tmp_path)
    assert found.test.use == change.test.use


# --- A folder of records is of one run, and whoever reads it knows; files alone are read as ever


def run_of(model: str) -> list[Outcome]:
    return [measured(model=model)]


@cache
def page_of(model: str) -> str:
    return render(run_of(model), title=f"Page of {model}")


def writing_of(folder: Path, model: str) -> Callable[[], Path]:
    return partial(write_results, run_of(model), folder, {"report.html": page_of(model)})


def write(folder: Path, model: str) -> None:
    writing_of(folder, model)()


def models(folder: Path) -> tuple[str, str]:
    """Return the model of the records and of the page."""
    (record,) = read_results(folder / "results.jsonl")
    title = (folder / "report.html").read_text(encoding="utf-8").partition("Page of ")[2]
    return record.model.name, title.split("<")[0]


def told(read: Callable[[], object]) -> str:
    try:
        read()
    except FileFormatError as error:
        return str(error)
    return ""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with the page of one run and the records of another."""
    folder = tmp_path / "run"
    write(folder, "first")
    killed_before(writing_of(folder, "second"), folder / "results.jsonl")
    assert models(folder) == ("first", "second")
    return folder


def test_records_and_page_are_of_one_run_or_it_is_told(tmp_path: Path) -> None:
    folder, seen = tmp_path / "run", set()
    write(folder, "first")
    for _ in kills(writing_of(folder, "second"), folder):
        said = told(lambda: read_results(folder))
        records, page = models(folder)
        assert bool(said) == (records != page)
        seen.add((records, page))
        write(folder, "first")
    assert seen == {("first", "first"), ("first", "second"), ("second", "second")}


def test_which_part_is_of_which_run_is_said(mixed: Path) -> None:
    assert "report.html is of the later, results.jsonl is of the earlier; run it again" in told(
        lambda: read_results(mixed)
    )


def test_a_file_that_is_named_or_was_copied_is_read_as_it_is(mixed: Path, tmp_path: Path) -> None:
    assert read_results(mixed / "results.jsonl") == run_of("first")
    (tmp_path / "copy").mkdir()
    (mixed / "results.jsonl").rename(tmp_path / "copy/results.jsonl")
    assert read_results(tmp_path / "copy") == run_of("first")


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


def test_two_calls_in_python_mend_too(mixed: Path) -> None:
    write_results(run_of("third"), mixed)
    assert "report.html is of another than the rest" in told(lambda: read_results(mixed))
    write_report(run_of("third"), mixed / "report.html")
    assert read_results(mixed) == run_of("third")
    assert not (mixed / MARK).exists()


def test_a_run_without_a_page_leaves_no_page_of_other_records(tmp_path: Path) -> None:
    write(tmp_path, "first")
    write_results(run_of("second"), tmp_path, {"table.md": "second"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.jsonl", "table.md"]
    (tmp_path / "new").mkdir()
    (tmp_path / "new/report.html").write_text("of something else")
    write_results(run_of("second"), tmp_path / "new", {"table.md": "second"})
    assert (tmp_path / "new/report.html").exists()


STUDY = FailedCell(
    place=CellPlace(corpus="news", model="glove", window=3, dim=10, seed=1), reason="None."
)
KINDS: dict[str, tuple[Callable[..., Path], Callable[[Path], object], object]] = {
    "results": (write_results, read_results, measured()),
    "frontier": (write_frontier, read_frontier, point("hard", 0.1, 0.9)),
    "study": (write_study, read_study_lines, STUDY),
    "document": (write_documents, read_document_lines, figure()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_record_is_told_of(kind: str, tmp_path: Path) -> None:
    writing, reading, line = KINDS[kind]
    file = writing([line], tmp_path, {"report.html": "first"})
    killed_before(partial(writing, [line], tmp_path, {"report.html": "second"}), file)
    assert f"report.html is of the later, {file.name} is of the earlier" in told(
        lambda: reading(tmp_path)
    )
    assert reading(file) == [line]
    writing([line], tmp_path, {"report.html": "third"})
    assert reading(tmp_path) == [line]
