"""Decide a claim by numbers: one pure function for each kind of test.

leans             decide_leaning     effect of one test, or of tests pooled, and its p
each              decide_each        every test on its own, p corrected by Holm
greater           decide_greater     two lists of figures, an exact paired test
lowered, raised   decide_change      one effect before and after, a paired test
kept              decide_unchanged   intervals of changes within a margin (equivalence)
threshold         decide_threshold   intervals of figures against a limit

Every function takes Estimates or PairedChanges and returns a Decision: holds, fails or undecided,
with a sentence and its figures. They know nothing of models, cells or conventions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from fairvec.core.format import (
    MINUS,
    MOST_DIGITS,
    capitalize_first,
    format_p,
    format_p_relation,
    format_signed,
    format_signed_digits,
    is_significant,
)
from fairvec.messages.verdicts import excluded_effects
from fairvec.papers.claims import ComparedBy, SignOfEffect
from fairvec.results.reproduction import ClaimGrade, ClaimUnit
from fairvec.stats import Interval, holm, paired_test

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
"""An effect, or a change of one, below Cohen's small effect is not worth a claim."""


@dataclass(frozen=True)
class ClaimMethod:
    """The test behind a decision in words, and over how many of what it was."""

    how: str
    n: int
    unit: ClaimUnit


@dataclass(frozen=True)
class Decision:
    """A grade, the sentence that says why, and the figures behind it.

    `shown` is the figure as a table shows it; `p` is None where no test gives one, and `at_most`
    where it is the smallest that random draws can give. `interval` is that of the figure, or of the
    change, that decides. Of a claim that is not tried there is the sentence alone.
    """

    grade: ClaimGrade
    sentence: str
    shown: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    p: float | None = None
    at_most: bool = False
    interval: Interval | None = None
    method: ClaimMethod | None = None


@dataclass(frozen=True)
class Estimate:
    """A figure, its interval and its p; None where either is not known, or was not sought.

    Where several are judged together the interval is that of all of them at 95 %.
    """

    name: str
    value: float
    interval: Interval | None = None
    p: float | None = None
    at_most: bool = False

    @property
    def ends(self) -> Interval:
        """The interval, or the number alone."""
        return self.interval or Interval.at(self.value)

    def with_sign(self, sign: SignOfEffect) -> float:
        """Return the value with its sign turned so that positive agrees with the claim."""
        return self.value if sign == "+" else -self.value

    def rules_out(self, sign: SignOfEffect) -> bool:
        """Return whether the interval excludes an effect of 0.2 or more as claimed."""
        if self.interval is None:
            return False
        ends = self.interval if sign == "+" else self.interval.scaled(-1)
        return ends.high < SMALL_EFFECT


@dataclass(frozen=True)
class PairedChange:
    """A figure before and after a change, the paired test of it and the changes that it allows.

    All are over the `n` words or items that both models have. `how` is empty where the test swaps
    the two figures, word by word or item by item, and else says what it is. `at_most` says that no
    random draw was as extreme. `difference` is None where any change is allowed.
    """

    before: float
    after: float
    p: float | None
    difference: Interval | None
    n: int = 0
    how: str = ""
    at_most: bool = False
    name: str = ""


def bonferroni_level(figures: int) -> float:
    """Return the level of each of so many intervals that hold simultaneously at 95 %.

    1 - 0.05 / m (Bonferroni): the chance that any of them misses is 5 % at the most.
    """
    return 1 - ALPHA / figures


def join_names(names: Sequence[str]) -> str:
    """Join names with commas; a name that contains a comma is quoted."""
    names = [name.removesuffix(".") for name in names]
    return ", ".join(quote(name) if "," in name else name for name in names)


def quote(name: str) -> str:
    """Return a name in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def format_count(names: Sequence[str], of: int) -> str:
    """Return `2 of 5 (E1, E3)`, the names left out where they are all, or none."""
    some = f" ({join_names(names)})" if 0 < len(names) < of else ""
    return f"{len(names)} of {of}{some}"


def decide_leaning(estimate: Estimate, sign: SignOfEffect, *, tests: int = 1) -> Decision:
    """Decide by the effect of one test and its p, or by those of all tests regrouped at once.

    p <= 0.05 and the sign claimed: holds; p <= 0.05 and the other sign: fails; else undecided. If
    the grouping of words does not matter, both together come in 5 % of all cases at the most.
    """
    effect, interval, at_most = estimate.value, estimate.interval, estimate.at_most
    p = 1.0 if estimate.p is None else estimate.p
    shown = f"d {format_signed(effect)}"
    interval_text = (
        f" (95 %: {format_signed(interval.low)} to {format_signed(interval.high)})"
        if interval
        else ""
    )
    summary = f"{shown}{interval_text}, p {format_p_relation(p, at_most, level=ALPHA)}"
    subject = "The words" if tests == 1 else "Together the tests"
    figures = {"d": effect}
    if not is_significant(p, ALPHA) or effect == 0:
        excluded = excluded_effects(interval)
        sentence = f"{subject} do not clearly lean either way: {summary}"
        return Decision(
            "undecided",
            f"{sentence}{f'; {excluded}' if excluded else ''}.",
            shown,
            figures,
            p,
            at_most,
            interval,
        )
    as_claimed = (effect > 0) == (sign == "+")
    lead = f"{subject} lean {'as claimed' if as_claimed else 'the other way'}"
    grade: ClaimGrade = "holds" if as_claimed else "fails"
    return Decision(grade, f"{lead}: {summary}.", shown, figures, p, at_most, interval)


def may_rule_out(effect: float, sign: SignOfEffect) -> bool:
    """Return whether an interval could rule the claim out: it contains the effect itself."""
    return (effect if sign == "+" else -effect) < SMALL_EFFECT


def decide_each(
    tests: Sequence[Estimate], sign: SignOfEffect, missing: Sequence[str] = ()
) -> Decision:
    """Decide by each test alone, its p corrected by Holm over the tests of the claim.

    All significant with the sign: holds. One significant the other way, or one whose interval rules
    out an effect of 0.2 or more as claimed: fails. Else undecided, and so it is where a test is
    missing: what was not measured cannot hold.
    """
    corrected = holm(np.array([1.0 if test.p is None else test.p for test in tests])).tolist()
    significant = [
        (test, test.with_sign(sign) > 0)
        for test, p in zip(tests, corrected, strict=True)
        if is_significant(p, ALPHA) and test.value != 0
    ]
    along = [test.name for test, as_claimed in significant if as_claimed]
    against = [test.name for test, as_claimed in significant if not as_claimed]
    absent = [test.name for test in tests if test.name not in along and test.rules_out(sign)]
    total = len(tests) + len(missing)
    effects = [test.value for test in tests]
    figures = {"significant": float(len(along)), "asked": float(total)}
    figures |= {"smallest_d": min(effects), "largest_d": max(effects)}
    shown = f"{len(along)} of {total}"
    correction = ", corrected over the claim" if len(tests) > 1 else ""
    count_text = f"{format_count(along, total)} significant as claimed{correction}"
    ends = dict.fromkeys((min(effects), max(effects)))
    own_p = f" (p = {format_p(corrected[0], level=ALPHA)})" if total == 1 else ""
    parts = [
        capitalize_first(count_text) + own_p,
        f"d {' to '.join(format_signed(end) for end in ends)}",
        f"the other way: {join_names(against)}" if against else "",
        f"an effect of {SMALL_EFFECT} or more is ruled out in {join_names(absent)}"
        if absent
        else "",
        f"not asked: {join_names(missing)}" if missing else "",
    ]
    sentence = f"{'; '.join(part for part in parts if part)}."
    grade: ClaimGrade = (
        "fails" if against or absent else "holds" if len(along) == total else "undecided"
    )
    return Decision(grade, sentence, shown, figures, max(corrected))


def decide_greater(left: Sequence[float], right: Sequence[float], by: ComparedBy) -> Decision:
    """Decide by swapping left and right at random, pair by pair: an exact test of the mean.

    T = mean(left - right), of sizes if `by` is so; p is the share of all swaps with |T| as large.
    p <= 0.05 and T > 0: holds; p <= 0.05 and T < 0: fails; else undecided. The pairs are tests, or
    benchmarks: the answer speaks of tests like these, not of other words. Five pairs or fewer
    cannot decide: their smallest p is 1/16.
    """
    left_values, right_values = (
        np.abs(side) if by == "size" else np.array(side) for side in (left, right)
    )
    p = paired_test(right_values, left_values)
    difference, larger = (
        float(np.mean(left_values - right_values)),
        int((left_values > right_values).sum()),
    )
    noun = "size" if by == "size" else "figure"
    summary = (
        f"the {noun} claimed to be larger is so in {larger} of {len(left_values)} pairs, by "
        f"{format_signed(difference)} on average, p = {format_p(p.value, level=ALPHA)}"
    )
    figures = {"difference": difference, "larger": float(larger), "pairs": float(len(left_values))}
    shown = f"{format_signed(difference)} ({larger} of {len(left_values)})"
    if is_significant(p.value, ALPHA) and difference != 0:
        grade: ClaimGrade = "holds" if difference > 0 else "fails"
        lead = "It is so" if difference > 0 else "It is the other way"
        return Decision(grade, f"{lead}: {summary}.", shown, figures, p.value)
    # Pairs of equal figures decide nothing, however many there are.
    differing = int((left_values != right_values).sum())
    smallest_p = 2.0 ** (1 - differing)
    qualifier = " that differ" if is_significant(2.0 ** (1 - len(left_values)), ALPHA) else ""
    too_few = (
        "" if is_significant(smallest_p, ALPHA) else f"; so few pairs{qualifier} cannot decide"
    )
    return Decision("undecided", f"Not clear: {summary}{too_few}.", shown, figures, p.value)


ChangeClaimed = Literal["lowered", "raised"]

BEFORE_AND_AFTER = ("before", "after")
"""What the two figures are called where they are those of one model and a change of it."""


def decide_change(
    change: PairedChange,
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
    changed at the most. A share or a correlation has no sign to name.

    `sides` says whose figures they are, where two models are compared, or two changes of one.
    """
    before, after, p, difference = change.before, change.after, change.p, change.difference
    turned = before * after < 0
    smaller, similar_size = (
        abs(after) < abs(before),
        2 * min(abs(before), abs(after)) >= max(abs(before), abs(after)),
    )
    significant = p is not None and is_significant(p, ALPHA) and abs(after) != abs(before)
    within_margin = difference is not None and difference.is_within(margin)
    interval_text = (
        f" (95 %: {format_signed(difference.low)} to {format_signed(difference.high)})"
        if difference
        else ""
    )
    p_text = f", p {format_p_relation(p, change.at_most, level=ALPHA)}" if p is not None else ""
    before_text, after_text = (
        f"{value:.3g}" if is_share else format_signed(value) for value in (before, after)
    )
    changed = sides == BEFORE_AND_AFTER
    change_text = f"a {'change' if changed else 'difference'} of {format_signed(after - before)}"
    summary = f"{before_text} {sides[0]}, {after_text} {sides[1]}, {change_text}"
    claimed_larger = before if claimed == "lowered" else after
    shown = f"{before_text} to {after_text}"
    figures = {"before": before, "after": after, "change": after - before}
    grade: ClaimGrade = "undecided"
    lead = "Not clear"
    if max(abs(before), abs(after)) < margin:
        lead = f"Next to nothing {'before and after' if changed else 'in both'}"
    elif within_margin and abs(claimed_larger) < margin:
        lead = f"Next to nothing to be {claimed}"
    elif within_margin:
        allowed = f"none above {margin:g} is allowed"
        grade, lead = (
            "fails",
            f"No {'change' if changed else 'difference'} worth a word ({allowed})",
        )
    elif significant and turned and similar_size:
        lead = "It turned around and stayed about as large"
    elif significant:
        grade = "holds" if smaller == (claimed == "lowered") else "fails"
        lead = f"It is {'smaller' if smaller else 'larger'}"
    sentence = f"{lead}: {summary}{interval_text}{p_text}."
    return Decision(grade, sentence, shown, figures, p, change.at_most, difference)


def decide_unchanged(
    figures: Sequence[PairedChange], margin: float, missing: Sequence[str] = ()
) -> Decision:
    """Decide by the interval of each change: keeping needs as much proof as losing.

    All intervals within the margin: holds. One wholly outside of it: fails. Else undecided, and so
    it is where a figure is missing.
    """
    within = [
        figure.name
        for figure in figures
        if figure.difference and figure.difference.is_within(margin)
    ]
    changed = [
        figure for figure in figures if figure.difference and _outside(figure.difference, margin)
    ]
    largest = max(figures, key=lambda figure: abs(figure.after - figure.before))
    change, total = largest.after - largest.before, len(figures) + len(missing)
    undecided = [
        figure.name for figure in figures if figure.name not in within and figure not in changed
    ]
    parts = [
        f"{format_count(within, total)} kept within {margin:g}",
        f"moved further: {join_names([figure.name for figure in changed])}" if changed else "",
        f"open: {join_names(undecided)}" if undecided and len(undecided) < total else "",
        f"not asked: {join_names(missing)}" if missing else "",
        f"the {'largest ' if total > 1 else ''}change is {_format_change(change)} "
        f"({largest.name}{_format_interval(largest)})",
    ]
    grade: ClaimGrade = "fails" if changed else "holds" if len(within) == total else "undecided"
    return Decision(
        grade,
        f"{'; '.join(part for part in parts if part)}.",
        f"{len(within)} of {total} kept, largest change {_format_change(change)}",
        {"largest_change": change, "kept": float(len(within)), "asked": float(total)},
        interval=largest.difference if total == 1 else None,
    )


def _outside(ends: Interval, margin: float) -> bool:
    return ends.low > margin or ends.high < -margin


def _format_interval(figure: PairedChange) -> str:
    limits = figure.difference
    return f", {_format_change(limits.low)} to {_format_change(limits.high)}" if limits else ""


def _format_change(value: float) -> str:
    """Format a change with two digits, and with more where two would show zero."""
    return (
        format_signed(value) if abs(value) >= 0.095 or value == 0 else format_signed_digits(value)
    )


def decide_threshold(
    figures: Sequence[Estimate],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    missing: Sequence[str] = (),
) -> Decision:
    """Decide by the interval of each figure; where it has none, by the number alone.

    All on the right side of the limit: holds. One wholly on the wrong side: fails. Else undecided,
    and so it is where a figure is missing. The sentence says where no uncertainty is known.
    """
    is_minimum = at_least is not None
    limit = (at_least if is_minimum else at_most) or 0.0
    passing = [figure.name for figure in figures if _passes(figure.ends, limit, low=is_minimum)]
    failing = [
        figure.name
        for figure in figures
        if _passes(figure.ends, limit, low=not is_minimum, strictly=True)
    ]
    total = len(figures) + len(missing)
    without_interval = [figure.name for figure in figures if figure.interval is None]
    nearest = (min if is_minimum else max)(figures, key=lambda figure: figure.value)
    limits_of_nearest = nearest.ends
    value, *ends = (
        _format_near_limit(figure, limit)
        for figure in (nearest.value, limits_of_nearest.low, limits_of_nearest.high)
    )
    span = f" ({' to '.join(ends)})" if nearest.interval else ""
    side = "at least" if is_minimum else "at most"
    extreme = "" if total == 1 else f"the {'smallest' if is_minimum else 'largest'} is "
    name_text = "" if total == 1 else f" ({nearest.name})"
    parts = [
        "" if total == 1 else f"{format_count(passing, total)} {side} {limit:g}",
        f"{extreme}{value}{span}{name_text}"
        + (f", against {side} {limit:g}" if total == 1 else ""),
        f"on the wrong side: {join_names(failing)}" if failing and total > 1 else "",
        f"not asked: {join_names(missing)}" if missing else "",
        _format_unknown_uncertainty(without_interval, total),
    ]
    grade: ClaimGrade = "fails" if failing else "holds" if len(passing) == total else "undecided"
    return Decision(
        grade,
        f"{'; '.join(part for part in parts if part)}.",
        value if total == 1 else f"{len(passing)} of {total}",
        {"value": nearest.value, "limit": limit},
        interval=nearest.interval,
    )


def _format_near_limit(value: float, limit: float, digits: int = 3) -> str:
    """Format a number with three digits, and with more where three cross the limit."""
    text = f"{value:.{digits}g}"
    wrong_side = digits < MOST_DIGITS and np.sign(float(text) - limit) != np.sign(value - limit)
    return _format_near_limit(value, limit, digits + 1) if wrong_side else text.replace("-", MINUS)


def _passes(ends: Interval, limit: float, *, low: bool, strictly: bool = False) -> bool:
    """Return whether an interval lies fully on one side of the limit, or strictly beyond it."""
    end = ends.low if low else ends.high
    if strictly and end == limit:
        return False
    return end >= limit if low else end <= limit


def _format_unknown_uncertainty(without_interval: Sequence[str], total: int) -> str:
    if not without_interval:
        return ""
    if len(without_interval) == total:
        return "by the number alone, no uncertainty is known"
    return f"no uncertainty is known of {join_names(without_interval)}"
