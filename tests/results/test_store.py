from pathlib import Path

import pytest

from fairvec.errors import FileFormatError
from fairvec.results import COLUMNS, Outcome, as_jsonl, flat, read_results, write_results
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
        ("", "holds no results"),
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


def test_bytes_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="not UTF-8"):
        read_results(tmp_path)


def test_an_unknown_field_is_refused(tmp_path: Path) -> None:
    line = as_jsonl([measured()]).replace('"metric":', '"surprise":1,"metric":')
    (tmp_path / "results.jsonl").write_text(line)
    with pytest.raises(FileFormatError, match="surprise"):
        read_results(tmp_path)


def test_nan_is_never_a_result() -> None:
    with pytest.raises(ValueError, match="finite"):
        measured(effect=float("nan"))


@pytest.mark.parametrize("outcome", outcomes(), ids=lambda outcome: outcome.status)
def test_a_row_has_every_column(outcome: Outcome) -> None:
    assert list(flat(outcome)) == list(COLUMNS)


def test_a_row_counts_words_over_all_lists() -> None:
    row = flat(measured())
    assert (row["words_found"], row["words_wanted"], row["coverage"]) == (12, 16, 0.75)


def test_a_row_of_a_change_has_no_effect_of_its_own() -> None:
    row = flat(compared())
    assert (row["status"], row["change"], row["p_paired"]) == ("compared", "removed", 0.01)
    assert (row["model_before"], row["model"]) == ("model", "model, debiased")
    assert (row["effect_before"], row["effect"], row["effect_after"]) == (1.0, None, 0.2)
    assert row["coverage"] is None
    assert flat(compared(p=None))["p_paired"] is None


def test_a_row_of_a_view_has_no_figures() -> None:
    row = flat(viewed())
    assert (row["status"], row["test"], row["kind"]) == ("viewed", "en/gender:pairs", "concept")
    assert (row["effect"], row["coverage"], row["reason"]) == (None, None, None)
