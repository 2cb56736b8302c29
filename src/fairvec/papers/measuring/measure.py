"""Our own figures for a paper's cells, under its convention, under ours and under any other."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import get_args

from fairvec.embedding import Embedding
from fairvec.evaluation import Audit, Plan, Progress, Statistics, run
from fairvec.evaluation.runs.p_values import PValues
from fairvec.evaluation.runs.shortfall import shortfall
from fairvec.geometry import natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import resolve, select
from fairvec.metrics import Metric, Score, TwoSamples, effect_size, metric_sharing
from fairvec.papers.measuring.benchmarked import Benchmarked, covering
from fairvec.papers.measuring.choices import DEFAULT, FigureChoices, choices_of, other_choices
from fairvec.papers.measuring.chosen_t import SettledT
from fairvec.papers.measuring.correlation import Correlation, correlated
from fairvec.papers.measuring.debiased import Column, Columns
from fairvec.papers.measuring.debiasing import Debiasing
from fairvec.papers.measuring.repeats import RepeatsKept
from fairvec.papers.measuring.task_cells import TaskCells
from fairvec.papers.printed.figure import PaperFigure
from fairvec.papers.printed.models import Player
from fairvec.papers.printed.paper import Cell
from fairvec.papers.printed.schema import PaperConvention
from fairvec.results import Description, Outcome, Result
from fairvec.stats import Sides, Ties

USUAL = Statistics()
InReach = Callable[[float, float], bool]
RULES: tuple[tuple[Sides, Ties], ...] = tuple(product(get_args(Sides), get_args(Ties)))
"""By which a p may be counted; those of the same words share what takes the time."""
SLOW_TO_COUNT = 40, 50
"""Words of both lists: fewer are counted in milliseconds, and of more there are only bounds."""
_Key = tuple[str, str, Debiasing | None, FigureChoices]


@dataclass(frozen=True, eq=False)
class MeasuredCell:
    """A model in its role with the outcome of each test, metric, debiasing and convention.

    `benchmarks` are what it answers to benchmarks, by the t of `ts`; `tasks` what it learns;
    `correlation` is how its words lean as they do in another model; `usual` is how p is counted and
    how much of a list has to be found.
    """

    player: Player
    columns: Columns
    outcomes: dict[_Key, Outcome]
    p_values: PValues
    ts: SettledT
    benchmarks: Benchmarked
    tasks: TaskCells
    correlation: Correlation | None
    usual: Statistics
    scores: dict[_Key, Score | None] = field(default_factory=dict)

    @property
    def records(self) -> tuple[Outcome, ...]:
        """Every outcome behind the figures."""
        correlated = self.correlation.outcomes if self.correlation else ()
        learnt = self.tasks.outcomes
        return (*self.outcomes.values(), *correlated, *self.benchmarks.outcomes, *learnt)

    def outcomes_of(self, cell: Cell, paper: PaperConvention) -> tuple[Outcome, Outcome]:
        """Return the outcomes behind a cell: under the paper's convention and under the default."""
        key = (cell.test, cell.settings.metric or "", cell.settings.debias)
        papers = choices_of(paper, cell.settings)
        return self.outcomes[*key, papers], self.outcomes[*key, DEFAULT]

    def with_interval(self, cell: Cell, level: float) -> Outcome:
        """Return the outcome of a test under the default with its interval, which takes longer."""
        column = self.columns.of(cell.settings.debias, DEFAULT.fit)
        audit = _audit(column, [cell.test], cell.settings.metric or "", DEFAULT)
        (found,) = run(Plan((audit,), replace(self.usual, level=level)), None, self.p_values)
        return found

    def score(self, cell: Cell, choices: FigureChoices) -> Score | None:
        """Return what a cell's test says under other choices, measured once for all rules of p."""
        by_any_rule = replace(choices, sides="two", ties=">=")
        key = (cell.test, cell.settings.metric or "", cell.settings.debias, by_any_rule)
        if key not in self.scores:
            column = self.columns.of(cell.settings.debias, choices.fit)
            audit = _audit(column, [cell.test], cell.settings.metric or "", choices)
            self.scores[key] = _scored(audit, self.usual)
        return self.scores[key]


def measured(
    player: Player,
    cells: Iterable[Cell],
    paper: PaperConvention,
    progress: Progress | None = None,
    others: Mapping[str, Embedding] | None = None,
    smallest_coverage: float | None = None,
) -> MeasuredCell:
    """Measure the cells on a model, under the paper's convention and ours.

    `others` are the models of the other roles, with which this one may be correlated. What less
    than `smallest_coverage` of is found is skipped; the usual shares unless one is given.
    """
    usual = covering(USUAL, smallest_coverage)
    cells = list(cells)
    both = [cell for cell in cells if cell.settings.against in (others or {})]
    correlation = _correlated(player, both[0], others or {}) if both else None
    asked = [cell.settings for cell in cells if cell.settings.benchmark]
    learnt = [(cell.settings, cell.settings.task) for cell in cells if cell.settings.task]
    cells = [cell for cell in cells if cell.test and not cell.settings.against]
    columns = Columns(player.model, (cell.test for cell in cells if cell.settings.debias))
    ts = SettledT(player.model)
    benchmarks = Benchmarked(columns, ts, smallest_coverage)
    for done, each in enumerate(asked):
        if progress:
            progress(done, len(asked), f"{player.model.name}: {each.benchmark}")
        for way in (benchmarks.papers_way(each), benchmarks.default_way(each)):
            benchmarks.asked(each, way)
    tasks = TaskCells(columns)
    for done, (each, task) in enumerate(learnt):
        if progress:
            progress(done, len(learnt), f"{player.model.name}: {task.reviews}")
        tasks.papers_way(each, task)
        tasks.our_way(each, task)
    wanted: dict[tuple[str, Debiasing | None, FigureChoices], dict[str, None]] = defaultdict(dict)
    for cell in cells:
        for choices in (choices_of(paper, cell.settings), DEFAULT):
            wanted[cell.settings.metric or "", cell.settings.debias, choices][cell.test] = None
    p_values = PValues()
    outcomes: dict[_Key, Outcome] = {}
    every = sum(map(len, wanted.values()))
    for (name, how, choices), tests in wanted.items():
        column, telling = columns.of(how, choices.fit), _after(len(outcomes), every, progress)
        for outcome in _run(column, tests, name, choices, p_values, telling, usual):
            outcomes[outcome.test.id, name, how, choices] = outcome
    return MeasuredCell(
        player, columns, outcomes, p_values, ts, benchmarks, tasks, correlation, usual
    )


def _after(before: int, every: int, progress: Progress | None) -> Progress | None:
    """Return what tells how far one run of several is, so that a share never falls."""
    if progress is None:
        return None
    return lambda done, _, what: progress(before + done, every, what)


def _correlated(player: Player, cell: Cell, others: Mapping[str, Embedding]) -> Correlation:
    return correlated(player.embedding, others[cell.settings.against or ""], cell.test)


def _run(
    column: Column,
    tests: Iterable[str],
    name: str,
    choices: FigureChoices,
    p_values: PValues,
    progress: Progress | None = None,
    usual: Statistics = USUAL,
) -> list[Outcome]:
    audit = _audit(column, tests, name, choices)
    # No paper prints an interval, and that of a long list takes longer than all of its p-values.
    statistics = replace(usual, sides=choices.sides, ties=choices.ties, interval="none")
    return run(Plan((audit,), statistics), progress, p_values)


def _audit(column: Column, tests: Iterable[str], name: str, choices: FigureChoices) -> Audit:
    size = effect_size(choices.effect_size)
    alike = (
        similarity_named(choices.similarity)
        if choices.similarity
        else natural_similarity(column.original.geometry)
    )
    shared = {
        "similarity": alike,
        "effect_size": size,
        "permute": choices.permute,
        "target_templates": choices.target_templates,
        "attribute_templates": choices.attribute_templates,
    }
    chosen: Metric = metric_sharing(name, shared)
    if choices.repeats == "kept":
        chosen = RepeatsKept(chosen, size)
    chosen = column.measured_by(chosen, choices.moved)
    return Audit(column.embedding, tuple(select(tests)), chosen)


def number(outcome: Outcome, quantity: str) -> float | None:
    """Return what an outcome says of a quantity; None if it says nothing."""
    if isinstance(outcome, Description):
        return outcome.value * (100 if quantity == "%" else 1)
    if not isinstance(outcome, Result):
        return None
    return {"d": outcome.effect, "p": outcome.p.value}.get(quantity)


def _scored(audit: Audit, usual: Statistics = USUAL) -> Score | None:
    """Return what an audit's one test says; None where nothing does."""
    try:
        groups = resolve(audit.tests[0].test, audit.source)
        if shortfall(groups, audit.metric, usual.smallest_coverage):
            return None
        return audit.metric.measure(groups, audit.source.geometry)
    except Exception:  # as in a run: whatever it is, this convention explains nothing
        return None


def _only(
    quantity: str,
    score: Score | None,
    choices: FigureChoices,
    p_values: PValues,
    in_reach: InReach = lambda low, high: True,
) -> float | None:
    """Return what `number` says of a test with this score, computing nothing else: d needs no p.

    Nor is a p counted that is not `in_reach` between its proven bounds, which for lists of some
    lengths cost far less.
    """
    if score is None:
        return None
    if not isinstance(score.samples, TwoSamples):
        return score.value * (100 if quantity == "%" else 1)
    if quantity != "p":
        return score.value if quantity == "d" else None
    try:
        return _p(score.samples, choices, p_values, in_reach)
    except Exception:  # as in a run: p that cannot be counted so explains nothing
        return None


def _p(
    samples: TwoSamples, choices: FigureChoices, p_values: PValues, in_reach: InReach
) -> float | None:
    x, y = (samples.leanings(rows) for rows in (samples.x, samples.y))
    rule = RULES.index((choices.sides, choices.ties))
    asked = partial(p_values.of, x, y, samples=USUAL.samples, seed=USUAL.seed)
    if not SLOW_TO_COUNT[0] <= len(x) + len(y) <= SLOW_TO_COUNT[1]:
        return asked(RULES, method=USUAL.method)[rule].value
    bounds = asked(RULES, method="certified")[rule]
    if not in_reach(bounds.low, bounds.high):
        return None
    return asked([RULES[rule]], method=USUAL.method)[0].value


def explanation(part: MeasuredCell, cell: Cell, paper: PaperConvention, figure: PaperFigure) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    settings = cell.settings
    papers = choices_of(paper, settings)
    in_reach = partial(figure.may_be_between, samples=paper.samples)
    has_repeats = any(group.merged for group in part.outcomes_of(cell, paper)[0].coverage)
    for other in other_choices(papers, figure.quantity, settings, has_repeats=has_repeats):
        ours = _only(figure.quantity, part.score(cell, other), other, part.p_values, in_reach)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return other.beside(papers)
    return ""
