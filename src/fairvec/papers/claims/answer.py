"""Answer a paper's claims by the figures of the models that play its roles.

decide_claim   the test of a claim, put to those figures (the rules are in `decide`)
answer_claim   an answer for every model, or set of models, of the claim's roles
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from fairvec.core.format import format_signed
from fairvec.experiments.audit.categories import SAMPLES, Poolable, pool_effects
from fairvec.experiments.comparison.change_kinds import OF_PROBABILITY
from fairvec.messages.claims import (
    BEFORE_AND_AFTER,
    join_names,
    our_lists_note,
    our_models_note,
)
from fairvec.papers.claims.decide import (
    LEVEL,
    SMALL_EFFECT,
    ClaimMethod,
    Decision,
    Estimate,
    bonferroni_level,
    decide_absent,
    decide_best,
    decide_change,
    decide_comparable,
    decide_difference,
    decide_each,
    decide_greater,
    decide_leaning,
    decide_threshold,
    decide_unchanged,
    may_rule_out,
)
from fairvec.papers.claims.inputs import (
    ClaimInputs,
    Pairs,
    collect,
    pooled_effect_change,
    unit_of,
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
    Rows,
    ThresholdFigures,
    UnchangedFigures,
    claim_measurement_key,
    row_label,
)
from fairvec.papers.claims.paper_rules import decide_as_paper
from fairvec.papers.measure import MeasuredModel
from fairvec.papers.schema import Cell, Paper, TestMeasure, UnavailableError
from fairvec.results.reproduction import ClaimUnit
from fairvec.stats.values import is_sampling_floor


@dataclass(frozen=True)
class ClaimAnswer:
    """A claim, the models that answer it, and what is decided on their figures.

    `decision` is by our rule and the default convention, `by_paper` by the paper's own.
    `differs_by` says whether its rule or its figures give another grade, and `papers_way` what it
    does another way in computing them. Without a model `models` is empty, the grade "not tried" and
    the sentence the reason.
    """

    claim: Claim
    models: tuple[str, ...]
    decision: Decision
    by_paper: Decision
    is_the_papers: bool = False
    differs_by: Literal["", "rule", "figures"] = ""
    papers_way: tuple[str, ...] = ()


def unanswered(claim: Claim, reason: str, models: tuple[str, ...] = ()) -> ClaimAnswer:
    """Return the answer "not tried", with the reason as its sentence."""
    decision = Decision("not tried", reason)
    return ClaimAnswer(claim, models, decision, decision)


Names = Sequence[str]


def decide_claim(
    test: ClaimTest, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    """Return the decision on a claim's test; raise UnavailableError where there is none.

    `rows` are those of the test; `missing` names those that cannot be had at all.
    """
    match test:
        case PooledEffect():
            return _answer_pooled(test, inputs, rows, missing)
        case EachEffect():
            return _answer_each(test, inputs, rows, names, missing)
        case GreaterFigure():
            return _answer_greater(test, inputs, rows, missing)
        case ChangedEffect():
            return _answer_change(test, inputs, rows, missing)
        case UnchangedFigures():
            return _answer_unchanged(test, inputs, rows, names, missing)
        case ThresholdFigures():
            return _answer_threshold(test, inputs, rows, names, missing)
        case BestMethod():
            return _answer_best(test, inputs, rows, names, missing)
        case ComparableEffect():
            return _answer_comparable(test, inputs, rows, missing)
        case AbsentWords():
            return _answer_absent(inputs, rows)


def _answer_pooled(test: PooledEffect, inputs: ClaimInputs, rows: Rows, missing: Names) -> Decision:
    found, reasons = collect(inputs.poolable, {cell: cell for (cell,) in rows})
    left_out = [*missing, *reasons.values()]
    if not found:
        raise UnavailableError(_join_missing(left_out))
    tests = [*found.values()]
    words = len({word.key for poolable in tests for word in poolable.result.words})
    if len(tests) == 1:
        (cell,) = found
        result = inputs.result(cell, LEVEL)
        at_most = is_sampling_floor(result.p)
        estimate = Estimate("", result.effect, result.interval, result.p.value, at_most)
        how = f"words regrouped in one test, two-sided, {result.p.method}"
    else:
        pooled = pool_effects(tests, samples=SAMPLES)
        at_most = is_sampling_floor(pooled.p)
        estimate = Estimate("", pooled.effect, pooled.interval, pooled.p.value, at_most)
        how = (
            f"words regrouped in {len(tests)} tests at once, each word with one number a test, "
            f"two-sided, {pooled.p.method}"
        )
    decision = decide_leaning(estimate, test.sign, tests=len(tests))
    return _complete(decision, ClaimMethod(how, words, "words"), left_out)


def _answer_each(
    test: EachEffect, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    results, reasons = collect(inputs.result, cells)
    if not results:
        raise UnavailableError(_join_missing([*reasons.values()]))
    level = bonferroni_level(len(results))
    tests = [
        Estimate(
            name,
            result.effect,
            inputs.interval(cells[name], level) if may_rule_out(result.effect, test.sign) else None,
            result.p.value,
        )
        for name, result in results.items()
    ]
    how = f"words regrouped in each test alone, two-sided, Holm over {len(tests)}"
    decision = decide_each(tests, test.sign, [*missing, *reasons])
    return _complete(decision, ClaimMethod(how, len(tests), "tests"))


def _answer_greater(
    test: GreaterFigure, inputs: ClaimInputs, rows: Rows, missing: Names
) -> Decision:
    """Compare figures pair by pair, or, of the same tests of two models, word by word."""
    if test.by == "value" and all(_asks_same_test(row) for row in rows):
        return _answer_difference(inputs, rows, missing)

    def pair(cells: tuple[Cell, ...]) -> tuple[float, float]:
        left, right = map(inputs.number, cells)
        return (abs(left), abs(right)) if test.by == "size" else (left, right)

    found, reasons = collect(pair, {row: row for row in rows})
    left_out = [*missing, *reasons.values()]
    if not found:
        raise UnavailableError(_join_missing(left_out))
    pairs: dict[object, list[tuple[float, float]]] = defaultdict(list)
    for (left_cell, _), figures in found.items():
        pairs[left_cell.test or claim_measurement_key(left_cell)].append(figures)
    lefts, rights = (
        [float(np.mean([figures[side] for figures in values])) for values in pairs.values()]
        for side in (0, 1)
    )
    decision = decide_greater(lefts, rights, test.by)
    how = "left and right swapped pair by pair, two-sided, exact; it speaks of tests like these"
    return _complete(decision, ClaimMethod(how, len(pairs), "pairs"), left_out)


def _asks_same_test(cells: tuple[Cell, ...]) -> bool:
    first, second = cells
    is_test = isinstance(first.measure, TestMeasure)
    return is_test and claim_measurement_key(first) == claim_measurement_key(second)


def _answer_difference(inputs: ClaimInputs, rows: Rows, missing: Names) -> Decision:
    """Compare the same tests of two models: that on the left is claimed to have more."""
    turned = tuple((right, left) for left, right in rows)
    pairs, left_out = _collect_pairs(inputs, turned, missing)
    sides = inputs.side_labels(*turned[0])
    change = pooled_effect_change(tuple(pairs), LEVEL)
    decision = decide_difference(change, margin=SMALL_EFFECT, sides=sides)
    remark = _format_ranges(pairs, sides) if len(pairs) > 1 else ""
    decision = replace(decision, sentence=f"{decision.sentence}{remark}")
    how = f"{change.how}, two-sided"
    return _complete(decision, ClaimMethod(how, change.n, "words"), left_out)


def _collect_pairs(inputs: ClaimInputs, rows: Rows, missing: Names) -> tuple[Pairs, list[str]]:
    """Return the tests of each pair of cells, and what cannot be had."""

    def pair(cells: tuple[Cell, ...]) -> tuple[Poolable, Poolable]:
        before, after = map(inputs.poolable, cells)
        return before, after

    found, reasons = collect(pair, {row: row for row in rows})
    left_out = [*missing, *reasons.values()]
    if not found:
        raise UnavailableError(_join_missing(left_out))
    return tuple(found.values()), left_out


def _answer_change(
    test: ChangedEffect, inputs: ClaimInputs, rows: Rows, missing: Names
) -> Decision:
    left_out = [*missing]
    first, second = rows[0]
    sides, remark = inputs.side_labels(first, second), ""
    unit: ClaimUnit = "items"
    if isinstance(first.measure, TestMeasure):
        pairs, left_out = _collect_pairs(inputs, rows, missing)
        change, margin, unit = pooled_effect_change(pairs, LEVEL), SMALL_EFFECT, "words"
        remark = _format_ranges(pairs, sides) if len(pairs) > 1 else ""
    else:
        change = inputs.change(first, second, LEVEL)
        margin = OF_PROBABILITY.margin * unit_of(first)
    decision = decide_change(
        change,
        claimed=test.kind,
        margin=margin,
        sign=test.sign,
        is_share=unit == "items",
        sides=sides,
    )
    decision = replace(decision, sentence=f"{decision.sentence}{remark}")
    swapped = "before and after" if sides == BEFORE_AND_AFTER else "the two figures"
    how = f"{change.how or f'{swapped} swapped, one of the {unit} at a time'}, two-sided"
    return _complete(decision, ClaimMethod(how, change.n, unit), left_out)


def _format_ranges(pairs: Pairs, sides: tuple[str, str]) -> str:
    """Give the range of the single effects: effects of both signs cancel when they are pooled."""
    ranges = [
        f"{format_signed(min(effects))} to {format_signed(max(effects))}"
        for effects in ([test.result.effect for test in side] for side in zip(*pairs, strict=True))
    ]
    return f" Single tests: {ranges[0]} {sides[0]}, {ranges[1]} {sides[1]}."


def _answer_unchanged(
    test: UnchangedFigures, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    level = bonferroni_level(len(rows))
    found, reasons = collect(
        lambda row: inputs.change(row[0], row[1], level), dict(zip(names, rows, strict=True))
    )
    if not found:
        raise UnavailableError(_join_missing([*reasons.values()]))
    changes = [replace(change, name=name) for name, change in found.items()]
    how = "the changes that the paired test of the same words or items allows, all together at 95 %"
    agree = test.kind == "agree"
    decision = decide_unchanged(changes, test.margin, [*missing, *reasons], agree=agree)
    return _complete(decision, ClaimMethod(how, len(changes), "figures"))


def _answer_threshold(
    test: ThresholdFigures, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    level = bonferroni_level(len(rows))
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    values, reasons = collect(inputs.number, cells)
    if not values:
        raise UnavailableError(_join_missing([*reasons.values()]))
    figures = [
        Estimate(name, value, inputs.interval(cells[name], level)) for name, value in values.items()
    ]
    decision = decide_threshold(
        figures, at_least=test.at_least, at_most=test.at_most, missing=[*missing, *reasons]
    )
    known = any(figure.interval for figure in figures)
    how = "the intervals of the figures, all together at 95 %" if known else "the numbers alone"
    return _complete(decision, ClaimMethod(how, len(figures), "figures"))


def _answer_best(
    test: BestMethod, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    """Compare one change with each other, the tests of a row pooled."""

    def sides(row: tuple[Cell, ...]) -> tuple[Pairs, Pairs]:
        tests = [inputs.poolable(cell) for cell in row]
        before, other, best = test.parts(tests)
        return tuple(zip(before, best, strict=True)), tuple(zip(other, best, strict=True))

    found, reasons = collect(sides, dict(zip(names, rows, strict=True)))
    if not found:
        raise UnavailableError(_join_missing([*reasons.values()]))
    level = bonferroni_level(len(found))
    comparisons = [
        replace(pooled_effect_change(pair, level), name=name) for name, (_, pair) in found.items()
    ]
    from_none, _ = next(iter(found.values()))
    decision = decide_best(
        comparisons,
        original=pooled_effect_change(from_none, LEVEL).before,
        sign=test.sign,
        claimed=test.kind,
        missing=[*missing, *reasons],
    )
    how = f"{comparisons[0].how}, two-sided, Holm over {len(comparisons)}"
    return _complete(decision, ClaimMethod(how, comparisons[0].n, "words"))


def _answer_comparable(
    test: ComparableEffect, inputs: ClaimInputs, rows: Rows, missing: Names
) -> Decision:
    """Compare the pooled effect of some tests with that of others."""
    if missing:
        raise UnavailableError(_join_missing(missing))
    level = bonferroni_level(len(rows))
    pooled: list[Estimate] = []
    words: set[str] = set()
    for cells in rows:
        tests = [inputs.poolable(cell) for cell in cells]
        found = pool_effects(tests, samples=SAMPLES, level=level)
        ends = found.interval if len(cells) > 1 else inputs.interval(cells[0], level)
        pooled.append(Estimate("", found.effect, ends))
        words |= {word.key for poolable in tests for word in poolable.result.words}
    decision = decide_comparable(pooled[0], pooled[1], test.share)
    how = "the intervals of both pooled effects, together at 95 %"
    return _complete(decision, ClaimMethod(how, len(words), "words"))


def _answer_absent(inputs: ClaimInputs, rows: Rows) -> Decision:
    counts = [inputs.words_found(cell) for (cell,) in rows]
    found, words = map(sum, zip(*counts, strict=True))
    return _complete(decide_absent(found, words), ClaimMethod("counted", words, "words"))


def _join_missing(reasons: Sequence[str]) -> str:
    """Join the reasons why there are no figures, each once."""
    text = " ".join(f"{reason.removesuffix('.')}." for reason in dict.fromkeys(reasons))
    return text or "There are no figures."


def _complete(decision: Decision, method: ClaimMethod, left_out: Names = ()) -> Decision:
    """Add the method, and to the sentence what could not be measured."""
    sentence = decision.sentence
    if left_out:
        sentence = f"{sentence.removesuffix('.')}; left out: {join_names(left_out)}."
    return replace(decision, sentence=sentence, method=method)


MissingReason = Callable[[Cell], str]
"""Gives the reason why a cell has no figure on any local model; empty if it has one."""


def answer_claim(
    claim: Claim,
    paper: Paper,
    measured_models: Mapping[str, Sequence[MeasuredModel]],
    missing_reason: MissingReason,
) -> Iterator[ClaimAnswer]:
    """Yield the answer of each model of a claim's role, or of each set of models of its roles.

    Where nothing can be tested there is one answer with the reason. Models of several roles are
    combined in their order; a single model of a role is combined with each model of the others.
    """
    rows = claim.test.rows(paper)
    unavailable = {cell: reason for row in rows for cell in row if (reason := missing_reason(cell))}
    usable = tuple(row for row in rows if not any(cell in unavailable for cell in row))
    reasons = list(dict.fromkeys(unavailable.values()))
    absent = any(not measured_models.get(name) for name in claim.roles_needed)
    if absent or not usable:
        yield unanswered(claim, join_reasons(reasons) or "No model is at hand.")
        return
    numbers = {len(measured_models[name]) for name in claim.roles_needed} - {1}
    if len(numbers) > 1:
        counts = ", ".join(
            f"{name} has {len(measured_models[name])}" for name in claim.roles_needed
        )
        yield unanswered(claim, f"Its roles have different numbers of models ({counts}).")
        return
    missing = tuple(row_label(claim.test, row, rows) for row in rows if row not in usable)
    for index in range(max(numbers, default=1)):
        chosen = {
            name: measured_models[name][index % len(measured_models[name])]
            for name in claim.roles_needed
        }
        yield _answer_with_models(claim, ClaimInputs(paper, chosen), usable, missing)


def _answer_with_models(
    claim: Claim, inputs: ClaimInputs, rows: Rows, missing: Sequence[str]
) -> ClaimAnswer:
    test, papers_inputs = claim.test, replace(inputs, convention="paper")
    names = [row_label(test, row, rows) for row in rows]

    def decide(rule: Rule, figures: ClaimInputs) -> Decision:
        try:
            return rule(test, figures, rows, names, missing)
        except UnavailableError as error:
            return Decision("not tried", _join_missing([str(error)]))

    ours = _resting_on_ours(claim, inputs, decide(decide_claim, inputs))
    by_paper = _without_failure(claim, inputs, decide(decide_claim_as_paper, papers_inputs))
    differs_by: Literal["", "rule", "figures"] = ""
    if len({ours.grade, by_paper.grade} - {"not tried"}) == 2:
        rule_alone = _without_failure(claim, inputs, decide(decide_claim_as_paper, inputs))
        differs_by = "rule" if rule_alone.grade == by_paper.grade else "figures"
    way: tuple[str, ...] = ()
    if by_paper.grade != "not tried" and not isinstance(test, AbsentWords):
        with_p = isinstance(test, PooledEffect | EachEffect)
        way = inputs.papers_way((cell for row in rows for cell in row), with_p=with_p)
    is_the_papers = inputs.is_the_papers
    return ClaimAnswer(claim, inputs.models, ours, by_paper, is_the_papers, differs_by, way)


Rule = Callable[[ClaimTest, ClaimInputs, Rows, Names, Names], Decision]
"""Our rule, or the paper's."""


def _resting_on_ours(claim: Claim, inputs: ClaimInputs, decision: Decision) -> Decision:
    """Say that a claim rests on lists or models of ours; what fails with them is undecided."""
    if decision.grade == "not tried":
        return decision
    against = decision.grade == "fails"
    notes = [our_lists_note(against=against)] if claim.our_lists else []
    if inputs.our_models:
        notes.append(our_models_note(inputs.our_models, against=against))
    grade = "undecided" if notes and against else decision.grade
    return replace(decision, grade=grade, sentence=" ".join([decision.sentence, *notes]))


def _without_failure(claim: Claim, inputs: ClaimInputs, decision: Decision) -> Decision:
    """Say so where figures speak against the claim, and nowhere else."""
    return _resting_on_ours(claim, inputs, decision) if decision.grade == "fails" else decision


def decide_claim_as_paper(
    test: ClaimTest, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    """Return what the paper's own rule says of the figures."""
    convention = inputs.paper.convention
    if isinstance(test, AbsentWords):
        return _answer_absent(inputs, rows)
    if isinstance(test, PooledEffect | EachEffect) and (test.sign, convention.sides) in (
        ("-", "greater"),
        ("+", "less"),
    ):
        raise UnavailableError("The paper's one-sided test is of the other side.")

    def estimates(named: tuple[str, tuple[Cell, ...]]) -> list[Estimate]:
        name, row = named
        return [inputs.estimate(cell, name) for cell in row]

    items = dict(enumerate(zip(names, rows, strict=True)))
    found, reasons = collect(estimates, items)
    if not found:
        raise UnavailableError(_join_missing([*reasons.values()]))
    left_out = [*missing, *(names[place] for place in reasons)]
    sides = BEFORE_AND_AFTER
    if isinstance(test, ChangedEffect):
        before, after = rows[0]
        sides = inputs.side_labels(before, after)
    return decide_as_paper(test, [*found.values()], convention.alpha, left_out, sides)


def join_reasons(reasons: Sequence[str]) -> str:
    """Join reasons by spaces; one that ends in a command has no full stop and gets a semicolon."""
    *others, last = reasons or [""]
    return "".join(f"{reason}{' ' if reason.endswith('.') else '; '}" for reason in others) + last
