"""What the test of a claim is put to: the figures of the models that play its roles.

ClaimInputs            one measured model for each role, and its figures under one convention
pooled_effect_change   the change of the pooled effect of the same tests, word by word
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from fairvec.core.errors import UnanswerableError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.categories import SAMPLES, Poolable, as_poolable, pool_effects
from fairvec.experiments.comparison.before_after import paired_answers
from fairvec.experiments.comparison.paired import (
    PairedTests,
    effects_over_shared_words,
    pooled_change,
)
from fairvec.experiments.utility import UtilityAnswer
from fairvec.geometry import default_similarity
from fairvec.lexicon import resolve, select_tests
from fairvec.messages.categories import NOT_POOLED
from fairvec.messages.claims import BEFORE_AND_AFTER, quote, way_label
from fairvec.papers.claims.decide import Estimate, PairedChange
from fairvec.papers.measure import MeasuredModel, cell_numbers
from fairvec.papers.schema import (
    BenchmarkMeasure,
    Cell,
    CellRef,
    ConceptMeasure,
    CorrelationMeasure,
    DerivedFigure,
    Measure,
    Paper,
    TaskMeasure,
    TestMeasure,
    UnavailableError,
    derive,
)
from fairvec.papers.variants import DEFAULT, paper_convention
from fairvec.results import Outcome, Result, Skipped
from fairvec.stats import Interval
from fairvec.stats import bootstrap_interval as bootstrap
from fairvec.stats.crossed import crossed_difference, crossed_estimate, dyadic_mean
from fairvec.stats.values import is_sampling_floor

WEIGHT_SAMPLES = 100
"""Regroupings drawn where only the weights of tests are needed, which do not depend on them."""

FEWEST_RESAMPLES, MOST_RESAMPLES, NUMBERS_PER_INTERVAL = 2_000, 20_000, 2**24
"""Bootstrap resamples of a benchmark's items: as many as this many numbers allow, within limits."""

Pairs = PairedTests
"""The same tests in two versions of a model, or in two models."""

Key = TypeVar("Key")
Item = TypeVar("Item")
Answer = TypeVar("Answer")


def collect(
    ask: Callable[[Item], Answer], items: Mapping[Key, Item]
) -> tuple[dict[Key, Answer], dict[Key, str]]:
    """Ask for each item; return what there is by key, and the reasons for what there is not."""
    found, reasons = {}, {}
    for key, item in items.items():
        try:
            found[key] = ask(item)
        except UnavailableError as error:
            reasons[key] = str(error)
    return found, reasons


@dataclass(frozen=True, eq=False)
class ClaimInputs:
    """The figures of one model in each role of a claim, by the default convention or the paper's.

    What cannot be had raises UnavailableError.
    """

    paper: Paper
    measured_models: dict[str, MeasuredModel]
    convention: Literal["default", "paper"] = "default"

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, each once."""
        return tuple(
            dict.fromkeys(
                measured.role_model.model.name for measured in self.measured_models.values()
            )
        )

    @property
    def our_models(self) -> tuple[str, ...]:
        """The names of those that fairvec trained, which no paper measured."""
        models = [
            measured.role_model.model
            for measured in self.measured_models.values()
            if not measured.role_model.is_the_papers
        ]
        trained = (m.name for m in models if any(step.action == "trained" for step in m.history))
        return tuple(dict.fromkeys(trained))

    @property
    def is_the_papers(self) -> bool:
        """Whether the paper measured these very models, as far as anything published shows."""
        return all(measured.role_model.is_the_papers for measured in self.measured_models.values())

    def measured(self, cell: Cell) -> tuple[MeasuredModel, Measure]:
        """Return the model in a cell's role, and what the cell measures on it."""
        measured = self.measured_models[cell.role]
        return measured, measured.role_model.cell_for(cell).measure

    def poolable(self, cell: Cell) -> Poolable:
        """Return the words of a test with their scores."""
        outcome = self._outcome(cell)
        if isinstance(outcome, Skipped):
            raise UnavailableError(outcome.reason)
        try:
            return as_poolable(outcome)
        except UnanswerableError as error:
            raise UnavailableError(f"{cell.row} ({NOT_POOLED[error.kind]})") from None

    def result(self, cell: Cell, level: float | None = None) -> Result:
        """Return the result of a test, with an interval if a level is named."""
        outcome = self._outcome(cell, level)
        if isinstance(outcome, Result):
            return outcome
        raise UnavailableError(
            outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no test"
        )

    def number(self, cell: Cell, quantity: str = "") -> float:
        """Return the figure of a cell in the unit that is printed."""
        if isinstance(cell.measure, DerivedFigure):
            return self._derived(cell, cell.measure)
        measured = self.measured_models[cell.role]
        own_cell = measured.role_model.cell_for(cell)
        numbers = cell_numbers(measured, own_cell, self.paper.convention)
        values = numbers.papers if self.convention == "paper" else numbers.default
        value = values.get(quantity or quantity_of(cell))
        if isinstance(value, float | int):
            return float(value)
        raise UnavailableError(" ".join(numbers.notes) or f"{cell.row}: no number")

    def estimate(self, cell: Cell, name: str) -> Estimate:
        """Return the figure of a cell, with its p where the paper prints one."""
        p = self.result(cell).p.value if "p" in cell.settings.shows else None
        return Estimate(name, self.number(cell), p=p)

    def interval(self, cell: Cell, level: float) -> Interval | None:
        """Return the interval of a cell's figure in the unit that is printed; None if unknown."""
        measured, measure = self.measured(cell)
        unit = unit_of(cell)
        try:
            match measure:
                case BenchmarkMeasure():
                    setup = measured.benchmarks.default_setup(measure)
                    answer = measured.benchmarks.answer(measure, setup)
                    ends = _interval_of_benchmark(answer, level)
                case TaskMeasure(score=score):
                    trained = measured.tasks.default_result(measure)
                    estimate = crossed_estimate(trained.figures[score])
                    known = estimate.interval("items and trainings", level, within=(0, 1))
                    ends = known if estimate.variance else None
                case TestMeasure():
                    return self.result(cell, level).interval
                case ConceptMeasure():
                    known = measured.concept_figure(measure).interval
                    ends = known if known and level <= known.level else None
                case CorrelationMeasure():
                    found = measured.correlation(measure)
                    if found.by_pairs is None:
                        return None
                    ends = Interval.of_correlation(found.by_pairs, found.words, level)
                case _:
                    return None
        except UnavailableError:
            return None
        return ends and ends.scaled(unit)

    def words_found(self, cell: Cell) -> tuple[int, int]:
        """Return how many words of the first list of a test are in the vocabulary, and of how many.

        An encoder reads any word, so that nothing is known of the texts it learnt from.
        """
        model = self.measured_models[cell.role].role_model.model
        if not isinstance(model, Embedding):
            raise UnavailableError(
                f"{model.name} is an encoder, which reads words that its texts never had; use word "
                "vectors trained on them"
            )
        (selected,) = select_tests([cell.test])
        words = resolve(selected.test, model).groups["x"]
        return len(words.found) + len(words.merged), len(words.wordset.words)

    def papers_way(self, cells: Iterable[Cell], *, with_p: bool) -> tuple[str, ...]:
        """Return what the paper does another way than the default in computing these figures."""
        choices = (choice for cell in cells for choice in self._papers_choices(cell, with_p))
        return tuple(way_label(*choice) for choice in dict.fromkeys(choices))

    def _papers_choices(self, cell: Cell, with_p: bool) -> Iterator[tuple[str, str]]:
        """Yield each choice behind a figure that the paper makes another way, and its value."""
        measured, measure = self.measured(cell)
        with_p = with_p and "p" in cell.settings.shows
        match measure:
            case TestMeasure(metric=metric):
                papers = paper_convention(self.paper.convention, measure)
                choices = ["effect_size", "fit", "moved"]
                choices += ["sides", "ties"] if with_p else []
                choices += ["permute"] if with_p and metric == "seat" else []
                has_repeats = any(g.merged for g in self._outcome(cell).coverage)
                choices += ["repeats"] if has_repeats else []
                for name in choices:
                    if getattr(papers, name) != getattr(DEFAULT, name):
                        yield name, str(getattr(papers, name))
                geometry = measured.role_model.model.geometry
                if papers.similarity not in (None, default_similarity(geometry).name):
                    yield "similarity", papers.similarity or ""
            case BenchmarkMeasure():
                benchmarks = measured.benchmarks
                papers_setup, default = (
                    ask(measure) for ask in (benchmarks.paper_setup, benchmarks.default_setup)
                )
                if papers_setup.fit != default.fit:
                    yield "fit", papers_setup.fit
                if papers_setup.metric != default.metric:
                    by = f" ({measure.similarity})" if measure.similarity else ""
                    yield "answers by", f"{measure.method or 'similarity'}{by}"
            case TaskMeasure():
                yield "accuracy of", "one training of the paper's network"
            case _:
                return

    def side_labels(self, before: Cell, after: Cell) -> tuple[str, str]:
        """Return what to call two figures: by their models, their columns, or before and after."""
        models = [self.measured_models[cell.role].role_model.model.name for cell in (before, after)]
        if models[0] != models[1]:
            return f"in {models[0]}", f"in {models[1]}"
        if before.settings.debias and before.column != after.column:
            return f"with {quote(before.column)}", f"with {quote(after.column)}"
        return BEFORE_AND_AFTER

    def change(self, before: Cell, after: Cell, level: float) -> PairedChange:
        """Return the change of one figure, paired item by item."""
        match before.measure:
            case TestMeasure():
                pair = self.poolable(before), self.poolable(after)
                return pooled_effect_change((pair,), level)
            case BenchmarkMeasure():
                return self._change_of_benchmark(before, after, level)
            case TaskMeasure():
                return self._change_of_task(before, after, level)
        raise UnavailableError(f"{before.row}: nothing is known item by item")

    def _derived(self, cell: Cell, derived: DerivedFigure) -> float:
        """Return the figure derived from two other cells.

        A ratio to a figure that is not positive means nothing: two negative figures would look like
        a share.
        """

        def source(place: CellRef) -> float:
            source_cell = self.paper.cell_at(place)
            if source_cell.role not in self.measured_models:
                raise UnavailableError(f"{source_cell.row}: no model")
            return self.number(source_cell, derived.quantity)

        values, reasons = collect(source, {"x": derived.of, "y": derived.to})
        if derived.kind != "difference" and (share_of := values.get("y", 1.0)) <= 0:
            raise UnavailableError(
                f"{cell.row}: it would be a share of {share_of:.3g}, which is not positive"
            )
        if reasons:
            raise UnavailableError(" ".join(reasons.values()))
        in_per_cent = quantity_of(cell) == "%"
        value = derive(derived.kind, values["x"], values["y"], in_per_cent=in_per_cent)
        if value is None:
            raise UnavailableError(f"{cell.row}: no number")
        return value

    def _outcome(self, cell: Cell, level: float | None = None) -> Outcome:
        measured, measure = self.measured(cell)
        if not isinstance(measure, TestMeasure):
            raise UnavailableError(f"{cell.row}: no test")
        if level:
            return measured.outcome_with_interval(measure, level)
        papers, default = measured.outcomes_of(measure, self.paper.convention)
        return papers if self.convention == "paper" else default

    def _change_of_benchmark(self, before: Cell, after: Cell, level: float) -> PairedChange:
        old, new = (self._benchmark_answer(cell) for cell in (before, after))
        change = paired_answers(old, new, level)
        if change is None or new.figure is None:
            raise UnavailableError(f"{before.row}: no item was asked before and after")
        if change.p is None:
            raise UnavailableError(
                f"{before.row}: its items combine fewer than three pairs of a kind"
            )
        unit = unit_of(before)
        return PairedChange(
            unit * change.before,
            unit * change.after,
            change.p.value,
            change.difference and change.difference.scaled(unit),
            change.items,
            "Student's t over the pairs that items combine" if new.figure.shared else "",
            is_sampling_floor(change.p),
        )

    def _benchmark_answer(self, cell: Cell) -> UtilityAnswer:
        measured, measure = self.measured(cell)
        if not isinstance(measure, BenchmarkMeasure):
            raise UnavailableError(f"{cell.row}: no benchmark")
        answer = measured.benchmarks.answer(measure, measured.benchmarks.default_setup(measure))
        if answer.figure is None:
            outcome = answer.outcome
            raise UnavailableError(
                outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no figure"
            )
        return answer

    def _change_of_task(self, before: Cell, after: Cell, level: float) -> PairedChange:
        results = []
        for cell in (before, after):
            measured, measure = self.measured(cell)
            if not isinstance(measure, TaskMeasure):
                raise UnavailableError(f"{cell.row}: no task")
            results.append((measured.tasks.default_result(measure), measure.score))
        score = results[0][1]
        figures = [result.figures[score] for result, _ in results]
        change = crossed_difference(*figures)
        unit, ends = unit_of(before), change.interval("items and trainings", level)
        old, new = (unit * crossed_estimate(figure).estimate for figure in figures)
        return PairedChange(
            old,
            new,
            change.p,
            ends and ends.clipped(-1.0, 1.0).scaled(unit),
            len(results[0][0].predictions.indices),
            "Student's t over items and trainings",
        )


def _interval_of_benchmark(answer: UtilityAnswer, level: float) -> Interval | None:
    if answer.figure is None:
        return None
    sample, shared = answer.figure.samples, answer.figure.shared
    if shared:
        mean_of_pairs = dyadic_mean(sample.rows[:, 0], shared)
        ends = mean_of_pairs.interval("what items combine", level, within=(0, 1))
        return ends if mean_of_pairs.variance else None
    resamples = min(MOST_RESAMPLES, max(FEWEST_RESAMPLES, NUMBERS_PER_INTERVAL // sample.rows.size))
    resampled = bootstrap([sample.rows], sample.effect, level=level, resamples=resamples)
    # Where all items are alike resampling them shows nothing, least of all certainty.
    return resampled if resampled is not None and resampled.low < resampled.high else None


def pooled_effect_change(tests: PairedTests, level: float) -> PairedChange:
    """Return the change of the pooled effect of the same tests, and the test of it over words."""
    sides = [
        pool_effects([pair[side] for pair in tests], samples=WEIGHT_SAMPLES, interval=False)
        for side in (0, 1)
    ]
    weights = np.array(sides[0].weights), np.array(sides[1].weights)
    effects = effects_over_shared_words(tests, weights)
    seed = tests[0][1].result.seed
    tested = pooled_change(tests, weights, samples=SAMPLES, seed=seed, level=level)
    if tested is None or effects is None:
        raise UnavailableError("no word was found before and after")
    p, difference = tested
    words = {
        word.key
        for before, after in tests
        for word in after.result.words
        if (word.role, word.word) in {(old.role, old.word) for old in before.result.words}
    }
    return PairedChange(
        *effects,
        p.value,
        difference,
        len(words),
        "each word's change permuted between the lists",
        is_sampling_floor(p),
    )


def quantity_of(cell: Cell) -> str:
    """Return the quantity that counts as a cell's figure: the first it shows that is not p."""
    return next(
        (quantity for quantity in cell.settings.shows if quantity != "p"), cell.settings.shows[0]
    )


def unit_of(cell: Cell) -> float:
    """Return the factor from a share to the printed unit: 100 for per cent, else 1."""
    return 100.0 if quantity_of(cell) == "%" else 1.0
