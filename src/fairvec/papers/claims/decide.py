"""Decide a claim by numbers: one pure function for each kind of test.

leans             decide_leaning      effect of one test, or of tests pooled, and its p
each              decide_each         every test on its own, p corrected by Holm
greater           decide_greater      two lists of figures, an exact paired test
                  decide_difference   one effect of two models, a paired test over its words
lowered, raised   decide_change       one effect before and after, a paired test
kept, agree       decide_unchanged    intervals of changes within a margin (equivalence)
threshold         decide_threshold    intervals of figures against a limit
least, most       decide_best         one effect after several changes, each couple tested
comparable        decide_comparable   the interval of one effect against a share of another's
absent            decide_absent       words that are there

Every function takes Estimates or PairedChanges and returns a Decision: holds, fails or undecided,
with a sentence and its figures. They know nothing of models, cells or conventions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

import numpy as np

from fairvec.core.format import is_significant
from fairvec.messages.claims import (
    BEFORE_AND_AFTER,
    NOT_CLEAR,
    TURNED,
    best_sentence,
    change_label,
    change_sentence,
    changed_lead,
    comparable_label,
    comparable_sentence,
    each_sentence,
    effect_label,
    found_sentence,
    greater_label,
    greater_sentence,
    leaning_sentence,
    near_limit,
    neither_lead,
    no_change_lead,
    no_tie_lead,
    nothing_lead,
    nothing_to_change_lead,
    threshold_sentence,
    too_few_pairs,
    unchanged_label,
    unchanged_sentence,
)
from fairvec.papers.claims.kinds import ComparedBy, SignOfEffect
from fairvec.results.reproduction import ClaimGrade, ClaimUnit
from fairvec.stats import Interval, holm, paired_test

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
        return with_sign(self.value, sign)

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


def decide_leaning(estimate: Estimate, sign: SignOfEffect, *, tests: int = 1) -> Decision:
    """Decide by the effect of one test and its p, or by those of all tests regrouped at once.

    p <= 0.05 and the sign claimed: holds; p <= 0.05 and the other sign: fails; else undecided. If
    the grouping of words does not matter, both together come in 5 % of all cases at the most.
    """
    effect, interval, at_most = estimate.value, estimate.interval, estimate.at_most
    p = 1.0 if estimate.p is None else estimate.p
    shown = effect_label(effect)
    clear = is_significant(p, ALPHA) and effect != 0
    as_claimed = (effect > 0) == (sign == "+") if clear else None
    sentence = leaning_sentence(
        effect,
        interval,
        p,
        tests=tests,
        as_claimed=as_claimed,
        at_most=at_most,
        alpha=ALPHA,
    )
    return Decision(_GRADES[as_claimed], sentence, shown, {"d": effect}, p, at_most, interval)


_GRADES: dict[bool | None, ClaimGrade] = {True: "holds", False: "fails", None: "undecided"}


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
    sentence = each_sentence(
        along,
        against,
        absent,
        missing,
        tests=len(tests),
        effects=(min(effects), max(effects)),
        p=corrected[0],
        small=SMALL_EFFECT,
        alpha=ALPHA,
    )
    grade: ClaimGrade = (
        "fails" if against or absent else "holds" if len(along) == total else "undecided"
    )
    return Decision(grade, sentence, shown, figures, max(corrected))


FEWEST_PAIRS = next(n for n in count(1) if is_significant(2.0 ** (1 - n), ALPHA))
"""With fewer pairs that differ no swapping can be significant: the smallest p is 2^(1 - n)."""


def decide_greater(left: Sequence[float], right: Sequence[float], by: ComparedBy) -> Decision:
    """Decide by swapping left and right at random, pair by pair: an exact test of the mean.

    T = mean(left - right), of sizes if `by` is so; p is the share of all swaps with |T| as large.
    p <= 0.05 and T > 0: holds; p <= 0.05 and T < 0: fails; else undecided. The pairs are tests, or
    benchmarks: the answer speaks of tests like these, not of other words. Five pairs or fewer
    cannot decide: their smallest p is 1/16. One test of two models has words to pair instead
    (`decide_difference`).
    """
    left_values, right_values = (
        np.abs(side) if by == "size" else np.array(side) for side in (left, right)
    )
    p = paired_test(right_values, left_values)
    difference, larger = (
        float(np.mean(left_values - right_values)),
        int((left_values > right_values).sum()),
    )
    pairs = len(left_values)
    figures = {"difference": difference, "larger": float(larger), "pairs": float(pairs)}
    clear = is_significant(p.value, ALPHA) and difference != 0
    as_claimed = difference > 0 if clear else None
    # Pairs of equal figures decide nothing, however many there are.
    smallest_p = 2.0 ** (1 - int((left_values != right_values).sum()))
    enough = is_significant(smallest_p, ALPHA)
    sentence = greater_sentence(
        larger,
        pairs,
        difference,
        p.value,
        of_sizes=by == "size",
        as_claimed=as_claimed,
        too_few="" if enough else too_few_pairs(FEWEST_PAIRS, differing=pairs >= FEWEST_PAIRS),
        alpha=ALPHA,
    )
    shown = greater_label(larger, pairs, difference)
    return Decision(_GRADES[as_claimed], sentence, shown, figures, p.value)


def decide_difference(
    change: PairedChange, *, margin: float, sides: tuple[str, str] = BEFORE_AND_AFTER
) -> Decision:
    """Decide whether the second of two effects is the greater, by the paired test of the words.

    Significant, and the second is greater: holds. Significant and the first is, or every difference
    that the test allows is within the margin: fails. Else undecided, and so it is where neither
    effect goes the way in which one is said to be greater.
    """
    first, second, p = change.before, change.after, change.p
    lead, grade = NOT_CLEAR, _GRADES[None]
    if max(first, second) < margin:
        lead = neither_lead()
    elif change.difference is not None and change.difference.is_within(margin):
        grade, lead = "fails", no_change_lead(sides, margin)
    elif p is not None and is_significant(p, ALPHA) and first != second:
        grade, lead = _GRADES[second > first], changed_lead(smaller=second < first)
    return _change_decision(grade, lead, change, sides=sides)


ChangeClaimed = Literal["lowered", "raised", "not-lowered"]


def decide_change(
    change: PairedChange,
    *,
    claimed: ChangeClaimed,
    margin: float,
    sign: SignOfEffect | None = None,
    is_share: bool = False,
    sides: tuple[str, str] = BEFORE_AND_AFTER,
) -> Decision:
    """Decide by the paired test of the same words, or items, before and after.

    Significant, and the size changed as claimed: holds. Significant and the size changed the other
    way, or every change that the test allows within the margin: fails. Else undecided, and so is an
    effect that turned around and kept half of its size (lower d is not less bias), and one that is
    within the margin before and after, or hardly changed where the claim has the larger one: there
    was nothing to lower, so that it could not have held. So it is too where the effect goes the
    other way to begin with: a tie that is not there is neither lowered nor kept. Of a change that
    did nothing, p calls 5 % changed at the most. A share or a correlation has no sign to name.

    `not-lowered` is the denial: what fails to be lowered holds. `sides` says whose figures they
    are, where two models are compared, or two changes of one.
    """
    before, after, p, difference = change.before, change.after, change.p, change.difference
    raises = claimed == "raised"
    turned = before * after < 0
    smaller, similar_size = (
        abs(after) < abs(before),
        2 * min(abs(before), abs(after)) >= max(abs(before), abs(after)),
    )
    significant = p is not None and is_significant(p, ALPHA) and abs(after) != abs(before)
    within_margin = difference is not None and difference.is_within(margin)
    claimed_larger = after if raises else before
    grade: ClaimGrade = "undecided"
    lead = NOT_CLEAR
    if max(abs(before), abs(after)) < margin:
        lead = nothing_lead(sides)
    elif sign is not None and with_sign(claimed_larger, sign) <= 0:
        lead = no_tie_lead(raised=raises)
    elif within_margin and abs(claimed_larger) < margin:
        lead = nothing_to_change_lead(raised=raises)
    elif within_margin:
        grade, lead = "fails", no_change_lead(sides, margin)
    elif significant and turned and similar_size:
        lead = TURNED
    elif significant:
        grade = "fails" if smaller == raises else "holds"
        lead = changed_lead(smaller=smaller)
    if claimed == "not-lowered":
        grade = _DENIED[grade]
    return _change_decision(grade, lead, change, is_share=is_share, sides=sides)


_DENIED: dict[ClaimGrade, ClaimGrade] = {
    "holds": "fails",
    "fails": "holds",
    "undecided": "undecided",
    "not tried": "not tried",
}


def with_sign(value: float, sign: SignOfEffect) -> float:
    """Return an effect with its sign turned so that positive agrees with the claim."""
    return value if sign == "+" else -value


def _change_decision(
    grade: ClaimGrade,
    lead: str,
    change: PairedChange,
    *,
    is_share: bool = False,
    sides: tuple[str, str],
) -> Decision:
    before, after, difference = change.before, change.after, change.difference
    sentence = change_sentence(
        lead,
        before,
        after,
        difference,
        change.p,
        sides=sides,
        is_share=is_share,
        at_most=change.at_most,
        alpha=ALPHA,
    )
    shown = change_label(before, after, is_share=is_share)
    figures = {"before": before, "after": after, "change": after - before}
    return Decision(grade, sentence, shown, figures, change.p, change.at_most, difference)


def decide_best(
    comparisons: Sequence[PairedChange],
    *,
    original: float,
    sign: SignOfEffect,
    claimed: Literal["least", "most"],
    missing: Sequence[str] = (),
) -> Decision:
    """Decide by comparing one change with each other change, word by word, p corrected by Holm.

    Each comparison has the effect with another change, by whose name it goes, before the effect
    with this one. All significant, and by size as claimed: holds. One significant the other way:
    fails. Else undecided, and so it is where the effect without any change (`original`) is next to
    nothing or goes the other way: there is nothing to lower, or to keep.
    """
    corrected = holm(np.array([1.0 if one.p is None else one.p for one in comparisons])).tolist()
    significant = [
        (one.name, abs(one.after) < abs(one.before))
        for one, p in zip(comparisons, corrected, strict=True)
        if is_significant(p, ALPHA) and abs(one.after) != abs(one.before)
    ]
    least = claimed == "least"
    better = [name for name, smaller in significant if smaller == least]
    worse = [name for name, smaller in significant if smaller != least]
    total = len(comparisons) + len(missing)
    is_there = with_sign(original, sign) >= SMALL_EFFECT
    grade: ClaimGrade = "undecided"
    if is_there:
        grade = "fails" if worse else "holds" if len(better) == total else "undecided"
    own = comparisons[0].after
    rival = min(comparisons, key=lambda one: abs(one.before) if least else -abs(one.before))
    sentence = best_sentence(
        better,
        worse,
        missing,
        least=least,
        total=total,
        is_there=is_there,
        effects=(original, own, rival.before),
        rival=rival.name,
    )
    figures = {"better": float(len(better)), "asked": float(total)}
    figures |= {"original": original, "d": own, "d_of_rival": rival.before}
    return Decision(grade, sentence, f"{len(better)} of {total}", figures, max(corrected))


def decide_comparable(left: Estimate, right: Estimate, share: float) -> Decision:
    """Decide by the intervals of two effects, both together at 95 %.

    With L of the first and R of the second, which has to be above zero: L >= share R throughout:
    holds; L < share R throughout: fails; else undecided.
    """
    first, second = left.interval, right.interval
    grade: ClaimGrade = "undecided"
    if first and second and second.low > 0:
        if first.low >= share * second.high:
            grade = "holds"
        elif first.high < share * second.low:
            grade = "fails"
    sentence = comparable_sentence((left.value, first), (right.value, second), share)
    figures = {"d": left.value, "d_of_others": right.value}
    if right.value > 0:
        figures["share"] = left.value / right.value
    return Decision(grade, sentence, comparable_label(left.value, right.value), figures)


def decide_absent(found: int, words: int) -> Decision:
    """Decide by counting: none of the words is in the vocabulary, or some are."""
    sentence = found_sentence(found, words)
    figures = {"found": float(found), "words": float(words)}
    return Decision("fails" if found else "holds", sentence, f"{found} of {words}", figures)


def decide_unchanged(
    figures: Sequence[PairedChange],
    margin: float,
    missing: Sequence[str] = (),
    *,
    agree: bool = False,
) -> Decision:
    """Decide by the interval of each change: keeping needs as much proof as losing.

    All intervals within the margin: holds. One wholly outside of it: fails. Else undecided, and so
    it is where a figure is missing. With `agree` the two figures are those of two ways to ask.
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
    grade: ClaimGrade = "fails" if changed else "holds" if len(within) == total else "undecided"
    return Decision(
        grade,
        unchanged_sentence(
            within,
            [figure.name for figure in changed],
            undecided,
            missing,
            total=total,
            margin=margin,
            largest=(largest.name, change, largest.difference),
            agree=agree,
        ),
        unchanged_label(len(within), total, change, agree=agree),
        {"largest_change": change, "kept": float(len(within)), "asked": float(total)},
        interval=largest.difference if total == 1 else None,
    )


def _outside(ends: Interval, margin: float) -> bool:
    return ends.low > margin or ends.high < -margin


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
    grade: ClaimGrade = "fails" if failing else "holds" if len(passing) == total else "undecided"
    return Decision(
        grade,
        threshold_sentence(
            passing,
            failing,
            without_interval,
            missing,
            total=total,
            limit=limit,
            is_minimum=is_minimum,
            nearest=(nearest.name, nearest.value, nearest.interval),
        ),
        near_limit(nearest.value, limit) if total == 1 else f"{len(passing)} of {total}",
        {"value": nearest.value, "limit": limit},
        interval=nearest.interval,
    )


def _passes(ends: Interval, limit: float, *, low: bool, strictly: bool = False) -> bool:
    """Return whether an interval lies fully on one side of the limit, or strictly beyond it."""
    end = ends.low if low else ends.high
    if strictly and end == limit:
        return False
    return end >= limit if low else end <= limit
