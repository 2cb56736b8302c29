import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.text import FORMULAS, escape_formula, escape_formulas


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+A1",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\tA1",
        "\rA1",
        "\nA1",
        " =1",
        "\uff1d1",
        "\xa0=1",
        "\ufeff =1",
    ],
    ids=range(11),
)
def test_text_that_a_spreadsheet_would_run_begins_with_an_apostrophe(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "-", "=", "-0.31", "+.5", "-1e-9", "a=b", "man - woman", "'=1"]
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert escape_formula(text) == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a;=1+1", "a;'=1+1"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"),
        ("a; @SUM(A1);-b", "a; '@SUM(A1);'-b"),
        ('a\n"=1', "a\n\"'=1"),
        ("a;b\tc", "a;b\tc"),
        ("x; - y", "x; - y"),
        ("a; -", "a; -"),
    ],
    ids=range(9),
)
def test_no_formula_begins_behind_a_semicolon_either(text: str, cell: str) -> None:
    """Half of all spreadsheets end a cell there."""
    assert escape_formula(text) == cell


def test_numbers_stay_numbers() -> None:
    row = {"effect": -1.25, "count": -3, "nothing": None, "met": True}
    assert escape_formulas(row) == row


@given(st.text())
def test_no_cell_is_a_formula_and_none_loses_a_letter(text: str) -> None:
    cell = escape_formula(text)
    assert cell.replace("'", "") == text.replace("'", "")
    if cell[:1] in ("=", "@"):
        assert len(cell.strip(" ")) == 1
    if cell[:1] and cell[0] in FORMULAS and len(cell.strip(" ")) > 1:
        float(cell)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_guarded_cell_comes_back_as_it_was_written(text: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerow([escape_formula(text), "end"])
    file.seek(0)
    assert next(csv.reader(file)) == [escape_formula(text), "end"]
