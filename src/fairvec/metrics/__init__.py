"""Metrics by name: every bias metric of fairvec and of plugins, under one contract (`Metric`)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairvec.core.errors import UnknownNameError
from fairvec.core.settings import parse_settings, setting_types
from fairvec.metrics.base import (
    CorpusMetric,
    Metric,
    OneSample,
    Score,
    Traits,
    TwoSamples,
    WordShare,
)
from fairvec.metrics.bias import METRICS
from fairvec.metrics.bias.weat import EFFECT_SIZES, EffectSize, effect_size
from fairvec.metrics.plugins import FOREIGN_METRICS, as_metric, check_plugin_score, register_metric


def metric(name: str, /, **settings: Any) -> Metric:
    """Return the metric registered under `name` with some of its settings."""
    return _with_settings(_find(name), settings)


def configure_metric(name: str, shared: Mapping[str, Any], **defaults: Any) -> Metric:
    """Return the metric with those of the shared settings that it has, else of the defaults.

    A shared value that no metric could have is refused, so that a slip is not taken for another
    metric's setting.
    """
    for setting, value in shared.items():
        for known in METRICS:
            if setting in setting_types(type(known)):
                _with_settings(known, {setting: value})
    chosen = _find(name)
    own = setting_types(type(chosen))
    settings = {**defaults, **shared}
    return _with_settings(chosen, {key: value for key, value in settings.items() if key in own})


def _find(name: str) -> Metric:
    for known in METRICS:
        if known.name == name:
            return known
    if foreign := FOREIGN_METRICS.find(name):
        return foreign
    raise UnknownNameError("metric", name, metric_names())


def metric_names() -> list[str]:
    """Return the names of all metrics, fairvec's own first; those from outside are not imported."""
    return [*(known.name for known in METRICS), *FOREIGN_METRICS.names()]


def _with_settings(known: Metric, settings: Mapping[str, Any]) -> Metric:
    configured: Metric = replace(known, **parse_settings(type(known), known.name, settings))  # type: ignore[type-var]
    return configured


__all__ = [
    "EFFECT_SIZES",
    "FOREIGN_METRICS",
    "METRICS",
    "CorpusMetric",
    "EffectSize",
    "Metric",
    "OneSample",
    "Score",
    "Traits",
    "TwoSamples",
    "WordShare",
    "as_metric",
    "check_plugin_score",
    "configure_metric",
    "effect_size",
    "metric",
    "metric_names",
    "register_metric",
]
