"""A paper's tables beside ours: compute what can be computed, and say of the rest why it cannot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from threadpoolctl import threadpool_limits

from fairvec.catalogue import has_dataset
from fairvec.core.errors import UnknownNameError
from fairvec.core.format import capitalize_first
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.experiments.audit.run import Progress
from fairvec.metrics import METRICS
from fairvec.papers.answer import ClaimAnswer, answer_claim
from fairvec.papers.claims import Claim, claims_of_paper
from fairvec.papers.grades import (
    CellLine,
    Grade,
    GradedFigure,
    Inconsistency,
    Reproduction,
    derived_lines,
    grade,
    inconsistencies,
)
from fairvec.papers.measure import MeasuredModel, cell_numbers, explained, measured
from fairvec.papers.models import how_to_get, models_for_role
from fairvec.papers.notes import absent_note, stand_in_note
from fairvec.papers.schema import NEEDS, Cell, Paper

Given = Mapping[str, Sequence[str]]


def reproduce(
    paper: Paper,
    models: Given | None = None,
    stand_ins: Given | None = None,
    progress: Progress | None = None,
    *,
    claims: Sequence[Claim] | None = None,
    reading: Reading = AS_FOUND,
    smallest_coverage: float | None = None,
) -> Reproduction:
    """Return every printed cell of a paper with the published figure, ours and a grade.

    `models` and `stand_ins` map roles to files or names of the catalogue. A model may be the
    paper's own, if anything published tells (`models_for_role`), a stand-in never is; without
    either, what is at hand plays the role. `reading` is how the files of word vectors are read. A
    test of which less than `smallest_coverage` is found is skipped; unless it is given, that is
    half of a list and a quarter of a benchmark. `claims` are what the paper finds, each answered
    by every model of its role; without them, those of its file.
    """
    models, stand_ins = models or {}, stand_ins or {}
    for name in (*models, *stand_ins):
        if name not in paper.roles:
            raise UnknownNameError(f"role of {paper.id}", name, paper.roles)
    parts: dict[str, list[MeasuredModel]] = {}
    for name, role in paper.roles.items():
        cells = [cell for cell in paper.cells() if cell.role == name and _is_measured(cell)]
        given = models.get(name, ()), stand_ins.get(name, ())
        if role.made_from and not any(given):
            cast = [replace(one.player, made_by=role.debias) for one in parts[role.made_from]]
        else:
            cast = models_for_role(role, *given, reading) if cells else []
        others = {
            other: model
            for other, each in parts.items()
            if each and isinstance(model := each[0].player.model, Embedding)
        }
        # Many small products: a second thread waits for them longer than it works.
        with threadpool_limits(1, "blas"):
            parts[name] = [
                measured(
                    player,
                    map(player.measuring, cells),
                    paper.convention,
                    progress,
                    others,
                    smallest_coverage,
                )
                for player in cast
            ]
    odd = inconsistencies(paper)
    lines: list[CellLine] = []
    cells = list(paper.cells())
    for done, cell in enumerate(cells):
        if progress:
            progress(done, len(cells), f"{paper.id}: {cell.table}, {cell.row}")
        if cell.settings.derived:
            lines += derived_lines(cell, lines, odd[cell])
        else:
            lines += _lines(paper, cell, parts, odd[cell])
    answers: list[ClaimAnswer] = []
    asked = claims_of_paper(paper) if claims is None else claims
    for done, claim in enumerate(asked):
        if progress:
            progress(done, len(asked), f"{paper.id}: {claim.id}")
        with threadpool_limits(1, "blas"):
            answers += answer_claim(claim, paper, parts, partial(_hindrance, paper, parts))
    outcomes = [one for each in parts.values() for part in each for one in part.records]
    return Reproduction(paper, tuple(lines), tuple(outcomes), tuple(answers))


def _is_measured(cell: Cell) -> bool:
    return not (_lacking(cell) or _absent(cell) or cell.settings.derived)


def _absent(cell: Cell) -> list[str]:
    """Name the data sets of a cell that are not at hand."""
    return [name for name in cell.settings.datasets if not has_dataset(name)]


def _lacking(cell: Cell) -> str:
    """Say what fairvec lacks to compute a cell; empty if nothing."""
    wanted = cell.settings.metric
    if cell.settings.needs or not wanted:
        return " and ".join(NEEDS[need] for need in cell.settings.needs)
    known = {metric.name for metric in METRICS}
    return "" if wanted in known else f"the metric {wanted} is not there yet"


def _unmeasured(
    paper: Paper, parts: Mapping[str, list[MeasuredModel]], cell: Cell
) -> tuple[Grade, str] | None:
    """Return why a cell has no figure, as a grade and in words; None if it has one."""
    if lacking := _lacking(cell):
        return "not yet", f"{capitalize_first(lacking)}."
    if absent := _absent(cell):
        return "no data", absent_note(absent)
    for name in filter(None, (cell.role, cell.settings.against)):
        if not parts[name]:
            role, help_with = paper.roles[name], _remedy(paper, name)
            reason = " and ".join(NEEDS[need] for need in role.needs)
            known: Grade = "not yet" if role.needs else "no model"
            return known, f"{role.title}: {reason or 'not at hand'}; {help_with}"
    return None


def _hindrance(paper: Paper, parts: Mapping[str, list[MeasuredModel]], cell: Cell) -> str:
    """Say why a cell has no figure; empty if it has one."""
    found = _unmeasured(paper, parts, cell)
    return found[1] if found else ""


def _lines(
    paper: Paper, cell: Cell, parts: Mapping[str, list[MeasuredModel]], odd: Inconsistency
) -> Iterator[CellLine]:
    if found := _unmeasured(paper, parts, cell):
        known, why = found
        yield _unanswered(cell, known, (why,), odd)
        return
    for part in parts[cell.role]:
        made_from = paper.roles[cell.role].made_from if part.player.made_by else None
        yield _answered(paper, cell, part, odd, _remedy(paper, made_from or cell.role))


def _remedy(paper: Paper, name: str) -> str:
    return how_to_get(paper.id, name, paper.roles[name])


def _unanswered(cell: Cell, reason: Grade, notes: tuple[str, ...], odd: Inconsistency) -> CellLine:
    answers = tuple(
        GradedFigure(
            figure,
            "inconsistent in the paper" if figure.quantity in odd.inconsistent else reason,
        )
        for figure in cell.figures
    )
    return CellLine(cell, answers, (*odd.notes, *notes))


def _answered(
    paper: Paper, cell: Cell, part: MeasuredModel, odd: Inconsistency, help_with: str
) -> CellLine:
    made = part.player.measuring(cell)
    found = cell_numbers(part, made, paper.convention)
    named: list[str] = []
    answers: list[GradedFigure] = []
    for figure in cell.figures:
        ours = found.papers.get(figure.quantity)
        known, convention = grade(
            figure,
            ours,
            is_the_papers=part.player.is_the_papers,
            is_yours=part.player.yours,
            inconsistent=figure.quantity in odd.inconsistent,
            samples=paper.convention.samples,
            explained=partial(explained, part, made, paper.convention, figure),
        )
        answers.append(GradedFigure(figure, known, ours, found.default.get(figure.quantity)))
        named += [f"{figure.quantity} is matched under: {convention}."] if convention else []
    notes = (
        *odd.notes,
        *_debiasing_notes(part, made),
        *named,
        *stand_in_note(part.player, help_with),
        *found.notes,
    )
    return CellLine(cell, tuple(answers), notes, part.player.model.name)


def _debiasing_notes(part: MeasuredModel, cell: Cell) -> Iterator[str]:
    if how := cell.settings.debias:
        yield how.said
    if how and part.player.made_by:
        model = part.player.embedding
        yield (
            f"Of the {len(model):,} words of {model.name} there move, by default, "
            f"{part.columns.moved(how, 'default')}; as published, "
            f"{part.columns.moved(how, 'as-published')}."
        )
