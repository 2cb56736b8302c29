"""The kind `each`: every test leans one way by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value, signed
from fairvec.ground.text.capitals import titled
from fairvec.papers.claims.claim import SignOfEffect
from fairvec.papers.claims.deciding.decision import (
    ALPHA,
    SMALL,
    ClaimGrade,
    Decision,
    counted,
    named,
)
from fairvec.stats import Ends, holm


@dataclass(frozen=True)
class AskedTest:
    """One test of a claim about several: its effect, its own p, and what its words allow.

    `interval` is that of all tests together at 95 %; None where it was not sought.
    """

    name: str
    effect: float
    p: float
    interval: Ends | None = None

    def along(self, sign: SignOfEffect) -> float:
        """Return the effect, positive in the direction of the claim."""
        return self.effect if sign == "+" else -self.effect

    def rules_out(self, sign: SignOfEffect) -> bool:
        """Say whether no effect of 0.2 or more in the direction of the claim is allowed."""
        if self.interval is None:
            return False
        ends = self.interval if sign == "+" else self.interval.mirrored()
        return ends.high < SMALL


def may_rule_out(effect: float, sign: SignOfEffect) -> bool:
    """Say whether an interval can matter at all: it holds its own effect."""
    return (effect if sign == "+" else -effect) < SMALL


def decide_each(
    tests: Sequence[AskedTest], sign: SignOfEffect, missing: Sequence[str] = ()
) -> Decision:
    """Decide by each test alone, its p corrected by Holm over the tests of the claim.

    All significant with the sign: holds. One significant the other way, or one whose interval rules
    out an effect of 0.2 or more as claimed: fails. Else undecided, and so it is where a test is
    missing: what was not asked cannot be said to hold.
    """
    corrected = holm(np.array([test.p for test in tests])).tolist()
    sure = [
        (test, test.along(sign) > 0)
        for test, p in zip(tests, corrected, strict=True)
        if significant(p, ALPHA) and test.effect != 0
    ]
    along = [test.name for test, same in sure if same]
    against = [test.name for test, same in sure if not same]
    absent = [test.name for test in tests if test.name not in along and test.rules_out(sign)]
    asked = len(tests) + len(missing)
    effects = [test.effect for test in tests]
    figures = {"significant": float(len(along)), "asked": float(asked)}
    figures |= {"smallest_d": min(effects), "largest_d": max(effects)}
    shown = f"{len(along)} of {asked}"
    over = ", corrected over the claim" if len(tests) > 1 else ""
    count = f"{counted(along, asked)} significant as claimed{over}"
    ends = dict.fromkeys((min(effects), max(effects)))
    alone = f" (p = {p_value(corrected[0], level=ALPHA)})" if asked == 1 else ""
    parts = [
        titled(count) + alone,
        f"d {' to '.join(signed(end) for end in ends)}",
        f"the other way: {named(against)}" if against else "",
        f"an effect of {SMALL} or more is ruled out in {named(absent)}" if absent else "",
        f"not asked: {named(missing)}" if missing else "",
    ]
    sentence = f"{'; '.join(part for part in parts if part)}."
    grade: ClaimGrade = (
        "fails" if against or absent else "holds" if len(along) == asked else "undecided"
    )
    return Decision(grade, sentence, shown, figures, max(corrected))
