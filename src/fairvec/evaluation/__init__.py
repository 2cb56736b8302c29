"""The experiment: a plan, its run, and two runs compared."""

from fairvec.evaluation.audit import audit
from fairvec.evaluation.choose import Fit, fitting_suites, tests_for
from fairvec.evaluation.compare import Comparison, RunComparison, change, compare
from fairvec.evaluation.plan import Audit, Plan, Statistics
from fairvec.evaluation.run import Progress, run

__all__ = [
    "Audit",
    "Comparison",
    "Fit",
    "Plan",
    "Progress",
    "RunComparison",
    "Statistics",
    "audit",
    "change",
    "compare",
    "fitting_suites",
    "run",
    "tests_for",
]
