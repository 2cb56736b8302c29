"""Small gates for tests."""

from collections.abc import Sequence

from fairvec.results import Condition, Outcome, to_row
from fairvec.results.conditions.gate import Gate
from tests.results.make import measured, skipped

OUTCOMES: tuple[Outcome, ...] = (
    measured(effect=1.2, p_holm=0.01),
    measured(effect=0.1, p_holm=0.9, test="toy/two"),
    skipped(test="toy/three"),
)


def gate(text: str, outcomes: Sequence[Outcome] = OUTCOMES) -> Gate:
    """A gate over results, as check makes it."""
    return Gate(
        command="fairvec check",
        things="results",
        condition=Condition(text),
        rows=[to_row(outcome) for outcome in outcomes],
        shown=("model", "test", "effect", "reason"),
        place=lambda row: str(row["model"]),
        name=lambda row: str(row["test"]),
        unanswered=lambda row: str(row["reason"] or ""),
    )
