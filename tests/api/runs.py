"""Results for tests: made up, in three languages, of every kind of record."""

from fairvec import Results
from tests.report.category_answers import with_answers
from tests.report.outcomes import a_run
from tests.results.make import compared, viewed
from tests.results.test_lines import described


def a_run_of_results() -> Results:
    """Five models in three languages, with the answers of their categories."""
    return Results(with_answers(a_run()))


def every_kind() -> Results:
    """Some of each kind of record."""
    changes = [compared(), compared(after=None, kind="no-answer", test="toy/two")]
    return Results([*a_run_of_results(), *changes, described(), viewed()])


def of(model: str) -> Results:
    """What one model answered."""
    return Results(one for one in a_run_of_results() if one.model.name == model)
