"""Benchmarks and the sentiment task in a paper's tables, under its setup and fairvec's default."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import cast, get_args

from fairvec import catalogue
from fairvec.benchmarks import ReviewColumns, ReviewSet, SemBiasSet, benchmark, load_reviews
from fairvec.catalogue.cache import cache_folder
from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.sentiment.learning import LearnedTask, check_script, train_task
from fairvec.experiments.utility import USUAL, UtilityAnswer, ask_benchmark
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, SIMILARITIES, Similarity, default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.metrics.utility import Analogies, SemBias, UtilityMetric, WordSimilarity, metric_for
from fairvec.papers.schema import CellSettings, Debiasing, FitKind, PaperTask
from fairvec.papers.variants import DebiasedModels
from fairvec.results import Description, Outcome
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork
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

    def t(self, settings: CellSettings, similarity: Similarity | None = None) -> float | None:
        """Return t for a similarity, that of the settings unless another is named.

        None in flat space, where every t leads to the same point.
        """
        if not self.model.geometry.curvature:
            return None
        chosen, _ = self._cached_choice(
            similarity.name if similarity else settings.similarity or ""
        )
        return settings.t if chosen is None else chosen

    def chosen(self, settings: CellSettings) -> float | None:
        """Return t as it was chosen on the model; None where it cannot be."""
        if not self.model.geometry.curvature:
            return None
        return self._cached_choice(settings.similarity or "")[0]

    def note(self, settings: CellSettings) -> Iterator[str]:
        """Say what t is and where it comes from; in flat space there is none."""
        if not self.model.geometry.curvature:
            return
        chosen, reason = self._cached_choice(settings.similarity or "")
        if chosen is None:
            yield f"t = {settings.t:g}, as published: {reason}"
        else:
            yield (
                f"t = {chosen:g} on {self.model.name} by {settings.similarity}, chosen by "
                "two-fold cross-validation on the definition pairs of SemBias; the paper has "
                f"{settings.t:g}."
            )

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
    return statistics if smallest is None else replace(statistics, smallest_coverage=smallest)


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
        smallest_coverage: float | None = None,
    ) -> None:
        self._columns = columns
        self._translation_t = translation_t
        self._statistics = with_coverage(_STATISTICS, smallest_coverage)
        self._cache: dict[
            tuple[str, Debiasing | None, BenchmarkSetup], list[UtilityAnswer] | str
        ] = {}

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All that was answered so far."""
        return tuple(
            answer.outcome
            for answers in self._cache.values()
            if not isinstance(answers, str)
            for answer in answers
        )

    def outcome(
        self, settings: CellSettings, setup: BenchmarkSetup, name: str = ""
    ) -> Outcome | str:
        """Return what a benchmark says of the part that is wanted, or why there is no answer."""
        answer = self.answer(settings, setup, name)
        return answer if isinstance(answer, str) else answer.outcome

    def answer(
        self, settings: CellSettings, setup: BenchmarkSetup, name: str = ""
    ) -> UtilityAnswer | str:
        """Return the same with the figure item by item."""
        name = name or settings.benchmark or ""
        answers = self._answers(name, settings.debias, setup)
        if isinstance(answers, str):
            return answers
        test_id = f"{name}/{settings.part}" if settings.part else name
        return next((answer for answer in answers if answer.outcome.test.id == test_id), answers[0])

    def _answers(
        self, name: str, debiasing: Debiasing | None, setup: BenchmarkSetup
    ) -> list[UtilityAnswer] | str:
        if (name, debiasing, setup) not in self._cache:
            model = self._columns.full_model(debiasing, setup.fit)
            chosen_benchmark = benchmark(name)
            self._cache[name, debiasing, setup] = model.refusal or ask_benchmark(
                setup.metric, chosen_benchmark, model.vectors, self._statistics
            )
        return self._cache[name, debiasing, setup]

    def paper_setup(self, settings: CellSettings) -> BenchmarkSetup:
        """Return how the paper asks."""
        debiasing = settings.debias
        fit: FitKind = "as-published" if debiasing and debiasing.as_published else "default"
        return BenchmarkSetup(self._metric(settings), fit)

    def default_setup(self, settings: CellSettings) -> BenchmarkSetup:
        """Return how fairvec asks a model of this geometry unless told otherwise."""
        metric = metric_for(benchmark(settings.benchmark or ""), self._columns.geometry)
        if isinstance(metric, WordSimilarity):
            metric = WordSimilarity(default_similarity(self._columns.geometry))
        return BenchmarkSetup(metric)

    def alternative_setups(self, settings: CellSettings) -> Iterator[tuple[str, BenchmarkSetup]]:
        """Yield the named ways that could give another figure than the paper's."""
        papers = self.paper_setup(settings)
        fits = get_args(FitKind) if settings.debias else (papers.fit,)
        for fit, (name, metric) in product(fits, self._alternative_metrics(settings).items()):
            debiased_by = (
                f", debiased by the {_FIT_LABELS[fit]} settings" if settings.debias else ""
            )
            yield f"{name}{debiased_by}", BenchmarkSetup(metric, fit)

    def notes(self, settings: CellSettings) -> Iterator[str]:
        """Say which t was used, and what benchmarks beside this one give."""
        setup = self.paper_setup(settings)
        if settings.method == "gyro-translation":
            yield from self._translation_t.note(settings)
        if isinstance(setup.metric, SemBias) and not setup.metric.is_translated:
            yield "In flat space SemBias is asked by offset-angle, also as published."
        available = filter(catalogue.has_dataset, settings.beside)
        others = {name: self.outcome(settings, setup, name) for name in available}
        figures = [
            f"{other.value:.4f} on {name}"
            for name, other in others.items()
            if isinstance(other, Description)
        ]
        if figures:
            yield f"Beside it: {' and '.join(figures)}."

    def _metric(self, settings: CellSettings) -> UtilityMetric:
        chosen = similarity_named(settings.similarity) if settings.similarity else None
        match catalogue.dataset(settings.benchmark or "").kind:
            case "similarity":
                return WordSimilarity(chosen)
            case "analogy" if settings.method == "gyro-translation":
                return Analogies("gyro-translation", chosen, self._translation_t.t(settings) or 0.0)
            case "analogy":
                return Analogies()
            case _ if settings.method == "gyro-translation" and self._columns.geometry.curvature:
                return SemBias("gyro-translation", chosen, self._translation_t.t(settings))
        # Kumar et al. do not say how they asked E-GloVe, of which they print 79.5, 14.8 and 5.7:
        # GloVe 6B has 76, 19 and 5 by angle, and 47, 4 and 49 by translation.
        return SemBias()

    def _alternative_metrics(self, settings: CellSettings) -> dict[str, UtilityMetric]:
        kind = catalogue.dataset(settings.benchmark or "").kind
        if kind == "similarity":
            return {similarity.name: WordSimilarity(similarity) for similarity in SIMILARITIES}
        translated = {
            f"gyro-translation, {similarity.name}": (
                similarity,
                self._translation_t.t(settings, similarity),
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
        self._cache: dict[
            tuple[str, SentimentTask, Debiasing | None, FitKind], LearnedTask | str
        ] = {}

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All figures so far."""
        results = (trained for trained in self._cache.values() if isinstance(trained, LearnedTask))
        return tuple(figure for task in results for figure in task.outcomes.values())

    def paper_figure(self, settings: CellSettings, task: PaperTask) -> Description | str:
        """Return the figure as the paper has it: its network, its labels, its split, one training.

        Or say in words why there is none.
        """
        network = SentimentTask(LstmNetwork(length=task.length), passes=1)
        reviews = load_reviews(task.reviews, "", columns=ReviewColumns(split=task.split))
        debiasing = settings.debias
        fit: FitKind = "as-published" if debiasing and debiasing.as_published else "default"
        return self._figure(settings, self._train(reviews, network, debiasing, fit))

    def default_figure(self, settings: CellSettings, task: PaperTask) -> Description | str:
        """Return the figure with true labels: five passes of five folds of a plain regression."""
        return self._figure(settings, self.default_result(settings, task))

    def default_result(self, settings: CellSettings, task: PaperTask) -> LearnedTask | str:
        """Return all that was learnt our way, item by item, or why nothing was."""
        return self._train(
            load_reviews(task.corrected, ""), DEFAULT_TASK, settings.debias, "default"
        )

    def notes(self, settings: CellSettings, task: PaperTask) -> Iterator[str]:
        """Say what the two figures are."""
        yield (
            f"The paper's way: one LSTM on {task.reviews}, the last {task.length} words of a "
            "review, its own split; one training, whose luck alone moves accuracy by some points."
        )
        ours = self.default_figure(settings, task)
        if isinstance(ours, Description) and ours.interval:
            yield (
                f"The default: a regression on means, {task.corrected}, five passes of five folds; "
                f"{ours.interval.low:.2f} to {ours.interval.high:.2f}."
            )

    def _figure(self, settings: CellSettings, result: LearnedTask | str) -> Description | str:
        if isinstance(result, str):
            return result
        return result.outcomes[score_name(settings)]

    def _train(
        self, reviews: ReviewSet, task: SentimentTask, debiasing: Debiasing | None, fit: FitKind
    ) -> LearnedTask | str:
        key = reviews.name, task, debiasing, fit
        if key not in self._cache:
            model = self._columns.full_model(debiasing, fit)
            self._cache[key] = model.refusal or _train_or_explain(model.vectors, reviews, task)
        return self._cache[key]


def score_name(settings: CellSettings) -> str:
    """Return the figure of a task that a cell shows: of one class, or of both."""
    both_classes = settings.part == "accuracy" or not settings.of_class
    part = settings.part if both_classes else f"{settings.part}, {settings.of_class}"
    return part or "accuracy"


def _train_or_explain(
    model: Embedding, reviews: ReviewSet, task: SentimentTask
) -> LearnedTask | str:
    try:
        check_script(model, reviews)
        return train_task(model, reviews, task, folder=cache_folder() / "trainings")
    except FairvecError as error:
        return str(error)
