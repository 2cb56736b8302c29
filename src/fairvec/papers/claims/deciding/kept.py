"""The kind `kept`: figures are after a change what they were, within a margin."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.ground.numbers import signed, signed_in_figures
from fairvec.papers.claims.deciding.decision import (
    ClaimGrade,
    Decision,
    counted,
    ends_in_figures,
    named,
)
from fairvec.stats import Ends


@dataclass(frozen=True)
class FigureKept:
    """A figure before and after a change, and the changes that its paired test allows.

    `difference` is that of all figures together at 95 %; None where any change is allowed.
    """

    name: str
    before: float
    after: float
    difference: Ends | None


def decide_kept(
    figures: Sequence[FigureKept], margin: float, missing: Sequence[str] = ()
) -> Decision:
    """Decide by the interval of each change: as much proof is asked of keeping as of losing.

    All intervals within the margin: holds. One wholly outside of it: fails. Else undecided, and so
    it is where a figure is missing.
    """
    within = [one.name for one in figures if one.difference and _within(one.difference, margin)]
    lost = [one for one in figures if one.difference and _outside(one.difference, margin)]
    largest = max(figures, key=lambda one: abs(one.after - one.before))
    step, asked = largest.after - largest.before, len(figures) + len(missing)
    open_ = [one.name for one in figures if one.name not in within and one not in lost]
    parts = [
        f"{counted(within, asked)} kept within {margin:g}",
        f"moved further: {named([one.name for one in lost])}" if lost else "",
        f"open: {named(open_)}" if open_ and len(open_) < asked else "",
        f"not asked: {named(missing)}" if missing else "",
        f"the {'largest ' if asked > 1 else ''}change is {_figure(step)} "
        f"({largest.name}{_span(largest)})",
    ]
    grade: ClaimGrade = "fails" if lost else "holds" if len(within) == asked else "undecided"
    return Decision(
        grade,
        f"{'; '.join(part for part in parts if part)}.",
        f"{len(within)} of {asked} kept, largest change {_figure(step)}",
        {"largest_change": step, "kept": float(len(within)), "asked": float(asked)}
        | (ends_in_figures(largest.difference) if asked == 1 else {}),
    )


def _within(ends: Ends, margin: float) -> bool:
    return ends.low >= -margin and ends.high <= margin


def _outside(ends: Ends, margin: float) -> bool:
    return ends.low > margin or ends.high < -margin


def _span(one: FigureKept) -> str:
    ends = one.difference
    return f", {_figure(ends.low)} to {_figure(ends.high)}" if ends else ""


def _figure(value: float) -> str:
    """Return a change with two digits, and more of one that these would call nothing."""
    return signed(value) if abs(value) >= 0.095 or value == 0 else signed_in_figures(value)
