"""How sure we are: p-values, intervals, corrections, correlations, influence and power."""

from fairvec.stats.anova import (
    AnovaTable,
    AnovaTerm,
    ExchangeP,
    Trend,
    anova_table,
    factor_permutation_test,
    omega2_intervals,
    trend_test,
)
from fairvec.stats.bootstrap import BootstrapInterval, Effect, bootstrap_interval, leave_one_out
from fairvec.stats.correlation import AdjustedDifference, adjusted_difference, pearson, spearman
from fairvec.stats.effect_interval import widen_by_error, widen_for_spread_error
from fairvec.stats.joint.joint_test import JointResult, joint_test
from fairvec.stats.joint.units import ScoredLists
from fairvec.stats.multitest import benjamini_hochberg, holm
from fairvec.stats.paired import (
    PairedMethod,
    mean_difference_contributions,
    paired_interval,
    paired_test,
    spearman_contributions,
)
from fairvec.stats.permutation.difference_interval import DifferenceInterval, difference_interval
from fairvec.stats.permutation.inversion import Limits
from fairvec.stats.permutation.two_sample import (
    PermutationP,
    PMethod,
    Sides,
    Ties,
    permutation_test,
    permutation_tests,
    smallest_attainable_p,
)
from fairvec.stats.power import (
    attained_level,
    attained_level_of_pairs,
    expected_significant_share,
    required_words,
    smallest_detectable,
    smallest_detectable_of_pairs,
)

__all__ = [
    "AdjustedDifference",
    "AnovaTable",
    "AnovaTerm",
    "BootstrapInterval",
    "DifferenceInterval",
    "Effect",
    "ExchangeP",
    "JointResult",
    "Limits",
    "PMethod",
    "PairedMethod",
    "PermutationP",
    "ScoredLists",
    "Sides",
    "Ties",
    "Trend",
    "adjusted_difference",
    "anova_table",
    "attained_level",
    "attained_level_of_pairs",
    "benjamini_hochberg",
    "bootstrap_interval",
    "difference_interval",
    "expected_significant_share",
    "factor_permutation_test",
    "holm",
    "joint_test",
    "leave_one_out",
    "mean_difference_contributions",
    "omega2_intervals",
    "paired_interval",
    "paired_test",
    "pearson",
    "permutation_test",
    "permutation_tests",
    "required_words",
    "smallest_attainable_p",
    "smallest_detectable",
    "smallest_detectable_of_pairs",
    "spearman",
    "spearman_contributions",
    "trend_test",
    "widen_by_error",
    "widen_for_spread_error",
]
