"""Metrics of benchmarks: how well a model of words or sentences does, and whom it prefers."""

from contextlib import suppress
from typing import Any, Protocol

from fairvec.benchmarks import AnalogySet, BenchmarkSet, SemBiasSet
from fairvec.core.errors import UndefinedError
from fairvec.encoders import Representation
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, Geometry, Poincare, default_similarity
from fairvec.metrics.utility.analogy import Analogies
from fairvec.metrics.utility.base import BenchmarkScore, PreferenceScore, UtilityScore
from fairvec.metrics.utility.retrieval import RetrievalBias
from fairvec.metrics.utility.sembias import SemBias
from fairvec.metrics.utility.sentence_pairs import StereotypeBias
from fairvec.metrics.utility.similarity import WordSimilarity


class UtilityMetric(Protocol):
    """One or several figures on a benchmark of its kind."""

    @property
    def name(self) -> str:
        """The name that outcomes give it."""
        ...

    @property
    def meaning(self) -> str:
        """What large and small values say."""
        ...

    def measure(self, benchmark: Any, model: Representation, /) -> tuple[BenchmarkScore, ...]:
        """Return the figures; raise UndefinedError if there are none."""
        ...


UTILITY_METRICS: dict[str, UtilityMetric] = {
    "similarity": WordSimilarity(),
    "analogy": Analogies(),
    "sembias": SemBias(),
    "sentence-pairs": StereotypeBias(),
    "retrieval": RetrievalBias(),
}
"""The metric of each kind of benchmark, with its default settings."""


def metric_for(benchmark: BenchmarkSet, geometry: Geometry) -> UtilityMetric:
    """Return the metric that asks benchmarks of this kind; in the ball one that sees its curvature.

    Analogies are asked there by gyro-translation, unless in a product of balls, where a whole set
    would take too long.
    """
    if isinstance(benchmark, AnalogySet):
        return analogies_in(geometry)
    return UTILITY_METRICS[benchmark.kind]


def analogies_in(geometry: Geometry) -> Analogies:
    """Return the default metric of analogies in a space, for whole sets and for one question."""
    return Analogies("gyro-translation") if isinstance(geometry, Poincare) else Analogies()


def metrics_for(benchmark: BenchmarkSet, model: Representation) -> tuple[UtilityMetric, ...]:
    """Return the metrics that a report shows: in the ball SemBias by both of its definitions.

    The t of the second is chosen here, so that its record names it; where it cannot be chosen,
    measuring says why.
    """
    first = metric_for(benchmark, model.geometry)
    if not (isinstance(benchmark, SemBiasSet) and model.geometry.curvature):
        return (first,)
    second = SemBias("gyro-translation")
    with suppress(UndefinedError):
        second = second.with_chosen_t(benchmark, model)
    return first, second


def similarity_name(metric: UtilityMetric, geometry: Geometry) -> str:
    """Name the similarity by which the metric compares words; empty if it does not."""
    match metric:
        case (
            WordSimilarity()
            | SemBias(definition="gyro-translation")
            | StereotypeBias()
            | RetrievalBias()
        ):
            return (metric.similarity or default_similarity(geometry)).name
        case Analogies(method="gyro-translation"):
            return (metric.similarity or NEGATIVE_DISTANCE).name
        case Analogies():
            return COSINE.name
        case _:
            return ""


__all__ = [
    "UTILITY_METRICS",
    "Analogies",
    "BenchmarkScore",
    "PreferenceScore",
    "RetrievalBias",
    "SemBias",
    "StereotypeBias",
    "UtilityMetric",
    "UtilityScore",
    "WordSimilarity",
    "analogies_in",
    "metric_for",
    "metrics_for",
    "similarity_name",
]
