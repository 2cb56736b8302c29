"""Metrics of bias, one file each, found by the name its paper gave it."""

from fairvec.metrics.bias.effect_size import EFFECT_SIZES, EffectSize, effect_size
from fairvec.metrics.bias.weat import Weat

__all__ = ["EFFECT_SIZES", "EffectSize", "Weat", "effect_size"]
