"""Grade our figures against the printed ones, and find where a paper contradicts itself.

grade              matched, differs by convention, differs, or why there is no figure
d_p_mismatches     a printed d and p that cannot belong together (normal approximation)
printed_twice      a figure that two tables print differently
inconsistencies    both of these, and what the data file marks, cell by cell
derived_lines      figures of the text that are made of two printed ones
agreements         how far the figures of a table agree with the printed ones, table by table
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import erfc, isfinite, sqrt
from typing import Any

import numpy as np

from fairvec.languages.sentences import templates
from fairvec.languages.words import WordSet
from fairvec.lexicon import Test, select_tests
from fairvec.messages.papers import made_of_note, mismatch_note, other_unit_note, printed_note
from fairvec.metrics import effect_size
from fairvec.papers.claims.answer import ClaimAnswer
from fairvec.papers.printed import PrintedFigure
from fairvec.papers.schema import Cell, CellRef, DerivedKind, Paper, TestMeasure, derive
from fairvec.papers.variants import paper_convention
from fairvec.results import Outcome
from fairvec.results.reproduction import DrawnFigure, Grade, PlayedRole, TableAgreement
from fairvec.stats.correlation import spearman


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
    if figure.matches(ours, samples):
        return "matched", ""
    if inconsistent:
        return "inconsistent in the paper", ""
    if figure.value is None:
        return "in words", ""
    convention = explained()
    return ("differs by convention", convention) if convention else ("differs", "")


_FEWEST_FOUND = 2 / 3
_BAND, _GROWTH, _SLACK = 0.1, 0.1, 0.01
_KNOWN_EFFECT_SIZES = ("caliskan", "population")


@dataclass(frozen=True)
class Mismatch:
    """Why a printed d and p do not fit; `is_clear` if no unit of permutation explains it."""

    text: str
    is_clear: bool


def d_p_mismatches(paper: Paper) -> dict[Cell, Mismatch]:
    """Return the cells whose d and p do not belong together under the paper's convention."""
    return {cell: mismatch for cell in paper.cells() for mismatch in _find_mismatches(paper, cell)}


def _find_mismatches(paper: Paper, cell: Cell) -> Iterator[Mismatch]:
    printed = {figure.quantity: figure for figure in cell.figures}
    convention = paper.convention
    supported = convention.effect_size in _KNOWN_EFFECT_SIZES and convention.sides == "greater"
    measure = cell.measure
    if not (supported and isinstance(measure, TestMeasure) and {"d", "p"} <= printed.keys()):
        return
    if measure.metric not in ("weat", "seat"):
        return
    d, p = printed["d"], printed["p"]
    if d.value is None or p.value is None:
        return
    ddof = effect_size(convention.effect_size).convention.ddof
    z_by_unit = {unit: _z(d.value, *sizes, ddof) for unit, sizes in _sizes(cell).items()}
    fitting = [unit for unit, z in z_by_unit.items() if _fits(p, z, convention.samples)]
    paper_unit = paper_convention(convention, measure).permute if len(z_by_unit) > 1 else "words"
    if paper_unit in fitting:
        return
    if fitting:
        text = other_unit_note(d.text, p.text, fitting[0], paper_unit)
        yield Mismatch(text, is_clear=False)
        return
    text = mismatch_note(d.text, p.text, {unit: _p(z) for unit, z in z_by_unit.items()})
    yield Mismatch(text, is_clear=True)


def _z(d: float, n: float, m: float, ddof: int) -> float:
    total = n + m
    return d * sqrt(n * m / total * (1 if ddof else (total - 1) / total))


def _p(z: float) -> float:
    return erfc(z / sqrt(2)) / 2


def _fits(p: PrintedFigure, z: float, samples: int | None) -> bool:
    """Return whether a printed p fits z, or the smaller z of a test with fewer words found."""
    ends = sorted((z, z * sqrt(_FEWEST_FOUND)))
    highest, lowest = (
        _p(end + side * (_BAND + _GROWTH * end**2)) for end, side in zip(ends, (-1, 1), strict=True)
    )
    least = lowest - p.tolerance(lowest, samples) - _SLACK
    most = highest + p.tolerance(highest, samples) + _SLACK
    return p.value is not None and least <= p.value <= most


def _sizes(cell: Cell) -> dict[str, tuple[int, int]]:
    """Return how many words, and in SEAT how many sentences, the two targets have."""
    (selected,) = select_tests([cell.test])
    test = selected.test
    x, y = test.sets["x"], test.sets["y"]
    sizes = {"words": (len(x.words), len(y.words))}
    if cell.settings.metric == "seat":
        sizes["sentences"] = (_sentences(test, x), _sentences(test, y))
    return sizes


def _sentences(test: Test, words: WordSet) -> int:
    sentence_templates = templates(test.language)
    return sum(
        len(sentence_templates.sentences(word.word, sentence_templates.pos_of(word, words)))
        for word in words.words
    )


Printed = list[tuple[str, PrintedFigure]]


def printed_twice(paper: Paper) -> dict[tuple[Cell, str], str]:
    """Return for each cell and quantity that another table prints differently what they print.

    Only what is measured on a model as it is counts: two ways of debiasing may well differ.
    """
    printed: dict[tuple[object, ...], Printed] = defaultdict(list)
    for table in paper.tables:
        for cell in table.cells():
            for figure in cell.figures:
                printed[_figure_key(cell, figure)].append((table.label, figure))
    return {
        (cell, figure.quantity): _format_printed(figure, printed[_figure_key(cell, figure)])
        for cell in paper.cells()
        for figure in cell.figures
        if cell.settings.metric and not cell.settings.debias
        if _differ(printed[_figure_key(cell, figure)])
    }


def _figure_key(cell: Cell, figure: PrintedFigure) -> tuple[object, ...]:
    settings = cell.settings
    model_settings = (settings.similarity, settings.debias)
    return (cell.role, settings.metric, cell.test, *model_settings, figure.quantity)


def _differ(printed: Printed) -> bool:
    """Return whether texts with equally many digits differ; fewer digits may be the same number."""
    texts = {(figure.decimals, figure.text) for _, figure in printed}
    return len(texts) > len({decimals for decimals, _ in texts})


def _format_printed(figure: PrintedFigure, printed: Printed) -> str:
    return printed_note(figure.quantity, [(label, other.text) for label, other in printed])


@dataclass(frozen=True)
class Inconsistency:
    """Notes on a cell's figures, and the quantities that the paper itself contradicts."""

    notes: tuple[str, ...]
    inconsistent: frozenset[str]


def inconsistencies(paper: Paper) -> dict[Cell, Inconsistency]:
    """Return for each cell what contradicts it: another table, its own d and p, or a remark."""
    contradictions, mismatches = printed_twice(paper), d_p_mismatches(paper)
    found = {}
    for cell in paper.cells():
        contradicted = {
            quantity: text for (where, quantity), text in contradictions.items() if where == cell
        }
        mismatch = mismatches.get(cell)
        found[cell] = Inconsistency(
            notes=(
                *contradicted.values(),
                *([mismatch.text] if mismatch else ()),
                *(remark.note for remark in cell.remarks),
            ),
            inconsistent=frozenset(
                figure.quantity
                for figure in cell.figures
                if figure.quantity in contradicted
                or (mismatch and mismatch.is_clear)
                or cell.is_marked_inconsistent(figure.quantity)
            ),
        )
    return found


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

    def agrees(self, alpha: float) -> bool | None:
        """Return whether d has the printed sign, p is on the same side of alpha, a word is it."""
        ours, printed, quantity = self.ours, self.figure.value, self.figure.quantity
        if isinstance(ours, str):
            return ours == self.figure.text
        if ours is None or printed is None or quantity not in ("d", "p"):
            return None
        limit = alpha if quantity == "p" else 0.0
        return (ours < limit) == (printed < limit)


@dataclass(frozen=True)
class CellLine:
    """One printed cell on one model; without a model `model` is empty and there is no number.

    `made_from` is the model before the debiasing that its role is about. `outcome` is the record
    behind ours by the paper's convention, where there is one. Of a measure that looks at every word
    `among` is how many a cut has.
    """

    cell: Cell
    answers: tuple[GradedFigure, ...]
    notes: tuple[str, ...]
    model: str = ""
    outcome: Outcome | None = None
    made_from: str = ""
    among: int | None = None

    @property
    def source(self) -> str:
        """The model that was given, before any debiasing of its role."""
        return self.made_from or self.model


@dataclass(frozen=True)
class Reproduction:
    """All lines of a paper in its order, the outcomes behind them, and answers to its claims.

    `roles` says who plays what, `drawings` has the records of the figures that are drawn again.
    """

    paper: Paper
    lines: tuple[CellLine, ...]
    outcomes: tuple[Outcome, ...]
    claims: tuple[ClaimAnswer, ...] = ()
    roles: tuple[PlayedRole, ...] = ()
    drawings: tuple[DrawnFigure, ...] = ()


def derived_lines(
    cell: Cell, earlier: Sequence[CellLine], inconsistency: Inconsistency
) -> Iterator[CellLine]:
    """Yield a line for each model of which both cells were found, or say why there is none.

    `earlier` are the lines so far. Where the cells are of different models, every pair has a line.
    """
    derived = cell.settings.derived
    if derived is None:
        return
    firsts, seconds = (_lines_at(place, earlier) for place in (derived.of, derived.to))
    pairs = list(product(firsts, seconds))
    same = [(first, second) for first, second in pairs if first.source == second.source]
    for first, second in same or pairs:
        yield _derived_line(cell, derived.kind, derived.quantity, (first, second), inconsistency)


def _lines_at(place: CellRef, lines: Sequence[CellLine]) -> list[CellLine]:
    key = (place.table, place.row, place.column)
    return [line for line in lines if (line.cell.table, line.cell.row, line.cell.column) == key]


def _derived_line(
    cell: Cell,
    kind: DerivedKind,
    quantity: str,
    lines: tuple[CellLine, CellLine],
    inconsistency: Inconsistency,
) -> CellLine:
    (figure,) = cell.figures
    inconsistent = figure.quantity in inconsistency.inconsistent
    answers = [_graded_figure(line, quantity) for line in lines]
    notes = tuple(
        dict.fromkeys((*inconsistency.notes, *(note for line in lines for note in line.notes)))
    )
    first, second = lines
    model, made_from = first.model, first.made_from
    if first.source != second.source:
        model = " and ".join(filter(None, (model, second.model)))
    in_per_cent = figure.quantity == "%"
    ours, default = (
        derive(kind, *numbers, in_per_cent=in_per_cent)
        for numbers in ([answer.ours for answer in answers], [answer.default for answer in answers])
    )
    if missing := [answer for answer in answers if answer.ours is None]:
        reason = "inconsistent in the paper" if inconsistent else missing[0].grade
        return CellLine(cell, (GradedFigure(figure, reason),), notes, model, made_from=made_from)
    grades = {answer.grade for answer in answers}
    cell_grade, _ = grade(
        figure,
        ours,
        is_the_papers=grades.isdisjoint({"different model", "your model"}),
        is_yours="different model" not in grades,
        inconsistent=inconsistent,
        samples=None,
        explained=str,
    )
    note = made_of_note(*map(_format_source, lines, answers))
    answer = GradedFigure(figure, cell_grade, ours, default)
    return CellLine(cell, (answer,), (note, *notes), model, made_from=made_from)


def _graded_figure(line: CellLine, quantity: str) -> GradedFigure:
    return next(answer for answer in line.answers if answer.figure.quantity == quantity)


def _format_source(line: CellLine, answer: GradedFigure) -> str:
    ours = f"{answer.ours:.4g}" if isinstance(answer.ours, int | float) else answer.ours
    place = line.cell
    return f"{ours} ({place.table}, {place.row}, {place.column}; printed: {answer.figure.text})"


FEWEST_RANKED = 4
"""The ranks of fewer figures agree too easily."""


def agreements(paper: Paper, lines: Sequence[CellLine]) -> Iterator[TableAgreement]:
    """Yield how far our figures agree with the printed ones, for each table and set of models.

    Where roles have several models each, the first of every role are a set, then the second ones,
    as they are for the claims. A table without a figure of ours has none.
    """
    for table in paper.tables:
        cells: dict[CellRef, list[CellLine]] = defaultdict(list)
        for line in lines:
            if line.cell.table == table.id:
                place = CellRef(table=table.id, row=line.cell.row, column=line.cell.column)
                cells[place].append(line)
        for number in range(max(map(len, cells.values()), default=0)):
            chosen = [found[number % len(found)] for found in cells.values()]
            agreement = _agreement(paper, table.id, chosen)
            if agreement.figures:
                yield agreement


def _agreement(paper: Paper, table: str, lines: Sequence[CellLine]) -> TableAgreement:
    printed = [answer for line in lines for answer in line.answers]
    computed = [answer for answer in printed if answer.ours is not None]
    compared: dict[str, list[bool]] = defaultdict(list)
    for answer in computed:
        agrees = answer.agrees(paper.convention.alpha)
        if agrees is not None:
            kind = "word" if isinstance(answer.ours, str) else answer.figure.quantity
            compared[kind].append(agrees)
    ranked = [
        (answer.figure.quantity, answer.figure.value, answer.ours)
        for answer in computed
        if answer.difference is not None and answer.figure.quantity != "p"
    ]
    of_one_kind = len({quantity for quantity, _, _ in ranked}) == 1
    rho = _rank_correlation([pair for _, *pair in ranked]) if of_one_kind else None
    models = (
        line.model for line in lines if any(answer.ours is not None for answer in line.answers)
    )
    return TableAgreement(
        paper=paper.id,
        table=table,
        models=tuple(dict.fromkeys(models)),
        figures=len(computed),
        printed=len(printed),
        same_sign=sum(compared["d"]),
        effects=len(compared["d"]),
        same_significance=sum(compared["p"]),
        p_values=len(compared["p"]),
        same_words=sum(compared["word"]),
        words=len(compared["word"]),
        rank_correlation=rho,
        ranked=len(ranked) if rho is not None else 0,
    )


def _rank_correlation(pairs: Sequence[Sequence[Any]]) -> float | None:
    if len(pairs) < FEWEST_RANKED:
        return None
    rho = float(spearman(np.array(pairs)))
    return rho if isfinite(rho) else None
