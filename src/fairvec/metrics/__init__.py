"""The number: every metric under one contract."""

from fairvec.metrics.base import Metric
from fairvec.metrics.bias import EFFECT_SIZES, EffectSize, Weat, effect_size
from fairvec.metrics.score import Score, TwoSamples, WordShare

METRICS: tuple[type[Metric], ...] = (Weat,)

__all__ = [
    "EFFECT_SIZES",
    "METRICS",
    "EffectSize",
    "Metric",
    "Score",
    "TwoSamples",
    "Weat",
    "WordShare",
    "effect_size",
]
