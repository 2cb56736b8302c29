"""How sure we are: p-values, intervals, corrections, correlations, influence and power."""

from fairvec.stats.bootstrap import Interval, interval
from fairvec.stats.correction import benjamini_hochberg, holm
from fairvec.stats.correlation import pearson, spearman
from fairvec.stats.covariate import AdjustedDifference, adjusted_difference
from fairvec.stats.difference import DifferenceInterval, difference_interval
from fairvec.stats.influence import Effect, leave_one_out
from fairvec.stats.inversion import Ends
from fairvec.stats.paired import (
    PairedMethod,
    paired_test,
    shares_of_difference,
    shares_of_spearman,
)
from fairvec.stats.paired_interval import paired_interval
from fairvec.stats.permutation import (
    Method,
    PValue,
    Sides,
    Ties,
    permutation_test,
    permutation_tests,
    smallest_attainable,
)
from fairvec.stats.power import attained_level, smallest_detectable
from fairvec.stats.spread_error import with_error_of_spread

__all__ = [
    "AdjustedDifference",
    "DifferenceInterval",
    "Effect",
    "Ends",
    "Interval",
    "Method",
    "PValue",
    "PairedMethod",
    "Sides",
    "Ties",
    "adjusted_difference",
    "attained_level",
    "benjamini_hochberg",
    "difference_interval",
    "holm",
    "interval",
    "leave_one_out",
    "paired_interval",
    "paired_test",
    "pearson",
    "permutation_test",
    "permutation_tests",
    "shares_of_difference",
    "shares_of_spearman",
    "smallest_attainable",
    "smallest_detectable",
    "spearman",
    "with_error_of_spread",
]
