"""Which metrics answer a benchmark, and which of the chosen settings each of them takes."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fairvec.benchmarks import AnalogySet, BenchmarkSet, SemBiasSet
from fairvec.core.errors import SettingError, UndefinedError
from fairvec.encoders import Representation
from fairvec.geometry import Geometry
from fairvec.metrics.utility import (
    Analogies,
    RetrievalBias,
    SemBias,
    StereotypeBias,
    UtilityMetric,
    WordSimilarity,
    metric_for,
    metrics_for,
)


def benchmark_plan(
    sets: Sequence[BenchmarkSet], model: Representation, settings: Mapping[str, Any]
) -> list[tuple[BenchmarkSet, UtilityMetric]]:
    """Return each benchmark with its metrics, each with those of the settings that it takes.

    A setting that is None was not chosen; one that no metric takes is refused.
    """
    chosen = {name: value for name, value in settings.items() if value is not None}
    plan = [
        (benchmark, metric)
        for benchmark in sets
        for metric in _metrics_of(benchmark, model, chosen)
    ]
    for name, value in chosen.items():
        if not any(name in _settings_of(metric, model.geometry) for _, metric in plan):
            value = getattr(value, "name", value)
            names = ", ".join(benchmark.name for benchmark in sets)
            raise SettingError(
                f"{name} {value} fits no way in which {names} would be asked; leave it out."
            )
    return [
        (benchmark, _configured(metric, {name: chosen[name] for name in fitting if name in chosen}))
        for benchmark, metric in plan
        for fitting in (_settings_of(metric, model.geometry),)
    ]


def _configured(metric: Any, settings: Mapping[str, Any]) -> UtilityMetric:
    configured: UtilityMetric = replace(metric, **settings) if settings else metric
    return configured


def with_chosen_t(
    way: UtilityMetric, benchmark: BenchmarkSet, model: Representation
) -> UtilityMetric:
    """Return SemBias with its t chosen, so that records state it; any other metric as it is."""
    if isinstance(way, SemBias) and isinstance(benchmark, SemBiasSet):
        with suppress(UndefinedError):
            return way.with_chosen_t(benchmark, model)
    return way


def _metrics_of(
    benchmark: BenchmarkSet, model: Representation, settings: Mapping[str, Any]
) -> list[UtilityMetric]:
    """Return the metrics of a benchmark, by the chosen method or definition."""
    if isinstance(benchmark, SemBiasSet):
        both = model.geometry.curvature and "definition" not in settings
        first = SemBias(settings.get("definition", "offset-angle"))
        return [first, SemBias("gyro-translation")] if both else [first]
    if isinstance(benchmark, AnalogySet):
        if "method" in settings:
            return [Analogies(settings["method"])]
        return [each for each in metrics_for(benchmark, model) if isinstance(each, Analogies)]
    return [metric_for(benchmark, model.geometry)]


def _settings_of(metric: UtilityMetric, geometry: Geometry) -> tuple[str, ...]:
    """Return the settings that change a metric's figure; t has no meaning in flat space."""
    turn = ("t",) if geometry.curvature else ()
    match metric:
        case Analogies(method="gyro-translation"):
            return "method", "similarity", *turn, "restrict"
        case Analogies():
            return "method", "restrict"
        case SemBias(definition="gyro-translation"):
            return "definition", "similarity", *turn
        case SemBias():
            return ("definition",)
        case WordSimilarity() | StereotypeBias() | RetrievalBias():
            return ("similarity",)
        case _:
            return ()
