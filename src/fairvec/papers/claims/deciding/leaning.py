"""The kind `leans`: a test, or all tests taken together, lean one way."""

from fairvec.evaluation.runs.ruled_out import ruled_out
from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value, signed
from fairvec.papers.claims.claim import SignOfEffect
from fairvec.papers.claims.deciding.decision import ALPHA, Decision
from fairvec.results import Interval


def decide_leaning(
    effect: float, p: float, interval: Interval | None, sign: SignOfEffect, *, tests: int = 1
) -> Decision:
    """Decide by the effect of one test and its p, or by those of all tests regrouped at once.

    p <= 0.05 and the sign claimed: holds; p <= 0.05 and the other sign: fails; else undecided. If
    the grouping of words does not matter, both together come in 5 % of all cases at the most.
    """
    shown = f"d {signed(effect)}"
    figures = {"d": effect} | ({"low": interval.low, "high": interval.high} if interval else {})
    span = f" (95 %: {signed(interval.low)} to {signed(interval.high)})" if interval else ""
    told = f"{shown}{span}, p = {p_value(p, level=ALPHA)}"
    they = "The words" if tests == 1 else "Together the tests"
    if not significant(p, ALPHA) or effect == 0:
        out = ruled_out(interval)
        sentence = f"{they} do not clearly lean either way: {told}"
        return Decision("undecided", f"{sentence}{f'; {out}' if out else ''}.", shown, figures, p)
    if (effect > 0) == (sign == "+"):
        return Decision("holds", f"{they} lean as claimed: {told}.", shown, figures, p)
    return Decision("fails", f"{they} lean the other way: {told}.", shown, figures, p)
