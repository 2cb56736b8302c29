"""Benchmarks and tasks in a paper's tables: asked the paper's way, and ours."""

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
from fairvec.papers.schema import Debiasing, FitKind, PaperTask, Settings
from fairvec.papers.variants import DebiasedModels
from fairvec.results import Description, Outcome
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask

# The t of gyro-translation: chosen on the model itself, or else as the paper has it.


@dataclass(frozen=True, eq=False)
class TranslationT:
    """How far between its two solutions a model answers analogies, for each similarity.

    A debiased model has the t of the model that it was made from, so that the two differ in their
    vectors alone. Where t cannot be chosen it is the published one, and a note says why.
    """

    model: Representation
    _known: dict[str, tuple[float | None, str]] = field(default_factory=dict)

    def t(self, settings: Settings, similarity: Similarity | None = None) -> float | None:
        """Return t for a similarity, that of the settings unless another is named.

        None in flat space, where every t leads to the same point.
        """
        if not self.model.geometry.curvature:
            return None
        chosen, _ = self._chosen(similarity.name if similarity else settings.similarity or "")
        return settings.t if chosen is None else chosen

    def chosen(self, settings: Settings) -> float | None:
        """Return t as it was chosen on the model; None where it cannot be."""
        if not self.model.geometry.curvature:
            return None
        return self._chosen(settings.similarity or "")[0]

    def note(self, settings: Settings) -> Iterator[str]:
        """Say what t is and where it comes from; in flat space there is none."""
        if not self.model.geometry.curvature:
            return
        chosen, why = self._chosen(settings.similarity or "")
        if chosen is None:
            yield f"t = {settings.t:g}, as published: {why}"
        else:
            yield (
                f"t = {chosen:g} on {self.model.name} by {settings.similarity}, chosen by "
                "two-fold cross-validation on the definition pairs of SemBias; the paper has "
                f"{settings.t:g}."
            )

    def _chosen(self, similarity: str) -> tuple[float | None, str]:
        if similarity not in self._known:
            self._known[similarity] = self._choose(similarity)
        return self._known[similarity]

    def _choose(self, similarity: str) -> tuple[float | None, str]:
        if not catalogue.has_dataset("sembias"):
            return None, "the pairs of SemBias, by which it is chosen, are not at hand."
        if not isinstance(self.model, Embedding):
            return None, "an encoder has no vocabulary to choose it on."
        asked = cast(SemBiasSet, benchmark("sembias"))
        metric = SemBias("gyro-translation", similarity_named(similarity) if similarity else None)
        try:
            return metric.with_chosen_t(asked, self.model).t, ""
        except UndefinedError as error:
            return None, str(error)


_STATISTICS = replace(USUAL, resamples=1_000)
"""The papers state no coverage, and a note says how much was asked."""

_FIT = {"default": "default", "as-published": "published"}


def with_coverage(usual: Statistics, smallest: float | None) -> Statistics:
    """Return statistics that ask for another coverage, if one was given."""
    return usual if smallest is None else replace(usual, smallest_coverage=smallest)


@dataclass(frozen=True)
class BenchmarkSetup:
    """A metric, and by which settings a debiased model was debiased."""

    metric: UtilityMetric
    fit: FitKind = "default"


class BenchmarkRunner:
    """What the columns of a model answer to benchmarks; everything is asked once."""

    def __init__(
        self, columns: DebiasedModels, ts: TranslationT, smallest_coverage: float | None = None
    ) -> None:
        self._columns = columns
        self._ts = ts
        self._statistics = with_coverage(_STATISTICS, smallest_coverage)
        self._known: dict[
            tuple[str, Debiasing | None, BenchmarkSetup], list[UtilityAnswer] | str
        ] = {}

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All that was answered so far."""
        return tuple(
            one.outcome
            for found in self._known.values()
            if not isinstance(found, str)
            for one in found
        )

    def asked(self, settings: Settings, way: BenchmarkSetup, name: str = "") -> Outcome | str:
        """Return what a benchmark says of the part that is wanted, or why there is no answer."""
        found = self.answer(settings, way, name)
        return found if isinstance(found, str) else found.outcome

    def answer(
        self, settings: Settings, way: BenchmarkSetup, name: str = ""
    ) -> UtilityAnswer | str:
        """Return the same with the figure item by item."""
        name = name or settings.benchmark or ""
        found = self._found(name, settings.debias, way)
        if isinstance(found, str):
            return found
        wanted = f"{name}/{settings.part}" if settings.part else name
        return next((one for one in found if one.outcome.test.id == wanted), found[0])

    def _found(
        self, name: str, how: Debiasing | None, way: BenchmarkSetup
    ) -> list[UtilityAnswer] | str:
        if (name, how, way) not in self._known:
            column = self._columns.whole(how, way.fit)
            asked = benchmark(name)
            self._known[name, how, way] = column.refusal or ask_benchmark(
                way.metric, asked, column.vectors, self._statistics
            )
        return self._known[name, how, way]

    def papers_way(self, settings: Settings) -> BenchmarkSetup:
        """Return how the paper asks."""
        how = settings.debias
        fit: FitKind = "as-published" if how and how.as_published else "default"
        return BenchmarkSetup(self._metric(settings), fit)

    def default_way(self, settings: Settings) -> BenchmarkSetup:
        """Return how fairvec asks a model of this geometry unless told otherwise."""
        metric = metric_for(benchmark(settings.benchmark or ""), self._columns.geometry)
        if isinstance(metric, WordSimilarity):
            metric = WordSimilarity(default_similarity(self._columns.geometry))
        return BenchmarkSetup(metric)

    def other_ways(self, settings: Settings) -> Iterator[tuple[str, BenchmarkSetup]]:
        """Yield the named ways that could give another figure than the paper's."""
        papers = self.papers_way(settings)
        fits = get_args(FitKind) if settings.debias else (papers.fit,)
        for fit, (name, metric) in product(fits, self._named(settings).items()):
            said = f", debiased by the {_FIT[fit]} settings" if settings.debias else ""
            yield f"{name}{said}", BenchmarkSetup(metric, fit)

    def notes(self, settings: Settings) -> Iterator[str]:
        """Say which t was used, and what benchmarks beside this one give."""
        way = self.papers_way(settings)
        if settings.method == "gyro-translation":
            yield from self._ts.note(settings)
        if isinstance(way.metric, SemBias) and not way.metric.is_translated:
            yield "In flat space SemBias is asked by offset-angle, also as published."
        at_hand = filter(catalogue.has_dataset, settings.beside)
        others = {name: self.asked(settings, way, name) for name in at_hand}
        said = [
            f"{other.value:.4f} on {name}"
            for name, other in others.items()
            if isinstance(other, Description)
        ]
        if said:
            yield f"Beside it: {' and '.join(said)}."

    def _metric(self, settings: Settings) -> UtilityMetric:
        chosen = similarity_named(settings.similarity) if settings.similarity else None
        match catalogue.dataset(settings.benchmark or "").kind:
            case "similarity":
                return WordSimilarity(chosen)
            case "analogy" if settings.method == "gyro-translation":
                return Analogies("gyro-translation", chosen, self._ts.t(settings) or 0.0)
            case "analogy":
                return Analogies()
            case _ if settings.method == "gyro-translation" and self._columns.geometry.curvature:
                return SemBias("gyro-translation", chosen, self._ts.t(settings))
        # Kumar et al. do not say how they asked E-GloVe, of which they print 79.5, 14.8 and 5.7:
        # GloVe 6B has 76, 19 and 5 by angle, and 47, 4 and 49 by translation.
        return SemBias()

    def _named(self, settings: Settings) -> dict[str, UtilityMetric]:
        kind = catalogue.dataset(settings.benchmark or "").kind
        if kind == "similarity":
            return {one.name: WordSimilarity(one) for one in SIMILARITIES}
        translated = {
            f"gyro-translation, {one.name}": (one, self._ts.t(settings, one))
            for one in (COSINE, NEGATIVE_DISTANCE)
        }
        if kind == "analogy":
            by_sum: dict[str, UtilityMetric] = {
                name: Analogies("gyro-translation", one, t or 0.0)
                for name, (one, t) in translated.items()
            }
            return {"3cosadd": Analogies(), "3cosmul": Analogies("3cosmul"), **by_sum}
        predicted = {
            name: SemBias("gyro-translation", one, t) for name, (one, t) in translated.items()
        }
        return {"offset-angle": SemBias(), **predicted}


# A task in a paper's tables: learnt the paper's way, and ours.


OURS = SentimentTask(MeansNetwork())
"""Five passes of a regression on means: what the vectors are worth, without the luck of a net."""


class TaskRunner:
    """What the columns of a model learn from reviews; everything is learnt once, and kept."""

    def __init__(self, columns: DebiasedModels) -> None:
        self._columns = columns
        self._known: dict[
            tuple[str, SentimentTask, Debiasing | None, FitKind], LearnedTask | str
        ] = {}

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All figures so far."""
        learnt = (one for one in self._known.values() if isinstance(one, LearnedTask))
        return tuple(figure for each in learnt for figure in each.outcomes.values())

    def papers_way(self, wanted: Settings, task: PaperTask) -> Description | str:
        """Return the figure as the paper has it: its network, its labels, its split, one training.

        Or say in words why there is none.
        """
        network = SentimentTask(LstmNetwork(length=task.length), passes=1)
        reviews = load_reviews(task.reviews, "", columns=ReviewColumns(split=task.split))
        how = wanted.debias
        fit: FitKind = "as-published" if how and how.as_published else "default"
        return self._figure(wanted, self._learnt(reviews, network, how, fit))

    def our_way(self, wanted: Settings, task: PaperTask) -> Description | str:
        """Return the figure with true labels: five passes of five folds of a plain regression."""
        return self._figure(wanted, self.learnt(wanted, task))

    def learnt(self, wanted: Settings, task: PaperTask) -> LearnedTask | str:
        """Return all that was learnt our way, item by item, or why nothing was."""
        return self._learnt(load_reviews(task.corrected, ""), OURS, wanted.debias, "default")

    def notes(self, wanted: Settings, task: PaperTask) -> Iterator[str]:
        """Say what the two figures are."""
        yield (
            f"The paper's way: one LSTM on {task.reviews}, the last {task.length} words of a "
            "review, its own split; one training, whose luck alone moves accuracy by some points."
        )
        ours = self.our_way(wanted, task)
        if isinstance(ours, Description) and ours.interval:
            yield (
                f"The default: a regression on means, {task.corrected}, five passes of five folds; "
                f"{ours.interval.low:.2f} to {ours.interval.high:.2f}."
            )

    def _figure(self, wanted: Settings, learnt: LearnedTask | str) -> Description | str:
        if isinstance(learnt, str):
            return learnt
        return learnt.outcomes[score_name(wanted)]

    def _learnt(
        self, reviews: ReviewSet, task: SentimentTask, how: Debiasing | None, fit: FitKind
    ) -> LearnedTask | str:
        key = reviews.name, task, how, fit
        if key not in self._known:
            column = self._columns.whole(how, fit)
            self._known[key] = column.refusal or _tried(column.vectors, reviews, task)
        return self._known[key]


def score_name(wanted: Settings) -> str:
    """Return the figure of a task that a cell shows: of one class, or of both."""
    of_both = wanted.part == "accuracy" or not wanted.of_class
    part = wanted.part if of_both else f"{wanted.part}, {wanted.of_class}"
    return part or "accuracy"


def _tried(model: Embedding, reviews: ReviewSet, task: SentimentTask) -> LearnedTask | str:
    try:
        check_script(model, reviews)
        return train_task(model, reviews, task, folder=cache_folder() / "trainings")
    except FairvecError as error:
        return str(error)
