"""The number: every metric under one contract."""

from inspect import signature
from typing import Any

from fairvec.errors import UnknownNameError
from fairvec.geometry import Similarity
from fairvec.metrics.base import Metric
from fairvec.metrics.bias import EFFECT_SIZES, EffectSize, Weat, effect_size
from fairvec.metrics.score import OneSample, Score, TwoSamples, WordShare

METRICS: tuple[type[Metric], ...] = (Weat,)


def metric(name: str, **settings: Similarity | EffectSize) -> Metric:
    """Return the metric registered under `name` with those of the settings that it knows."""
    for kind in METRICS:
        if kind().name == name:
            return kind(**_known_to(kind, settings))
    raise UnknownNameError("metric", name, (kind().name for kind in METRICS))


def _known_to(kind: type[Metric], settings: dict[str, Any]) -> dict[str, Any]:
    known = signature(kind).parameters
    return {name: value for name, value in settings.items() if name in known}


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
