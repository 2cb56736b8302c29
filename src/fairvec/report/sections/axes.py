"""The axes that all effects of a page share."""

from collections.abc import Sequence

from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.words.effects import is_difference
from fairvec.results import CategoryAnswer, Outcome, Result


def shared_scale(outcomes: Sequence[Outcome]) -> Scale:
    """Return one axis for every effect of the page; d lies within ±2 for lists of equal size."""
    return scale_of([-2.0, 2.0, *_drawn(outcomes, differences=False)])


def scale_of_differences(outcomes: Sequence[Outcome]) -> Scale:
    """Return one axis for every difference of probabilities, which are far smaller than d."""
    return scale_of([0.0, *_drawn(outcomes, differences=True)])


def _drawn(outcomes: Sequence[Outcome], *, differences: bool) -> list[float]:
    """Return the effects of one kind, and the ends of their intervals."""
    results = [
        one
        for one in outcomes
        if isinstance(one, Result | CategoryAnswer) and is_difference(one) is differences
    ]
    ends = [end for r in results if r.interval for end in (r.interval.low, r.interval.high)]
    return [*(result.effect for result in results), *ends]
