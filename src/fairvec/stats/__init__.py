"""How sure we are: p-values, intervals, corrections, correlations, influence and power."""

from fairvec.stats.bootstrap import BootstrapInterval, interval
from fairvec.stats.correction import benjamini_hochberg, holm
from fairvec.stats.correlation import pearson, spearman
from fairvec.stats.covariate import AdjustedDifference, adjusted_difference
from fairvec.stats.crossed.decomposition import CrossedTerm, Decomposition, decomposed
from fairvec.stats.crossed.exchange import ExchangeP, exchange_test
from fairvec.stats.crossed.share_interval import share_intervals
from fairvec.stats.influence import Effect, leave_one_out
from fairvec.stats.intervals.difference import DifferenceInterval, difference_interval
from fairvec.stats.intervals.inversion import Ends
from fairvec.stats.intervals.other_error import with_other_error
from fairvec.stats.intervals.spread_error import with_error_of_spread
from fairvec.stats.joint.joint_test import Joint, ScoredLists, joint_test
from fairvec.stats.pairing.paired import (
    PairedMethod,
    paired_test,
    shares_of_difference,
    shares_of_spearman,
)
from fairvec.stats.pairing.paired_interval import paired_interval
from fairvec.stats.power import (
    attained_level,
    attained_level_of_pairs,
    smallest_detectable,
    smallest_detectable_of_pairs,
    words_to_detect,
)
from fairvec.stats.regrouping.permutation import (
    PermutationP,
    PMethod,
    Sides,
    Ties,
    permutation_test,
    permutation_tests,
    smallest_attainable,
)
from fairvec.stats.shorter_lists import share_still_significant
from fairvec.stats.trend import Trend, trend_test

__all__ = [
    "AdjustedDifference",
    "BootstrapInterval",
    "CrossedTerm",
    "Decomposition",
    "DifferenceInterval",
    "Effect",
    "Ends",
    "ExchangeP",
    "Joint",
    "PMethod",
    "PairedMethod",
    "PermutationP",
    "ScoredLists",
    "Sides",
    "Ties",
    "Trend",
    "adjusted_difference",
    "attained_level",
    "attained_level_of_pairs",
    "benjamini_hochberg",
    "decomposed",
    "difference_interval",
    "exchange_test",
    "holm",
    "interval",
    "joint_test",
    "leave_one_out",
    "paired_interval",
    "paired_test",
    "pearson",
    "permutation_test",
    "permutation_tests",
    "share_intervals",
    "share_still_significant",
    "shares_of_difference",
    "shares_of_spearman",
    "smallest_attainable",
    "smallest_detectable",
    "smallest_detectable_of_pairs",
    "spearman",
    "trend_test",
    "with_error_of_spread",
    "with_other_error",
    "words_to_detect",
]
