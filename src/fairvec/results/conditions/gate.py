"""A gate: a condition applied to the rows of a run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fairvec.core.errors import SettingError
from fairvec.core.text import escape_control
from fairvec.results.conditions.expression import AggregateValue, Condition, ConditionResult
from fairvec.results.records import Outcome
from fairvec.results.rows import Plain, to_row

Row = Mapping[str, Plain]
_DISTINGUISHING = ("language", "metric", "similarity")


def _nothing(row: Row) -> str:
    return ""


@dataclass(frozen=True)
class Gate:
    """Rows and a condition that none of them, or all of them together, should meet.

    `things` is what the rows are called, `shown` the columns of a table, and `place` and `name` say
    whose row it is and what it is of. `unanswered` says why a row has no answer, if it has none.
    `notes` are sentences that a reader needs beside the answer.
    """

    command: str
    things: str
    condition: Condition
    rows: Sequence[Row]
    shown: tuple[str, ...]
    place: Callable[[Row], str]
    name: Callable[[Row], str]
    unanswered: Callable[[Row], str] = _nothing
    notes: tuple[str, ...] = ()

    @cached_property
    def ruling(self) -> ConditionResult:
        """What the condition says of the rows."""
        return self.condition.ruling(self.rows)

    @property
    def met(self) -> list[Row]:
        """The rows that meet a condition on one row."""
        return [] if self.ruling.over_rows else [self.rows[place] for place in self.ruling.met]

    @property
    def is_met(self) -> bool:
        """Whether the gate is shut."""
        return bool(self.ruling.met)


def distinguishing_columns(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the columns in which rows of one name differ, so that a reader knows which is which.

    A category is asked in each language, and a test by each metric, under one id.
    """
    names = ("test", "model", "model_before", "model_after")
    named: dict[tuple[Plain, ...], list[Row]] = {}
    for row in rows:
        named.setdefault(tuple(row.get(name) for name in names), []).append(row)
    return tuple(
        column
        for column in _DISTINGUISHING
        if any(len({row[column] for row in same}) > 1 for same in named.values())
    )


def full_name(rows: Sequence[Row]) -> Callable[[Row], str]:
    """Return how a row is called: by its test and metric, and what else tells it apart."""
    apart = ("metric", *(column for column in distinguishing_columns(rows) if column != "metric"))
    return lambda row: f"{row['test']} ({', '.join(str(row[column]) for column in apart)})"


def value_of(figure: AggregateValue) -> str:
    """Return the value of a figure in words."""
    return "unknown" if figure.value is None else cell(figure.value)


def cell(value: Plain) -> str:
    """Return a value as a line shows it: on one line, whatever a name holds."""
    return f"{value:.4g}" if isinstance(value, float) else escape_control(str(value), but="")


_P_COLUMNS = ("p", "p_holm", "p_bh")


def is_bound(row: Row, column: str) -> bool:
    """Return whether a p is at most what is shown: none of the draws was as extreme."""
    drawn = row.get("p_method") == "sampled" and row.get("p_low") == 0
    return drawn and column in _P_COLUMNS and row.get(column) is not None


def named_cell(row: Row, column: str) -> str:
    """Return p=0.013, or p≤1e-05 of a sampled p that its draws cannot undercut."""
    return f"{column}{'≤' if is_bound(row, column) else '='}{cell(row[column])}"


OF_RESULTS = ("effect", "p", "p_holm", "verdict")
_OF_CHANGES = ("effect_before", "effect_after", "p_paired", "change")
_FIGURES = ("effect", "effect_before", "effect_after")


def results_gate(outcomes: Sequence[Outcome], condition: Condition, *, where: str = "") -> Gate:
    """Return the gate; refuse a run in which nothing was measured, named by `where`."""
    rows = [to_row(outcome) for outcome in outcomes]
    if all(row[name] is None for row in rows for name in _FIGURES):
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
    return ("model", "test", *distinguishing_columns(rows))
