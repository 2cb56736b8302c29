"""Reproduce a paper: measure every cell that can be measured, grade it, and answer the claims."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from threadpoolctl import threadpool_limits

from fairvec.catalogue import has_dataset
from fairvec.core.errors import UnknownNameError
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.experiments.audit.run import Progress
from fairvec.messages.papers import (
    absent_model_note,
    conventions_sentence,
    how_to_train,
    matched_under_note,
    moved_words_note,
)
from fairvec.papers.claims.answer import ClaimAnswer, answer_claim
from fairvec.papers.claims.decide import Decision
from fairvec.papers.claims.kinds import Claim, claims_of_paper
from fairvec.papers.claims.paper_rules import decide_printed
from fairvec.papers.grades import (
    CellLine,
    GradedFigure,
    Inconsistency,
    Reproduction,
    agreements,
    derived_lines,
    grade,
    inconsistencies,
)
from fairvec.papers.measure import (
    CellNumbers,
    MeasuredModel,
    cell_numbers,
    matching_convention,
    measure_model,
)
from fairvec.papers.models import (
    RoleModel,
    absent_note,
    how_to_get,
    models_for_role,
    played_role,
    words_of_cut,
)
from fairvec.papers.schema import (
    Cell,
    CorrelationMeasure,
    DerivedFigure,
    Paper,
    PaperConvention,
    TaskMeasure,
    UnavailableError,
    split_column,
)
from fairvec.results import Interval, Outcome, Result
from fairvec.results.records import Description
from fairvec.results.reproduction import (
    ClaimLine,
    DrawnFigure,
    FigureLine,
    Grade,
    PaperDecision,
    PaperHead,
    PrintedColumn,
    PrintedTable,
    ReproductionRecords,
)

ModelsByRole = Mapping[str, Sequence[str]]


def reproduce(
    paper: Paper,
    models: ModelsByRole | None = None,
    stand_ins: ModelsByRole | None = None,
    progress: Progress | None = None,
    *,
    claims: Sequence[Claim] | None = None,
    reading: LoadOptions = LOAD_DEFAULTS,
    min_coverage: float | None = None,
) -> Reproduction:
    """Return every printed cell of a paper with the published figure, ours and a grade.

    `models` and `stand_ins` map roles to files or names of the catalogue. A model may be the
    paper's own, if anything published tells (`models_for_role`), a stand-in never is; without
    either, what is at hand plays the role. `reading` is how the files of word vectors are read. A
    test of which less than `min_coverage` is found is skipped; unless it is given, that is
    half of a list and a quarter of a benchmark. `claims` are what the paper finds, each answered
    by every model of its role; without them, those of its file.
    """
    models, stand_ins = models or {}, stand_ins or {}
    for name in (*models, *stand_ins):
        if name not in paper.roles:
            raise UnknownNameError(f"role of {paper.id}", name, paper.roles)
    cells_by_role: dict[str, list[Cell]] = {name: [] for name in paper.roles}
    for cell in paper.cells():
        if not (_missing_datasets(cell) or isinstance(cell.measure, DerivedFigure)):
            cells_by_role[cell.role].append(cell)
    compared = {
        cell.measure.against
        for cells in cells_by_role.values()
        for cell in cells
        if isinstance(cell.measure, CorrelationMeasure)
    }
    opened: dict[str, list[RoleModel]] = {}
    for name, role in paper.roles.items():
        named = models.get(name, ()), stand_ins.get(name, ())
        if role.made_from and not any(named):
            opened[name] = [
                replace(model, debiasing=role.debias) for model in opened[role.made_from]
            ]
        else:
            needed = cells_by_role[name] or name in compared
            opened[name] = models_for_role(role, *named, reading) if needed else []
    others = {
        name: role_models[0].model
        for name, role_models in opened.items()
        if role_models and isinstance(role_models[0].model, Embedding)
    }
    measured_models: dict[str, list[MeasuredModel]] = {}
    for name, cells in cells_by_role.items():
        # Many small products: a second thread waits for them longer than it works.
        with threadpool_limits(1, "blas"):
            measured_models[name] = [
                measure_model(
                    role_model,
                    map(role_model.cell_for, cells),
                    paper.convention,
                    progress,
                    others,
                    min_coverage,
                )
                for role_model in opened[name]
            ]
        for measured in measured_models[name]:
            own_cells = map(measured.role_model.cell_for, cells)
            measures = (cell.measure for cell in own_cells)
            tasks = (measure for measure in measures if isinstance(measure, TaskMeasure))
            with threadpool_limits(1, "blas"):
                measured.tasks.train(tasks, progress)
    odd_cells = inconsistencies(paper)
    lines: list[CellLine] = []
    cells = list(paper.cells())
    for done, cell in enumerate(cells):
        if progress:
            progress(done, len(cells), f"{paper.id}: {cell.table}, {cell.row}")
        with threadpool_limits(1, "blas"):
            lines += (
                derived_lines(cell, lines, odd_cells[cell])
                if isinstance(cell.measure, DerivedFigure)
                else _lines(paper, cell, measured_models, odd_cells[cell])
            )
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
    roles = tuple(
        played_role(paper, name, role_model)
        for name in paper.roles
        for role_model in (*opened[name], *([] if opened[name] else [None]))
    )
    drawings = tuple(_drawings(paper, measured_models))
    return Reproduction(paper, tuple(lines), tuple(outcomes), tuple(answers), roles, drawings)


def _drawings(
    paper: Paper, measured_models: Mapping[str, list[MeasuredModel]]
) -> Iterator[DrawnFigure]:
    """Yield the records of the paper's figures on the first model of their role."""
    for table in paper.tables:
        for cell in table.cells():
            measured = next(iter(measured_models[cell.role]), None)
            if measured is None:
                continue
            with suppress(UnavailableError):
                if records := measured.drawn(cell.measure):
                    yield DrawnFigure(paper=paper.id, table=table.id, records=records)


def _missing_datasets(cell: Cell) -> list[str]:
    """Name the data sets of a cell that are not at hand."""
    return [name for name in cell.datasets if not has_dataset(name)]


def _missing_figure(
    paper: Paper, measured_models: Mapping[str, list[MeasuredModel]], cell: Cell
) -> tuple[Grade, str] | None:
    """Return why a cell has no figure, as a grade and in words; None if it has one."""
    if datasets := _missing_datasets(cell):
        return "no data", absent_note(datasets)
    other = [cell.measure.against] if isinstance(cell.measure, CorrelationMeasure) else []
    for name in (cell.role, *other):
        if not measured_models[name]:
            role = paper.roles[name]
            remedies = _how_to_get(paper, name), how_to_train(paper.id) if role.recipes else ""
            return "no model", absent_model_note(role.title, remedies)
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
        yield _graded_line(paper, cell, measured, inconsistency)


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
    paper: Paper, cell: Cell, measured: MeasuredModel, inconsistency: Inconsistency
) -> CellLine:
    own_cell = measured.role_model.cell_for(cell)
    try:
        found = cell_numbers(measured, own_cell, paper.convention)
    except UnavailableError as error:
        found = CellNumbers({}, {}, (str(error),))
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
        conventions += [matched_under_note(figure.quantity, convention)] if convention else []
    notes = (
        *inconsistency.notes,
        *_debiasing_notes(measured, own_cell),
        *conventions,
        *found.notes,
    )
    role_model = measured.role_model
    return CellLine(
        cell,
        tuple(answers),
        notes,
        role_model.name,
        found.outcome,
        role_model.model.name,
        words_of_cut(own_cell, role_model),
    )


def _debiasing_notes(measured: MeasuredModel, cell: Cell) -> Iterator[str]:
    if debiasing := cell.settings.debias:
        yield debiasing.description
    if debiasing and measured.role_model.debiasing:
        model = measured.role_model.embedding
        yield moved_words_note(
            model.name,
            len(model),
            measured.debiased.describe_moved(debiasing, "default"),
            measured.debiased.describe_moved(debiasing, "as-published"),
        )


def records_of(reproduction: Reproduction) -> ReproductionRecords:
    """Return a reproduction as reproduction.jsonl holds it: all that its page shows."""
    paper = reproduction.paper
    # Debiased columns hold only the words that were measured: the largest stands for a name.
    identities = sorted((one.model for one in reproduction.outcomes), key=lambda model: model.words)
    by_name = {model.name: model for model in identities}
    reasons = (outcome.test.sensitive for outcome in reproduction.outcomes)
    sentences = (sentence for reason in reasons for sentence in _SENTENCE.findall(reason))
    head = PaperHead(
        paper=paper.id,
        title=paper.title,
        source=paper.source,
        convention=describe_conventions(paper.convention),
        alpha=paper.convention.alpha,
        tables=tuple(
            PrintedTable(
                id=table.id,
                label=table.label,
                title=table.title,
                rows=tuple(table.rows),
                columns=tuple(
                    PrintedColumn(name=name, group=group, heading=heading)
                    for name in table.columns
                    for group, heading in [split_column(name)]
                ),
                bold_means=table.bold_means,
            )
            for table in paper.tables
        ),
        models=tuple(by_name.values()),
        roles=reproduction.roles,
        missing_data={
            name: absent_note([name]) for cell in paper.cells() for name in _missing_datasets(cell)
        },
        sensitive=" ".join(dict.fromkeys(sentences)),
    )
    claims = tuple(_claim_line(reproduction, answer) for answer in reproduction.claims)
    figures = tuple(
        _figure_line(paper, line, answer) for line in reproduction.lines for answer in line.answers
    )
    agreed = tuple(agreements(paper, reproduction.lines))
    return ReproductionRecords(head, claims, figures, agreed, reproduction.drawings)


_SENTENCE = re.compile(r"\S[^.]*\.")


def describe_conventions(paper: PaperConvention) -> str:
    """Return how the paper computed its figures, and how fairvec does, in words."""
    splits = paper.samples, paper.samples_in_code
    return conventions_sentence(paper.effect_size, paper.sides, paper.ties, splits, paper.note)


def _claim_line(reproduction: Reproduction, answer: ClaimAnswer) -> ClaimLine:
    paper, claim, decision = reproduction.paper, answer.claim, answer.decision
    cells = {cell for row in claim.test.rows(paper) for cell in row}
    cuts = (
        line.among
        for line in reproduction.lines
        if line.among is not None and line.cell in cells and line.source in answer.models
    )
    printed = decide_printed(claim, paper)
    method = decision.method
    return ClaimLine(
        paper=paper.id,
        claim=claim.id,
        says=claim.says,
        where=claim.where,
        quote=claim.quote,
        roles=claim.roles_needed,
        models=answer.models,
        papers_own_model=answer.is_the_papers,
        grade=decision.grade,
        sentence=decision.sentence,
        test=claim.test.kind,
        shown=decision.shown,
        figures=dict(decision.figures),
        p=decision.p,
        at_most=decision.at_most,
        interval=decision.interval,
        how=method.how if method else "",
        n=method.n if method else None,
        unit=method.unit if method else "",
        among=next(cuts, None) if method else None,
        by_paper=_paper_decision(answer.by_paper),
        differs_by=answer.differs_by,
        papers_way=answer.papers_way,
        printed=None if printed is None else _paper_decision(printed),
        reading=claim.reading,
    )


def _paper_decision(decision: Decision) -> PaperDecision:
    return PaperDecision(
        grade=decision.grade,
        sentence=decision.sentence,
        shown=decision.shown,
        figures=dict(decision.figures),
        p=decision.p,
    )


def _figure_line(paper: Paper, line: CellLine, answer: GradedFigure) -> FigureLine:
    cell, figure, outcome = line.cell, answer.figure, line.outcome
    return FigureLine(
        paper=paper.id,
        table=cell.table,
        row=cell.row,
        column=cell.column,
        quantity=figure.quantity,
        published=figure.text,
        value=figure.value,
        decimals=figure.decimals,
        bold=cell.bold,
        ours=answer.ours,
        ours_by_default=answer.default,
        difference=answer.difference,
        agrees=answer.agrees(paper.convention.alpha),
        p=outcome.p if isinstance(outcome, Result) else None,
        interval=_scaled_interval(outcome, figure.quantity),
        among=line.among if answer.ours is not None else None,
        grade=answer.grade,
        role=cell.role,
        model=line.model,
        metric=cell.settings.metric or "",
        test=cell.test,
        notes=line.notes,
    )


def _scaled_interval(outcome: Outcome | None, quantity: str) -> Interval | None:
    """Return the interval of a figure in the unit that is printed; that of a d is not computed."""
    if not isinstance(outcome, Description) or outcome.interval is None:
        return None
    return outcome.interval.scaled(100 if quantity == "%" else 1)
