"""Reproduce a paper: measure every cell that can be measured, grade it, and answer the claims."""

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
from fairvec.papers.measure import MeasuredModel, cell_numbers, matching_convention, measure_model
from fairvec.papers.models import how_to_get, models_for_role
from fairvec.papers.notes import absent_note, stand_in_note
from fairvec.papers.schema import NEEDS, Cell, Paper

ModelsByRole = Mapping[str, Sequence[str]]


def reproduce(
    paper: Paper,
    models: ModelsByRole | None = None,
    stand_ins: ModelsByRole | None = None,
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
    measured_models: dict[str, list[MeasuredModel]] = {}
    for name, role in paper.roles.items():
        cells = [cell for cell in paper.cells() if cell.role == name and _is_measured(cell)]
        named = models.get(name, ()), stand_ins.get(name, ())
        if role.made_from and not any(named):
            role_models = [
                replace(item.role_model, debiasing=role.debias)
                for item in measured_models[role.made_from]
            ]
        else:
            role_models = models_for_role(role, *named, reading) if cells else []
        others = {
            other: model
            for other, role_measured in measured_models.items()
            if role_measured and isinstance(model := role_measured[0].role_model.model, Embedding)
        }
        # Many small products: a second thread waits for them longer than it works.
        with threadpool_limits(1, "blas"):
            measured_models[name] = [
                measure_model(
                    role_model,
                    map(role_model.cell_for, cells),
                    paper.convention,
                    progress,
                    others,
                    smallest_coverage,
                )
                for role_model in role_models
            ]
    odd_cells = inconsistencies(paper)
    lines: list[CellLine] = []
    cells = list(paper.cells())
    for done, cell in enumerate(cells):
        if progress:
            progress(done, len(cells), f"{paper.id}: {cell.table}, {cell.row}")
        if cell.settings.derived:
            lines += derived_lines(cell, lines, odd_cells[cell])
        else:
            lines += _lines(paper, cell, measured_models, odd_cells[cell])
    answers: list[ClaimAnswer] = []
    claims_to_answer = claims_of_paper(paper) if claims is None else claims
    for done, claim in enumerate(claims_to_answer):
        if progress:
            progress(done, len(claims_to_answer), f"{paper.id}: {claim.id}")
        with threadpool_limits(1, "blas"):
            answers += answer_claim(
                claim, paper, measured_models, partial(_missing_reason, paper, measured_models)
            )
    outcomes = [
        item
        for role_measured in measured_models.values()
        for measured in role_measured
        for item in measured.records
    ]
    return Reproduction(paper, tuple(lines), tuple(outcomes), tuple(answers))


def _is_measured(cell: Cell) -> bool:
    return not (_missing_feature(cell) or _missing_datasets(cell) or cell.settings.derived)


def _missing_datasets(cell: Cell) -> list[str]:
    """Name the data sets of a cell that are not at hand."""
    return [name for name in cell.settings.datasets if not has_dataset(name)]


def _missing_feature(cell: Cell) -> str:
    """Return what fairvec lacks to compute a cell; empty if nothing."""
    metric_name = cell.settings.metric
    if cell.settings.needs or not metric_name:
        return " and ".join(NEEDS[need] for need in cell.settings.needs)
    known = {metric.name for metric in METRICS}
    return "" if metric_name in known else f"the metric {metric_name} is not there yet"


def _missing_figure(
    paper: Paper, measured_models: Mapping[str, list[MeasuredModel]], cell: Cell
) -> tuple[Grade, str] | None:
    """Return why a cell has no figure, as a grade and in words; None if it has one."""
    if feature := _missing_feature(cell):
        return "not yet", f"{capitalize_first(feature)}."
    if datasets := _missing_datasets(cell):
        return "no data", absent_note(datasets)
    for name in filter(None, (cell.role, cell.settings.against)):
        if not measured_models[name]:
            role, remedy = paper.roles[name], _how_to_get(paper, name)
            reason = " and ".join(NEEDS[need] for need in role.needs)
            cell_grade: Grade = "not yet" if role.needs else "no model"
            return cell_grade, f"{role.title}: {reason or 'not at hand'}; {remedy}"
    return None


def _missing_reason(
    paper: Paper, measured_models: Mapping[str, list[MeasuredModel]], cell: Cell
) -> str:
    """Say why a cell has no figure; empty if it has one."""
    found = _missing_figure(paper, measured_models, cell)
    return found[1] if found else ""


def _lines(
    paper: Paper,
    cell: Cell,
    measured_models: Mapping[str, list[MeasuredModel]],
    inconsistency: Inconsistency,
) -> Iterator[CellLine]:
    if found := _missing_figure(paper, measured_models, cell):
        cell_grade, reason = found
        yield _line_without_figures(cell, cell_grade, (reason,), inconsistency)
        return
    for measured in measured_models[cell.role]:
        made_from = paper.roles[cell.role].made_from if measured.role_model.debiasing else None
        yield _graded_line(
            paper, cell, measured, inconsistency, _how_to_get(paper, made_from or cell.role)
        )


def _how_to_get(paper: Paper, name: str) -> str:
    return how_to_get(paper.id, name, paper.roles[name])


def _line_without_figures(
    cell: Cell, reason: Grade, notes: tuple[str, ...], inconsistency: Inconsistency
) -> CellLine:
    answers = tuple(
        GradedFigure(
            figure,
            "inconsistent in the paper"
            if figure.quantity in inconsistency.inconsistent
            else reason,
        )
        for figure in cell.figures
    )
    return CellLine(cell, answers, (*inconsistency.notes, *notes))


def _graded_line(
    paper: Paper, cell: Cell, measured: MeasuredModel, inconsistency: Inconsistency, remedy: str
) -> CellLine:
    own_cell = measured.role_model.cell_for(cell)
    found = cell_numbers(measured, own_cell, paper.convention)
    conventions: list[str] = []
    answers: list[GradedFigure] = []
    for figure in cell.figures:
        ours = found.papers.get(figure.quantity)
        cell_grade, convention = grade(
            figure,
            ours,
            is_the_papers=measured.role_model.is_the_papers,
            is_yours=measured.role_model.is_unverified,
            inconsistent=figure.quantity in inconsistency.inconsistent,
            samples=paper.convention.samples,
            explained=partial(matching_convention, measured, own_cell, paper.convention, figure),
        )
        answers.append(GradedFigure(figure, cell_grade, ours, found.default.get(figure.quantity)))
        conventions += [f"{figure.quantity} is matched under: {convention}."] if convention else []
    notes = (
        *inconsistency.notes,
        *_debiasing_notes(measured, own_cell),
        *conventions,
        *stand_in_note(measured.role_model, remedy),
        *found.notes,
    )
    return CellLine(cell, tuple(answers), notes, measured.role_model.model.name)


def _debiasing_notes(measured: MeasuredModel, cell: Cell) -> Iterator[str]:
    if debiasing := cell.settings.debias:
        yield debiasing.description
    if debiasing and measured.role_model.debiasing:
        model = measured.role_model.embedding
        yield (
            f"Of the {len(model):,} words of {model.name} there move, by default, "
            f"{measured.debiased.describe_moved(debiasing, 'default')}; as published, "
            f"{measured.debiased.describe_moved(debiasing, 'as-published')}."
        )
