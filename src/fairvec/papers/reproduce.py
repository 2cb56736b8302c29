"""A paper's tables beside ours: compute what can be computed, and say of the rest why it cannot."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from fairvec.errors import UnknownNameError
from fairvec.evaluation import Progress
from fairvec.metrics import METRICS
from fairvec.papers.grade import Grade, grade
from fairvec.papers.lines import Answer, Line, Reproduction
from fairvec.papers.measure import Measured, explanation, measured, number
from fairvec.papers.models import players, remedy
from fairvec.papers.needs import NEEDS
from fairvec.papers.notes import coverage_note, stand_in_note
from fairvec.papers.oddities import Oddity, oddities
from fairvec.papers.paper import Cell, Paper

Given = Mapping[str, Sequence[str]]


def reproduce(
    paper: Paper,
    models: Given | None = None,
    stand_ins: Given | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Return every printed cell of a paper with the published figure, ours and a grade.

    `models` and `stand_ins` map roles to files or names of the catalogue. A model is taken for the
    paper's own, a stand-in never is; without either, what is at hand plays the role.
    """
    models, stand_ins = models or {}, stand_ins or {}
    for name in (*models, *stand_ins):
        if name not in paper.roles:
            raise UnknownNameError(f"role of {paper.id}", name, paper.roles)
    parts: dict[str, list[Measured]] = {}
    for name, role in paper.roles.items():
        cells = [cell for cell in paper.cells() if cell.role == name and not _lacking(cell)]
        cast = players(role, models.get(name, ()), stand_ins.get(name, ())) if cells else []
        parts[name] = [measured(player, cells, paper.convention, progress) for player in cast]
    odd = oddities(paper)
    lines: list[Line] = []
    for cell in paper.cells():
        lines += _lines(paper, cell, parts[cell.role], odd[cell])
    outcomes = [one for each in parts.values() for part in each for one in part.outcomes.values()]
    return Reproduction(paper, tuple(lines), tuple(outcomes))


def _lacking(cell: Cell) -> str:
    """Say what fairvec lacks to compute a cell; empty if nothing."""
    if cell.settings.needs:
        return " and ".join(NEEDS[need] for need in cell.settings.needs)
    wanted = cell.settings.metric
    known = {metric.name for metric in METRICS}
    return "" if wanted in known else f"the metric {wanted} is not there yet"


def _lines(paper: Paper, cell: Cell, parts: list[Measured], odd: Oddity) -> Iterator[Line]:
    role = paper.roles[cell.role]
    help_with = remedy(paper.id, cell.role, role)
    if lacking := _lacking(cell):
        reason = f"{lacking[0].upper()}{lacking[1:]}."
        yield _unanswered(cell, "not yet", (reason,), odd)
    elif not parts:
        reason = " and ".join(NEEDS[need] for need in role.needs)
        known: Grade = "not yet" if role.needs else "no model"
        why = f"{role.title}: {reason or 'not at hand'}; {help_with}"
        yield _unanswered(cell, known, (why,), odd)
    for part in parts if not lacking else ():
        yield _answered(paper, cell, part, odd, help_with)


def _unanswered(cell: Cell, reason: Grade, notes: tuple[str, ...], odd: Oddity) -> Line:
    answers = tuple(
        Answer(
            figure,
            "inconsistent in the paper" if figure.quantity in odd.inconsistent else reason,
        )
        for figure in cell.figures
    )
    return Line(cell, answers, (*odd.notes, *notes))


def _answered(paper: Paper, cell: Cell, part: Measured, odd: Oddity, help_with: str) -> Line:
    papers, default = part.outcomes_of(cell, paper.convention)
    named: list[str] = []
    answers: list[Answer] = []
    for figure in cell.figures:
        ours = number(papers, figure.quantity)
        known, convention = grade(
            figure,
            ours,
            is_the_papers=part.player.is_the_papers,
            inconsistent=figure.quantity in odd.inconsistent,
            samples=paper.convention.samples,
            explained=partial(explanation, part, cell, paper.convention, figure),
        )
        answers.append(Answer(figure, known, ours, number(default, figure.quantity)))
        named += [f"{figure.quantity} is matched under: {convention}."] if convention else []
    notes = (
        *odd.notes,
        *named,
        *stand_in_note(part.player, help_with),
        *coverage_note(papers),
    )
    return Line(cell, tuple(answers), notes, part.player.embedding.name)
