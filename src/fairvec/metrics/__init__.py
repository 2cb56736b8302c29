"""The number: every metric under one contract."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from fairvec.errors import UnknownNameError
from fairvec.metrics.base import Metric
from fairvec.metrics.bias import BIAS_METRICS, EFFECT_SIZES, EffectSize, Weat, effect_size
from fairvec.metrics.score import OneSample, Score, TwoSamples, WordShare

METRICS: tuple[Metric, ...] = BIAS_METRICS
"""Every metric with its default settings; the name of each is unique."""


def metric(name: str, **settings: Any) -> Metric:
    """Return the metric registered under `name` with those of the settings that it has."""
    for known in METRICS:
        if known.name == name and is_dataclass(known) and not isinstance(known, type):
            own = {field.name for field in fields(known)}
            return replace(known, **{key: settings[key] for key in own & settings.keys()})
    raise UnknownNameError("metric", name, (known.name for known in METRICS))


__all__ = [
    "EFFECT_SIZES",
    "METRICS",
    "EffectSize",
    "Metric",
    "OneSample",
    "Score",
    "TwoSamples",
    "Weat",
    "WordShare",
    "effect_size",
    "metric",
]
