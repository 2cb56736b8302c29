"""Metrics of bias, one file each, found by the name its paper gave it."""

from fairvec.metrics.base import Metric
from fairvec.metrics.bias.associations.ceat import Ceat
from fairvec.metrics.bias.associations.ect import Ect
from fairvec.metrics.bias.associations.mac import Mac
from fairvec.metrics.bias.associations.rnd import Rnd
from fairvec.metrics.bias.associations.rnsb import Rnsb
from fairvec.metrics.bias.associations.same import Same
from fairvec.metrics.bias.associations.seat import Seat
from fairvec.metrics.bias.associations.weat import Weat
from fairvec.metrics.bias.directions.direct_bias import DirectBias, SignedDirectBias
from fairvec.metrics.bias.directions.gyrocosine_bias import GyrocosineBias
from fairvec.metrics.bias.directions.indirect_bias import IndirectBias
from fairvec.metrics.bias.directions.pair_bias import PairBias
from fairvec.metrics.bias.directions.ripa import Ripa
from fairvec.metrics.bias.neighbourhoods.bias_by_classification import BiasByClassification
from fairvec.metrics.bias.neighbourhoods.bias_by_clustering import BiasByClustering
from fairvec.metrics.bias.neighbourhoods.bias_by_neighbours import BiasByNeighbours
from fairvec.metrics.bias.neighbourhoods.gipe import Gipe
from fairvec.metrics.bias.parts.effect_size import EFFECT_SIZES, EffectSize, effect_size

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
