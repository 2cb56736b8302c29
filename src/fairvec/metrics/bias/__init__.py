"""Metrics of bias, one file a family; `METRICS` is the list of them."""

from fairvec.metrics.base import Metric
from fairvec.metrics.bias import (
    ceat,
    direction,
    indirect,
    list_means,
    pairs,
    rnsb,
    seat,
    vocabulary,
    weat,
)

METRICS: tuple[Metric, ...] = (
    weat.Weat(),
    seat.Seat(),
    ceat.Ceat(),
    direction.DirectBias(),
    direction.SignedDirectBias(),
    direction.GyrocosineBias(),
    indirect.IndirectBias(),
    pairs.PairBias(),
    pairs.Ripa(),
    direction.Same(),
    direction.Same(part="skew"),
    direction.Same(part="stereotype"),
    list_means.Mac(),
    list_means.Ect(),
    list_means.Rnd(),
    rnsb.Rnsb(),
    indirect.Gipe(),
    vocabulary.BiasByNeighbours(),
    vocabulary.BiasByClustering(),
    vocabulary.BiasByClassification(),
)
"""Every metric with its default settings; the name of each is unique."""
