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
from fairvec.metrics import effect_size, metric
from fairvec.papers.convention import DEFAULT, Convention, convention_of, other_conventions
from fairvec.papers.figure import Figure
from fairvec.papers.models import Player
from fairvec.papers.paper import Cell
from fairvec.papers.schema import PaperConvention
from fairvec.results import Outcome, Result

_Key = tuple[str, str, Convention]


@dataclass(frozen=True, eq=False)
class Measured:
    """A model in its role with the outcome of each test, metric and convention."""

    player: Player
    outcomes: dict[_Key, Outcome]

    def outcomes_of(self, cell: Cell, paper: PaperConvention) -> tuple[Outcome, Outcome]:
        """Return the outcomes behind a cell: under the paper's convention and under the default."""
        key = (cell.test, cell.settings.metric or "")
        papers = convention_of(paper, cell.settings)
        return self.outcomes[*key, papers], self.outcomes[*key, DEFAULT]


def measured(
    player: Player,
    cells: Iterable[Cell],
    paper: PaperConvention,
    progress: Progress | None = None,
) -> Measured:
    """Measure every test of the cells on a model, under the paper's convention and ours."""
    wanted: dict[tuple[str, Convention], dict[str, None]] = defaultdict(dict)
    for cell in cells:
        for convention in (convention_of(paper, cell.settings), DEFAULT):
            wanted[cell.settings.metric or "", convention][cell.test] = None
    outcomes = {
        (outcome.test.id, name, convention): outcome
        for (name, convention), tests in wanted.items()
        for outcome in _run(player.embedding, tests, name, convention, progress)
    }
    return Measured(player, outcomes)


def _run(
    embedding: Embedding,
    tests: Iterable[str],
    name: str,
    convention: Convention,
    progress: Progress | None = None,
    **fast: Any,
) -> list[Outcome]:
    chosen = metric(
        name,
        similarity=similarity_named(convention.similarity)
        if convention.similarity
        else natural_similarity(embedding.geometry),
        effect_size=effect_size(convention.effect_size),
        permute=convention.permute,
        attribute_templates=convention.attribute_templates,
    )
    audit = Audit(embedding, tuple(select(tests)), chosen)
    statistics = Statistics(sides=convention.sides, ties=convention.ties, **fast)
    return run(Plan((audit,), statistics), progress)


def number(outcome: Outcome, quantity: str) -> float | None:
    """Return what an outcome says of a quantity; None if it says nothing."""
    if not isinstance(outcome, Result):
        return None
    return {"d": outcome.effect, "p": outcome.p.value}.get(quantity)


def explanation(player: Player, cell: Cell, paper: PaperConvention, figure: Figure) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    papers, name = convention_of(paper, cell.settings), cell.settings.metric or ""
    for other in other_conventions(papers, figure.quantity, name):
        (outcome,) = _run(player.embedding, [cell.test], name, other, resamples=100)
        ours = number(outcome, figure.quantity)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return other.beside(papers)
    return ""
