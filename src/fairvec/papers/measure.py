"""Measure a paper's cells on one model, under the paper's convention and under fairvec's default.

measure_model         every test, benchmark and task that the cells of a role need
cell_numbers          the numbers of one cell, whatever kind of figure it is
matching_convention   the convention, if any, under which a figure that differs would match
"""

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
from fairvec.geometry import default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics import Metric, Score, TwoSamples, configure_metric, effect_size
from fairvec.metrics.utility import Analogies, analogies_in
from fairvec.papers.models import RoleModel
from fairvec.papers.notes import coverage_note
from fairvec.papers.readings import Correlation, bias_correlation, complete_analogy, concept_figure
from fairvec.papers.schema import (
    Cell,
    CellSettings,
    ConceptReading,
    Debiasing,
    PaperConvention,
    PrintedFigure,
)
from fairvec.papers.usefulness import BenchmarkRunner, TaskRunner, TranslationT, with_coverage
from fairvec.papers.variants import (
    DEFAULT,
    DebiasedColumn,
    DebiasedModels,
    FigureConvention,
    WithRepeats,
    alternative_conventions,
    paper_convention,
)
from fairvec.results import Description, Outcome, Result
from fairvec.stats import Sides, Ties

STATISTICS = Statistics()
InRange = Callable[[float, float], bool]
P_RULES: tuple[tuple[Sides, Ties], ...] = tuple(product(get_args(Sides), get_args(Ties)))
"""Every combination of sides and ties of a p-value; one enumeration of the words serves all."""
SLOW_TO_ENUMERATE = 40, 50
"""Words of both lists: fewer are enumerated in milliseconds, and for more there are only bounds."""
_Key = tuple[str, str, Debiasing | None, FigureConvention]


@dataclass(frozen=True, eq=False)
class MeasuredModel:
    """A model in its role with the outcome of each test, metric, debiasing and convention.

    `benchmarks` (with the t of `translation_t`) and `tasks` hold the results of benchmarks and of
    the sentiment task; `correlation` is that of its biases with another model's; `statistics` is
    how p is counted and how much of a list has to be found.
    """

    role_model: RoleModel
    debiased: DebiasedModels
    outcomes: dict[_Key, Outcome]
    p_values: PValueCache
    translation_t: TranslationT
    benchmarks: BenchmarkRunner
    tasks: TaskRunner
    correlation: Correlation | None
    statistics: Statistics
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
        paper_choice = paper_convention(paper, cell.settings)
        return self.outcomes[*key, paper_choice], self.outcomes[*key, DEFAULT]

    def outcome_with_interval(self, cell: Cell, level: float) -> Outcome:
        """Return the outcome of a test under the default with its interval, which takes longer."""
        model = self.debiased.for_tests(cell.settings.debias, DEFAULT.fit)
        audit = _audit(model, [cell.test], cell.settings.metric or "", DEFAULT)
        (outcome,) = run(Plan((audit,), replace(self.statistics, level=level)), None, self.p_values)
        return outcome

    def score(self, cell: Cell, convention: FigureConvention) -> Score | None:
        """Return what a cell's test says under other choices, measured once for all rules of p."""
        without_p_rule = replace(convention, sides="two", ties=">=")
        key = (cell.test, cell.settings.metric or "", cell.settings.debias, without_p_rule)
        if key not in self.scores:
            model = self.debiased.for_tests(cell.settings.debias, convention.fit)
            audit = _audit(model, [cell.test], cell.settings.metric or "", convention)
            self.scores[key] = _score_audit(audit, self.statistics)
        return self.scores[key]


def measure_model(
    role_model: RoleModel,
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
    statistics = with_coverage(STATISTICS, smallest_coverage)
    cells = list(cells)
    correlated = [cell for cell in cells if cell.settings.against in (others or {})]
    correlation = _correlate(role_model, correlated[0], others or {}) if correlated else None
    benchmark_cells = [cell.settings for cell in cells if cell.settings.benchmark]
    task_cells = [(cell.settings, cell.settings.task) for cell in cells if cell.settings.task]
    cells = [cell for cell in cells if cell.test and not cell.settings.against]
    debiased = DebiasedModels(
        role_model.model, (cell.test for cell in cells if cell.settings.debias)
    )
    translation_t = TranslationT(role_model.model)
    benchmarks = BenchmarkRunner(debiased, translation_t, smallest_coverage)
    for done, settings in enumerate(benchmark_cells):
        if progress:
            progress(done, len(benchmark_cells), f"{role_model.model.name}: {settings.benchmark}")
        for setup in (benchmarks.paper_setup(settings), benchmarks.default_setup(settings)):
            benchmarks.outcome(settings, setup)
    tasks = TaskRunner(debiased)
    for done, (settings, task) in enumerate(task_cells):
        if progress:
            progress(done, len(task_cells), f"{role_model.model.name}: {task.reviews}")
        tasks.paper_figure(settings, task)
        tasks.default_figure(settings, task)
    tests_by_setup: dict[tuple[str, Debiasing | None, FigureConvention], dict[str, None]] = (
        defaultdict(dict)
    )
    for cell in cells:
        for convention in (paper_convention(paper, cell.settings), DEFAULT):
            tests_by_setup[cell.settings.metric or "", cell.settings.debias, convention][
                cell.test
            ] = None
    p_values = PValueCache()
    outcomes: dict[_Key, Outcome] = {}
    total = sum(map(len, tests_by_setup.values()))
    for (name, debiasing, convention), tests in tests_by_setup.items():
        column, report = (
            debiased.for_tests(debiasing, convention.fit),
            _offset_progress(len(outcomes), total, progress),
        )
        for outcome in _run(column, tests, name, convention, p_values, report, statistics):
            outcomes[outcome.test.id, name, debiasing, convention] = outcome
    return MeasuredModel(
        role_model,
        debiased,
        outcomes,
        p_values,
        translation_t,
        benchmarks,
        tasks,
        correlation,
        statistics,
    )


def _offset_progress(before: int, every: int, progress: Progress | None) -> Progress | None:
    """Return the progress of one run among several, so that the reported share never falls."""
    if progress is None:
        return None
    return lambda done, _, what: progress(before + done, every, what)


def _correlate(role_model: RoleModel, cell: Cell, others: Mapping[str, Embedding]) -> Correlation:
    return bias_correlation(role_model.embedding, others[cell.settings.against or ""], cell.test)


def _run(
    model: DebiasedColumn,
    tests: Iterable[str],
    name: str,
    convention: FigureConvention,
    p_values: PValueCache,
    progress: Progress | None = None,
    base: Statistics = STATISTICS,
) -> list[Outcome]:
    audit = _audit(model, tests, name, convention)
    # No paper prints an interval, and that of a long list takes longer than all of its p-values.
    statistics = replace(base, sides=convention.sides, ties=convention.ties, interval="none")
    return run(Plan((audit,), statistics), progress, p_values)


def _audit(
    model: DebiasedColumn, tests: Iterable[str], name: str, convention: FigureConvention
) -> Audit:
    size = effect_size(convention.effect_size)
    chosen_similarity = (
        similarity_named(convention.similarity)
        if convention.similarity
        else default_similarity(model.original.geometry)
    )
    metric_settings = {
        "similarity": chosen_similarity,
        "effect_size": size,
        "permute": convention.permute,
        "target_templates": convention.target_templates,
        "attribute_templates": convention.attribute_templates,
    }
    metric: Metric = configure_metric(name, metric_settings)
    if convention.repeats == "kept":
        metric = WithRepeats(metric, size)
    metric = model.configure(metric, convention.moved)
    return Audit(model.embedding, tuple(select_tests(tests)), metric)


def quantity_value(outcome: Outcome, quantity: str) -> float | None:
    """Return a quantity (d, p, a value or %) of an outcome; None if it has none."""
    if isinstance(outcome, Description):
        return outcome.value * (100 if quantity == "%" else 1)
    if not isinstance(outcome, Result):
        return None
    return {"d": outcome.effect, "p": outcome.p.value}.get(quantity)


def _score_audit(audit: Audit, statistics: Statistics = STATISTICS) -> Score | None:
    """Return the score of an audit's only test; None where it cannot be measured."""
    try:
        groups = resolve(audit.tests[0].test, audit.source)
        if coverage_shortfall(groups, audit.metric, statistics.smallest_coverage):
            return None
        return audit.metric.measure(groups, audit.source.geometry)
    except Exception:  # as in a run: whatever it is, this convention explains nothing
        return None


def _compute_quantity(
    quantity: str,
    score: Score | None,
    convention: FigureConvention,
    p_values: PValueCache,
    in_range: InRange = lambda low, high: True,
) -> float | None:
    """Return one quantity of a test with this score and compute nothing else: d needs no p.

    A p is not enumerated either if its proven bounds, which cost far less, are out of range.
    """
    if score is None:
        return None
    if not isinstance(score.samples, TwoSamples):
        return score.value * (100 if quantity == "%" else 1)
    if quantity != "p":
        return score.value if quantity == "d" else None
    try:
        return _p(score.samples, convention, p_values, in_range)
    except Exception:  # as in a run: p that cannot be counted so explains nothing
        return None


def _p(
    samples: TwoSamples, convention: FigureConvention, p_values: PValueCache, in_range: InRange
) -> float | None:
    x, y = (samples.leanings(rows) for rows in (samples.x, samples.y))
    rule = P_RULES.index((convention.sides, convention.ties))
    p_value = partial(p_values.of, x, y, samples=STATISTICS.samples, seed=STATISTICS.seed)
    if not SLOW_TO_ENUMERATE[0] <= len(x) + len(y) <= SLOW_TO_ENUMERATE[1]:
        return p_value(P_RULES, method=STATISTICS.method)[rule].value
    bounds = p_value(P_RULES, method="certified")[rule]
    if not in_range(bounds.low, bounds.high):
        return None
    return p_value([P_RULES[rule]], method=STATISTICS.method)[0].value


def _matching_test_convention(
    measured: MeasuredModel, cell: Cell, paper: PaperConvention, figure: PrintedFigure
) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    settings = cell.settings
    paper_choice = paper_convention(paper, settings)
    in_range = partial(figure.could_match, samples=paper.samples)
    has_repeats = any(group.merged for group in measured.outcomes_of(cell, paper)[0].coverage)
    for alternative in alternative_conventions(
        paper_choice, figure.quantity, settings, has_repeats=has_repeats
    ):
        ours = _compute_quantity(
            figure.quantity,
            measured.score(cell, alternative),
            alternative,
            measured.p_values,
            in_range,
        )
        if ours is not None and figure.matches(ours, paper.samples):
            return alternative.differences_from(paper_choice)
    return ""


Value = float | str | None


@dataclass(frozen=True)
class CellNumbers:
    """The values of a cell by quantity, under the paper's convention and the default, and notes."""

    papers: Mapping[str, Value]
    default: Mapping[str, Value]
    notes: tuple[str, ...]


def cell_numbers(measured: MeasuredModel, cell: Cell, paper: PaperConvention) -> CellNumbers:
    """Return the numbers of a cell, or the words where the paper prints words."""
    settings = cell.settings
    if settings.reads:
        return _of_concept(measured, settings.reads, settings)
    readers: list[tuple[object, Callable[[MeasuredModel, CellSettings], CellNumbers]]] = [
        (settings.benchmark, _of_benchmark),
        (settings.question, _of_question),
        (settings.against, _of_two_models),
        (settings.task, _of_task),
        (settings.tells, _of_model_property),
    ]
    for value, measure in readers:
        if value:
            return measure(measured, settings)
    outcomes = measured.outcomes_of(cell, paper)
    papers, default = (
        {q: quantity_value(outcome, q) for q in settings.shows} for outcome in outcomes
    )
    return CellNumbers(papers, default, tuple(coverage_note(outcomes[0])))


def matching_convention(
    measured: MeasuredModel, cell: Cell, paper: PaperConvention, figure: PrintedFigure
) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    settings = cell.settings
    if cell.test and not settings.against:
        ours = quantity_value(measured.outcomes_of(cell, paper)[0], figure.quantity)
        if ours is not None and _by_fewer_splits(figure, ours, paper):
            return f"the error of {paper.samples_in_code:,} random splits, as the authors' code has"
        return _matching_test_convention(measured, cell, paper, figure)
    for name, setup in (
        measured.benchmarks.alternative_setups(settings) if settings.benchmark else ()
    ):
        outcome = measured.benchmarks.outcome(settings, setup)
        ours = None if isinstance(outcome, str) else quantity_value(outcome, figure.quantity)
        if ours is not None and figure.matches(ours, paper.samples):
            return name
    return ""


def _by_fewer_splits(figure: PrintedFigure, ours: float, paper: PaperConvention) -> bool:
    """Say whether a p is matched if as many splits were drawn as the authors' code does."""
    fewer = paper.samples_in_code
    return figure.quantity == "p" and fewer is not None and figure.matches(ours, fewer)


def _of_concept(
    measured: MeasuredModel, reading: ConceptReading, settings: CellSettings
) -> CellNumbers:
    found = concept_figure(measured.role_model.embedding, reading, settings.concept or "")
    if isinstance(found, str):
        return CellNumbers({}, {}, (found,))
    (quantity,) = settings.shows
    return CellNumbers({quantity: found.papers}, {quantity: found.default}, (found.note,))


def _of_benchmark(measured: MeasuredModel, settings: CellSettings) -> CellNumbers:
    (quantity,) = settings.shows
    benchmarks = measured.benchmarks
    papers, default = (
        benchmarks.outcome(settings, setup)
        for setup in (benchmarks.paper_setup(settings), benchmarks.default_setup(settings))
    )
    if isinstance(papers, str):
        return CellNumbers({}, {}, (papers,))
    by_default = None if isinstance(default, str) else quantity_value(default, quantity)
    notes = (*benchmarks.notes(settings), *coverage_note(papers))
    return CellNumbers({quantity: quantity_value(papers, quantity)}, {quantity: by_default}, notes)


def _of_question(measured: MeasuredModel, settings: CellSettings) -> CellNumbers:
    (quantity,) = settings.shows
    chosen_similarity = similarity_named(settings.similarity or "negative-distance")
    translating = Analogies(
        "gyro-translation", chosen_similarity, measured.translation_t.t(settings) or 0.0
    )
    model = measured.debiased.full_model(settings.debias, "default").vectors
    try:
        papers, default = (
            complete_analogy(settings.question or (), model, metric)
            for metric in (translating, analogies_in(model.geometry))
        )
    except UndefinedError as error:
        return CellNumbers({}, {}, (f"{model.name}: {error}",))
    notes = (
        *measured.translation_t.note(settings),
        f"The best answers of {model.name}: {', '.join(papers)}.",
    )
    return CellNumbers({quantity: papers[0]}, {quantity: default[0]}, notes)


def _of_model_property(measured: MeasuredModel, settings: CellSettings) -> CellNumbers:
    (quantity,) = settings.shows
    if settings.tells == "fitted-t":
        t = measured.translation_t.chosen(settings)
        return CellNumbers(
            {quantity: t}, {quantity: t}, tuple(measured.translation_t.note(settings))
        )
    debiasing = settings.debias
    if debiasing is None:
        name = measured.role_model.model.name
        reason = f"{name} was given as it is: which of its words moved is not known."
        return CellNumbers({}, {}, (reason,))
    papers, default = (
        measured.debiased.count_moved(debiasing, fit) for fit in ("as-published", "default")
    )
    return CellNumbers({quantity: papers}, {quantity: default}, ())


def _of_two_models(measured: MeasuredModel, settings: CellSettings) -> CellNumbers:
    (quantity,) = settings.shows
    found = measured.correlation
    if found is None:
        return CellNumbers({}, {}, ())
    value = {quantity: found.by_pairs}
    return CellNumbers(value, value, found.notes)


def _of_task(measured: MeasuredModel, settings: CellSettings) -> CellNumbers:
    (quantity,) = settings.shows
    if settings.task is None:
        return CellNumbers({}, {}, ())
    papers, default = (
        figure(settings, settings.task)
        for figure in (measured.tasks.paper_figure, measured.tasks.default_figure)
    )
    ours, by_default = (
        {} if isinstance(figure, str) else {quantity: quantity_value(figure, quantity)}
        for figure in (papers, default)
    )
    notes = (papers,) if isinstance(papers, str) else measured.tasks.notes(settings, settings.task)
    return CellNumbers(ours, by_default, (*notes,))
