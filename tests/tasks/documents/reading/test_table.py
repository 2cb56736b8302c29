"""Tables of texts, whose headers strangers wrote."""

from pathlib import Path

import pytest

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.documents.read import read_sources

LONG = "x" * 200_000
"""Longer than a cell that Python reads by itself."""


def read(folder: Path, text: str, column: str | None = "text") -> list[str]:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return [one.text for one in read_sources([path], column=column).sources]


def test_a_header_may_have_a_long_cell_as_rows_may(tmp_path: Path) -> None:
    assert read(tmp_path, f"{LONG},text\n{LONG},He left.\n") == ["He left."]


@pytest.mark.parametrize("column", [None, "other"])
def test_a_long_header_is_told_in_a_short_sentence(tmp_path: Path, column: str | None) -> None:
    with pytest.raises((SettingError, UnknownNameError)) as told:
        read(tmp_path, f"{LONG},text\n1,He left.\n", column)
    assert len(str(told.value)) < 1000


def test_a_table_that_was_refused_leaves_the_next_one_readable(tmp_path: Path) -> None:
    """What a refused one holds, as its error does, must not be what others wait for."""
    with pytest.raises(SettingError, match="two columns") as told:
        read(tmp_path, "text,text\nHe,left\n")
    assert read(tmp_path, "text\nHe left.\n") == ["He left."]
    assert told.value.__traceback__ is not None  # held until here


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_are_counted_and_cells_may_go_on(tmp_path: Path, delimiter: str) -> None:
    rows = [["id", "text"], ["1", '"She\nsaid ""no"""'], ["2", ""], ["3", "He"]]
    text = "".join(delimiter.join(row) + "\r\n" for row in rows)
    path = tmp_path / "table.tsv"
    path.write_text(text, newline="")
    opened = read_sources([path], column="text")
    assert [one.text for one in opened.sources] == ['She\nsaid "no"', "He"]
    assert [one.name.rpartition(" ")[2] for one in opened.sources] == ["2", "4"]
    assert len(opened.remarks) == 1
