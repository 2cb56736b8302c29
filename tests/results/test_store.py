import json
import re
from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.core.validation import SCHEMA_VERSION
from fairvec.results import (
    COLUMNS,
    Outcome,
    as_jsonl,
    json_schema,
    lacking,
    read_results,
    to_row,
    write_results,
)
from tests.results.make import compared, measured, skipped, viewed


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
