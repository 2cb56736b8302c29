"""POST /api/ask: four lists and a model, answered by the record of an audit."""

from dataclasses import asdict
from typing import Any

from fairvec.web.asking import asked_test
from fairvec.web.opened import OpenModels
from fairvec.web.questions import AskedLists


def answer_to_lists(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return the record, and what the linter finds in the lists."""
    found = asked_test(question, models[question.model])
    return {
        "record": found.outcome.model_dump(mode="json"),
        "findings": [asdict(finding) for finding in found.findings],
    }
