"""How sure we are: p-values, intervals, corrections, correlations, influence and power."""

from fairvec.stats.anova import (
    CrossedTerm,
    Decomposition,
    ExchangeP,
    Trend,
    decomposed,
    exchange_test,
    share_intervals,
    trend_test,
)
from fairvec.stats.bootstrap import BootstrapInterval, Effect, interval, leave_one_out
from fairvec.stats.correlation import AdjustedDifference, adjusted_difference, pearson, spearman
from fairvec.stats.effect_interval import with_error_of_spread, with_other_error
from fairvec.stats.joint.joint_test import Joint, joint_test
from fairvec.stats.joint.units import ScoredLists
from fairvec.stats.multitest import benjamini_hochberg, holm
from fairvec.stats.paired import (
    PairedMethod,
    paired_interval,
    paired_test,
    shares_of_difference,
    shares_of_spearman,
)
from fairvec.stats.permutation.difference_interval import DifferenceInterval, difference_interval
from fairvec.stats.permutation.inversion import Ends
from fairvec.stats.permutation.two_sample import (
    PermutationP,
    PMethod,
    Sides,
    Ties,
    permutation_test,
    permutation_tests,
    smallest_attainable,
)
from fairvec.stats.power import (
    attained_level,
    attained_level_of_pairs,
    share_still_significant,
    smallest_detectable,
    smallest_detectable_of_pairs,
    words_to_detect,
)

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
