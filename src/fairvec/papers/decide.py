"""What a test decides of a claim: one pure function for each kind of test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from fairvec.core.format import (
    MINUS,
    MOST_DIGITS,
    capitalize_first,
    format_p,
    format_signed,
    format_signed_digits,
    is_significant,
)
from fairvec.messages.verdicts import excluded_effects
from fairvec.papers.claims import ComparedBy, SignOfEffect
from fairvec.results import Interval
from fairvec.stats import Limits, holm, paired_test

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

SMALL_EFFECT = 0.2
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


def bonferroni_level(figures: int) -> float:
    """Return the level of each interval by which all of so many hold together at 95 %.

    1 - 0.05 / m (Bonferroni): the chance that any of them misses is 5 % at the most.
    """
    return 1 - ALPHA / figures


def ends_in_figures(ends: Limits | None) -> dict[str, float]:
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


# The kind `leans`: a test, or all tests taken together, lean one way.


def decide_leaning(
    effect: float, p: float, interval: Interval | None, sign: SignOfEffect, *, tests: int = 1
) -> Decision:
    """Decide by the effect of one test and its p, or by those of all tests regrouped at once.

    p <= 0.05 and the sign claimed: holds; p <= 0.05 and the other sign: fails; else undecided. If
    the grouping of words does not matter, both together come in 5 % of all cases at the most.
    """
    shown = f"d {format_signed(effect)}"
    figures = {"d": effect} | ({"low": interval.low, "high": interval.high} if interval else {})
    span = (
        f" (95 %: {format_signed(interval.low)} to {format_signed(interval.high)})"
        if interval
        else ""
    )
    told = f"{shown}{span}, p = {format_p(p, level=ALPHA)}"
    they = "The words" if tests == 1 else "Together the tests"
    if not is_significant(p, ALPHA) or effect == 0:
        out = excluded_effects(interval)
        sentence = f"{they} do not clearly lean either way: {told}"
        return Decision("undecided", f"{sentence}{f'; {out}' if out else ''}.", shown, figures, p)
    if (effect > 0) == (sign == "+"):
        return Decision("holds", f"{they} lean as claimed: {told}.", shown, figures, p)
    return Decision("fails", f"{they} lean the other way: {told}.", shown, figures, p)


# The kind `each`: every test leans one way by itself.


@dataclass(frozen=True)
class AskedTest:
    """One test of a claim about several: its effect, its own p, and what its words allow.

    `interval` is that of all tests together at 95 %; None where it was not sought.
    """

    name: str
    effect: float
    p: float
    interval: Limits | None = None

    def along(self, sign: SignOfEffect) -> float:
        """Return the effect, positive in the direction of the claim."""
        return self.effect if sign == "+" else -self.effect

    def rules_out(self, sign: SignOfEffect) -> bool:
        """Say whether no effect of 0.2 or more in the direction of the claim is allowed."""
        if self.interval is None:
            return False
        ends = self.interval if sign == "+" else self.interval.mirrored()
        return ends.high < SMALL_EFFECT


def may_rule_out(effect: float, sign: SignOfEffect) -> bool:
    """Say whether an interval can matter at all: it holds its own effect."""
    return (effect if sign == "+" else -effect) < SMALL_EFFECT


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
        if is_significant(p, ALPHA) and test.effect != 0
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
    alone = f" (p = {format_p(corrected[0], level=ALPHA)})" if asked == 1 else ""
    parts = [
        capitalize_first(count) + alone,
        f"d {' to '.join(format_signed(end) for end in ends)}",
        f"the other way: {named(against)}" if against else "",
        f"an effect of {SMALL_EFFECT} or more is ruled out in {named(absent)}" if absent else "",
        f"not asked: {named(missing)}" if missing else "",
    ]
    sentence = f"{'; '.join(part for part in parts if part)}."
    grade: ClaimGrade = (
        "fails" if against or absent else "holds" if len(along) == asked else "undecided"
    )
    return Decision(grade, sentence, shown, figures, max(corrected))


# The kind `greater`: pair by pair, one figure is larger than the other.


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
        f"{format_signed(step)} on average, p = {format_p(p.value, level=ALPHA)}"
    )
    figures = {"difference": step, "larger": float(larger), "pairs": float(len(one))}
    shown = f"{format_signed(step)} ({larger} of {len(one)})"
    if is_significant(p.value, ALPHA) and step != 0:
        grade: ClaimGrade = "holds" if step > 0 else "fails"
        says = "It is so" if step > 0 else "It is the other way"
        return Decision(grade, f"{says}: {told}.", shown, figures, p.value)
    # Pairs of equal figures decide nothing, however many there are.
    differ = int((one != other).sum())
    least = 2.0 ** (1 - differ)
    apart = " that differ" if is_significant(2.0 ** (1 - len(one)), ALPHA) else ""
    few = "" if is_significant(least, ALPHA) else f"; so few pairs{apart} cannot decide"
    return Decision("undecided", f"Not clear: {told}{few}.", shown, figures, p.value)


# The kinds `lowered` and `raised`: an effect is smaller, or larger, after a change.


ChangeClaimed = Literal["lowered", "raised"]

BEFORE_AND_AFTER = ("before", "after")
"""What the two figures are called where they are those of one model and a change of it."""


def decide_change(
    before: float,
    after: float,
    p: float | None,
    difference: Limits | None,
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
    proven = p is not None and is_significant(p, ALPHA) and abs(after) != abs(before)
    near = difference is not None and difference.low >= -margin and difference.high <= margin
    span = (
        f" (95 %: {format_signed(difference.low)} to {format_signed(difference.high)})"
        if difference
        else ""
    )
    chance = f", p = {format_p(p, level=ALPHA)}" if p is not None else ""
    was, is_now = (f"{one:.3g}" if is_share else format_signed(one) for one in (before, after))
    changed = sides == BEFORE_AND_AFTER
    step = f"a {'change' if changed else 'difference'} of {format_signed(after - before)}"
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


# The kind `kept`: figures are after a change what they were, within a margin.


@dataclass(frozen=True)
class FigureKept:
    """A figure before and after a change, and the changes that its paired test allows.

    `difference` is that of all figures together at 95 %; None where any change is allowed.
    """

    name: str
    before: float
    after: float
    difference: Limits | None


def decide_kept(
    figures: Sequence[FigureKept], margin: float, missing: Sequence[str] = ()
) -> Decision:
    """Decide by the interval of each change: as much proof is asked of keeping as of losing.

    All intervals within the margin: holds. One wholly outside of it: fails. Else undecided, and so
    it is where a figure is missing.
    """
    within = [one.name for one in figures if one.difference and _within(one.difference, margin)]
    lost = [one for one in figures if one.difference and _outside(one.difference, margin)]
    largest = max(figures, key=lambda one: abs(one.after - one.before))
    step, asked = largest.after - largest.before, len(figures) + len(missing)
    open_ = [one.name for one in figures if one.name not in within and one not in lost]
    parts = [
        f"{counted(within, asked)} kept within {margin:g}",
        f"moved further: {named([one.name for one in lost])}" if lost else "",
        f"open: {named(open_)}" if open_ and len(open_) < asked else "",
        f"not asked: {named(missing)}" if missing else "",
        f"the {'largest ' if asked > 1 else ''}change is {_figure(step)} "
        f"({largest.name}{_span(largest)})",
    ]
    grade: ClaimGrade = "fails" if lost else "holds" if len(within) == asked else "undecided"
    return Decision(
        grade,
        f"{'; '.join(part for part in parts if part)}.",
        f"{len(within)} of {asked} kept, largest change {_figure(step)}",
        {"largest_change": step, "kept": float(len(within)), "asked": float(asked)}
        | (ends_in_figures(largest.difference) if asked == 1 else {}),
    )


def _within(ends: Limits, margin: float) -> bool:
    return ends.low >= -margin and ends.high <= margin


def _outside(ends: Limits, margin: float) -> bool:
    return ends.low > margin or ends.high < -margin


def _span(one: FigureKept) -> str:
    ends = one.difference
    return f", {_figure(ends.low)} to {_figure(ends.high)}" if ends else ""


def _figure(value: float) -> str:
    """Return a change with two digits, and more of one that these would call nothing."""
    return (
        format_signed(value) if abs(value) >= 0.095 or value == 0 else format_signed_digits(value)
    )


# The kind `threshold`: figures against a limit that the text names.


@dataclass(frozen=True)
class FigureAgainst:
    """A figure and its interval, that of all figures together at 95 %; None where there is none."""

    name: str
    value: float
    interval: Limits | None = None

    @property
    def ends(self) -> Limits:
        """The interval, or the number alone."""
        return self.interval or Limits(self.value, self.value)


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


def _passes(ends: Limits, limit: float, *, low: bool, strictly: bool = False) -> bool:
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
