"""Benchmarks and the sentiment task in a paper's tables, under its setup and fairvec's default."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import cast, get_args

from fairvec import catalogue
from fairvec.benchmarks import ReviewColumns, ReviewSet, SemBiasSet, benchmark, load_reviews
from fairvec.catalogue.cache import cache_folder
from fairvec.core.errors import FairvecError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.sentiment.learning import (
    TaskResult,
    check_vocabulary,
    run_task,
    run_task_on_all,
)
from fairvec.experiments.utility import USUAL, UtilityAnswer, ask_benchmark
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, SIMILARITIES, default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.messages.papers import chosen_t_note, published_t_note, training_label
from fairvec.metrics.utility import Analogies, SemBias, UtilityMetric, WordSimilarity, metric_for
from fairvec.papers.schema import (
    BenchmarkMeasure,
    Debiasing,
    FitKind,
    PaperTask,
    TaskMeasure,
    UnavailableError,
)
from fairvec.papers.variants import DebiasedModels, Memo, published_fit
from fairvec.results import Outcome, Skipped
from fairvec.results.records import Description
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork, encode_reviews
from fairvec.tasks.sentiment.task import SentimentTask


@dataclass(frozen=True, eq=False)
class TranslationT:
    """The t of gyro-translation of a model, chosen for each similarity by cross-validation.

    t says where between its two solutions an analogy is answered.

    A debiased model has the t of the model that it was made from, so that the two differ in their
    vectors alone. Where t cannot be chosen it is the published one, and a note says why.
    """

    model: Representation
    _cache: dict[str, tuple[float | None, str]] = field(default_factory=dict)

    def t(self, similarity: str, published: float) -> float | None:
        """Return t for a similarity, the published one where none can be chosen.

        None in flat space, where every t leads to the same point.
        """
        if not self.model.geometry.curvature:
            return None
        chosen, _ = self._cached_choice(similarity)
        return published if chosen is None else chosen

    def chosen(self, similarity: str) -> float | None:
        """Return t as it was chosen on the model; None where it cannot be."""
        return self._cached_choice(similarity)[0] if self.model.geometry.curvature else None

    def note(self, similarity: str, published: float) -> Iterator[str]:
        """Yield what t is and where it comes from; in flat space nothing."""
        if not self.model.geometry.curvature:
            return
        chosen, reason = self._cached_choice(similarity)
        if chosen is None:
            yield published_t_note(published, reason)
        else:
            yield chosen_t_note(chosen, self.model.name, similarity, published)

    def _cached_choice(self, similarity: str) -> tuple[float | None, str]:
        if similarity not in self._cache:
            self._cache[similarity] = self._choose(similarity)
        return self._cache[similarity]

    def _choose(self, similarity: str) -> tuple[float | None, str]:
        if not catalogue.has_dataset("sembias"):
            return None, "the pairs of SemBias, by which it is chosen, are not at hand."
        if not isinstance(self.model, Embedding):
            return None, "an encoder has no vocabulary to choose it on."
        sembias = cast(SemBiasSet, benchmark("sembias"))
        metric = SemBias("gyro-translation", similarity_named(similarity) if similarity else None)
        try:
            return metric.with_chosen_t(sembias, self.model).t, ""
        except UndefinedError as error:
            return None, str(error)


_STATISTICS = replace(USUAL, resamples=1_000)
"""No smallest coverage: the papers state none, and a note says how many items were answered."""

_FIT_LABELS = {"default": "default", "as-published": "published"}


def with_coverage(statistics: Statistics, smallest: float | None) -> Statistics:
    """Return statistics that ask for another coverage, if one was given."""
    return statistics if smallest is None else replace(statistics, min_coverage=smallest)


@dataclass(frozen=True)
class BenchmarkSetup:
    """A metric, and by which settings a debiased model was debiased."""

    metric: UtilityMetric
    fit: FitKind = "default"


class BenchmarkRunner:
    """Benchmark results of a model and its debiased versions; each is computed once."""

    def __init__(
        self,
        columns: DebiasedModels,
        translation_t: TranslationT,
        min_coverage: float | None = None,
    ) -> None:
        self._columns = columns
        self._translation_t = translation_t
        self._statistics = with_coverage(_STATISTICS, min_coverage)
        self._answers: Memo[tuple[str, Debiasing | None, BenchmarkSetup], list[UtilityAnswer]] = (
            Memo()
        )

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All that was answered so far."""
        return tuple(answer.outcome for answers in self._answers.values for answer in answers)

    def outcome(self, measure: BenchmarkMeasure, setup: BenchmarkSetup, name: str = "") -> Outcome:
        """Return what a benchmark says of the part that is measured."""
        return self.answer(measure, setup, name).outcome

    def answer(
        self, measure: BenchmarkMeasure, setup: BenchmarkSetup, name: str = ""
    ) -> UtilityAnswer:
        """Return the same with the figure item by item; another benchmark's by its `name`."""
        name = name or measure.benchmark
        answers = self._answers.get(
            (name, measure.debias, setup),
            lambda: ask_benchmark(
                setup.metric,
                benchmark(name),
                self._columns.full_model(measure.debias, setup.fit).vectors,
                self._statistics,
            ),
        )
        first = answers[0].outcome
        # What could not be asked at all is skipped as a whole.
        if not measure.part or (first.test.id == name and isinstance(first, Skipped)):
            return answers[0]
        parts = {answer.outcome.test.id.partition("/")[2]: answer for answer in answers}
        if measure.part not in parts:
            error = UnknownNameError(f"part of {name}", measure.part, filter(None, parts))
            raise UnavailableError(str(error))
        return parts[measure.part]

    def paper_setup(self, measure: BenchmarkMeasure) -> BenchmarkSetup:
        """Return how the paper asks."""
        return BenchmarkSetup(self._metric(measure), published_fit(measure.debias))

    def default_setup(self, measure: BenchmarkMeasure) -> BenchmarkSetup:
        """Return how fairvec asks a model of this geometry by default."""
        metric = metric_for(benchmark(measure.benchmark), self._columns.geometry)
        if isinstance(metric, WordSimilarity):
            metric = WordSimilarity(default_similarity(self._columns.geometry))
        return BenchmarkSetup(metric)

    def alternative_setups(self, measure: BenchmarkMeasure) -> Iterator[tuple[str, BenchmarkSetup]]:
        """Yield the named ways that could give another figure than the paper's."""
        papers = self.paper_setup(measure)
        fits = get_args(FitKind) if measure.debias else (papers.fit,)
        for fit, (name, metric) in product(fits, self._alternative_metrics(measure).items()):
            debiased_by = f", debiased by the {_FIT_LABELS[fit]} settings" if measure.debias else ""
            yield f"{name}{debiased_by}", BenchmarkSetup(metric, fit)

    def notes(self, measure: BenchmarkMeasure) -> Iterator[str]:
        """Yield which t was used, and what benchmarks beside this one give."""
        setup = self.paper_setup(measure)
        if measure.method == "gyro-translation":
            yield from self._translation_t.note(measure.similarity or "", measure.t)
        if isinstance(setup.metric, SemBias) and not setup.metric.is_translated:
            yield "In flat space SemBias is asked by offset-angle, also as published."
        figures = []
        for name in filter(catalogue.has_dataset, measure.beside):
            with suppress(UnavailableError):
                other = self.outcome(measure, setup, name)
                figures += (
                    [f"{other.value:.4f} on {name}"] if isinstance(other, Description) else []
                )
        if figures:
            yield f"Beside it: {' and '.join(figures)}."

    def _t(self, measure: BenchmarkMeasure, similarity: str | None = None) -> float | None:
        return self._translation_t.t(similarity or measure.similarity or "", measure.t)

    def _metric(self, measure: BenchmarkMeasure) -> UtilityMetric:
        chosen = similarity_named(measure.similarity) if measure.similarity else None
        match catalogue.dataset(measure.benchmark).kind:
            case "similarity":
                return WordSimilarity(chosen)
            case "analogy" if measure.method == "gyro-translation":
                return Analogies("gyro-translation", chosen, self._t(measure) or 0.0)
            case "analogy":
                return Analogies()
            case _ if measure.method == "gyro-translation" and self._columns.geometry.curvature:
                return SemBias("gyro-translation", chosen, self._t(measure))
        # Kumar et al. do not say how they asked E-GloVe, of which they print 79.5, 14.8 and 5.7:
        # GloVe 6B has 76, 19 and 5 by angle, and 47, 4 and 49 by translation.
        return SemBias()

    def _alternative_metrics(self, measure: BenchmarkMeasure) -> dict[str, UtilityMetric]:
        kind = catalogue.dataset(measure.benchmark).kind
        if kind == "similarity":
            return {similarity.name: WordSimilarity(similarity) for similarity in SIMILARITIES}
        translated = {
            f"gyro-translation, {similarity.name}": (
                similarity,
                self._t(measure, similarity.name),
            )
            for similarity in (COSINE, NEGATIVE_DISTANCE)
        }
        if kind == "analogy":
            analogies: dict[str, UtilityMetric] = {
                name: Analogies("gyro-translation", similarity, t or 0.0)
                for name, (similarity, t) in translated.items()
            }
            return {"3cosadd": Analogies(), "3cosmul": Analogies("3cosmul"), **analogies}
        predicted = {
            name: SemBias("gyro-translation", similarity, t)
            for name, (similarity, t) in translated.items()
        }
        return {"offset-angle": SemBias(), **predicted}


DEFAULT_TASK = SentimentTask(MeansNetwork())
"""Five passes of a regression on means: no random initialisation enters the figure."""


class TaskRunner:
    """Sentiment results of a model and its debiased versions; each is trained once and cached."""

    def __init__(self, columns: DebiasedModels) -> None:
        self._columns = columns
        self._results: Memo[tuple[str, SentimentTask, Debiasing | None, FitKind], TaskResult] = (
            Memo()
        )

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All figures so far."""
        return tuple(
            figure for result in self._results.values for figure in result.outcomes.values()
        )

    def train(self, measures: Iterable[TaskMeasure], progress: Progress | None = None) -> None:
        """Train the networks of the paper that some figures need, side by side.

        Where that fails nothing is said: each figure gives its own reason when it is asked for.
        """
        by_task: dict[PaperTask, dict[Debiasing | None, None]] = defaultdict(dict)
        for measure in measures:
            by_task[measure.task][measure.debias] = None
        for task, debiasings in by_task.items():
            with suppress(FairvecError):
                self._train_together(task, tuple(debiasings), progress)

    def _train_together(
        self,
        paper_task: PaperTask,
        debiasings: Sequence[Debiasing | None],
        progress: Progress | None,
    ) -> None:
        reviews, task = _papers_reviews(paper_task), _papers_way(paper_task)
        fits = [(debiasing, published_fit(debiasing)) for debiasing in debiasings]
        encoded = [encode_reviews(reviews, self._columns.full_model(*fit).vectors) for fit in fits]
        for each in encoded:
            check_vocabulary(each)
        model = encoded[0].embedding.name
        what = training_label(model, len(encoded), reviews.title)

        def report(done: int, total: int) -> None:
            if progress:
                progress(done, total, what)

        found = run_task_on_all(encoded, task, folder=trainings_folder(), progress=report)
        for fit, result in zip(fits, found, strict=True):
            self._results.keep((reviews.name, task, *fit), result)

    def paper_figure(self, measure: TaskMeasure) -> Description:
        """Return the figure as the paper has it: network, labels and split, one training."""
        result = self._train(
            _papers_reviews(measure.task),
            _papers_way(measure.task),
            measure.debias,
            published_fit(measure.debias),
        )
        return result.outcomes[measure.score]

    def default_figure(self, measure: TaskMeasure) -> Description:
        """Return the figure with true labels: five passes of five folds of a plain regression."""
        return self.default_result(measure).outcomes[measure.score]

    def default_result(self, measure: TaskMeasure) -> TaskResult:
        """Return all that was learnt our way, item by item."""
        reviews = load_reviews(measure.task.corrected, "")
        return self._train(reviews, DEFAULT_TASK, measure.debias, "default")

    def notes(self, measure: TaskMeasure) -> Iterator[str]:
        """Yield what the two figures are."""
        task = measure.task
        words = f"the last {task.length} words of a review" if task.length else "all words"
        yield (
            f"The paper's way: one LSTM on {task.reviews}, {words}, its own split; one training, "
            "whose luck alone moves accuracy by some points."
        )
        with suppress(UnavailableError):
            interval = self.default_figure(measure).interval
            if interval:
                yield (
                    f"The default: a regression on means, {task.corrected}, five passes of five "
                    f"folds; {interval.low:.2f} to {interval.high:.2f}."
                )

    def _train(
        self, reviews: ReviewSet, task: SentimentTask, debiasing: Debiasing | None, fit: FitKind
    ) -> TaskResult:
        return self._results.get(
            (reviews.name, task, debiasing, fit),
            lambda: _train(self._columns.full_model(debiasing, fit).vectors, reviews, task),
        )


def _papers_reviews(task: PaperTask) -> ReviewSet:
    return load_reviews(task.reviews, "", columns=ReviewColumns(split=task.split))


def _papers_way(task: PaperTask) -> SentimentTask:
    return SentimentTask(LstmNetwork(length=task.length), passes=1)


def trainings_folder() -> Path:
    """Return where trainings on reviews are kept, so that no reproduction repeats them."""
    return cache_folder() / "trainings"


def _train(model: Embedding, reviews: ReviewSet, task: SentimentTask) -> TaskResult:
    try:
        encoded = encode_reviews(reviews, model)
        check_vocabulary(encoded)
        return run_task(encoded, task, folder=trainings_folder())
    except FairvecError as error:
        raise UnavailableError(str(error)) from None
