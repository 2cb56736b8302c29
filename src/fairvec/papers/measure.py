"""Our own figures for a paper's cells, under its convention, under ours and under any other."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fairvec.embedding import Embedding
from fairvec.evaluation import Audit, Plan, Progress, Statistics, run
from fairvec.geometry import natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import select
from fairvec.metrics import Metric, effect_size, metric
from fairvec.papers.choices import DEFAULT, Choices, choices_of, other_choices
from fairvec.papers.figure import Figure
from fairvec.papers.models import Player
from fairvec.papers.paper import Cell
from fairvec.papers.repeats import RepeatsKept
from fairvec.papers.schema import PaperConvention
from fairvec.results import Outcome, Result

_Key = tuple[str, str, Choices]


@dataclass(frozen=True, eq=False)
class Measured:
    """A model in its role with the outcome of each test, metric and convention."""

    player: Player
    outcomes: dict[_Key, Outcome]

    def outcomes_of(self, cell: Cell, paper: PaperConvention) -> tuple[Outcome, Outcome]:
        """Return the outcomes behind a cell: under the paper's convention and under the default."""
        key = (cell.test, cell.settings.metric or "")
        papers = choices_of(paper, cell.settings)
        return self.outcomes[*key, papers], self.outcomes[*key, DEFAULT]


def measured(
    player: Player,
    cells: Iterable[Cell],
    paper: PaperConvention,
    progress: Progress | None = None,
) -> Measured:
    """Measure every test of the cells on a model, under the paper's convention and ours."""
    wanted: dict[tuple[str, Choices], dict[str, None]] = defaultdict(dict)
    for cell in cells:
        for choices in (choices_of(paper, cell.settings), DEFAULT):
            wanted[cell.settings.metric or "", choices][cell.test] = None
    outcomes = {
        (outcome.test.id, name, choices): outcome
        for (name, choices), tests in wanted.items()
        for outcome in _run(player.embedding, tests, name, choices, progress)
    }
    return Measured(player, outcomes)


def _run(
    embedding: Embedding,
    tests: Iterable[str],
    name: str,
    choices: Choices,
    progress: Progress | None = None,
    **fast: Any,
) -> list[Outcome]:
    size = effect_size(choices.effect_size)
    chosen: Metric = metric(
        name,
        similarity=similarity_named(choices.similarity)
        if choices.similarity
        else natural_similarity(embedding.geometry),
        effect_size=size,
        permute=choices.permute,
        attribute_templates=choices.attribute_templates,
    )
    if choices.repeats == "kept":
        chosen = RepeatsKept(chosen, size)
    audit = Audit(embedding, tuple(select(tests)), chosen)
    statistics = Statistics(sides=choices.sides, ties=choices.ties, **fast)
    return run(Plan((audit,), statistics), progress)


def number(outcome: Outcome, quantity: str) -> float | None:
    """Return what an outcome says of a quantity; None if it says nothing."""
    if not isinstance(outcome, Result):
        return None
    return {"d": outcome.effect, "p": outcome.p.value}.get(quantity)


def explanation(part: Measured, cell: Cell, paper: PaperConvention, figure: Figure) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    papers, name = choices_of(paper, cell.settings), cell.settings.metric or ""
    has_repeats = any(group.merged for group in part.outcomes_of(cell, paper)[0].coverage)
    for other in other_choices(papers, figure.quantity, name, has_repeats=has_repeats):
        (outcome,) = _run(part.player.embedding, [cell.test], name, other, resamples=100)
        ours = number(outcome, figure.quantity)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return other.beside(papers)
    return ""
