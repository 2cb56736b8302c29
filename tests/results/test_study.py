from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.results import FailedCell, StudyLine, read_cell, read_study_lines, write_study
from tests.evaluation.studies.toy import cell, place


def test_lines_come_back_with_names_of_any_kind(tmp_path: Path) -> None:
    odd = place("a\u2028b\u0085c")
    lines: list[StudyLine] = [cell(odd, 0.5), FailedCell(place=odd, reason="It ran away.")]
    assert write_study(lines, tmp_path).name == "study.jsonl"
    assert read_study_lines(tmp_path) == lines
    assert read_study_lines(tmp_path / "study.jsonl") == lines


@pytest.mark.parametrize(
    "content",
    ["{", '{"status": "tried"}\n', "\xff"],
    ids=["cut short", "another record", "not UTF-8"],
)
def test_what_is_no_study_is_named(content: str, tmp_path: Path) -> None:
    (tmp_path / "study.jsonl").write_bytes(content.encode("latin-1"))
    with pytest.raises(FileFormatError, match=r"not a record of a study|this is not UTF-8"):
        read_study_lines(tmp_path)
    with pytest.raises(FileFormatError, match="remove it"):
        read_cell(tmp_path / "study.jsonl")


def test_an_empty_place_says_how_to_fill_it(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"fairvec study PLAN\.toml -o"):
        read_study_lines(tmp_path)
