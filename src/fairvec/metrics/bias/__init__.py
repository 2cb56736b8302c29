"""Metrics of bias, one file a family, found by the name its paper gave it."""

from fairvec.metrics.base import Metric
from fairvec.metrics.bias.ceat import Ceat
from fairvec.metrics.bias.direction import DirectBias, GyrocosineBias, Same, SignedDirectBias
from fairvec.metrics.bias.indirect import Gipe, IndirectBias
from fairvec.metrics.bias.list_means import Ect, Mac, Rnd
from fairvec.metrics.bias.pairs import PairBias, Ripa
from fairvec.metrics.bias.rnsb import Rnsb
from fairvec.metrics.bias.seat import Seat
from fairvec.metrics.bias.vocabulary import BiasByClassification, BiasByClustering, BiasByNeighbours
from fairvec.metrics.bias.weat import EFFECT_SIZES, EffectSize, Weat, effect_size

BIAS_METRICS: tuple[Metric, ...] = (
    Weat(),
    Seat(),
    Ceat(),
    DirectBias(),
    SignedDirectBias(),
    GyrocosineBias(),
    IndirectBias(),
    PairBias(),
    Ripa(),
    Same(),
    Same(part="skew"),
    Same(part="stereotype"),
    Mac(),
    Ect(),
    Rnd(),
    Rnsb(),
    Gipe(),
    BiasByNeighbours(),
    BiasByClustering(),
    BiasByClassification(),
)

__all__ = [
    "BIAS_METRICS",
    "EFFECT_SIZES",
    "BiasByClassification",
    "BiasByClustering",
    "BiasByNeighbours",
    "Ceat",
    "DirectBias",
    "Ect",
    "EffectSize",
    "Gipe",
    "GyrocosineBias",
    "IndirectBias",
    "Mac",
    "PairBias",
    "Ripa",
    "Rnd",
    "Rnsb",
    "Same",
    "Seat",
    "SignedDirectBias",
    "Weat",
    "effect_size",
]
