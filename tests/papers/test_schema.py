"""The data format of papers."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.papers import PAPERS, load_paper, parse_paper
from fairvec.papers.printed import PrintedFigure, is_count, is_exact, parse_figures, rounds_to
from fairvec.papers.schema import CorrelationMeasure, QuestionMeasure, measure_of
from tests.loops import loop_over
from tests.papers.toys import TWO_ROLES

# --- The data format: the nearest setting wins, and malformed files are refused in one sentence


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


@loop_over(
    ("old", "new", "message"),
    [
        ('id = "toy"', 'id = "toy', "not TOML"),
        ('id = "toy"', 'id = "toy"\nyear = 2020', "year is not a known key"),
        ('title = "One"', 'title = "One"\ncolour = "red"', "roles.one.colour is not a known key"),
        ('source = "Toy (2026)"', "", "source is required"),
        ('sides = "greater"', 'sides = "both"', "convention.sides is 'both' and must be"),
        ('"0.1 0.2", "0.3 0.4"', '"0.1 0.2"', "'first' has 1 cells for 2 columns"),
        ('"0.1 0.2"', '"0.1"', "holds '0.1', which should be d and p"),
        ('test = "b2", ', "", "row 'second', column 'plain' has no test"),
        ('row = "first"', 'row = "third"', "a remark is on 'third', 'cosine': no such cell"),
        ('role = "two"', 'role = "three"', "table-1, row 'first': no role 'three'"),
        ('note = "Odd."', 'note = "Odd."\nquantity = "z"', "a remark is on 'z', not in 'first'"),
        ('title = "One"', 'title = "One"\nwords = "many"', "words is 'many', which should be like"),
        (
            'metric = "weat"',
            'metric = "wheat"',
            "metric named 'wheat'; did you mean weat",
        ),
        ("plain = {}", 'plain = { moved = "some" }', "tables[1].columns.plain.moved is 'some'"),
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
        ("plain = {}", debias("hard", more="tint = 1"), "debias.tint is not a known key"),
        ('metric = "weat"', 'reads = "colours"', "tables[1].reads is 'colours'"),
        (
            'title = "One"',
            'title = "One"\nmade_from = "two"',
            "roles.one needs both made_from and debias, or neither",
        ),
        (
            'title = "One"',
            'title = "One"\nmade_from = "two"\n'
            'debias = { method = "pgd", concept = "en/gender:pairs" }',
            "one is made from 'two': no role before it",
        ),
        ("plain = {}", 'plain = { against = "two" }', "has metric and against; keep one of them"),
        ("plain = {}", 'plain = { method = "guess" }', "tables[1].columns.plain.method is 'guess'"),
        ('metric = "weat"', 'reads = "pair-variance"', "column 'plain' has no concept"),
        (
            'metric = "weat"',
            'reads = "pair-variance"\nconcept = "hi/gender"',
            "'first', column 'plain' measures one number and shows several",
        ),
        ('metric = "weat"', "", "'first', column 'plain' has none of metric, benchmark, question"),
        ("plain = {}", 'plain = { benchmark = "mc30" }', "has metric and benchmark; keep one"),
    ],
)
def test_malformed_data_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(LexiconError) as refusal:
        parse_paper(PAPER.replace(old, new, 1), "toy.toml")
    assert str(refusal.value).startswith("toy.toml")
    assert message in str(refusal.value)


CORRELATED = """[[tables]]
id = "figure-1"
title = "A figure"
role = "one"
suite = "kumar2020"
test = "b1"
shows = ["r"]
[tables.columns]
r = { against = "two" }
[tables.rows]
row = { cells = ["0.9"] }
"""


def test_a_role_that_is_compared_is_a_role() -> None:
    text = PAPER + CORRELATED
    (*_, cell) = parse_paper(text).cells()
    assert cell.measure == CorrelationMeasure("kumar2020/b1", "two")
    with pytest.raises(LexiconError, match="figure-1, row 'row': no role 'three'"):
        parse_paper(text.replace('against = "two"', 'against = "three"'))


def test_a_cell_knows_what_it_measures() -> None:
    """Every kind there is, in the four papers; whatever decides a figure is in its measure."""
    kinds = Counter(
        type(cell.measure).__name__ for name in PAPERS for cell in load_paper(name).cells()
    )
    assert kinds == {
        "TestMeasure": 307,
        "BenchmarkMeasure": 36,
        "QuestionMeasure": 5,
        "CorrelationMeasure": 1,
        "TaskMeasure": 14,
        "ConceptMeasure": 4,
        "PropertyMeasure": 2,
        "DerivedFigure": 3,
    }
    (question, *_) = load_paper("kumar2020").tables[0].cells()
    assert question.measure == QuestionMeasure(("man", "doctor", "woman"), "cosine")
    plain = question.settings.model_copy(update={"similarity": None})
    assert measure_of(plain) == QuestionMeasure(("man", "doctor", "woman"), "negative-distance")


def test_an_unknown_paper_is_offered_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean kumar2020"):
        load_paper("kumar2021")


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_known_by_the_name_of_its_file(name: str) -> None:
    assert load_paper(name).id == name


@pytest.mark.parametrize(
    ("bold", "means", "message"),
    [
        pytest.param('["neither"]', 'bold_means = "Large."', "'neither' in bold", id="no-column"),
        pytest.param('["cosine"]', 'bold_means = "Large."', "'cosine' in bold", id="an-empty-cell"),
        pytest.param('["plain"]', "", "no bold_means", id="no-meaning"),
    ],
)
def test_bold_cells_are_printed_ones_and_mean_something(
    bold: str, means: str, message: str
) -> None:
    text = PAPER.replace('["0.5 0.6", ""]', f'["0.5 0.6", ""], bold = {bold}')
    with pytest.raises(LexiconError, match=message):
        parse_paper(text.replace('title = "A table"', f'title = "A table"\n{means}'))


# --- figure ---


def test_a_cell_is_taken_apart_in_the_order_it_is_printed() -> None:
    d, p = parse_figures("-1.18 (0.99)", ("d", "p"), {})
    assert (d.quantity, d.value, d.decimals, d.text) == ("d", -1.18, 2, "-1.18")
    assert (p.quantity, p.value, p.decimals, p.text) == ("p", 0.99, 2, "0.99")
    p, d = parse_figures("0.0773 0.7423", ("p", "d"), {})
    assert (p.value, d.value, d.decimals) == (0.0773, 0.7423, 4)


def test_text_that_is_no_number_is_kept() -> None:
    assert parse_figures("0.0 -", ("p", "d"), {})[1] == PrintedFigure("d", "-", None, 0)
    (word,) = parse_figures("more than any other", ("text",), {})
    assert (word.text, word.value) == ("more than any other", None)


def test_digits_that_are_not_printed_are_counted() -> None:
    """0.0 from 10,000 splits stands for 0.0000, so 0.04 is not it."""
    assert parse_figures("0.0 1.1", ("p", "d"), {"p": 4})[0].decimals == 4
    (loose,) = parse_figures("0.0", ("p",), {})
    (strict,) = parse_figures("0.0", ("p",), {"p": 4})
    assert loose.matches(0.04, None)
    assert not strict.matches(0.04, None)


@pytest.mark.parametrize("text", ["1.12", "1.12 (0.01) 3", ""])
def test_a_cell_with_too_many_or_too_few_figures_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="should be d and p"):
        parse_figures(text, ("d", "p"), {})


@pytest.mark.parametrize(
    ("ours", "matched"), [(1.1249, True), (1.115, True), (1.1251, False), (-1.12, False)]
)
def test_half_a_unit_of_the_last_digit_is_a_match(ours: float, matched: bool) -> None:
    (figure,) = parse_figures("1.12", ("d",), {})
    assert figure.matches(ours, 1_000) is matched


def test_a_sampled_p_may_be_three_standard_errors_away() -> None:
    (p,) = parse_figures("0.0201", ("p",), {})
    error = (0.021 * 0.979 / 100_000) ** 0.5
    assert p.tolerance(0.021, 100_000) == pytest.approx(0.00005 + 3 * error)
    assert p.matches(0.021, 100_000)
    assert not p.matches(0.022, 100_000)
    assert not p.matches(0.021, None)


def test_what_is_no_number_is_never_matched() -> None:
    assert not PrintedFigure("d", "-", None, 0).matches(0.0, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [("126,065", 126_065), ("1,000.5", 1_000.5), ("126,06", None), ("0,262", None)],
)
def test_commas_part_thousands_and_nothing_else(text: str, value: float | None) -> None:
    (figure,) = parse_figures(text, ("words",), {})
    assert (figure.value, figure.text) == (value, text)


@given(
    st.integers(0, 100),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from([None, 1000]),
)
def test_what_no_number_between_bounds_may_match_none_does(
    hundredths: int, low: float, high: float, share: float, samples: int | None
) -> None:
    low, high = sorted((low, high))
    (p,) = parse_figures(f"{hundredths / 100:.2f}", ("p",), {})
    between = min(high, low + share * (high - low))
    assert p.could_match(low, high, samples) or not p.matches(between, samples)


def test_bounds_far_from_the_printed_p_are_out_of_reach() -> None:
    (p,) = parse_figures("0.02", ("p",), {})
    assert not p.could_match(0.03, 0.04, None)
    assert p.could_match(0.024, 0.04, None)
    assert not PrintedFigure("p", "-", None, 0).could_match(0.0, 1.0, None)


# --- count ---


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("189,533", 189_533, 189_533),
        ("30.4k", 30_350, 30_450),
        ("0.2M", 150_000, 250_000),
        ("30k", 29_500, 30_500),
    ],
)
def test_a_rounded_count_has_half_a_unit_of_its_last_digit(
    text: str, fewest: int, most: int
) -> None:
    assert rounds_to(fewest, text)
    assert rounds_to(most, text)
    assert not rounds_to(fewest - 1, text)
    assert not rounds_to(most + 1, text)


@pytest.mark.parametrize("text", ["", "many", "189533", "30.4kk", "1,23"])
def test_other_texts_are_no_counts(text: str) -> None:
    assert not is_count(text)
    assert not rounds_to(0, text)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("189,533", True), ("32", True), ("30.4k", False), ("30k", False), ("", False)],
)
def test_only_a_count_to_the_last_word_is_exact(text: str, exact: bool) -> None:
    assert is_exact(text) is exact
