"""Decide a claim as its paper does: by signs, its own p at its own level, figures as they are.

leans             the mean effect has the sign, and one test at least is significant with it
each              every test is significant with the sign
greater           every figure on the left is larger than its fellow on the right
lowered, raised   the mean size after is smaller, or larger, than before
kept              every figure moved by the margin at the most
threshold         every figure is on the right side of the limit

Nothing is corrected, pooled or held against an interval. What is not found so fails.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from fairvec.messages.papers import (
    LARGER_AS_CLAIMED,
    all_of_sentence,
    change_label,
    effect_label,
    mean_size_sentence,
    moved_at_most,
    paper_p_sentence,
    with_missing,
)
from fairvec.papers.claims import (
    ChangedEffect,
    Claim,
    ClaimTest,
    EachEffect,
    GreaterFigure,
    PooledEffect,
    SignOfEffect,
    ThresholdFigures,
    UnchangedFigures,
    cell_label,
)
from fairvec.papers.decide import ChangeClaimed, Decision, Estimate
from fairvec.papers.schema import Cell, Paper
from fairvec.results.reproduction import ClaimGrade


def decide_as_paper(
    test: ClaimTest, figures: Sequence[Sequence[Estimate]], alpha: float, missing: Sequence[str]
) -> Decision:
    """Return what the paper's rule says of figures by its own convention.

    `figures` has one estimate a row, or two where the test is over pairs. Where some are `missing`
    and the others do not decide alone it is undecided.
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
        case ChangedEffect(kind=kind):
            decision = decide_mean_change(figures, kind)
        case UnchangedFigures(margin=margin):
            within = [
                before.name
                for before, after in figures
                if abs(after.value - before.value) <= margin
            ]
            decision = _all_of(within, len(figures), moved_at_most(margin))
        case ThresholdFigures(at_least=at_least, at_most=at_most):
            passing = [
                row[0].name
                for row in figures
                if (at_least is None or row[0].value >= at_least)
                and (at_most is None or row[0].value <= at_most)
            ]
            side = f"at least {at_least:g}" if at_least is not None else f"at most {at_most:g}"
            decision = _all_of(passing, len(figures), side)
    if not missing:
        return decision
    sentence = with_missing(decision.sentence, missing)
    grade: ClaimGrade = "undecided" if decision.grade == "holds" else decision.grade
    return replace(decision, grade=grade, sentence=sentence)


def decide_printed(claim: Claim, paper: Paper) -> Decision | None:
    """Return what the paper's rule says of its own figures; None where it prints no numbers."""
    sides = claim.cell_lists(paper)
    rows = [
        [_printed_estimate(cell, cell_label(row[0], sides[0])) for cell in row]
        for row in zip(*sides, strict=True)
    ]
    printed = [[estimate for estimate in row if estimate is not None] for row in rows if all(row)]
    if not printed:
        return None
    missing = [
        cell_label(row[0], sides[0])
        for row, found in zip(zip(*sides, strict=True), rows, strict=True)
        if not all(found)
    ]
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
    return Decision("holds" if holds else "fails", sentence, shown, figures, p)


def decide_mean_change(figures: Sequence[Sequence[Estimate]], claimed: ChangeClaimed) -> Decision:
    """Decide by the mean size before and after."""
    before, after = (fmean(abs(row[side].value) for row in figures) for side in (0, 1))
    holds = after < before if claimed == "lowered" else after > before
    return Decision(
        "holds" if holds else "fails",
        mean_size_sentence(before, after, len(figures)),
        change_label(before, after, is_share=True),
        {"before": before, "after": after},
    )


def _all_of(names: Sequence[str], total: int, what: str) -> Decision:
    figures = {"as_claimed": float(len(names)), "asked": float(total)}
    grade: ClaimGrade = "holds" if len(names) == total else "fails"
    return Decision(grade, all_of_sentence(names, total, what), f"{len(names)} of {total}", figures)
