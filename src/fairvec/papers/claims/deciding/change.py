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


def decide_change(
    before: float,
    after: float,
    p: float | None,
    difference: Ends | None,
    *,
    claimed: ChangeClaimed,
    margin: float,
    is_share: bool = False,
) -> Decision:
    """Decide by the paired test of the same words, or items, before and after.

    Significant, and the size changed as claimed: holds. Significant and the size changed the other
    way, or every change that the test allows within the margin: fails. Else undecided, and so is an
    effect that turned around and kept half of its size (lower d is not less bias), and one that is
    within the margin before and after: there was nothing to lower. Of a change that did nothing, p
    calls 5 % changed at the most. A share or a correlation has no sign to be told.
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
    told = f"{was} before, {is_now} after, a change of {signed(after - before)}"
    shown = f"{was} to {is_now}"
    figures = {"before": before, "after": after, "change": after - before}
    grade: ClaimGrade = "undecided"
    says = "Not clear"
    if max(abs(before), abs(after)) < margin:
        says = "Next to nothing before and after"
    elif near:
        grade, says = "fails", f"No change worth a word (none above {margin:g} is allowed)"
    elif proven and turned and halved:
        says = "It turned around and stayed about as large"
    elif proven:
        grade = "holds" if smaller == (claimed == "lowered") else "fails"
        says = f"It is {'smaller' if smaller else 'larger'}"
    sentence = f"{says}: {told}{span}{chance}."
    return Decision(grade, sentence, shown, figures | ends_in_figures(difference), p)
