"""GET /api/results and /api/run: the runs of the folders that were named, and one's records."""

from typing import Any

from fairvec.ground.errors import SettingError
from fairvec.web.opened import OpenModels
from fairvec.web.questions import Typed, WireQuestion
from fairvec.web.run_pages import RESULTS


class AskedRun(WireQuestion):
    """A run, by the name that /api/results gives it."""

    name: Typed


def told_of_results(models: OpenModels) -> dict[str, Any]:
    """Return every run, with what is wrong with it if it cannot be read."""
    return {"runs": [run.told() for run in models.results.runs().values()]}


def records_of_run(models: OpenModels, question: AskedRun) -> dict[str, Any]:
    """Return the records of one run, as they stand in its file."""
    run = models.results.run(question.name)
    if run.kind is not RESULTS:
        raise SettingError(
            f"{run.name} holds a {run.kind.title} and no results; open its page under /run."
        )
    return {"records": [record.model_dump(mode="json") for record in run.lines()]}
