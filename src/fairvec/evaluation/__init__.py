"""The experiment: a plan, its run, and two runs compared."""

from fairvec.evaluation.audit import audit
from fairvec.evaluation.choose import fitting_suites, tests_for
from fairvec.evaluation.compare import Comparison, RunComparison, change, compare
from fairvec.evaluation.debiased_files import DebiasedFiles, write_debiased
from fairvec.evaluation.debiasing import Debiased, debias_model
from fairvec.evaluation.frontier import Frontier, frontier
from fairvec.evaluation.judge import Judgement, judge
from fairvec.evaluation.languages import Fit, Spoken, languages_of, spoken
from fairvec.evaluation.plan import Audit, Plan, Statistics
from fairvec.evaluation.run import Progress, run
from fairvec.evaluation.usefulness import usefulness

__all__ = [
    "Audit",
    "Comparison",
    "Debiased",
    "DebiasedFiles",
    "Fit",
    "Frontier",
    "Judgement",
    "Plan",
    "Progress",
    "RunComparison",
    "Spoken",
    "Statistics",
    "audit",
    "change",
    "compare",
    "debias_model",
    "fitting_suites",
    "frontier",
    "judge",
    "languages_of",
    "run",
    "spoken",
    "tests_for",
    "usefulness",
    "write_debiased",
]
