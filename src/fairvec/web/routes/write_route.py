"""POST /api/write: the debiased model as a file, where the server may write."""

from typing import Any

from fairvec.web.change.asked_tests import tests_asked
from fairvec.web.change.change_questions import AskedWriting
from fairvec.web.change.change_told import as_command
from fairvec.web.change.writing import write_change
from fairvec.web.opened import OpenModels


def answer_to_writing(models: OpenModels, question: AskedWriting) -> dict[str, Any]:
    """Write the model, and return the names of what was written."""
    files = write_change(models, question)
    opened = models[question.model]
    tests = [each.test for each in tests_asked(question, [opened.embedding])]
    return {
        "model": files.model.name,
        "run": files.folder.name,
        "folder": str(files.model.parent),
        "command": as_command(question, opened, tests, str(files.model)),
    }
