"""Figures made of two others: by hand, with what is missing, and in a paper on a planted model."""

from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.papers import CellLine, GradedFigure, parse_paper, reproduce
from fairvec.papers.grades import Grade, Inconsistency, derived_lines
from fairvec.papers.schema import Cell, CellSettings, parse_figures
from tests.papers.conftest import Make
from tests.papers.toy_paper import HEAD

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
def test_a_paper_is_told_with_it(make_model: Make, known: bool, grade: Grade) -> None:
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
    ("old", "new", "said"),
    [
        ('column = "two" }\n', 'column = "three" }\n', "no such cell before it"),
        ('quantity = "d"', 'quantity = "p"', "made of p of table-1, 'row', 'one'"),
        ('kind = "ratio"', 'kind = "sum"', "difference"),
        ('shows = ["ratio"]', 'shows = ["d", "p"]', "should be d and p"),
    ],
)
def test_a_figure_of_cells_that_are_not_there_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        parse_paper(TOY.replace(old, new))
