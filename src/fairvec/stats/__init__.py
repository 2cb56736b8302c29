"""How sure we are: permutation p-values, bootstrap intervals, corrections, influence and power."""

from fairvec.stats.bootstrap import Interval, interval
from fairvec.stats.correction import benjamini_hochberg, holm
from fairvec.stats.influence import Effect, leave_one_out
from fairvec.stats.permutation import (
    Method,
    PValue,
    Sides,
    Ties,
    permutation_test,
    smallest_attainable,
)
from fairvec.stats.power import smallest_detectable

__all__ = [
    "Effect",
    "Interval",
    "Method",
    "PValue",
    "Sides",
    "Ties",
    "benjamini_hochberg",
    "holm",
    "interval",
    "leave_one_out",
    "permutation_test",
    "smallest_attainable",
    "smallest_detectable",
]
