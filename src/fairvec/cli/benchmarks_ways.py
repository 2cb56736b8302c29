"""In which ways benchmarks are asked: what settings fit which metric of usefulness."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fairvec.benchmarks import AnalogySet, BenchmarkSet, SemBiasSet
from fairvec.embedding import Embedding
from fairvec.geometry import Geometry
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.metrics.utility import (
    Analogies,
    SemBias,
    UtilityMetric,
    WordSimilarity,
    compared_by,
    metrics_for,
)

Way = Analogies | SemBias | WordSimilarity


def ways_to_ask(
    sets: Sequence[BenchmarkSet], embedding: Embedding, settings: Mapping[str, Any]
) -> list[tuple[BenchmarkSet, Way]]:
    """Return each benchmark with the metrics that ask it, each with the settings that fit it.

    A setting that is None was not made; one that fits no metric is refused.
    """
    made = {name: value for name, value in settings.items() if value is not None}
    ways = [(asked, way) for asked in sets for way in _ways(asked, embedding, made)]
    for name, value in made.items():
        if not any(name in _fitting(way, embedding.geometry) for _, way in ways):
            value = getattr(value, "name", value)
            chosen = ", ".join(asked.name for asked in sets)
            raise SettingError(
                f"--{name} {value} fits no way in which {chosen} would be asked; leave it out, or "
                "see 'fairvec benchmarks ask --help' for what takes it."
            )
    return [
        (asked, replace(way, **{name: made[name] for name in fitting if name in made}))
        for asked, way in ways
        for fitting in (_fitting(way, embedding.geometry),)
    ]


def settled(way: Way, asked: BenchmarkSet, embedding: Embedding) -> UtilityMetric:
    """Return SemBias with its t chosen, so that records name it; where it has none, it says why."""
    if isinstance(way, SemBias) and isinstance(asked, SemBiasSet):
        with suppress(UndefinedError):
            return way.settled(asked, embedding)
    return way


def in_words(metric: UtilityMetric, geometry: Geometry) -> str:
    """Return how words are asked for and compared: gyro-translation, t = 0.3, cosine."""
    alike = compared_by(metric, geometry)
    match metric:
        case Analogies(method="gyro-translation") | SemBias(definition="gyro-translation"):
            t = "" if metric.t is None or not geometry.curvature else f"t = {metric.t:g}, "
            return f"gyro-translation, {t}{alike}"
        case Analogies():
            return metric.method
        case SemBias():
            return metric.definition
        case _:
            return alike


def _ways(asked: BenchmarkSet, embedding: Embedding, made: Mapping[str, Any]) -> list[Way]:
    """Return the metrics of a benchmark, by the method or definition of choice."""
    if isinstance(asked, SemBiasSet):
        both = embedding.geometry.curvature and "definition" not in made
        first = SemBias(made.get("definition", "offset-angle"))
        return [first, SemBias("gyro-translation")] if both else [first]
    if isinstance(asked, AnalogySet):
        if "method" in made:
            return [Analogies(made["method"])]
        return [way for way in metrics_for(asked, embedding) if isinstance(way, Analogies)]
    return [WordSimilarity()]


def _fitting(way: Way, geometry: Geometry) -> tuple[str, ...]:
    """Name the settings that change what the metric says; t has no meaning in flat space."""
    turn = ("t",) if geometry.curvature else ()
    match way:
        case Analogies(method="gyro-translation"):
            return "method", "similarity", *turn, "restrict"
        case Analogies():
            return "method", "restrict"
        case SemBias(definition="gyro-translation"):
            return "definition", "similarity", *turn
        case SemBias():
            return ("definition",)
        case WordSimilarity():
            return ("similarity",)
