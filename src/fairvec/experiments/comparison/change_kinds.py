"""Name a change of an effect: harm needs as much proof as success.

    before    after     the change     it is called
    evident   evident   within margin  unchanged
    evident   evident   proven         reduced, increased
    evident   evident   neither        unclear
    evident   evident   sign turned    reversed
    evident   no        proven         removed; overshot if the sign turned and half the size stayed
    evident   no        not proven     no-longer-evident
    no        evident   proven         introduced; overshot if the sign turned from half the size
    no        evident   not proven     appeared
    no        no        proven         reduced, increased; overshot if the sign turned and neither
                                       size is less than half of the other
    no        no        otherwise      no-evidence

Evident is an effect that is significant after correction. A change is proven where the paired test
of the words is significant; it is within the margin where every change that this test allows is no
larger than that. Swapping before and after mirrors the word: removed and introduced, reduced and
increased, no-longer-evident and appeared change places, the others stay.
"""

from dataclasses import dataclass

from fairvec.core.format import USUAL_LEVEL
from fairvec.results import CategoryAnswer, ChangeKind, Outcome, Result
from fairvec.stats import Limits

MARGIN = 0.1
"""A change of d up to this size is not worth mentioning."""

MARGIN_OF_PROBABILITY = 0.01
"""The same for an effect that is a difference of probabilities: one sentence in a hundred."""

MIRRORED: dict[ChangeKind, ChangeKind] = {
    "removed": "introduced",
    "introduced": "removed",
    "no-longer-evident": "appeared",
    "appeared": "no-longer-evident",
    "reduced": "increased",
    "increased": "reduced",
}
"""The label of a change when before and after are swapped; the other labels stay."""


def common_level(*outcomes: Outcome) -> float:
    """Return the stricter significance level of two runs, so that one level holds for both."""
    levels = (
        outcome.verdict.alpha
        for outcome in outcomes
        if isinstance(outcome, Result | CategoryAnswer)
    )
    return min(levels, default=USUAL_LEVEL)


@dataclass(frozen=True)
class Facts:
    """An effect before and after, whether each is evident, and what is known of the change."""

    before: float
    after: float
    evident_before: bool
    evident_after: bool
    proven: bool
    difference: Limits | None
    margin: float = MARGIN

    @property
    def within_margin(self) -> bool:
        """Whether every change that the paired test allows is too small to matter."""
        ends = self.difference
        return ends is not None and ends.low >= -self.margin and ends.high <= self.margin

    @property
    def turned(self) -> bool:
        """Whether the sign turned."""
        return self.before * self.after < 0

    def kind(self) -> ChangeKind:
        """Return the label of the change, by the table of this module."""
        before, after = abs(self.before), abs(self.after)
        match self.evident_before, self.evident_after:
            case True, True:
                if self.turned:
                    return "reversed"
                if self.within_margin:
                    return "unchanged"
                return self._smaller_or_larger() if self.proven else "unclear"
            case True, False:
                if not self.proven:
                    return "no-longer-evident"
                return "overshot" if self.turned and 2 * after >= before else "removed"
            case False, True:
                if not self.proven:
                    return "appeared"
                return "overshot" if self.turned and 2 * before >= after else "introduced"
        if self.within_margin or not self.proven:
            return "no-evidence"
        if self.turned and 2 * min(before, after) >= max(before, after):
            return "overshot"
        return self._smaller_or_larger()

    def _smaller_or_larger(self) -> ChangeKind:
        return "reduced" if abs(self.after) < abs(self.before) else "increased"
