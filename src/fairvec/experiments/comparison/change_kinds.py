"""Name a change of an effect size, and of a figure of utility, by what its test shows.

before, after   effects of the two runs, each with its two-sided p and its interval
change          after - before, with its p and interval (changes permuted between the lists)

    interval of the change within +-margin                  unchanged
    p of the change above alpha                             not-shown
    sign turned, p of both runs at most alpha               reversed
    sign turned, the smaller at least half of the larger    overshot
    |after| smaller, interval after within +-medium         removed
    |after| smaller                                         reduced
    |after| larger, interval before within +-medium         introduced
    |after| larger                                          increased

The first row that applies decides. Becoming significant, or ceasing to be, is not a change: two
noisy runs of one model differ in that in a quarter of tests. No p is corrected, so that a label
does not depend on which other tests were asked. Swapping before and after swaps removed with
introduced and reduced with increased; the other labels stay.
"""

from typing import NamedTuple

from fairvec.core.format import USUAL_LEVEL, is_significant
from fairvec.results import Interval, Outcome, PairedP, Result
from fairvec.results.records import CategoryAnswer
from fairvec.results.verdicts import ChangeKind


class Thresholds(NamedTuple):
    """Sizes of an effect: a change up to `margin` is none, from `medium` on it is still there."""

    margin: float
    medium: float


OF_EFFECT_SIZE = Thresholds(margin=0.1, medium=0.5)
"""A change of d of a tenth is not worth mentioning; a half is Cohen's medium effect."""

OF_PROBABILITY = Thresholds(margin=0.01, medium=0.05)
"""The same for a difference of probabilities: one sentence in a hundred, and five."""


def common_level(*outcomes: Outcome) -> float:
    """Return the stricter significance level of two runs, so that one level holds for both."""
    levels = (
        outcome.verdict.alpha
        for outcome in outcomes
        if isinstance(outcome, Result | CategoryAnswer)
    )
    return min(levels, default=USUAL_LEVEL)


class Effect(NamedTuple):
    """An effect of one run, its two-sided p (not corrected) and its interval, if it has one."""

    value: float
    p: float
    interval: Interval | None


NO_EFFECT = Effect(0.0, 1.0, Interval.at(0.0))
"""That of words which all lean alike."""


class EffectChange(NamedTuple):
    """The p of the test of a change, and the interval of the change, if it has one."""

    p: float
    interval: Interval | None


def name_effect_change(
    before: Effect,
    after: Effect,
    change: EffectChange,
    *,
    alpha: float,
    thresholds: Thresholds = OF_EFFECT_SIZE,
) -> ChangeKind:
    """Return the label of a change from `before` to `after`, by the table of this module."""
    if _within(change.interval, thresholds.margin):
        return "unchanged"
    if not is_significant(change.p, alpha):
        return "not-shown"
    small, large = sorted((abs(before.value), abs(after.value)))
    if before.value * after.value < 0:
        if is_significant(before.p, alpha) and is_significant(after.p, alpha):
            return "reversed"
        if small >= large / 2:
            return "overshot"
    if abs(after.value) < abs(before.value):
        return "removed" if _within(after.interval, thresholds.medium) else "reduced"
    return "introduced" if _within(before.interval, thresholds.medium) else "increased"


UTILITY_MARGIN = 0.05
"""A figure of utility is kept where the interval of its change lies within plus or minus this."""


def name_utility_change(
    step: float, p: PairedP | None, difference: Interval | None, *, evident: bool
) -> ChangeKind:
    """Return the label of a change of a figure of utility by `step`.

    significant change                            gained or lost
    interval within the margin, or no item moved  kept
    otherwise                                     not-shown

    The first row that applies decides. `evident` says that p is significant after its correction.
    """
    if evident and step:
        return "gained" if step > 0 else "lost"
    unmoved = p is not None and p.changed == 0
    return "kept" if unmoved or _within(difference, UTILITY_MARGIN) else "not-shown"


def _within(interval: Interval | None, size: float) -> bool:
    return interval is not None and interval.is_within(size)
