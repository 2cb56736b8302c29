"""Grades of figures, and derived figures."""

from math import erfc, sqrt
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import LexiconError
from fairvec.messages.papers import GRADE_MEANINGS, GRADES
from fairvec.papers import CellLine, GradedFigure, load_paper, parse_paper, reproduce
from fairvec.papers.grades import (
    Inconsistency,
    Mismatch,
    d_p_mismatches,
    derived_lines,
    grade,
    printed_twice,
)
from fairvec.papers.printed import PrintedFigure, parse_figures
from fairvec.papers.schema import Cell, CellSettings
from fairvec.results.reproduction import Grade
from fairvec.stats import permutation_test
from tests.papers.conftest import Make
from tests.papers.test_reproducing import effect, one_cell
from tests.papers.test_schema import PAPER
from tests.papers.toys import HEAD

# --- grade ---


PRINTED = PrintedFigure("d", "1.12", 1.12, 2)


def graded(
    ours: float | None,
    *,
    figure: PrintedFigure = PRINTED,
    own: bool = True,
    yours: bool = False,
    inconsistent: bool = False,
    convention: str = "",
) -> tuple[Grade, str]:
    return grade(
        figure,
        ours,
        is_the_papers=own,
        is_yours=yours,
        inconsistent=inconsistent,
        samples=None,
        explained=lambda: convention,
    )


def test_the_papers_own_model() -> None:
    assert graded(1.118) == ("matched", "")
    assert graded(1.2) == ("differs", "")
    assert graded(1.2, convention="caliskan") == ("differs by convention", "caliskan")
    assert graded(None) == ("skipped", "")


def test_a_contradiction_counts_only_where_nothing_matches() -> None:
    assert graded(1.118, inconsistent=True) == ("matched", "")
    assert graded(1.2, inconsistent=True, convention="caliskan") == (
        "inconsistent in the paper",
        "",
    )
    unprinted = PrintedFigure("d", "-", None, 0)
    assert graded(1.0, figure=unprinted, inconsistent=True)[0] == "inconsistent in the paper"


def test_words_are_no_number_to_match() -> None:
    words = PrintedFigure("share", "more than any other", None, 0)
    assert graded(0.4, figure=words) == ("in words", "")
    assert graded(0.4, figure=words, own=False) == ("different model", "")


@pytest.mark.parametrize("ours", [1.12, 0.0])
@pytest.mark.parametrize("inconsistent", [True, False])
def test_a_stand_in_never_matches(ours: float, inconsistent: bool) -> None:
    assert graded(ours, own=False, inconsistent=inconsistent) == ("different model", "")


@pytest.mark.parametrize("ours", [1.12, 0.0])
def test_a_model_of_the_users_neither_matches_nor_differs(ours: float) -> None:
    assert graded(ours, own=False, yours=True) == ("your model", "")


def test_a_match_is_not_explained() -> None:
    def expensive() -> str:
        raise AssertionError("the other conventions were tried for nothing")

    for own in (True, False):
        grade(
            PRINTED, 1.12, is_the_papers=own, inconsistent=False, samples=None, explained=expensive
        )


def test_every_grade_has_a_meaning() -> None:
    assert tuple(GRADE_MEANINGS) == GRADES


# --- consistency ---


def doubt_about(text: str) -> Mismatch | None:
    return next(iter(d_p_mismatches(parse_paper(one_cell(text))).values()), None)


def test_the_papers_own_misfits() -> None:
    found = {
        (cell.table, cell.row, cell.column)
        for name in ("kumar2020", "malik2022", "pestova", "bharti2021")
        for cell, doubt in d_p_mismatches(load_paper(name)).items()
        if doubt.is_clear
    }
    hard = "Hard Debiasing, Gen. words, verbs"
    assert found == {
        ("table-4", "gendered verbs", hard),
        ("table-4", "gendered titles", hard),
        ("table-4.1", "B1: career vs family", "Wikipedia2016 ft"),
        ("table-4.1", "B1: career vs family", "Bollywood lyrics"),
        ("table-4.1", "B2: maths vs arts", "Bollywood lyrics"),
    }


def test_what_another_permutation_explains_is_reported_and_is_no_contradiction() -> None:
    found = {
        (cell.row, cell.column): doubt
        for cell, doubt in d_p_mismatches(load_paper("malik2022")).items()
        if not doubt.is_clear
    }
    assert found["gendered entities", "Hard Debiasing, Gen. words, verbs"].text == (
        "d = 0.45 and p = 0.17 belong together if words were permuted, not if sentences were "
        "(normal approximation)."
    )
    assert {column for _, column in found} == {
        "Hard Debiasing, Gen. words",
        "Hard Debiasing, Gen. words, verbs",
    }


def test_the_note_gives_the_normal_approximation() -> None:
    """Eight words a side: z = d sqrt(8 8 / 16) sqrt(15 / 16)."""
    expected = erfc(0.8 * 2 * sqrt(15 / 16) / sqrt(2)) / 2
    doubt = doubt_about("0.8 0.6")
    assert doubt
    assert doubt.is_clear
    assert doubt.text == (
        f"d = 0.8 goes with p near {expected:.2g} (normal approximation), not with 0.6."
    )


def test_a_sign_that_contradicts_p_is_found() -> None:
    assert doubt_about("-0.80 0.07")
    assert not doubt_about("0.80 0.07")


def test_without_two_numbers_there_is_no_doubt() -> None:
    assert not doubt_about("- 0.0")


@pytest.mark.parametrize("size", [7, 8])
def test_a_true_pair_is_never_doubted(size: int) -> None:
    """Exact p of random leanings, shifted from nothing to far apart."""
    random = np.random.default_rng(size)
    test = {7: "malik2022/caste-adjectives", 8: "kumar2020/b1"}[size]
    suite, _, name = test.partition("/")
    for shift in np.linspace(-3, 3, 25):
        x, y = random.normal(size=size) + shift, random.normal(size=size)
        p = permutation_test(x, y, sides="greater").value
        text = one_cell(f"{effect(x, y, ddof=0):.4f} {p:.4f}")
        text = text.replace('suite = "kumar2020"', f'suite = "{suite}"')
        assert not d_p_mismatches(parse_paper(text.replace('test = "b1"', f'test = "{name}"')))


# --- contradictions ---


def test_a_figure_printed_twice_and_not_alike_is_found() -> None:
    again = PAPER.replace('test = "b2"', 'test = "b1"').replace('"0.5 0.6"', '"0.10 0.3"')
    found = printed_twice(parse_paper(again))
    assert {(cell.row, quantity) for cell, quantity in found} == {("first", "p"), ("second", "p")}
    assert set(found.values()) == {"The paper prints p = 0.2 in Table 1, 0.3 in Table 1."}


def test_the_papers_own_contradictions() -> None:
    found = printed_twice(load_paper("malik2022"))
    assert {(cell.table, cell.test.partition("/")[2], quantity) for cell, quantity in found} == {
        ("table-2", "gender-adjectives", "d"),
        ("table-3", "gender-adjectives", "d"),
        ("table-1", "science-arts", "p"),
        ("table-2", "science-arts", "p"),
        ("table-3", "science-arts", "p"),
    }
    assert "The paper prints d = 1.21 in Table 2, 1.22 in Table 3." in found.values()
    assert not printed_twice(load_paper("kumar2020"))
    assert not printed_twice(load_paper("pestova"))
    assert not printed_twice(load_paper("bharti2021"))


# --- Figures made of two others: by hand, with what is missing, and in a paper on a planted model


PLAIN = Inconsistency((), frozenset())
PLACES = {
    side: {"table": "table-1", "row": row, "column": "Def"}
    for side, row in (("of", "after"), ("to", "before"))
}
TOY = (
    HEAD
    + """[roles.role]
title = "The model"
dimensions = 5
origin = "https://example.org"
[[tables]]
id = "table-1"
title = "A table"
metric = "weat"
suite = "kumar2020"
role = "role"
shows = ["d"]
[tables.columns]
one = { test = "b1" }
two = { test = "b2" }
[tables.rows]
row = { cells = ["0.5", "0.25"] }
[[tables]]
id = "text"
title = "Figures in the text"
role = "role"
shows = ["ratio"]
[tables.derived]
kind = "ratio"
quantity = "d"
of = { table = "table-1", row = "row", column = "one" }
to = { table = "table-1", row = "row", column = "two" }
[tables.columns]
figure = {}
[tables.rows]
"section 1" = { cells = ["twice"] }
"""
)


def cell(row: str, text: str, quantity: str = "%", kind: str = "") -> Cell:
    made = {"derived": {"kind": kind, "quantity": "%", **PLACES}} if kind else {}
    settings = CellSettings.model_validate({"shows": [quantity], **made})
    column, table = ("figure", "text") if kind else ("Def", "table-1")
    figures = parse_figures(text, (quantity,), {})
    return Cell(table, row, column, "role", settings, figures)


def line(
    row: str, ours: float | None, grade: Grade = "matched", model: str = "m", note: str = ""
) -> CellLine:
    one = cell(row, "75.3")
    answer = GradedFigure(one.figures[0], grade, ours, None if ours is None else ours + 1)
    return CellLine(one, (answer,), (note,) if note else (), model)


def derived(kind: str, *lines: CellLine, quantity: str = "%") -> list[CellLine]:
    return list(derived_lines(cell("gain", "10.2", quantity, kind), lines, PLAIN))


@pytest.mark.parametrize(
    ("kind", "quantity", "ours", "default"),
    [
        ("difference", "%", 7.7, 7.7),
        ("ratio", "ratio", 83.0 / 75.3, 84.0 / 76.3),
        ("relative-change", "%", 100 * 7.7 / 75.3, 100 * 7.7 / 76.3),
        ("relative-change", "share", 7.7 / 75.3, 7.7 / 76.3),
    ],
)
def test_the_figure_is_made_of_both(kind: str, quantity: str, ours: float, default: float) -> None:
    (found,) = derived(kind, line("before", 75.3), line("after", 83.0), quantity=quantity)
    (answer,) = found.answers
    assert (answer.ours, answer.default) == pytest.approx((ours, default))
    assert found.model == "m"
    assert "83 (table-1, after, Def" in found.notes[0]


def test_it_is_graded_as_any_other() -> None:
    (matched,) = derived("relative-change", line("before", 75.3), line("after", 83.0))
    (differs,) = derived("relative-change", line("before", 75.3), line("after", 84.0))
    (other,) = derived(
        "relative-change", line("before", 75.3), line("after", 83.0, "different model")
    )
    grades = [found.answers[0].grade for found in (matched, differs, other)]
    assert grades == ["matched", "differs", "different model"]


@pytest.mark.parametrize(
    ("grades", "made"),
    [
        (("your model", "your model"), "your model"),
        (("matched", "your model"), "your model"),
        (("your model", "different model"), "different model"),
    ],
    ids=["yours", "yours-and-own", "yours-and-other"],
)
def test_of_a_model_that_nothing_tells_it_never_matches(
    grades: tuple[Grade, Grade], made: Grade
) -> None:
    first, second = grades
    lines = line("before", 75.3, first), line("after", 83.0, second)
    (found,) = derived("relative-change", *lines)
    assert found.answers[0].grade == made


@pytest.mark.parametrize("grade", ["no model", "no data", "skipped"])
def test_what_is_missing_in_one_is_missing_in_both(grade: Grade) -> None:
    lines = line("before", 75.3), line("after", None, grade, note="Why it is so.")
    (found,) = derived("ratio", *lines)
    assert [(one.ours, one.default, one.grade) for one in found.answers] == [(None, None, grade)]
    assert "Why it is so." in found.notes


def test_nothing_is_divided_by_zero() -> None:
    (found,) = derived("ratio", line("before", 0.0), line("after", 83.0))
    assert (found.answers[0].ours, found.answers[0].grade) == (None, "skipped")


def test_a_model_is_set_beside_itself_and_others_beside_each() -> None:
    lines = [line("before", n, model=m) for n, m in ((10, "m"), (20, "n"))]
    same = derived("difference", *lines, line("after", 30, model="n"))
    assert [(found.model, found.answers[0].ours) for found in same] == [("n", 10)]
    others = derived("difference", *lines, line("after", 30, model="o"))
    assert [(found.model, found.answers[0].ours) for found in others] == [
        ("o and m", 20),
        ("o and n", 10),
    ]


@pytest.mark.parametrize(
    ("known", "grade"), [(True, "in words"), (False, "your model")], ids=["own", "yours"]
)
def test_a_paper_is_reported_with_it(make_model: Make, known: bool, grade: Grade) -> None:
    path: Path = make_model(["kumar2020/b1", "kumar2020/b2"], dimensions=5)
    words = path.read_text(encoding="utf-8").split()[0]
    text = TOY.replace("dimensions = 5", f'dimensions = 5\nwords = "{words}"') if known else TOY
    one, two, made = reproduce(parse_paper(text), {"role": [str(path)]}).lines
    x, y = (each.answers[0].ours for each in (one, two))
    assert isinstance(x, float)
    assert isinstance(y, float)
    assert made.answers[0].ours == pytest.approx(x / y)
    assert (made.answers[0].grade, made.model) == (grade, "small")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('column = "two" }\n', 'column = "three" }\n', "no such cell before it"),
        ('quantity = "d"', 'quantity = "p"', "made of p of table-1, 'row', 'one'"),
        ('kind = "ratio"', 'kind = "sum"', "difference"),
        ('shows = ["ratio"]', 'shows = ["d", "p"]', "should be d and p"),
    ],
)
def test_a_figure_of_cells_that_are_not_there_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        parse_paper(TOY.replace(old, new))
