"""The grade of our figure beside the paper's, and where a paper contradicts itself."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import erfc, sqrt
from typing import Literal, get_args

from fairvec.core.format import format_p
from fairvec.languages.sentences import templates
from fairvec.languages.words import WordSet
from fairvec.lexicon import Test, select_tests
from fairvec.metrics import effect_size
from fairvec.papers.answer import ClaimAnswer
from fairvec.papers.schema import Cell, CellRef, DerivedKind, Paper, PrintedFigure, derive
from fairvec.papers.variants import paper_convention
from fairvec.results import Outcome

Grade = Literal[
    "matched",
    "differs by convention",
    "differs",
    "inconsistent in the paper",
    "in words",
    "different model",
    "your model",
    "skipped",
    "not yet",
    "no model",
    "no data",
]

GRADES: tuple[Grade, ...] = get_args(Grade)

GRADE_MEANINGS: dict[Grade, str] = {
    "matched": "the paper's own model under the paper's convention gives the printed figure",
    "differs by convention": "the paper's own model gives it under another convention, named",
    "differs": "the paper's own model gives another figure under every named convention",
    "inconsistent in the paper": "the paper contradicts itself here",
    "in words": "the paper prints no number: read ours beside its words",
    "different model": "computed, but on a model that is not the paper's",
    "your model": "computed, but nothing published tells whether the model is the paper's",
    "skipped": "the model does not know enough of the words",
    "not yet": "fairvec cannot compute this yet",
    "no model": "no model at hand; the note has the command that gets one",
    "no data": "the benchmark is not at hand; the note has the command that gets it",
}


def grade(
    figure: PrintedFigure,
    ours: float | str | None,
    *,
    is_the_papers: bool,
    is_yours: bool = False,
    inconsistent: bool,
    samples: int | None,
    explained: Callable[[], str],
) -> tuple[Grade, str]:
    """Grade one figure that was computed, and name the convention where that is the reason.

    A figure is matched within half a unit of its last printed digit, and a sampled p within three
    of its standard errors besides. A stand-in never matches, whatever its figures are, and no more
    does a model of the user's that nothing published tells from the paper's.
    """
    if ours is None:
        return "skipped", ""
    if not is_the_papers:
        return ("your model" if is_yours else "different model"), ""
    if figure.is_matched_by(ours, samples):
        return "matched", ""
    if inconsistent:
        return "inconsistent in the paper", ""
    if figure.value is None:
        return "in words", ""
    convention = explained()
    return ("differs by convention", convention) if convention else ("differs", "")


# Printed pairs of d and p that cannot belong together.


_FEWEST_FOUND = 2 / 3
_BAND, _GROWTH, _SLACK = 0.1, 0.1, 0.01
_READABLE = ("caliskan", "population")


@dataclass(frozen=True)
class Mismatch:
    """What is odd about a printed pair; `is_clear` if no reading explains it."""

    text: str
    is_clear: bool


def d_p_mismatches(paper: Paper) -> dict[Cell, Mismatch]:
    """Return the cells whose d and p do not belong together under the paper's convention."""
    return {cell: doubt for cell in paper.cells() for doubt in _doubts(paper, cell)}


def _doubts(paper: Paper, cell: Cell) -> Iterator[Mismatch]:
    printed = {figure.quantity: figure for figure in cell.figures}
    convention = paper.convention
    readable = convention.effect_size in _READABLE and convention.sides == "greater"
    if not (readable and cell.settings.metric in ("weat", "seat") and {"d", "p"} <= printed.keys()):
        return
    d, p = printed["d"], printed["p"]
    if d.value is None or p.value is None:
        return
    ddof = effect_size(convention.effect_size).convention.ddof
    near = {unit: _z(d.value, *sizes, ddof) for unit, sizes in _sizes(cell).items()}
    fitting = [unit for unit, z in near.items() if _fits(p, z, convention.samples)]
    papers = paper_convention(convention, cell.settings).permute if len(near) > 1 else "words"
    if papers in fitting:
        return
    if fitting:
        text = f"{d.text} and p = {p.text} belong together if {fitting[0]} were permuted"
        yield Mismatch(f"d = {text}, not if {papers} were (normal approximation).", is_clear=False)
        return
    said = " or ".join(
        f"{format_p(_p(z))}{f' by {unit}' if len(near) > 1 else ''}" for unit, z in near.items()
    )
    text = f"d = {d.text} goes with p near {said} (normal approximation), not with {p.text}."
    yield Mismatch(text, is_clear=True)


def _z(d: float, n: float, m: float, ddof: int) -> float:
    total = n + m
    return d * sqrt(n * m / total * (1 if ddof else (total - 1) / total))


def _p(z: float) -> float:
    return erfc(z / sqrt(2)) / 2


def _fits(p: PrintedFigure, z: float, samples: int | None) -> bool:
    """Say whether a printed p may go with z, or with what z is where fewer words are found."""
    ends = sorted((z, z * sqrt(_FEWEST_FOUND)))
    highest, lowest = (
        _p(end + side * (_BAND + _GROWTH * end**2)) for end, side in zip(ends, (-1, 1), strict=True)
    )
    least = lowest - p.tolerance(lowest, samples) - _SLACK
    most = highest + p.tolerance(highest, samples) + _SLACK
    return p.value is not None and least <= p.value <= most


def _sizes(cell: Cell) -> dict[str, tuple[int, int]]:
    """Return how many words, and in SEAT how many sentences, the two targets have."""
    (chosen,) = select_tests([cell.test])
    test = chosen.test
    x, y = test.sets["x"], test.sets["y"]
    sizes = {"words": (len(x.words), len(y.words))}
    if cell.settings.metric == "seat":
        sizes["sentences"] = (_sentences(test, x), _sentences(test, y))
    return sizes


def _sentences(test: Test, words: WordSet) -> int:
    known = templates(test.language)
    return sum(len(known.sentences(w.word, known.pos_of(w, words))) for w in words.words)


# Figures that a paper prints twice, and not alike.


Printed = list[tuple[str, PrintedFigure]]


def printed_twice(paper: Paper) -> dict[tuple[Cell, str], str]:
    """Return for each cell and quantity that another table prints differently what they print.

    Only what is measured on a model as it is counts: two ways of debiasing may well differ.
    """
    printed: dict[tuple[object, ...], Printed] = defaultdict(list)
    for table in paper.tables:
        for cell in table.cells():
            for figure in cell.figures:
                printed[_measured(cell, figure)].append((table.label, figure))
    return {
        (cell, figure.quantity): _said(figure, printed[_measured(cell, figure)])
        for cell in paper.cells()
        for figure in cell.figures
        if cell.settings.metric and not (cell.settings.needs or cell.settings.debias)
        if _differ(printed[_measured(cell, figure)])
    }


def _measured(cell: Cell, figure: PrintedFigure) -> tuple[object, ...]:
    wanted = cell.settings
    how = (wanted.similarity, wanted.debias, *wanted.needs)
    return (cell.role, wanted.metric, cell.test, *how, figure.quantity)


def _differ(printed: Printed) -> bool:
    """Say whether texts of equally many digits differ; fewer digits may be the same number."""
    texts = {(figure.decimals, figure.text) for _, figure in printed}
    return len(texts) > len({decimals for decimals, _ in texts})


def _said(figure: PrintedFigure, printed: Printed) -> str:
    everywhere = ", ".join(f"{one.text} in {label}" for label, one in printed)
    return f"The paper prints {figure.quantity} = {everywhere}."


# What a paper contradicts, cell by cell.


@dataclass(frozen=True)
class Inconsistency:
    """What is said of a cell's figures, and which of them the paper contradicts."""

    notes: tuple[str, ...]
    inconsistent: frozenset[str]


def inconsistencies(paper: Paper) -> dict[Cell, Inconsistency]:
    """Return what is odd about each cell: told twice, doubted, or marked with a reason."""
    told_twice, doubted = printed_twice(paper), d_p_mismatches(paper)
    found = {}
    for cell in paper.cells():
        twice = {quantity: text for (where, quantity), text in told_twice.items() if where == cell}
        doubt = doubted.get(cell)
        found[cell] = Inconsistency(
            notes=(
                *twice.values(),
                *([doubt.text] if doubt else ()),
                *(remark.note for remark in cell.remarks),
            ),
            inconsistent=frozenset(
                figure.quantity
                for figure in cell.figures
                if figure.quantity in twice
                or (doubt and doubt.is_clear)
                or cell.is_marked_inconsistent(figure.quantity)
            ),
        )
    return found


# What a reproduction says: a line for each printed cell and model.


@dataclass(frozen=True)
class GradedFigure:
    """One printed figure, ours under the paper's convention and under the default, and a grade."""

    figure: PrintedFigure
    grade: Grade
    ours: float | str | None = None
    default: float | str | None = None

    @property
    def difference(self) -> float | None:
        """Ours under the paper's convention minus the printed figure."""
        if self.figure.value is None or self.ours is None or isinstance(self.ours, str):
            return None
        return self.ours - self.figure.value


@dataclass(frozen=True)
class CellLine:
    """One printed cell on one model; without a model `model` is empty and there is no number."""

    cell: Cell
    answers: tuple[GradedFigure, ...]
    notes: tuple[str, ...]
    model: str = ""


@dataclass(frozen=True)
class Reproduction:
    """All lines of a paper in its order, the outcomes behind them, and answers to its claims."""

    paper: Paper
    lines: tuple[CellLine, ...]
    outcomes: tuple[Outcome, ...]
    claims: tuple[ClaimAnswer, ...] = ()


# Figures of a text that are made of two printed ones, and of ours in the same way.


def derived_lines(cell: Cell, before: Sequence[CellLine], odd: Inconsistency) -> Iterator[CellLine]:
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


def _at(place: CellRef, lines: Sequence[CellLine]) -> list[CellLine]:
    wanted = (place.table, place.row, place.column)
    return [one for one in lines if (one.cell.table, one.cell.row, one.cell.column) == wanted]


def _derived(
    cell: Cell,
    kind: DerivedKind,
    quantity: str,
    lines: tuple[CellLine, CellLine],
    odd: Inconsistency,
) -> CellLine:
    (figure,) = cell.figures
    inconsistent = figure.quantity in odd.inconsistent
    answers = [_answer(line, quantity) for line in lines]
    notes = tuple(dict.fromkeys((*odd.notes, *(note for line in lines for note in line.notes))))
    model = " and ".join(dict.fromkeys(line.model for line in lines if line.model))
    in_per_cent = figure.quantity == "%"
    ours, default = (
        derive(kind, *numbers, in_per_cent=in_per_cent)
        for numbers in ([one.ours for one in answers], [one.default for one in answers])
    )
    if absent := [one for one in answers if one.ours is None]:
        why = "inconsistent in the paper" if inconsistent else absent[0].grade
        return CellLine(cell, (GradedFigure(figure, why),), notes, model)
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
    return CellLine(cell, (GradedFigure(figure, known, ours, default),), (said, *notes), model)


def _answer(line: CellLine, quantity: str) -> GradedFigure:
    return next(one for one in line.answers if one.figure.quantity == quantity)


def _told(line: CellLine, answer: GradedFigure) -> str:
    ours = f"{answer.ours:.4g}" if isinstance(answer.ours, int | float) else answer.ours
    place = line.cell
    return f"{ours} ({place.table}, {place.row}, {place.column}; printed: {answer.figure.text})"
