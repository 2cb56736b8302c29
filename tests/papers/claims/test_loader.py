"""Claims as data: what is chosen, and malformed files refused in one sentence."""

import re

import pytest

from fairvec.core.errors import FileFormatError, UnknownNameError
from fairvec.papers import PAPERS, load_paper, parse_paper
from fairvec.papers.claims import claims_of, parse_claims
from tests.papers.claims.toy import CLAIM, TOY


def test_a_claim_chooses_the_cells_of_its_column() -> None:
    (claim,) = parse_claims(CLAIM, parse_paper(TOY))
    (cells,) = claim.cell_lists(parse_paper(TOY))
    assert [(cell.row, cell.column) for cell in cells] == [("first", "plain"), ("second", "plain")]


@pytest.mark.parametrize(("bold", "rows"), [("true", ["first"]), ("false", ["second"])])
def test_a_claim_may_choose_what_is_bold(bold: str, rows: list[str]) -> None:
    text = CLAIM.replace('column = "plain"', f'column = "plain", bold = {bold}')
    (claim,) = parse_claims(text, parse_paper(TOY))
    assert [cell.row for cell in claim.cell_lists(parse_paper(TOY))[0]] == rows


def _pair(kind: str, one: str, other: str, more: str = "") -> str:
    names = ("left", "right") if kind == "greater" else ("before", "after")
    return (
        f'test = {{ kind = "{kind}", {names[0]} = {{ table = "table-1", {one} }}, '
        f'{names[1]} = {{ table = "table-1", {other} }}{more} }}'
    )


TEST = CLAIM.splitlines()[-1]
FIRST, SECOND, BOTH = 'column = "plain", rows = ["first"]', 'rows = ["second"]', 'column = "plain"'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param('quote = "it leans"', 'quotes = "it leans"', "quotes", id="an-unknown-key"),
        pytest.param('"leans"', '"loans"', "loans", id="an-unknown-kind"),
        pytest.param('table = "table-1"', 'table = "table-3"', "table-3", id="an-unknown-table"),
        pytest.param('"plain"', '"plane"', "plane", id="an-unknown-column"),
        pytest.param('column = "plain"', 'rows = ["third"]', "third", id="an-unknown-row"),
        pytest.param(
            'column = "plain"', 'column = "other", rows = ["second"]', "no cell", id="no-cell"
        ),
        pytest.param(
            'column = "plain"', 'column = "plain", columns = ["plain"]', "both", id="both"
        ),
        pytest.param('role = "one"', 'role = "three"', "three", id="an-unknown-role"),
        pytest.param('role = "one"', 'role = "two"', "its cells are of one", id="another-role"),
        pytest.param('role = "one"', "", "role or roles", id="no-role"),
        pytest.param('"it-leans"', '"It leans"', "id", id="an-id-with-a-space"),
        pytest.param('sign = "+"', 'sign = "up"', "sign", id="a-sign"),
        pytest.param(
            'table = "table-1", column = "plain"', 'table = "table-2"', "MC", id="no-test"
        ),
        pytest.param(
            TEST, TEST.replace('"leans"', '"each", of = 3'), "2 cells", id="a-wrong-count"
        ),
        pytest.param(TEST, _pair("greater", FIRST, BOTH), "1 cells with 2", id="unequal"),
        pytest.param(TEST, _pair("lowered", FIRST, FIRST), "with itself", id="itself"),
        pytest.param(TEST, _pair("lowered", FIRST, SECOND), "something else", id="another-test"),
        pytest.param(TEST, _pair("kept", FIRST, SECOND), "margin", id="no-margin"),
        pytest.param(
            TEST,
            'test = { kind = "threshold", cells = { table = "table-2" } }',
            "at_least or at_most",
            id="no-limit",
        ),
        pytest.param("[[claims]]", "[[claims", "not TOML", id="no-toml"),
    ],
)
def test_what_cannot_be_answered_is_refused(old: str, new: str, said: str) -> None:
    assert old in CLAIM
    with pytest.raises(FileFormatError, match=said) as error:
        parse_claims(CLAIM.replace(old, new), parse_paper(TOY), "toy.toml")
    assert str(error.value).startswith("toy.toml")
    assert re.search(r"[^.?][.?]$", str(error.value))


def test_two_claims_of_one_id_are_refused() -> None:
    with pytest.raises(FileFormatError, match="'it-leans' is that of 2 claims"):
        parse_claims(CLAIM + CLAIM, parse_paper(TOY))


@pytest.mark.parametrize("name", PAPERS)
def test_every_file_of_claims_is_of_its_paper(name: str) -> None:
    for claim in claims_of(name):
        assert all(claim.cell_lists(load_paper(name)))
        assert claim.says.endswith(".")
        assert claim.says.count(". ") == 0, "one sentence"


def test_an_unknown_paper_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="pestowa"):
        claims_of("pestowa")


def test_every_bold_cell_of_the_poster_is_in_a_claim() -> None:
    """22 by hand: 7, 3, 6, 5 and 1; the poster prints p below 0.05 in bold."""
    printed = load_paper("pestova")
    bold = [cell for cell in printed.cells() if cell.bold]
    assert len(bold) == 22
    for cell in printed.cells():
        assert cell.bold == ((cell.figures[1].value or 0) < 0.05)
    asked = [
        cell
        for claim in claims_of("pestova")
        if claim.test.kind == "each" and claim.role
        for cell in claim.cell_lists(printed)[0]
    ]
    assert len(asked) == 22
    assert {(cell.row, cell.column) for cell in asked} == {(c.row, c.column) for c in bold}
