"""The kinds `lowered` and `raised`: an effect is smaller, or larger, after a change."""

from typing import Literal

from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value, signed
from fairvec.papers.claims.deciding.decision import (
    ALPHA,
    ClaimGrade,
    Decision,
    ends_in_figures,
)
from fairvec.stats import Ends

ChangeClaimed = Literal["lowered", "raised"]

BEFORE_AND_AFTER = ("before", "after")
"""What the two figures are called where they are those of one model and a change of it."""


def decide_change(
    before: float,
    after: float,
    p: float | None,
    difference: Ends | None,
    *,
    claimed: ChangeClaimed,
    margin: float,
    is_share: bool = False,
    sides: tuple[str, str] = BEFORE_AND_AFTER,
) -> Decision:
    """Decide by the paired test of the same words, or items, before and after.

    Significant, and the size changed as claimed: holds. Significant and the size changed the other
    way, or every change that the test allows within the margin: fails. Else undecided, and so is an
    effect that turned around and kept half of its size (lower d is not less bias), and one that is
    within the margin before and after, or hardly changed where the claim has the larger one: there
    was nothing to lower, so that it could not have held. Of a change that did nothing, p calls 5 %
    changed at the most. A share or a correlation has no sign to be told.

    `sides` says whose figures they are, where two models are compared, or two changes of one.
    """
    turned = before * after < 0
    smaller, halved = (
        abs(after) < abs(before),
        2 * min(abs(before), abs(after)) >= max(abs(before), abs(after)),
    )
    proven = p is not None and significant(p, ALPHA) and abs(after) != abs(before)
    near = difference is not None and difference.low >= -margin and difference.high <= margin
    span = f" (95 %: {signed(difference.low)} to {signed(difference.high)})" if difference else ""
    chance = f", p = {p_value(p, level=ALPHA)}" if p is not None else ""
    was, is_now = (f"{one:.3g}" if is_share else signed(one) for one in (before, after))
    changed = sides == BEFORE_AND_AFTER
    step = f"a {'change' if changed else 'difference'} of {signed(after - before)}"
    told = f"{was} {sides[0]}, {is_now} {sides[1]}, {step}"
    claimed_larger = before if claimed == "lowered" else after
    shown = f"{was} to {is_now}"
    figures = {"before": before, "after": after, "change": after - before}
    grade: ClaimGrade = "undecided"
    says = "Not clear"
    if max(abs(before), abs(after)) < margin:
        says = f"Next to nothing {'before and after' if changed else 'in both'}"
    elif near and abs(claimed_larger) < margin:
        says = f"Next to nothing to be {claimed}"
    elif near:
        none = f"none above {margin:g} is allowed"
        grade, says = "fails", f"No {'change' if changed else 'difference'} worth a word ({none})"
    elif proven and turned and halved:
        says = "It turned around and stayed about as large"
    elif proven:
        grade = "holds" if smaller == (claimed == "lowered") else "fails"
        says = f"It is {'smaller' if smaller else 'larger'}"
    sentence = f"{says}: {told}{span}{chance}."
    return Decision(grade, sentence, shown, figures | ends_in_figures(difference), p)
