"""The kind `greater`: pair by pair, one figure is larger than the other."""

from collections.abc import Sequence

import numpy as np

from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value, signed
from fairvec.papers.claims.claim import ComparedBy
from fairvec.papers.claims.deciding.decision import ALPHA, ClaimGrade, Decision
from fairvec.stats import paired_test


def decide_greater(left: Sequence[float], right: Sequence[float], by: ComparedBy) -> Decision:
    """Decide by swapping left and right at random, pair by pair: an exact test of the mean.

    T = mean(left - right), of sizes if `by` is so; p is the share of all swaps with |T| as large.
    p <= 0.05 and T > 0: holds; p <= 0.05 and T < 0: fails; else undecided. The pairs are tests, or
    benchmarks: the answer speaks of tests like these, not of other words. Five pairs or fewer
    cannot decide: their smallest p is 1/16.
    """
    one, other = (np.abs(side) if by == "size" else np.array(side) for side in (left, right))
    p = paired_test(other, one)
    step, larger = float(np.mean(one - other)), int((one > other).sum())
    what = "size" if by == "size" else "figure"
    told = (
        f"the {what} claimed to be larger is so in {larger} of {len(one)} pairs, by "
        f"{signed(step)} on average, p = {p_value(p.value, level=ALPHA)}"
    )
    figures = {"difference": step, "larger": float(larger), "pairs": float(len(one))}
    shown = f"{signed(step)} ({larger} of {len(one)})"
    if significant(p.value, ALPHA) and step != 0:
        grade: ClaimGrade = "holds" if step > 0 else "fails"
        says = "It is so" if step > 0 else "It is the other way"
        return Decision(grade, f"{says}: {told}.", shown, figures, p.value)
    # Pairs of equal figures decide nothing, however many there are.
    differ = int((one != other).sum())
    least = 2.0 ** (1 - differ)
    apart = " that differ" if significant(2.0 ** (1 - len(one)), ALPHA) else ""
    few = "" if significant(least, ALPHA) else f"; so few pairs{apart} cannot decide"
    return Decision("undecided", f"Not clear: {told}{few}.", shown, figures, p.value)
