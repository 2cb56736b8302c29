"""Figures of a text that are made of two printed ones, and of ours in the same way."""

from collections.abc import Iterator, Sequence
from itertools import product

from fairvec.papers.grading.grade import grade
from fairvec.papers.grading.oddities import Oddity
from fairvec.papers.printed.derived_number import derived_number
from fairvec.papers.printed.paper import Cell
from fairvec.papers.printed.schema import DerivedKind, PrintedPlace
from fairvec.papers.showing.lines import PrintedAnswer, PrintedLine


def derived_lines(cell: Cell, before: Sequence[PrintedLine], odd: Oddity) -> Iterator[PrintedLine]:
    """Yield a line for each model of which both cells were found, or say why there is none.

    `before` are the lines so far. Where the cells are of different models, every pair is told.
    """
    made = cell.settings.derived
    if made is None:
        return
    firsts, seconds = (_at(place, before) for place in (made.of, made.to))
    pairs = list(product(firsts, seconds))
    same = [(one, other) for one, other in pairs if one.model == other.model]
    for one, other in same or pairs:
        yield _derived(cell, made.kind, made.quantity, (one, other), odd)


def _at(place: PrintedPlace, lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    wanted = (place.table, place.row, place.column)
    return [one for one in lines if (one.cell.table, one.cell.row, one.cell.column) == wanted]


def _derived(
    cell: Cell,
    kind: DerivedKind,
    quantity: str,
    lines: tuple[PrintedLine, PrintedLine],
    odd: Oddity,
) -> PrintedLine:
    (figure,) = cell.figures
    inconsistent = figure.quantity in odd.inconsistent
    answers = [_answer(line, quantity) for line in lines]
    notes = tuple(dict.fromkeys((*odd.notes, *(note for line in lines for note in line.notes))))
    model = " and ".join(dict.fromkeys(line.model for line in lines if line.model))
    in_per_cent = figure.quantity == "%"
    ours, default = (
        derived_number(kind, *numbers, in_per_cent=in_per_cent)
        for numbers in ([one.ours for one in answers], [one.default for one in answers])
    )
    if absent := [one for one in answers if one.ours is None]:
        why = "inconsistent in the paper" if inconsistent else absent[0].grade
        return PrintedLine(cell, (PrintedAnswer(figure, why),), notes, model)
    grades = {one.grade for one in answers}
    known, _ = grade(
        figure,
        ours,
        is_the_papers=grades.isdisjoint({"different model", "your model"}),
        is_yours="different model" not in grades,
        inconsistent=inconsistent,
        samples=None,
        explained=str,
    )
    said = f"Made of {_told(lines[0], answers[0])} and of {_told(lines[1], answers[1])}."
    return PrintedLine(cell, (PrintedAnswer(figure, known, ours, default),), (said, *notes), model)


def _answer(line: PrintedLine, quantity: str) -> PrintedAnswer:
    return next(one for one in line.answers if one.figure.quantity == quantity)


def _told(line: PrintedLine, answer: PrintedAnswer) -> str:
    ours = f"{answer.ours:.4g}" if isinstance(answer.ours, int | float) else answer.ours
    place = line.cell
    return f"{ours} ({place.table}, {place.row}, {place.column}; printed: {answer.figure.text})"
