"""The data format: the nearest setting wins, and malformed files are refused in one sentence."""

import pytest

from fairvec.core.errors import FileFormatError, UnknownNameError
from fairvec.papers import PAPERS, load_paper, parse_paper
from tests.papers.toy_paper import TWO_ROLES

PAPER = (
    TWO_ROLES
    + """[tables.columns]
plain = {}
cosine = { similarity = "cosine", role = "two", permute = "sentences" }
[tables.rows]
first = { test = "b1", cells = ["0.1 0.2", "0.3 0.4"] }
second = { test = "b2", role = "one", cells = ["0.5 0.6", ""] }
[[tables.remarks]]
row = "first"
column = "cosine"
inconsistent = true
note = "Odd."
"""
)


def debias(method: str, concept: str = "hi/gender", more: str = "") -> str:
    """A column that is debiased."""
    rest = f", {more}" if more else ""
    return f'plain = {{ debias = {{ method = "{method}", concept = "{concept}"{rest} }} }}'


def test_the_nearest_setting_wins() -> None:
    cells = list(parse_paper(PAPER).cells())
    assert [(cell.row, cell.column) for cell in cells] == [
        ("first", "plain"),
        ("first", "cosine"),
        ("second", "plain"),
    ]
    assert [cell.role for cell in cells] == ["one", "two", "one"]
    assert [cell.settings.similarity for cell in cells] == [None, "cosine", None]
    assert [cell.settings.permute for cell in cells] == [None, "sentences", None]
    assert [cell.test for cell in cells] == ["kumar2020/b1", "kumar2020/b1", "kumar2020/b2"]
    assert [len(cell.remarks) for cell in cells] == [0, 1, 0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "toy"', 'id = "toy', "not TOML"),
        ('id = "toy"', 'id = "toy"\nyear = 2020', "year: Extra inputs are not permitted"),
        ('title = "One"', 'title = "One"\ncolour = "red"', "roles.one.colour: Extra inputs"),
        ('source = "Toy (2026)"', "", "source: Field required"),
        ('sides = "greater"', 'sides = "both"', "convention.sides"),
        ('"0.1 0.2", "0.3 0.4"', '"0.1 0.2"', "'first' has 1 cells for 2 columns"),
        ('"0.1 0.2"', '"0.1"', "holds '0.1', which should be d and p"),
        ('test = "b2", ', "", "row 'second', column 'plain' has no test"),
        ('row = "first"', 'row = "third"', "a remark is on 'third', 'cosine': no such cell"),
        ('role = "two"', 'role = "three"', "table-1, row 'first': no role 'three'"),
        ('note = "Odd."', 'note = "Odd."\nquantity = "z"', "a remark is on 'z', not in 'first'"),
        ('title = "One"', 'title = "One"\nwords = "many"', "words is 'many', which should be like"),
        ("plain = {}", 'plain = { needs = ["magic"] }', "needs 'magic', which is none of"),
        ("plain = {}", 'plain = { moved = "some" }', "tables.0.columns.plain.moved"),
        ("plain = {}", debias("hart"), "There is no debiasing method named 'hart'"),
        ("plain = {}", debias("hard", "hi/sex"), "There is no concept named 'hi/sex'"),
        ("plain = {}", debias("hard", "hi/gender:few"), "named 'few'"),
        (
            "plain = {}",
            debias("hard", more="settings = { colour = 1 }"),
            "no setting of hard named 'colour'",
        ),
        (
            "plain = {}",
            debias("hard", more="as_published = { raw = 1 }"),
            "no setting of hard named 'raw'",
        ),
        ("plain = {}", debias("hard", more="tint = 1"), "debias.tint: Extra inputs"),
        ('metric = "weat"', 'reads = "colours"', "tables.0.reads"),
        (
            'title = "One"',
            'title = "One"\nmade_from = "two"',
            "roles.one: needs both made_from and debias, or neither",
        ),
        (
            'title = "One"',
            'title = "One"\nmade_from = "two"\n'
            'debias = { method = "pgd", concept = "en/gender:pairs" }',
            "one is made from 'two': no role before it",
        ),
        ("plain = {}", 'plain = { against = "three" }', "row 'first': no role 'three'"),
        ("plain = {}", 'plain = { method = "guess" }', "tables.0.columns.plain.method"),
        ('metric = "weat"', 'reads = "pair-variance"', "column 'plain' has no concept"),
        (
            'metric = "weat"',
            'reads = "pair-variance"\nconcept = "hi/gender"',
            "'first' reads one number and shows several",
        ),
    ],
)
def test_malformed_data_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(FileFormatError) as refusal:
        parse_paper(PAPER.replace(old, new, 1), "toy.toml")
    assert str(refusal.value).startswith("toy.toml")
    assert message in str(refusal.value)


def test_an_unknown_paper_is_offered_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean kumar2020"):
        load_paper("kumar2021")


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_known_by_the_name_of_its_file(name: str) -> None:
    assert load_paper(name).id == name


@pytest.mark.parametrize(
    ("bold", "means", "said"),
    [
        pytest.param('["neither"]', 'bold_means = "Large."', "'neither' in bold", id="no-column"),
        pytest.param('["cosine"]', 'bold_means = "Large."', "'cosine' in bold", id="an-empty-cell"),
        pytest.param('["plain"]', "", "no bold_means", id="no-meaning"),
    ],
)
def test_bold_cells_are_printed_ones_and_mean_something(bold: str, means: str, said: str) -> None:
    text = PAPER.replace('["0.5 0.6", ""]', f'["0.5 0.6", ""], bold = {bold}')
    with pytest.raises(FileFormatError, match=said):
        parse_paper(text.replace('title = "A table"', f'title = "A table"\n{means}'))
