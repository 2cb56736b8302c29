"""The kind `threshold`: figures against a limit that the text names."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.ground.numbers import MINUS, MOST_DIGITS
from fairvec.papers.claims.deciding.decision import (
    ClaimGrade,
    Decision,
    counted,
    ends_in_figures,
    named,
)
from fairvec.stats import Ends


@dataclass(frozen=True)
class FigureAgainst:
    """A figure and its interval, that of all figures together at 95 %; None where there is none."""

    name: str
    value: float
    interval: Ends | None = None

    @property
    def ends(self) -> Ends:
        """The interval, or the number alone."""
        return self.interval or Ends(self.value, self.value)


def decide_threshold(
    figures: Sequence[FigureAgainst],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    missing: Sequence[str] = (),
) -> Decision:
    """Decide by the interval of each figure; where it has none, by the number alone.

    All on the right side of the limit: holds. One wholly on the wrong side: fails. Else undecided,
    and so it is where a figure is missing. The sentence says where no uncertainty is known.
    """
    low = at_least is not None
    limit = (at_least if low else at_most) or 0.0
    right = [one.name for one in figures if _passes(one.ends, limit, low=low)]
    wrong = [one.name for one in figures if _passes(one.ends, limit, low=not low, strictly=True)]
    asked = len(figures) + len(missing)
    alone = [one.name for one in figures if one.interval is None]
    nearest = (min if low else max)(figures, key=lambda one: one.value)
    known = nearest.ends
    value, *ends = (_told(one, limit) for one in (nearest.value, known.low, known.high))
    span = f" ({' to '.join(ends)})" if nearest.interval else ""
    side = "at least" if low else "at most"
    extreme = "" if asked == 1 else f"the {'smallest' if low else 'largest'} is "
    whose = "" if asked == 1 else f" ({nearest.name})"
    parts = [
        "" if asked == 1 else f"{counted(right, asked)} {side} {limit:g}",
        f"{extreme}{value}{span}{whose}" + (f", against {side} {limit:g}" if asked == 1 else ""),
        f"on the wrong side: {named(wrong)}" if wrong and asked > 1 else "",
        f"not asked: {named(missing)}" if missing else "",
        _uncertainty(alone, asked),
    ]
    grade: ClaimGrade = "fails" if wrong else "holds" if len(right) == asked else "undecided"
    return Decision(
        grade,
        f"{'; '.join(part for part in parts if part)}.",
        value if asked == 1 else f"{len(right)} of {asked}",
        {"value": nearest.value, "limit": limit} | ends_in_figures(nearest.interval),
    )


def _told(value: float, limit: float, digits: int = 3) -> str:
    """Return a number with three digits, and more where these would put it beside the limit."""
    text = f"{value:.{digits}g}"
    beside = digits < MOST_DIGITS and np.sign(float(text) - limit) != np.sign(value - limit)
    return _told(value, limit, digits + 1) if beside else text.replace("-", MINUS)


def _passes(ends: Ends, limit: float, *, low: bool, strictly: bool = False) -> bool:
    """Say whether all of an interval is at least the limit, or at most, or beyond it."""
    end = ends.low if low else ends.high
    if strictly and end == limit:
        return False
    return end >= limit if low else end <= limit


def _uncertainty(alone: Sequence[str], asked: int) -> str:
    if not alone:
        return ""
    if len(alone) == asked:
        return "by the number alone, no uncertainty is known"
    return f"no uncertainty is known of {named(alone)}"
