"""One test of a claim, put to the figures of its models."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairvec.evaluation.categories.answering import SAMPLES
from fairvec.evaluation.categories.poolable import Poolable
from fairvec.evaluation.categories.pooling import pooled
from fairvec.evaluation.changes.kinds_of_change import MARGIN_OF_PROBABILITY
from fairvec.ground.numbers import signed
from fairvec.papers.claims.answer import ClaimMethod, UnitOfClaim
from fairvec.papers.claims.cast import ClaimCast, changed_effect, ends_of, unit_of
from fairvec.papers.claims.claim import (
    ChangedEffect,
    ClaimTest,
    EachLeans,
    GreaterFigures,
    KeptFigures,
    LeansTogether,
    ThresholdOfText,
    what_is_asked,
)
from fairvec.papers.claims.deciding.change import BEFORE_AND_AFTER, decide_change
from fairvec.papers.claims.deciding.decision import LEVEL, SMALL, Decision, level_for, named
from fairvec.papers.claims.deciding.each_leaning import AskedTest, decide_each, may_rule_out
from fairvec.papers.claims.deciding.greater import decide_greater
from fairvec.papers.claims.deciding.kept import FigureKept, decide_kept
from fairvec.papers.claims.deciding.leaning import decide_leaning
from fairvec.papers.claims.deciding.threshold import FigureAgainst, decide_threshold
from fairvec.papers.printed.paper import Cell
from fairvec.results import Result

Rows = Sequence[tuple[Cell, ...]]
Names = Sequence[str]
Asked = tuple[Decision, ClaimMethod] | str


def asked(test: ClaimTest, cast: ClaimCast, rows: Rows, names: Names, missing: Names) -> Asked:
    """Return what the test decides and how it was made, or why it could not be.

    `rows` are single cells, or pairs of them; `missing` names those that cannot be had at all.
    """
    match test:
        case LeansTogether():
            return _leaning(test, cast, rows, missing)
        case EachLeans():
            return _each(test, cast, rows, names, missing)
        case GreaterFigures():
            return _greater(test, cast, rows, missing)
        case ChangedEffect():
            return _changed(test, cast, rows, missing)
        case KeptFigures():
            return _kept(test, cast, rows, names, missing)
        case ThresholdOfText():
            return _threshold(test, cast, rows, names, missing)


def _leaning(test: LeansTogether, cast: ClaimCast, rows: Rows, missing: Names) -> Asked:
    found = [cast.poolable(cell) for (cell,) in rows]
    tests = [one for one in found if isinstance(one, Poolable)]
    left_out = [*missing, *(one for one in found if isinstance(one, str))]
    if not tests:
        return _nothing(left_out)
    words = len({word.key for one in tests for word in one.result.words})
    if len(tests) == 1:
        (cell,) = next(row for row, one in zip(rows, found, strict=True) if one is tests[0])
        # Its own d, as other claims and the table have it: pooled ones count each word once.
        result = cast.result(cell, LEVEL)
        if isinstance(result, str):
            return _nothing([result])
        decision = decide_leaning(result.effect, result.p.value, result.interval, test.sign)
        how = f"words regrouped in one test, two-sided, {result.p.method}"
        return _without(decision, left_out), ClaimMethod(how, words, "words")
    together = pooled(tests, samples=SAMPLES)
    decision = decide_leaning(
        together.effect, together.p.value, together.interval, test.sign, tests=len(tests)
    )
    how = (
        f"words regrouped in {len(tests)} tests at once, each word with one number a test, "
        f"two-sided, {together.p.method}"
    )
    return _without(decision, left_out), ClaimMethod(how, words, "words")


def _each(test: EachLeans, cast: ClaimCast, rows: Rows, names: Names, missing: Names) -> Asked:
    results = {name: cast.result(cell) for name, (cell,) in zip(names, rows, strict=True)}
    tested = {name: one for name, one in results.items() if isinstance(one, Result)}
    absent = [*missing, *(name for name in results if name not in tested)]
    if not tested:
        return _nothing([str(one) for one in results.values()])
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    level = level_for(len(tested))
    asked_tests = []
    for name, result in tested.items():
        seen = cast.result(cells[name], level) if may_rule_out(result.effect, test.sign) else None
        interval = ends_of(seen.interval) if isinstance(seen, Result) else None
        asked_tests.append(AskedTest(name, result.effect, result.p.value, interval))
    how = f"words regrouped in each test alone, two-sided, Holm over {len(tested)}"
    return decide_each(asked_tests, test.sign, absent), ClaimMethod(how, len(tested), "tests")


def _greater(test: GreaterFigures, cast: ClaimCast, rows: Rows, missing: Names) -> Asked:
    """Compare figures; several that ask the same test are one pair, their mean."""
    pairs: dict[object, list[tuple[float, float]]] = defaultdict(list)
    left_out = [*missing]
    for one, other in rows:
        left, right = cast.number(one), cast.number(other)
        if isinstance(left, str) or isinstance(right, str):
            left_out.append(left if isinstance(left, str) else str(right))
            continue
        by_size = test.by == "size"
        sizes = (abs(left), abs(right)) if by_size else (left, right)
        pairs[one.test or what_is_asked(one)].append(sizes)
    if not pairs:
        return _nothing(left_out)
    lefts, rights = (
        [float(np.mean([pair[side] for pair in some])) for some in pairs.values()]
        for side in (0, 1)
    )
    decision = decide_greater(lefts, rights, test.by)
    how = "left and right swapped pair by pair, two-sided, exact; it speaks of tests like these"
    return _without(decision, left_out), ClaimMethod(how, len(pairs), "pairs")


def _changed(test: ChangedEffect, cast: ClaimCast, rows: Rows, missing: Names) -> Asked:
    left_out = [*missing]
    first, second = rows[0]
    sides, singly = cast.sides(first, second), ""
    if first.test and not first.settings.against:
        pairs = []
        for before, after in rows:
            was, is_now = cast.poolable(before), cast.poolable(after)
            if isinstance(was, Poolable) and isinstance(is_now, Poolable):
                pairs.append((was, is_now))
            else:
                left_out.append(was if isinstance(was, str) else str(is_now))
        if not pairs:
            return _nothing(left_out)
        found, margin = changed_effect(tuple(pairs), LEVEL), SMALL
        singly = _singly(pairs, sides) if len(pairs) > 1 else ""
        if len(rows) == 1 and not isinstance(found, str):
            singly = _turned(first, found.before)
        unit: UnitOfClaim = "words"
    else:
        found = cast.change(first, second, LEVEL)
        margin, unit = MARGIN_OF_PROBABILITY * unit_of(first), "items"
    if isinstance(found, str):
        return _nothing([found])
    decision = decide_change(
        found.before,
        found.after,
        found.p,
        found.difference,
        claimed=test.kind,
        margin=margin,
        is_share=unit == "items",
        sides=sides,
    )
    decision = replace(decision, sentence=f"{decision.sentence}{singly}")
    swapped = "before and after" if sides == BEFORE_AND_AFTER else "the two figures"
    how = f"{found.how or f'{swapped} swapped, one of the {unit} at a time'}, two-sided"
    return _without(decision, left_out), ClaimMethod(how, found.n, unit)


def _singly(pairs: Sequence[tuple[Poolable, Poolable]], sides: tuple[str, str]) -> str:
    """Say how far single tests lie apart: effects that cancel are little only when pooled."""
    ranges = [
        f"{signed(min(some))} to {signed(max(some))}"
        for some in ([one.effect for one in side] for side in zip(*pairs, strict=True))
    ]
    return f" Single tests: {ranges[0]} {sides[0]}, {ranges[1]} {sides[1]}."


def _turned(cell: Cell, before: float) -> str:
    """Say where there is another tie to be changed than the one that the paper found."""
    printed = next((one.value for one in cell.figures if one.quantity == "d"), None)
    if printed is None or printed * before >= 0:
        return ""
    return " The paper's own effect has the other sign to begin with."


def _kept(test: KeptFigures, cast: ClaimCast, rows: Rows, names: Names, missing: Names) -> Asked:
    level = level_for(len(rows))
    found = {
        name: cast.change(before, after, level)
        for name, (before, after) in zip(names, rows, strict=True)
    }
    changes = {name: one for name, one in found.items() if not isinstance(one, str)}
    if not changes:
        return _nothing([str(one) for one in found.values()])
    absent = [*missing, *(name for name in found if name not in changes)]
    figures = [
        FigureKept(name, one.before, one.after, one.difference) for name, one in changes.items()
    ]
    how = "the changes that the paired test of the same words or items allows, all together at 95 %"
    return decide_kept(figures, test.margin, absent), ClaimMethod(how, len(figures), "figures")


def _threshold(
    test: ThresholdOfText, cast: ClaimCast, rows: Rows, names: Names, missing: Names
) -> Asked:
    level = level_for(len(rows))
    values = {name: cast.number(cell) for name, (cell,) in zip(names, rows, strict=True)}
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    figures = [
        FigureAgainst(name, value, cast.interval(cells[name], level))
        for name, value in values.items()
        if not isinstance(value, str)
    ]
    if not figures:
        return _nothing([str(value) for value in values.values()])
    absent = [*missing, *(name for name, value in values.items() if isinstance(value, str))]
    decision = decide_threshold(
        figures, at_least=test.at_least, at_most=test.at_most, missing=absent
    )
    known = any(one.interval for one in figures)
    how = "the intervals of the figures, all together at 95 %" if known else "the numbers alone"
    return decision, ClaimMethod(how, len(figures), "figures")


def _nothing(reasons: Sequence[str]) -> str:
    """Say why there are no figures, each reason once."""
    said = " ".join(f"{one.removesuffix('.')}." for one in dict.fromkeys(reasons))
    return said or "There are no figures."


def _without(decision: Decision, left_out: Names) -> Decision:
    """Say in the sentence what could not be asked."""
    if not left_out:
        return decision
    said = f"{decision.sentence.removesuffix('.')}; left out: {named(left_out)}."
    return replace(decision, sentence=said)
