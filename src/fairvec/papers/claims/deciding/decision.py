"""What a test decides of a claim, and the words that all kinds share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fairvec.stats import Ends

ClaimGrade = Literal["holds", "fails", "undecided", "not tried"]

CLAIM_GRADES: dict[ClaimGrade, str] = {
    "holds": "our figures show what the paper finds",
    "fails": "our figures show that it is not so on this model",
    "undecided": "our figures allow both",
    "not tried": "there are no figures; the reason is given",
}
"""Every grade of a claim, and what it says."""

ALPHA = 0.05
LEVEL = 0.95

SMALL = 0.2
"""An effect, or a change of one, that is smaller is none worth a claim: Cohen's small."""


@dataclass(frozen=True)
class Decision:
    """A grade, the sentence that says why, and the figures behind it.

    `shown` is the figure as a table shows it; `p` is None where no test gives one.
    """

    grade: ClaimGrade
    sentence: str
    shown: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    p: float | None = None


def level_for(figures: int) -> float:
    """Return the level of each interval by which all of so many hold together at 95 %.

    1 - 0.05 / m (Bonferroni): the chance that any of them misses is 5 % at the most.
    """
    return 1 - ALPHA / figures


def ends_in_figures(ends: Ends | None) -> dict[str, float]:
    """Return the ends of an interval as figures; nothing where there is none."""
    return {"low": ends.low, "high": ends.high} if ends else {}


def named(names: Sequence[str]) -> str:
    """Return names one after the other; those with a comma of their own in quotation marks."""
    names = [name.removesuffix(".") for name in names]
    return ", ".join(quoted(name) if "," in name else name for name in names)


def quoted(name: str) -> str:
    """Return a name in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def counted(names: Sequence[str], of: int) -> str:
    """Return `2 of 5 (E1, E3)`, the names left out where they are all, or none."""
    some = f" ({named(names)})" if 0 < len(names) < of else ""
    return f"{len(names)} of {of}{some}"
