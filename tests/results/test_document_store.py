"""What was found in documents is written whole, read back as it was, and gated."""

from pathlib import Path

import pytest

from fairvec.core.errors import ExpressionError, FileFormatError, UnknownNameError
from fairvec.results import (
    DOCUMENT_COLUMNS,
    DOCUMENT_VALUES,
    Condition,
    DocumentLine,
    document_row,
    read_document_lines,
    write_documents,
)
from tests.results.documents import figure, read_document


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    lines: list[DocumentLine] = [
        read_document(),
        figure(),
        figure(interval=None, p=None, neutral=None),
    ]
    path = write_documents(lines, tmp_path / "new")
    assert read_document_lines(path) == lines
    assert read_document_lines(tmp_path / "new") == lines


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no records"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1]\n", "line 1: not a record"),
        (b"\n{}\n", "line 2: not a record"),
        (b'{"line": "figure", "schema_version": 99}\n', "written by a later fairvec"),
        (b'{"line": "figure", "schema_version": 2}\n', "document: Field required"),
        (b"[" * 100_000, "line 1: not a record"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "document.jsonl").write_bytes(content)
    with pytest.raises(FileFormatError, match=said):
        read_document_lines(tmp_path)


def test_a_folder_without_documents_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="fairvec document FILE -o"):
        read_document_lines(tmp_path)


def test_a_row_has_every_column_and_its_figures() -> None:
    row = document_row(figure())
    assert list(row) == list(DOCUMENT_COLUMNS)
    assert (row["document"], row["interval_low"], row["count_b"]) == ("a.txt", 0.1, 1)
    assert document_row(figure(interval=None))["interval_high"] is None


def condition(text: str) -> Condition:
    return Condition(text, DOCUMENT_COLUMNS, DOCUMENT_VALUES)


def test_a_condition_knows_the_columns_of_documents() -> None:
    asked = condition("measure == 'mentions' and value < 0.3")
    assert asked(document_row(figure()))
    assert not asked(document_row(figure(value=0.3)))
    assert not condition("interval_low < 1")(document_row(figure(interval=None)))
    with pytest.raises(UnknownNameError, match="did you mean measure"):
        condition("mesure == 'mentions'")
    with pytest.raises(UnknownNameError):
        condition("verdict == 'biased'")
    with pytest.raises(ExpressionError, match="'mention' is no value of measure"):
        condition("measure == 'mention'")
    assert condition("title != 'biased'")(document_row(figure()))
