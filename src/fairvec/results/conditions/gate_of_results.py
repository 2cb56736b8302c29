"""The gate of a run: what `fairvec check` asks in the shell and `Results.check` in Python."""

from collections.abc import Sequence

from fairvec.ground.errors import SettingError
from fairvec.results.conditions.condition import Condition
from fairvec.results.conditions.gate import Gate, Row, full_name, told_apart_by
from fairvec.results.outcome import Outcome
from fairvec.results.rows import flat

OF_RESULTS = ("effect", "p", "p_holm", "verdict")
_OF_CHANGES = ("effect_before", "effect_after", "p_paired", "change")


def gate_of_results(outcomes: Sequence[Outcome], condition: Condition, *, where: str = "") -> Gate:
    """Return the gate; refuse a run in which nothing was measured, named by `where`."""
    rows = [flat(outcome) for outcome in outcomes]
    if all(row["effect"] is None for row in rows):
        no = f"{where}: no" if where else "No"
        raise SettingError(
            f"{no} test was measured, so there is nothing to check; see the reasons in the report "
            "and audit with suites that fit the model."
        )
    return Gate(
        command="fairvec check",
        things="results",
        condition=condition,
        rows=rows,
        shown=(*named_by(rows), *OF_RESULTS, "size", *_OF_CHANGES, "reason"),
        place=lambda row: str(row["model"]),
        name=full_name(rows),
        unanswered=lambda row: str(row["reason"] or ""),
    )


def named_by(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the columns that say which row one is."""
    return ("model", "test", *told_apart_by(rows))
