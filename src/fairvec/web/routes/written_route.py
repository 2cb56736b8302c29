"""POST /api/written: the same question as a suite file, a command line and Python."""

from typing import Any

from fairvec.web.asked_lists import as_test, suite_of
from fairvec.web.opened import OpenModels
from fairvec.web.questions import AskedLists
from fairvec.web.same_figures import as_command, as_file, as_python, file_name


def written(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return the file, its name, the command that asks it and the program that does."""
    opened = models[question.model]
    suite = suite_of(as_test(question, opened.languages))
    return {
        "name": file_name(suite),
        "toml": as_file(suite),
        "command": as_command(suite, opened),
        "python": as_python(suite, opened),
    }
