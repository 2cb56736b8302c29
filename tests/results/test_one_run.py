"""A folder of records is of one run, and whoever reads it knows; files alone are read as ever."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import MARK
from fairvec.report import render, write_report
from fairvec.results import (
    CellPlace,
    FailedCell,
    Outcome,
    read_document_lines,
    read_frontier,
    read_results,
    read_study_lines,
    write_documents,
    write_frontier,
    write_results,
    write_study,
)
from tests.results.documents import figure
from tests.results.make import measured
from tests.results.points import point
from tests.stopping import killed_before, kills


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
