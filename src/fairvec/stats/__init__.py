"""How sure we are: p-values, intervals, corrections, correlations, influence and power."""

from typing import TYPE_CHECKING

from fairvec.core.lazy import lazy_exports

if TYPE_CHECKING:
    from fairvec.stats.anova import (
        AnovaTerm,
        anova_table,
        factor_permutation_test,
        omega2_intervals,
        trend_test,
    )
    from fairvec.stats.bootstrap import Effect, bootstrap_interval, leave_one_out
    from fairvec.stats.correlation import adjusted_difference, pearson, spearman
    from fairvec.stats.joint.joint_test import JointResult, joint_test
    from fairvec.stats.joint.units import ScoredLists
    from fairvec.stats.multitest import benjamini_hochberg, holm
    from fairvec.stats.paired import (
        paired_interval,
        paired_test,
        spearman_contributions,
    )
    from fairvec.stats.permutation.difference_interval import difference_interval
    from fairvec.stats.permutation.two_sample import (
        PMethod,
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
    from fairvec.stats.values import Interval, PairedP, PValue, Sides, Ties

__all__ = [
    "AnovaTerm",
    "Effect",
    "Interval",
    "JointResult",
    "PMethod",
    "PValue",
    "PairedP",
    "ScoredLists",
    "Sides",
    "Ties",
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
]

# On first use: scipy takes half a second to load, and records need `stats.values` alone.
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "anova": (
                "AnovaTerm",
                "anova_table",
                "factor_permutation_test",
                "omega2_intervals",
                "trend_test",
            ),
            "bootstrap": ("Effect", "bootstrap_interval", "leave_one_out"),
            "correlation": ("adjusted_difference", "pearson", "spearman"),
            "joint.joint_test": ("JointResult", "joint_test"),
            "joint.units": ("ScoredLists",),
            "multitest": ("benjamini_hochberg", "holm"),
            "paired": (
                "paired_interval",
                "paired_test",
                "spearman_contributions",
            ),
            "permutation.difference_interval": ("difference_interval",),
            "permutation.two_sample": (
                "PMethod",
                "permutation_test",
                "permutation_tests",
                "smallest_attainable_p",
            ),
            "power": (
                "attained_level",
                "attained_level_of_pairs",
                "expected_significant_share",
                "required_words",
                "smallest_detectable",
                "smallest_detectable_of_pairs",
            ),
            "values": ("Interval", "PairedP", "PValue", "Sides", "Ties"),
        },
    )
