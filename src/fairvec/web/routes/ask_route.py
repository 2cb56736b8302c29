"""POST /api/ask: four lists and a model, answered by the record of an audit."""

from typing import Any

from fairvec.results import Result
from fairvec.web.asking import LiveTest, asked_test, by_role
from fairvec.web.figures_told import readings, told
from fairvec.web.opened import OpenModels
from fairvec.web.questions import AskedLists


def answer_to_lists(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return the record, its figures in words, and what the linter finds in the lists.

    At the stage `quick` the record is still to come, and `quick` has what is known of it; lists
    that make no test are `unasked`, with the reason.
    """
    found = asked_test(question, models[question.model])
    whole = found.outcome if found.stage == "full" else None
    return {
        "stage": found.stage,
        "reason": found.reason,
        "record": whole.model_dump(mode="json") if whole else None,
        "quick": None if whole else _quick(found),
        "told": told(whole) if whole else readings(found.outcome) if found.outcome else {},
        "findings": by_role(found.findings, found.suite) if found.suite else [],
    }


def _quick(found: LiveTest) -> dict[str, Any]:
    measured = found.outcome if isinstance(found.outcome, Result) else None
    return {
        "effect": measured.effect if measured else None,
        "words": [word.model_dump(mode="json") for word in measured.words] if measured else [],
        "coverage": [group.model_dump(mode="json") for group in found.coverage],
    }
