"""Measure a paper's cells on one model, under the paper's convention and under fairvec's default.

measure_model         every test that the cells of a role need, in one run a convention
cell_numbers          the numbers of one cell, whatever kind of figure it is
matching_convention   the convention, if any, under which a figure that differs would match
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import get_args

from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.experiments.audit.inference import PValueCache
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress, run_tests
from fairvec.experiments.audit.test_words import require_coverage
from fairvec.geometry import default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import resolve, select_tests
from fairvec.messages.papers import best_answers_note
from fairvec.metrics import Metric, Score, TwoSamples, configure_metric, effect_size
from fairvec.metrics.utility import Analogies, analogies_in
from fairvec.papers.models import RoleModel, coverage_note
from fairvec.papers.printed import PrintedFigure
from fairvec.papers.readings import (
    ConceptFigure,
    Correlation,
    bias_correlation,
    complete_analogy,
    concept_figure,
    drawn_view,
)
from fairvec.papers.schema import (
    BenchmarkMeasure,
    Cell,
    ConceptMeasure,
    CorrelationMeasure,
    Debiasing,
    DerivedFigure,
    Measure,
    PaperConvention,
    PropertyMeasure,
    QuestionMeasure,
    TaskMeasure,
    TestMeasure,
    UnavailableError,
)
from fairvec.papers.usefulness import BenchmarkRunner, TaskRunner, TranslationT, with_coverage
from fairvec.papers.variants import (
    DebiasedColumn,
    DebiasedModels,
    FigureConvention,
    Memo,
    WithRepeats,
    alternative_conventions,
    default_convention,
    paper_convention,
)
from fairvec.results import Outcome, Result
from fairvec.results.records import ConceptView, Description
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

    `benchmarks` (with the t of `translation_t`) and `tasks` compute the figures of benchmarks and
    of the sentiment task once each; `others` are the models of the other roles, with which this one
    may be correlated; `statistics` is how p is counted and how much of a list has to be found.
    """

    role_model: RoleModel
    debiased: DebiasedModels
    outcomes: dict[_Key, Outcome]
    p_values: PValueCache
    translation_t: TranslationT
    benchmarks: BenchmarkRunner
    tasks: TaskRunner
    others: Mapping[str, Embedding]
    statistics: Statistics
    _correlations: Memo[CorrelationMeasure, Correlation] = field(default_factory=Memo)
    _concept_figures: Memo[ConceptMeasure, ConceptFigure] = field(default_factory=Memo)
    _scores: Memo[_Key, Score] = field(default_factory=Memo)

    @property
    def records(self) -> tuple[Outcome, ...]:
        """Every outcome behind the figures so far."""
        correlated = (outcome for found in self._correlations.values for outcome in found.outcomes)
        learnt = self.tasks.outcomes
        return (*self.outcomes.values(), *correlated, *self.benchmarks.outcomes, *learnt)

    def outcomes_of(self, measure: TestMeasure, paper: PaperConvention) -> tuple[Outcome, Outcome]:
        """Return the outcomes of a test: under the paper's convention and under the default."""
        key = (measure.test, measure.metric, measure.debias)
        papers, default = (
            self.outcomes[*key, convention]
            for convention in (paper_convention(paper, measure), default_convention(measure))
        )
        return papers, default

    def outcome_with_interval(self, measure: TestMeasure, level: float) -> Outcome:
        """Return the outcome of a test under the default with its interval, which takes longer."""
        convention = default_convention(measure)
        model = self.debiased.for_tests(measure.debias, convention.fit)
        (outcome,) = run_tests(
            model.embedding,
            select_tests([measure.test]),
            _metric(model, measure.metric, convention),
            replace(self.statistics, level=level),
            p_cache=self.p_values,
        )
        return outcome

    def score(self, measure: TestMeasure, convention: FigureConvention) -> Score:
        """Return the score of a test under other choices, measured once for all rules of p."""
        without_p_rule = replace(convention, sides="two", ties=">=")

        def compute() -> Score:
            model = self.debiased.for_tests(measure.debias, convention.fit)
            metric = _metric(model, measure.metric, convention)
            return _score(model.embedding, measure.test, metric, self.statistics)

        return self._scores.get(
            (measure.test, measure.metric, measure.debias, without_p_rule), compute
        )

    def correlation(self, measure: CorrelationMeasure) -> Correlation:
        """Return how alike the words of a test lean in this model and in that of another role."""
        other = self.others.get(measure.against)
        if other is None:
            raise UnavailableError(
                f"{measure.against} is played by an encoder; use word vectors, which have leanings."
            )
        return self._correlations.get(
            measure, lambda: bias_correlation(self.role_model.embedding, other, measure.test)
        )

    def drawn(self, measure: Measure) -> tuple[Description | ConceptView, ...]:
        """Return the records from which a figure of the paper is drawn; none for a table."""
        match measure:
            case CorrelationMeasure():
                outcomes = self.correlation(measure).outcomes
                return tuple(one for one in outcomes[:2] if isinstance(one, Description))
            case ConceptMeasure(reading="pair-variance" | "specific-words"):
                view = drawn_view(self.role_model.embedding, measure.reading, measure.concept)
                return (view,) if view else ()
        return ()

    def concept_figure(self, measure: ConceptMeasure) -> ConceptFigure:
        """Return a figure about a concept's words; raise UnavailableError if there is none."""
        return self._concept_figures.get(
            measure,
            lambda: concept_figure(self.role_model.embedding, measure.reading, measure.concept),
        )


def measure_model(
    role_model: RoleModel,
    cells: Iterable[Cell],
    paper: PaperConvention,
    progress: Progress | None = None,
    others: Mapping[str, Embedding] | None = None,
    min_coverage: float | None = None,
) -> MeasuredModel:
    """Run the tests of the cells on a model, under the paper's convention and ours.

    What is no test is computed when its cell is asked for. `others` are the models of the other
    roles, with which this one may be correlated. What less than `min_coverage` of is found is
    skipped; the usual shares unless one is given.
    """
    statistics = with_coverage(STATISTICS, min_coverage)
    measures = [cell.measure for cell in cells if isinstance(cell.measure, TestMeasure)]
    debiased = DebiasedModels(
        role_model.model, (measure.test for measure in measures if measure.debias)
    )
    translation_t = TranslationT(role_model.model)
    tests_by_setup: dict[tuple[str, Debiasing | None, FigureConvention], dict[str, None]] = (
        defaultdict(dict)
    )
    for measure in measures:
        for convention in (paper_convention(paper, measure), default_convention(measure)):
            tests_by_setup[measure.metric, measure.debias, convention][measure.test] = None
    p_values = PValueCache()
    outcomes: dict[_Key, Outcome] = {}
    total = sum(map(len, tests_by_setup.values()))
    for (name, debiasing, convention), tests in tests_by_setup.items():
        column = debiased.for_tests(debiasing, convention.fit)
        report = _offset_progress(len(outcomes), total, progress)
        for outcome in _run(column, tests, name, convention, p_values, report, statistics):
            outcomes[outcome.test.id, name, debiasing, convention] = outcome
    return MeasuredModel(
        role_model,
        debiased,
        outcomes,
        p_values,
        translation_t,
        BenchmarkRunner(debiased, translation_t, min_coverage),
        TaskRunner(debiased),
        others or {},
        statistics,
    )


def _offset_progress(before: int, every: int, progress: Progress | None) -> Progress | None:
    """Return the progress of one run among several, so that the reported share never falls."""
    if progress is None:
        return None
    return lambda done, _, what: progress(before + done, every, what)


def _run(
    model: DebiasedColumn,
    tests: Iterable[str],
    name: str,
    convention: FigureConvention,
    p_values: PValueCache,
    progress: Progress | None = None,
    base: Statistics = STATISTICS,
) -> list[Outcome]:
    # No paper prints an interval, and that of a long list takes longer than all of its p-values.
    statistics = replace(base, sides=convention.sides, ties=convention.ties, interval="none")
    return run_tests(
        model.embedding,
        select_tests(tests),
        _metric(model, name, convention),
        statistics,
        p_cache=p_values,
        progress=progress,
    )


def _metric(model: DebiasedColumn, name: str, convention: FigureConvention) -> Metric:
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
    return model.configure(metric, convention.moved)


def quantity_value(outcome: Outcome, quantity: str) -> float | None:
    """Return a quantity (d, p, a value or %) of an outcome; None if it has none."""
    if isinstance(outcome, Description):
        return outcome.value * (100 if quantity == "%" else 1)
    if not isinstance(outcome, Result):
        return None
    return {"d": outcome.effect, "p": outcome.p.value}.get(quantity)


def _score(
    model: Representation, test: str, metric: Metric, statistics: Statistics = STATISTICS
) -> Score:
    """Return the score of a test; raise UnavailableError where it cannot be measured."""
    try:
        groups = resolve(select_tests([test])[0].test, model)
        require_coverage(groups, metric, statistics.min_coverage)
        return metric.measure(groups, model.geometry)
    except FairvecError as error:
        raise UnavailableError(str(error)) from None


def _compute_quantity(
    quantity: str,
    score: Score,
    convention: FigureConvention,
    p_values: PValueCache,
    in_range: InRange = lambda low, high: True,
) -> float | None:
    """Return one quantity of a test with this score and compute nothing else: d needs no p.

    A p is not enumerated either if its proven bounds, which cost far less, are out of range.
    """
    if not isinstance(score.samples, TwoSamples):
        return score.value * (100 if quantity == "%" else 1)
    if quantity != "p":
        return score.value if quantity == "d" else None
    try:
        return _p(score.samples, convention, p_values, in_range)
    except FairvecError:  # a p that cannot be counted so explains nothing
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


Value = float | str | None


@dataclass(frozen=True)
class CellNumbers:
    """The values of a cell by quantity, under the paper's convention and the default, and notes.

    `outcome` is the record behind those under the paper's convention, where there is one.
    """

    papers: Mapping[str, Value]
    default: Mapping[str, Value]
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = None


def cell_numbers(measured: MeasuredModel, cell: Cell, paper: PaperConvention) -> CellNumbers:
    """Return the numbers of a cell, or the words where the paper prints words.

    Raise UnavailableError where the model has none.
    """
    quantity = cell.settings.shows[0]
    match cell.measure:
        case TestMeasure() as measure:
            outcomes = measured.outcomes_of(measure, paper)
            papers, default = (
                {shown: quantity_value(outcome, shown) for shown in cell.settings.shows}
                for outcome in outcomes
            )
            notes = coverage_note(outcomes[0], of_p="p" in cell.settings.shows)
            return CellNumbers(papers, default, tuple(notes), outcomes[0])
        case BenchmarkMeasure() as measure:
            return _of_benchmark(measured, measure, quantity)
        case QuestionMeasure() as measure:
            return _of_question(measured, measure, quantity)
        case CorrelationMeasure() as measure:
            correlation = measured.correlation(measure)
            value = {quantity: correlation.by_pairs}
            return CellNumbers(value, value, correlation.notes)
        case TaskMeasure() as measure:
            return _of_task(measured.tasks, measure, quantity)
        case ConceptMeasure() as measure:
            found = measured.concept_figure(measure)
            return CellNumbers({quantity: found.papers}, {quantity: found.default}, (found.note,))
        case PropertyMeasure() as measure:
            return _of_property(measured, measure, quantity)
        case DerivedFigure():
            raise UnavailableError(f"{cell.row} is made of two other figures.")


def _of_benchmark(measured: MeasuredModel, measure: BenchmarkMeasure, quantity: str) -> CellNumbers:
    benchmarks = measured.benchmarks
    outcome = benchmarks.outcome(measure, benchmarks.paper_setup(measure))
    default: dict[str, Value] = {quantity: None}
    with suppress(UnavailableError):
        by_default = benchmarks.outcome(measure, benchmarks.default_setup(measure))
        default = {quantity: quantity_value(by_default, quantity)}
    notes = (*benchmarks.notes(measure), *coverage_note(outcome))
    return CellNumbers({quantity: quantity_value(outcome, quantity)}, default, notes, outcome)


def _of_question(measured: MeasuredModel, measure: QuestionMeasure, quantity: str) -> CellNumbers:
    t = measured.translation_t.t(measure.similarity, measure.t) or 0.0
    translation = Analogies("gyro-translation", similarity_named(measure.similarity), t)
    model = measured.debiased.full_model(measure.debias, "default").vectors
    try:
        papers, default = (
            complete_analogy(measure.question, model, metric)
            for metric in (translation, analogies_in(model.geometry))
        )
    except UndefinedError as error:
        raise UnavailableError(f"{model.name}: {error}") from None
    notes = (
        *measured.translation_t.note(measure.similarity, measure.t),
        best_answers_note(model.name, papers),
    )
    return CellNumbers({quantity: papers[0]}, {quantity: default[0]}, notes)


def _of_task(tasks: TaskRunner, measure: TaskMeasure, quantity: str) -> CellNumbers:
    """Return both figures; without the paper's, which needs torch, that by default alone."""
    papers: dict[str, Value] = {}
    default: dict[str, Value] = {}
    notes: tuple[str, ...]
    outcome = None
    try:
        outcome = tasks.paper_figure(measure)
        papers = {quantity: quantity_value(outcome, quantity)}
        notes = tuple(tasks.notes(measure))
    except UnavailableError as error:
        notes = (str(error),)
    with suppress(UnavailableError):
        default = {quantity: quantity_value(tasks.default_figure(measure), quantity)}
    return CellNumbers(papers, default, notes, outcome)


def _of_property(measured: MeasuredModel, measure: PropertyMeasure, quantity: str) -> CellNumbers:
    if measure.property == "fitted-t":
        similarity = measure.similarity or ""
        value = {quantity: measured.translation_t.chosen(similarity)}
        return CellNumbers(value, value, tuple(measured.translation_t.note(similarity, measure.t)))
    debiasing = measure.debias
    if debiasing is None:
        raise UnavailableError(
            f"{measured.role_model.model.name} was given as it is: which of its words moved is not "
            "known."
        )
    papers, default = (
        measured.debiased.count_moved(debiasing, fit) for fit in ("as-published", "default")
    )
    return CellNumbers({quantity: papers}, {quantity: default})


def matching_convention(
    measured: MeasuredModel, cell: Cell, paper: PaperConvention, figure: PrintedFigure
) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    match cell.measure:
        case TestMeasure() as measure:
            ours = quantity_value(measured.outcomes_of(measure, paper)[0], figure.quantity)
            if ours is not None and _matches_fewer_splits(figure, ours, paper):
                splits = f"{paper.samples_in_code:,} random splits"
                return f"the error of {splits}, as the authors' code has"
            return _matching_test_convention(measured, measure, paper, figure)
        case BenchmarkMeasure() as measure:
            for name, setup in measured.benchmarks.alternative_setups(measure):
                with suppress(UnavailableError):
                    outcome = measured.benchmarks.outcome(measure, setup)
                    value = quantity_value(outcome, figure.quantity)
                    if value is not None and figure.matches(value, paper.samples):
                        return name
    return ""


def _matching_test_convention(
    measured: MeasuredModel, measure: TestMeasure, paper: PaperConvention, figure: PrintedFigure
) -> str:
    paper_choice = paper_convention(paper, measure)
    in_range = partial(figure.could_match, samples=paper.samples)
    has_repeats = any(group.merged for group in measured.outcomes_of(measure, paper)[0].coverage)
    for alternative in alternative_conventions(
        paper_choice, figure.quantity, measure, has_repeats=has_repeats
    ):
        with suppress(UnavailableError):
            ours = _compute_quantity(
                figure.quantity,
                measured.score(measure, alternative),
                alternative,
                measured.p_values,
                in_range,
            )
            if ours is not None and figure.matches(ours, paper.samples):
                return alternative.differences_from(paper_choice)
    return ""


def _matches_fewer_splits(figure: PrintedFigure, ours: float, paper: PaperConvention) -> bool:
    """Return whether a p is matched if as many splits were drawn as the authors' code does."""
    fewer = paper.samples_in_code
    return figure.quantity == "p" and fewer is not None and figure.matches(ours, fewer)
