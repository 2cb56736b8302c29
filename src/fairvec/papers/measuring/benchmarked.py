"""Benchmarks of usefulness in a paper's tables: asked the paper's way, ours and any other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

from fairvec import catalogue
from fairvec.benchmarks import benchmark
from fairvec.evaluation import Statistics
from fairvec.evaluation.changes.usefulness import USUAL, Answer, answers_by
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, SIMILARITIES, natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.metrics.utility import Analogies, SemBias, UtilityMetric, WordSimilarity, metric_for
from fairvec.papers.measuring.chosen_t import SettledT
from fairvec.papers.measuring.debiased import Columns
from fairvec.papers.measuring.debiasing import Debiasing, FitKind
from fairvec.papers.printed.schema import Settings
from fairvec.results import Description, Outcome

_STATISTICS = replace(USUAL, resamples=1_000)
"""The papers state no coverage, and a note says how much was asked."""

_FIT = {"default": "default", "as-published": "published"}


def covering(usual: Statistics, smallest: float | None) -> Statistics:
    """Return statistics that ask for another coverage, if one was given."""
    return usual if smallest is None else replace(usual, smallest_coverage=smallest)


@dataclass(frozen=True)
class WayToAsk:
    """A metric, and by which settings a debiased model was debiased."""

    metric: UtilityMetric
    fit: FitKind = "default"


class Benchmarked:
    """What the columns of a model answer to benchmarks; everything is asked once."""

    def __init__(
        self, columns: Columns, ts: SettledT, smallest_coverage: float | None = None
    ) -> None:
        self._columns = columns
        self._ts = ts
        self._statistics = covering(_STATISTICS, smallest_coverage)
        self._known: dict[tuple[str, Debiasing | None, WayToAsk], list[Answer] | str] = {}

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All that was answered so far."""
        return tuple(
            one.outcome
            for found in self._known.values()
            if not isinstance(found, str)
            for one in found
        )

    def asked(self, settings: Settings, way: WayToAsk, name: str = "") -> Outcome | str:
        """Return what a benchmark says of the part that is wanted, or why there is no answer."""
        found = self.answer(settings, way, name)
        return found if isinstance(found, str) else found.outcome

    def answer(self, settings: Settings, way: WayToAsk, name: str = "") -> Answer | str:
        """Return the same with the figure item by item."""
        name = name or settings.benchmark or ""
        found = self._found(name, settings.debias, way)
        if isinstance(found, str):
            return found
        wanted = f"{name}/{settings.part}" if settings.part else name
        return next((one for one in found if one.outcome.test.id == wanted), found[0])

    def _found(self, name: str, how: Debiasing | None, way: WayToAsk) -> list[Answer] | str:
        if (name, how, way) not in self._known:
            column = self._columns.whole(how, way.fit)
            asked = benchmark(name)
            self._known[name, how, way] = column.refusal or answers_by(
                way.metric, asked, column.vectors, self._statistics
            )
        return self._known[name, how, way]

    def papers_way(self, settings: Settings) -> WayToAsk:
        """Return how the paper asks."""
        how = settings.debias
        fit: FitKind = "as-published" if how and how.as_published else "default"
        return WayToAsk(self._metric(settings), fit)

    def default_way(self, settings: Settings) -> WayToAsk:
        """Return how fairvec asks a model of this geometry unless told otherwise."""
        metric = metric_for(benchmark(settings.benchmark or ""), self._columns.geometry)
        if isinstance(metric, WordSimilarity):
            metric = WordSimilarity(natural_similarity(self._columns.geometry))
        return WayToAsk(metric)

    def other_ways(self, settings: Settings) -> Iterator[tuple[str, WayToAsk]]:
        """Yield the named ways that could give another figure than the paper's."""
        papers = self.papers_way(settings)
        fits = get_args(FitKind) if settings.debias else (papers.fit,)
        for fit, (name, metric) in product(fits, self._named(settings).items()):
            said = f", debiased by the {_FIT[fit]} settings" if settings.debias else ""
            yield f"{name}{said}", WayToAsk(metric, fit)

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
