"""The view Compare: two models by the same test, or by its counterpart in the other language."""

from typing import Any

from fairvec.core.errors import SettingError
from fairvec.experiments.comparison.model_pairs import (
    ModelPair,
    compare_by_test,
    tests_of_both,
)
from fairvec.messages.figures import keep_together
from fairvec.messages.verdicts import is_evidence
from fairvec.results import Outcome, Result, Skipped
from fairvec.web.open_models import OpenModels
from fairvec.web.questions.ask import skip_reason
from fairvec.web.questions.change import effect_row, requested_tests, row_of
from fairvec.web.schemas import CommonTestsRequest, ComparisonRequest


def answer_to_comparison(models: OpenModels, request: ComparisonRequest) -> dict[str, Any]:
    """Return the records of both models and, of the same lists, the paired change."""
    if len(set(request.models)) < 2:
        raise SettingError("Name two different models to compare.")
    first, second = (models[name] for name in request.models)
    both = [first.embedding, second.embedding]
    tests = requested_tests(request, both)
    return {"tests": [_pair_entry(compare_by_test(each.test, first, second)) for each in tests]}


def tests_for_pair(models: OpenModels, request: CommonTestsRequest) -> dict[str, Any]:
    """Return the shipped tests for both models."""
    tests = tests_of_both(models[request.model], models[request.other])
    return {
        "tests": [
            {
                "id": one.id,
                "suite": one.suite,
                "title": one.title,
                "language": one.language,
                "category": one.category,
            }
            for one in tests
        ]
    }


def _pair_entry(pair: ModelPair) -> dict[str, Any]:
    return {
        "records": [outcome.model_dump(mode="json") for outcome in pair.outcomes],
        "readings": [
            {
                **effect_row(outcome),
                "sentence": _sentence(outcome),
                "evident": isinstance(outcome, Result) and is_evidence(outcome),
            }
            for outcome in pair.outcomes
        ],
        "how": pair.how,
        "change": pair.change.model_dump(mode="json") if pair.change else None,
        "row": row_of(pair.change) if pair.change else None,
        "why_not": pair.why_not,
    }


def _sentence(outcome: Outcome) -> str:
    if isinstance(outcome, Result):
        return keep_together(outcome.verdict.sentence)
    return skip_reason(outcome) if isinstance(outcome, Skipped) else ""
