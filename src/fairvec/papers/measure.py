"""Our own figures for a paper's cells, by its convention, ours and any other."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import get_args

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.inference import PValueCache
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import Progress, run
from fairvec.experiments.audit.test_words import coverage_shortfall
from fairvec.geometry import default_similarity, similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics import Metric, Score, TwoSamples, configure_metric, effect_size
from fairvec.metrics.utility import Analogies, analogies_in
from fairvec.papers.models import RoleModel
from fairvec.papers.notes import coverage_note
from fairvec.papers.readings import Correlation, bias_correlation, complete_analogy, concept_figure
from fairvec.papers.schema import Cell, Debiasing, PaperConvention, PrintedFigure, Reads, Settings
from fairvec.papers.usefulness import BenchmarkRunner, TaskRunner, TranslationT, with_coverage
from fairvec.papers.variants import (
    DEFAULT,
    Column,
    DebiasedModels,
    FigureConvention,
    WithRepeats,
    alternative_conventions,
    paper_convention,
)
from fairvec.results import Description, Outcome, Result
from fairvec.stats import Sides, Ties

USUAL = Statistics()
InReach = Callable[[float, float], bool]
RULES: tuple[tuple[Sides, Ties], ...] = tuple(product(get_args(Sides), get_args(Ties)))
"""By which a p may be counted; those of the same words share what takes the time."""
SLOW_TO_COUNT = 40, 50
"""Words of both lists: fewer are counted in milliseconds, and of more there are only bounds."""
_Key = tuple[str, str, Debiasing | None, FigureConvention]


@dataclass(frozen=True, eq=False)
class MeasuredModel:
    """A model in its role with the outcome of each test, metric, debiasing and convention.

    `benchmarks` are what it answers to benchmarks, by the t of `ts`; `tasks` what it learns;
    `correlation` is how its words lean as they do in another model; `usual` is how p is counted and
    how much of a list has to be found.
    """

    player: RoleModel
    columns: DebiasedModels
    outcomes: dict[_Key, Outcome]
    p_values: PValueCache
    ts: TranslationT
    benchmarks: BenchmarkRunner
    tasks: TaskRunner
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
        papers = paper_convention(paper, cell.settings)
        return self.outcomes[*key, papers], self.outcomes[*key, DEFAULT]

    def with_interval(self, cell: Cell, level: float) -> Outcome:
        """Return the outcome of a test under the default with its interval, which takes longer."""
        column = self.columns.of(cell.settings.debias, DEFAULT.fit)
        audit = _audit(column, [cell.test], cell.settings.metric or "", DEFAULT)
        (found,) = run(Plan((audit,), replace(self.usual, level=level)), None, self.p_values)
        return found

    def score(self, cell: Cell, choices: FigureConvention) -> Score | None:
        """Return what a cell's test says under other choices, measured once for all rules of p."""
        by_any_rule = replace(choices, sides="two", ties=">=")
        key = (cell.test, cell.settings.metric or "", cell.settings.debias, by_any_rule)
        if key not in self.scores:
            column = self.columns.of(cell.settings.debias, choices.fit)
            audit = _audit(column, [cell.test], cell.settings.metric or "", choices)
            self.scores[key] = _scored(audit, self.usual)
        return self.scores[key]


def measured(
    player: RoleModel,
    cells: Iterable[Cell],
    paper: PaperConvention,
    progress: Progress | None = None,
    others: Mapping[str, Embedding] | None = None,
    smallest_coverage: float | None = None,
) -> MeasuredModel:
    """Measure the cells on a model, under the paper's convention and ours.

    `others` are the models of the other roles, with which this one may be correlated. What less
    than `smallest_coverage` of is found is skipped; the usual shares unless one is given.
    """
    usual = with_coverage(USUAL, smallest_coverage)
    cells = list(cells)
    both = [cell for cell in cells if cell.settings.against in (others or {})]
    correlation = _correlated(player, both[0], others or {}) if both else None
    asked = [cell.settings for cell in cells if cell.settings.benchmark]
    learnt = [(cell.settings, cell.settings.task) for cell in cells if cell.settings.task]
    cells = [cell for cell in cells if cell.test and not cell.settings.against]
    columns = DebiasedModels(player.model, (cell.test for cell in cells if cell.settings.debias))
    ts = TranslationT(player.model)
    benchmarks = BenchmarkRunner(columns, ts, smallest_coverage)
    for done, each in enumerate(asked):
        if progress:
            progress(done, len(asked), f"{player.model.name}: {each.benchmark}")
        for way in (benchmarks.papers_way(each), benchmarks.default_way(each)):
            benchmarks.asked(each, way)
    tasks = TaskRunner(columns)
    for done, (each, task) in enumerate(learnt):
        if progress:
            progress(done, len(learnt), f"{player.model.name}: {task.reviews}")
        tasks.papers_way(each, task)
        tasks.our_way(each, task)
    wanted: dict[tuple[str, Debiasing | None, FigureConvention], dict[str, None]] = defaultdict(
        dict
    )
    for cell in cells:
        for choices in (paper_convention(paper, cell.settings), DEFAULT):
            wanted[cell.settings.metric or "", cell.settings.debias, choices][cell.test] = None
    p_values = PValueCache()
    outcomes: dict[_Key, Outcome] = {}
    every = sum(map(len, wanted.values()))
    for (name, how, choices), tests in wanted.items():
        column, telling = columns.of(how, choices.fit), _after(len(outcomes), every, progress)
        for outcome in _run(column, tests, name, choices, p_values, telling, usual):
            outcomes[outcome.test.id, name, how, choices] = outcome
    return MeasuredModel(
        player, columns, outcomes, p_values, ts, benchmarks, tasks, correlation, usual
    )


def _after(before: int, every: int, progress: Progress | None) -> Progress | None:
    """Return what tells how far one run of several is, so that a share never falls."""
    if progress is None:
        return None
    return lambda done, _, what: progress(before + done, every, what)


def _correlated(player: RoleModel, cell: Cell, others: Mapping[str, Embedding]) -> Correlation:
    return bias_correlation(player.embedding, others[cell.settings.against or ""], cell.test)


def _run(
    column: Column,
    tests: Iterable[str],
    name: str,
    choices: FigureConvention,
    p_values: PValueCache,
    progress: Progress | None = None,
    usual: Statistics = USUAL,
) -> list[Outcome]:
    audit = _audit(column, tests, name, choices)
    # No paper prints an interval, and that of a long list takes longer than all of its p-values.
    statistics = replace(usual, sides=choices.sides, ties=choices.ties, interval="none")
    return run(Plan((audit,), statistics), progress, p_values)


def _audit(column: Column, tests: Iterable[str], name: str, choices: FigureConvention) -> Audit:
    size = effect_size(choices.effect_size)
    alike = (
        similarity_named(choices.similarity)
        if choices.similarity
        else default_similarity(column.original.geometry)
    )
    shared = {
        "similarity": alike,
        "effect_size": size,
        "permute": choices.permute,
        "target_templates": choices.target_templates,
        "attribute_templates": choices.attribute_templates,
    }
    chosen: Metric = configure_metric(name, shared)
    if choices.repeats == "kept":
        chosen = WithRepeats(chosen, size)
    chosen = column.measured_by(chosen, choices.moved)
    return Audit(column.embedding, tuple(select_tests(tests)), chosen)


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
        if coverage_shortfall(groups, audit.metric, usual.smallest_coverage):
            return None
        return audit.metric.measure(groups, audit.source.geometry)
    except Exception:  # as in a run: whatever it is, this convention explains nothing
        return None


def _only(
    quantity: str,
    score: Score | None,
    choices: FigureConvention,
    p_values: PValueCache,
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
    samples: TwoSamples, choices: FigureConvention, p_values: PValueCache, in_reach: InReach
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


def explanation(
    part: MeasuredModel, cell: Cell, paper: PaperConvention, figure: PrintedFigure
) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    settings = cell.settings
    papers = paper_convention(paper, settings)
    in_reach = partial(figure.may_be_between, samples=paper.samples)
    has_repeats = any(group.merged for group in part.outcomes_of(cell, paper)[0].coverage)
    for other in alternative_conventions(
        papers, figure.quantity, settings, has_repeats=has_repeats
    ):
        ours = _only(figure.quantity, part.score(cell, other), other, part.p_values, in_reach)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return other.beside(papers)
    return ""


# What is found for a cell: by a test, a benchmark, a question or a look at a concept's words.


Value = float | str | None


@dataclass(frozen=True)
class CellNumbers:
    """What was found for a cell, under the paper's convention and the default, and notes on it."""

    papers: Mapping[str, Value]
    default: Mapping[str, Value]
    notes: tuple[str, ...]


def cell_numbers(part: MeasuredModel, cell: Cell, paper: PaperConvention) -> CellNumbers:
    """Return the numbers of a cell, or the words where the paper prints words."""
    wanted = cell.settings
    if wanted.reads:
        return _read(part, wanted.reads, wanted)
    readers: list[tuple[object, Callable[[MeasuredModel, Settings], CellNumbers]]] = [
        (wanted.benchmark, _of_benchmark),
        (wanted.question, _of_question),
        (wanted.against, _of_two_models),
        (wanted.task, _of_task),
        (wanted.tells, _told),
    ]
    for is_wanted, read in readers:
        if is_wanted:
            return read(part, wanted)
    outcomes = part.outcomes_of(cell, paper)
    papers, default = ({q: number(one, q) for q in wanted.shows} for one in outcomes)
    return CellNumbers(papers, default, tuple(coverage_note(outcomes[0])))


def explained(
    part: MeasuredModel, cell: Cell, paper: PaperConvention, figure: PrintedFigure
) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    wanted = cell.settings
    if cell.test and not wanted.against:
        ours = number(part.outcomes_of(cell, paper)[0], figure.quantity)
        if ours is not None and _by_fewer_splits(figure, ours, paper):
            return f"the error of {paper.samples_in_code:,} random splits, as the authors' code has"
        return explanation(part, cell, paper, figure)
    for name, way in part.benchmarks.other_ways(wanted) if wanted.benchmark else ():
        outcome = part.benchmarks.asked(wanted, way)
        ours = None if isinstance(outcome, str) else number(outcome, figure.quantity)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return name
    return ""


def _by_fewer_splits(figure: PrintedFigure, ours: float, paper: PaperConvention) -> bool:
    """Say whether a p is matched if as many splits were drawn as the authors' code does."""
    fewer = paper.samples_in_code
    return figure.quantity == "p" and fewer is not None and figure.is_matched_by(ours, fewer)


def _read(part: MeasuredModel, reads: Reads, wanted: Settings) -> CellNumbers:
    found = concept_figure(part.player.embedding, reads, wanted.concept or "")
    if isinstance(found, str):
        return CellNumbers({}, {}, (found,))
    (quantity,) = wanted.shows
    return CellNumbers({quantity: found.papers}, {quantity: found.default}, (found.note,))


def _of_benchmark(part: MeasuredModel, wanted: Settings) -> CellNumbers:
    (quantity,) = wanted.shows
    asked = part.benchmarks
    papers, default = (
        asked.asked(wanted, way) for way in (asked.papers_way(wanted), asked.default_way(wanted))
    )
    if isinstance(papers, str):
        return CellNumbers({}, {}, (papers,))
    by_default = None if isinstance(default, str) else number(default, quantity)
    notes = (*asked.notes(wanted), *coverage_note(papers))
    return CellNumbers({quantity: number(papers, quantity)}, {quantity: by_default}, notes)


def _of_question(part: MeasuredModel, wanted: Settings) -> CellNumbers:
    (quantity,) = wanted.shows
    alike = similarity(wanted.similarity or "negative-distance")
    translating = Analogies("gyro-translation", alike, part.ts.t(wanted) or 0.0)
    model = part.columns.whole(wanted.debias, "default").vectors
    try:
        papers, default = (
            complete_analogy(wanted.question or (), model, metric)
            for metric in (translating, analogies_in(model.geometry))
        )
    except UndefinedError as error:
        return CellNumbers({}, {}, (f"{model.name}: {error}",))
    notes = (*part.ts.note(wanted), f"The best answers of {model.name}: {', '.join(papers)}.")
    return CellNumbers({quantity: papers[0]}, {quantity: default[0]}, notes)


def _told(part: MeasuredModel, wanted: Settings) -> CellNumbers:
    (quantity,) = wanted.shows
    if wanted.tells == "fitted-t":
        t = part.ts.chosen(wanted)
        return CellNumbers({quantity: t}, {quantity: t}, tuple(part.ts.note(wanted)))
    how = wanted.debias
    if how is None:
        why = f"{part.player.model.name} was given as it is: which of its words moved is not known."
        return CellNumbers({}, {}, (why,))
    papers, default = (part.columns.number_moved(how, fit) for fit in ("as-published", "default"))
    return CellNumbers({quantity: papers}, {quantity: default}, ())


def _of_two_models(part: MeasuredModel, wanted: Settings) -> CellNumbers:
    (quantity,) = wanted.shows
    found = part.correlation
    if found is None:
        return CellNumbers({}, {}, ())
    value = {quantity: found.by_pairs}
    return CellNumbers(value, value, found.notes)


def _of_task(part: MeasuredModel, wanted: Settings) -> CellNumbers:
    (quantity,) = wanted.shows
    if wanted.task is None:
        return CellNumbers({}, {}, ())
    papers, default = (
        way(wanted, wanted.task) for way in (part.tasks.papers_way, part.tasks.our_way)
    )
    ours, usual = (
        {} if isinstance(one, str) else {quantity: number(one, quantity)}
        for one in (papers, default)
    )
    notes = (papers,) if isinstance(papers, str) else part.tasks.notes(wanted, wanted.task)
    return CellNumbers(ours, usual, (*notes,))
