"""POST /api/change: a method at a strength, judged by tests before and after."""

from typing import Any

from fairvec.web.change.change_questions import AskedChange
from fairvec.web.change.change_told import (
    as_command,
    as_python,
    effect_told,
    fit_told,
    row_of,
    summary_of,
)
from fairvec.web.change.trying import tried
from fairvec.web.opened import OpenModels


def answer_to_change(models: OpenModels, question: AskedChange) -> dict[str, Any]:
    """Return the records before and after, what became of each test, and how to have the same."""
    found = tried(models, question)
    if question.stage == "quick":
        return {
            "after": [one.model_dump(mode="json") for one in found.after],
            "rows": [effect_told(one) for one in found.after],
            "fit": fit_told(found.fit),
        }
    opened, tests = models[question.model], [each.test for each in found.judged.tests]
    return {
        "before": [one.model_dump(mode="json") for one in found.judged.before],
        "after": [one.model_dump(mode="json") for one in found.after],
        "changes": [one.model_dump(mode="json") for one in found.changes],
        "rows": [row_of(one) for one in found.changes],
        "summary": summary_of(found),
        "fit": fit_told(found.fit),
        "command": as_command(question, opened, tests),
        "python": as_python(question, opened, tests),
        "may_write": models.write_to is not None,
    }
