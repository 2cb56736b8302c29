"""POST /api/compare: two models beside each other."""

from typing import Any

from fairvec.evaluation.changes.judge import change_of
from fairvec.report.words.display import unbroken
from fairvec.results import Outcome, Result, Skipped
from fairvec.web.change.change_questions import AskedForPair, AskedPair
from fairvec.web.change.change_told import effect_told, row_of
from fairvec.web.comparing_models import TestBeside, askable, beside
from fairvec.web.opened import OpenModels


def answer_to_comparison(models: OpenModels, question: AskedPair) -> dict[str, Any]:
    """Return the records of both models and, of the same lists, the paired change."""
    return {"tests": [_told(one) for one in beside(models, question)]}


def tests_for_pair(models: OpenModels, question: AskedForPair) -> dict[str, Any]:
    """Return the shipped tests that both models can be asked."""
    found = askable(models[question.model], models[question.other])
    return {
        "tests": [
            {"id": one.id, "title": one.title, "language": one.language, "category": one.category}
            for one in found
        ]
    }


def _told(one: TestBeside) -> dict[str, Any]:
    change = change_of(one.comparison) if one.comparison else None
    return {
        "records": [outcome.model_dump(mode="json") for outcome in one.outcomes],
        "told": [{**effect_told(outcome), "sentence": _said(outcome)} for outcome in one.outcomes],
        "how": one.how,
        "change": change.model_dump(mode="json") if change else None,
        "row": row_of(change) if change else None,
        "why_not": one.why_not,
    }


def _said(outcome: Outcome) -> str:
    if isinstance(outcome, Result):
        return unbroken(outcome.verdict.sentence)
    return outcome.reason if isinstance(outcome, Skipped) else ""
