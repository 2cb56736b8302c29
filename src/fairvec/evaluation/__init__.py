"""The experiment: a plan, its run, and two runs compared."""

from typing import TYPE_CHECKING

from fairvec.ground.on_demand import on_demand

if TYPE_CHECKING:
    from fairvec.evaluation.auditing import audit
    from fairvec.evaluation.categories.answering import category_answers
    from fairvec.evaluation.changes.category_changes import CategoryComparison
    from fairvec.evaluation.changes.compare import Comparison, RunComparison, change, compare
    from fairvec.evaluation.changes.judge import Judgement, judge
    from fairvec.evaluation.changes.usefulness import usefulness
    from fairvec.evaluation.choosing.choose import fitting_suites, tests_for
    from fairvec.evaluation.choosing.languages import Fit, Spoken, languages_of, spoken
    from fairvec.evaluation.debiased_files import DebiasedFiles, write_debiased
    from fairvec.evaluation.debiasing import Debiased, debias_model
    from fairvec.evaluation.frontiers.frontier import Frontier, frontier
    from fairvec.evaluation.lengths.needed import words_needed
    from fairvec.evaluation.noun_places import noun_genders
    from fairvec.evaluation.runs.plan import Audit, Plan, Statistics
    from fairvec.evaluation.runs.run import Progress, run
    from fairvec.evaluation.studies.cells_on_cluster import on_cluster
    from fairvec.evaluation.studies.running import Study, study
    from fairvec.evaluation.studies.study_plan import read_study

__all__ = [
    "Audit",
    "CategoryComparison",
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
    "Study",
    "audit",
    "category_answers",
    "change",
    "compare",
    "debias_model",
    "fitting_suites",
    "frontier",
    "judge",
    "languages_of",
    "noun_genders",
    "on_cluster",
    "read_study",
    "run",
    "spoken",
    "study",
    "tests_for",
    "usefulness",
    "words_needed",
    "write_debiased",
]

# Type checkers read the imports above instead; whoever audits does not load what debiases.
if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "auditing": ("audit",),
            "categories.answering": ("category_answers",),
            "changes.category_changes": ("CategoryComparison",),
            "changes.compare": ("Comparison", "RunComparison", "change", "compare"),
            "changes.judge": ("Judgement", "judge"),
            "changes.usefulness": ("usefulness",),
            "choosing.choose": ("fitting_suites", "tests_for"),
            "choosing.languages": ("Fit", "Spoken", "languages_of", "spoken"),
            "debiased_files": ("DebiasedFiles", "write_debiased"),
            "debiasing": ("Debiased", "debias_model"),
            "frontiers.frontier": ("Frontier", "frontier"),
            "lengths.needed": ("words_needed",),
            "noun_places": ("noun_genders",),
            "runs.plan": ("Audit", "Plan", "Statistics"),
            "runs.run": ("Progress", "run"),
            "studies.cells_on_cluster": ("on_cluster",),
            "studies.running": ("Study", "study"),
            "studies.study_plan": ("read_study",),
        },
    )
