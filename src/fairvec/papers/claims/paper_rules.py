"""Decide a claim as its paper does: by signs, its own p at its own level, figures as they are.

leans             the mean effect has the sign, and one test at least is significant with it
each              every test is significant with the sign
greater           every figure on the left is larger than its fellow on the right
lowered, raised   the mean effect after is smaller, or larger, than before, where it is there
kept, agree       every figure moved, or differs, by the margin at the most
threshold         every figure is on the right side of the limit
least, most       the mean effect is nearer to zero, or larger, than with every other change
comparable        the mean effect is at least the share of the mean of the others

Nothing is corrected, pooled or held against an interval. What is not found so fails.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from statistics import fmean

from fairvec.messages.claims import (
    BEFORE_AND_AFTER,
    LARGER_AS_CLAIMED,
    all_of_sentence,
    change_label,
    comparable_label,
    comparable_sentence,
    effect_label,
    mean_change_sentence,
    moved_at_most,
    paper_p_sentence,
    rivals_sentence,
    with_missing,
)
from fairvec.papers.claims.decide import (
    ChangeClaimed,
    Decision,
    Estimate,
    decide_threshold,
    with_sign,
)
from fairvec.papers.claims.kinds import (
    AbsentWords,
    BestMethod,
    ChangedEffect,
    Claim,
    ClaimTest,
    ComparableEffect,
    EachEffect,
    GreaterFigure,
    PooledEffect,
    SignOfEffect,
    ThresholdFigures,
    UnchangedFigures,
    row_label,
)
from fairvec.papers.schema import Cell, Paper
from fairvec.results.reproduction import ClaimGrade


def decide_as_paper(
    test: ClaimTest,
    figures: Sequence[Sequence[Estimate]],
    alpha: float,
    missing: Sequence[str],
    sides: tuple[str, str] = BEFORE_AND_AFTER,
) -> Decision:
    """Return what the paper's rule says of figures by its own convention.

    `figures` has the estimates of each row of the test. Where some are `missing` and the others do
    not decide alone it is undecided. `sides` says whose figures before and after are.
    """
    match test:
        case PooledEffect(sign=sign):
            decision = decide_any([row[0] for row in figures], sign, alpha)
        case EachEffect(sign=sign):
            decision = decide_all([row[0] for row in figures], sign, alpha)
        case GreaterFigure(by=by):
            as_size = abs if by == "size" else float
            larger = [
                left.name for left, right in figures if as_size(left.value) > as_size(right.value)
            ]
            decision = _all_of(larger, len(figures), LARGER_AS_CLAIMED)
        case ChangedEffect(kind=kind, sign=sign):
            decision = decide_mean_change(figures, kind, sign, sides)
        case UnchangedFigures(kind=kind, margin=margin):
            within = [
                before.name
                for before, after in figures
                if abs(after.value - before.value) <= margin
            ]
            what = moved_at_most(margin, agree=kind == "agree")
            decision = _all_of(within, len(figures), what)
        case ThresholdFigures(at_least=at_least, at_most=at_most):
            alone = [row[0] for row in figures]
            return decide_threshold(alone, at_least=at_least, at_most=at_most, missing=missing)
        case BestMethod():
            decision = decide_nearest(test, figures)
        case ComparableEffect(share=share):
            if missing:
                return Decision("undecided", with_missing("", missing))
            decision = decide_share(figures, share)
        case AbsentWords():
            raise TypeError("Words are counted, by whatever rule.")
    if not missing:
        return decision
    sentence = with_missing(decision.sentence, missing)
    grade: ClaimGrade = "undecided" if decision.grade == "holds" else decision.grade
    return replace(decision, grade=grade, sentence=sentence)


def decide_printed(claim: Claim, paper: Paper) -> Decision | None:
    """Return what the paper's rule says of its own figures; None where it prints no numbers."""
    if isinstance(claim.test, AbsentWords):
        return None
    rows = claim.test.rows(paper)
    names = [row_label(claim.test, row, rows) for row in rows]
    found = [
        [estimate for cell in row if (estimate := _printed_estimate(cell, name))]
        for name, row in zip(names, rows, strict=True)
    ]
    whole = [len(estimates) == len(row) for estimates, row in zip(found, rows, strict=True)]
    if not any(whole):
        return None
    missing = [*compress(names, (not is_whole for is_whole in whole))]
    printed = [*compress(found, whole)]
    return decide_as_paper(claim.test, printed, paper.convention.alpha, missing)


def _printed_estimate(cell: Cell, name: str) -> Estimate | None:
    values = {figure.quantity: figure.value for figure in cell.figures}
    value = next((value for quantity, value in values.items() if quantity != "p"), None)
    return None if value is None else Estimate(name, value, p=values.get("p"))


def decide_any(tests: Sequence[Estimate], sign: SignOfEffect, alpha: float) -> Decision:
    """Decide by the mean effect and by whether any test is significant as claimed."""
    mean = fmean(test.with_sign(sign) for test in tests)
    return _by_p(tests, sign, alpha, needed=1, found=mean > 0)


def decide_all(tests: Sequence[Estimate], sign: SignOfEffect, alpha: float) -> Decision:
    """Decide by whether every test is significant as claimed."""
    return _by_p(tests, sign, alpha, needed=len(tests), found=True)


def _by_p(
    tests: Sequence[Estimate], sign: SignOfEffect, alpha: float, *, needed: int, found: bool
) -> Decision:
    """Decide by p below alpha; where the paper prints no p, by the sign alone."""
    significant = [
        test.name
        for test in tests
        if (test.p is None or test.p < alpha) and test.with_sign(sign) > 0
    ]
    holds = found and len(significant) >= needed
    values = [test.value for test in tests]
    p_values = [test.p for test in tests if test.p is not None]
    p = (min if needed == 1 else max)(p_values) if p_values else None
    effects = min(values), max(values)
    sentence = paper_p_sentence(significant, len(tests), effects, p, alpha)
    figures = {"significant": float(len(significant)), "asked": float(len(tests))}
    shown = effect_label(*effects)
    return Decision(_grade(holds), sentence, shown, figures, p)


def decide_mean_change(
    figures: Sequence[Sequence[Estimate]],
    claimed: ChangeClaimed,
    sign: SignOfEffect | None,
    sides: tuple[str, str],
) -> Decision:
    """Decide by the mean effect before and after, as a lower d is less bias to the papers.

    Where the words lean the other way to begin with there is nothing to lower, nor to keep.
    """
    old, new = (fmean(row[side].value for row in figures) for side in (0, 1))
    before, after = (with_sign(mean, sign or "+") for mean in (old, new))
    is_there = sign is None or before > 0
    shown = after > before if claimed == "raised" else after < before
    holds = shown != (claimed == "not-lowered")
    is_share = sign is None
    sentence = mean_change_sentence(
        old, new, len(figures), sides=sides, is_share=is_share, is_there=is_there
    )
    return Decision(
        _grade(holds) if is_there else "undecided",
        sentence,
        change_label(old, new, is_share=is_share),
        {"before": old, "after": new},
    )


def decide_nearest(test: BestMethod, figures: Sequence[Sequence[Estimate]]) -> Decision:
    """Decide by the mean effect with one change and with each other."""
    better = []
    original = own = 0.0
    for row in figures:
        original, other, own = (fmean(e.value for e in part) for part in test.parts(row))
        least = abs(own) < abs(other)
        most = with_sign(own, test.sign) > with_sign(other, test.sign)
        if least if test.kind == "least" else most:
            better.append(row[0].name)
    total = len(figures)
    is_there = with_sign(original, test.sign) > 0
    return Decision(
        _grade(len(better) == total) if is_there else "undecided",
        rivals_sentence(
            better, total, (original, own), least=test.kind == "least", is_there=is_there
        ),
        f"{len(better)} of {total}",
        {"better": float(len(better)), "asked": float(total), "original": original, "d": own},
    )


def decide_share(figures: Sequence[Sequence[Estimate]], share: float) -> Decision:
    """Decide by the mean effect of some tests and that of others."""
    left, right = (fmean(estimate.value for estimate in row) for row in figures)
    return Decision(
        _grade(left >= share * right) if right > 0 else "undecided",
        comparable_sentence((left, None), (right, None), share),
        comparable_label(left, right),
        {"d": left, "d_of_others": right},
    )


def _grade(holds: bool) -> ClaimGrade:
    return "holds" if holds else "fails"


def _all_of(names: Sequence[str], total: int, what: str) -> Decision:
    figures = {"as_claimed": float(len(names)), "asked": float(total)}
    grade = _grade(len(names) == total)
    return Decision(grade, all_of_sentence(names, total, what), f"{len(names)} of {total}", figures)
