"""Answer a paper's claims by the figures of the models that play its roles.

ClaimInputs    one measured model for each role, and its figures under the default convention
decide_claim   the test of a claim, put to those figures (the rules are in papers.decide)
answer_claim   an answer for every model, or set of models, of the claim's roles
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Literal

import numpy as np

from fairvec.core.format import format_signed
from fairvec.experiments.audit.categories import SAMPLES, Poolable, as_poolable, pool_effects
from fairvec.experiments.comparison.before_after import paired_answers
from fairvec.experiments.comparison.change_kinds import MARGIN_OF_PROBABILITY
from fairvec.experiments.comparison.paired import PairedTests, pooled_change, shares_of_words
from fairvec.papers.claims import (
    ChangedEffect,
    Claim,
    ClaimTest,
    EachEffect,
    GreaterFigure,
    PooledEffect,
    ThresholdFigures,
    UnchangedFigures,
    claim_measurement_key,
)
from fairvec.papers.decide import (
    BEFORE_AND_AFTER,
    LEVEL,
    SMALL_EFFECT,
    ClaimedTest,
    ClaimGrade,
    Decision,
    FigureChange,
    FigureEstimate,
    bonferroni_level,
    decide_change,
    decide_each,
    decide_greater,
    decide_leaning,
    decide_threshold,
    decide_unchanged,
    join_names,
    may_rule_out,
    quote,
)
from fairvec.papers.measure import MeasuredModel, cell_numbers
from fairvec.papers.schema import Cell, DerivedFigure, Paper, derive
from fairvec.papers.usefulness import score_name
from fairvec.results import Interval, Outcome, Result, Skipped
from fairvec.stats import Limits
from fairvec.stats import bootstrap_interval as bootstrap
from fairvec.stats.crossed import crossed_difference, crossed_estimate, dyadic_mean

WEIGHT_SAMPLES = 100
"""Regroupings drawn where only the weights of tests are needed, which do not depend on them."""

FEWEST_RESAMPLES, MOST_RESAMPLES, NUMBERS_PER_INTERVAL = 2_000, 20_000, 2**24
"""Bootstrap resamples of a benchmark's items: as many as this many numbers allow, within limits."""


@dataclass(frozen=True)
class PairedChange:
    """A figure before and after a change, the paired test of it and what that allows.

    All are over the `n` words or items that both models have. `how` is empty where the test swaps
    the two figures, word by word or item by item, and else says what it is.
    """

    before: float
    after: float
    p: float | None
    difference: Limits | None
    n: int
    how: str = ""


@dataclass(frozen=True, eq=False)
class ClaimInputs:
    """One model in each role of a claim."""

    paper: Paper
    measured_models: dict[str, MeasuredModel]

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, each once."""
        return tuple(
            dict.fromkeys(
                measured.role_model.model.name for measured in self.measured_models.values()
            )
        )

    @property
    def is_the_papers(self) -> bool:
        """Whether the paper measured these very models, as far as can be told."""
        return all(measured.role_model.is_the_papers for measured in self.measured_models.values())

    def poolable(self, cell: Cell) -> Poolable | str:
        """Return the words of a test with their scores, or why there are none to pool."""
        outcome = self._outcome(cell)
        found = as_poolable(outcome)
        if isinstance(found, Poolable):
            return found
        return outcome.reason if isinstance(outcome, Skipped) else f"{cell.row} ({found})"

    def result(self, cell: Cell, level: float | None = None) -> Result | str:
        """Return the result of a test, with an interval if a level is named, or why not."""
        measured = self.measured_models[cell.role]
        found = (
            measured.outcome_with_interval(measured.role_model.cell_for(cell), level)
            if level
            else self._outcome(cell)
        )
        if isinstance(found, Result):
            return found
        return found.reason if isinstance(found, Skipped) else f"{cell.row}: no test"

    def number(self, cell: Cell, quantity: str = "") -> float | str:
        """Return the figure of a cell in the unit that is printed, or why there is none."""
        if cell.settings.derived:
            return self._derived(cell, cell.settings.derived)
        measured = self.measured_models[cell.role]
        found = cell_numbers(measured, measured.role_model.cell_for(cell), self.paper.convention)
        value = found.default.get(quantity or quantity_of(cell))
        if isinstance(value, float | int):
            return float(value)
        return " ".join(found.notes) or f"{cell.row}: no number"

    def interval(self, cell: Cell, level: float) -> Limits | None:
        """Return the interval of a cell's figure in the unit that is printed; None if unknown."""
        measured = self.measured_models[cell.role]
        settings, unit = measured.role_model.cell_for(cell).settings, unit_of(cell)
        if settings.benchmark:
            answer = measured.benchmarks.answer(
                settings, measured.benchmarks.default_setup(settings)
            )
            if isinstance(answer, str) or answer.figure is None:
                return None
            sample, shared = answer.figure.samples, answer.figure.shared
            if shared:
                mean_of_pairs = dyadic_mean(sample.rows[:, 0], shared)
                ends = mean_of_pairs.interval(level)
                return Limits(unit * ends.low, unit * ends.high) if mean_of_pairs.variance else None
            resamples = min(
                MOST_RESAMPLES, max(FEWEST_RESAMPLES, NUMBERS_PER_INTERVAL // sample.rows.size)
            )
            resampled = bootstrap([sample.rows], sample.effect, level=level, resamples=resamples)
            # Where all items are alike resampling them shows nothing, least of all certainty.
            known = resampled is not None and resampled.low < resampled.high
            return (
                Limits(unit * resampled.low, unit * resampled.high) if resampled and known else None
            )
        if settings.task:
            trained = measured.tasks.default_result(settings, settings.task)
            if isinstance(trained, str):
                return None
            found = crossed_estimate(trained.figures[score_name(settings)])
            ends = found.interval(level)
            return Limits(unit * ends.low, unit * ends.high) if found.variance else None
        if cell.test and not settings.against and not settings.reads:
            result = self.result(cell, level)
            return finite_limits(result.interval) if isinstance(result, Result) else None
        return None

    def side_labels(self, before: Cell, after: Cell) -> tuple[str, str]:
        """Return what to call two figures: by their models, their columns, or before and after."""
        models = [self.measured_models[cell.role].role_model.model.name for cell in (before, after)]
        if models[0] != models[1]:
            return f"in {models[0]}", f"in {models[1]}"
        if before.settings.debias and before.column != after.column:
            return f"with {quote(before.column)}", f"with {quote(after.column)}"
        return BEFORE_AND_AFTER

    def change(self, before: Cell, after: Cell, level: float) -> PairedChange | str:
        """Return the change of one figure, paired item by item, or why there is none."""
        if before.test and not before.settings.against:
            old, new = self.poolable(before), self.poolable(after)
            if isinstance(old, str) or isinstance(new, str):
                return old if isinstance(old, str) else str(new)
            return pooled_effect_change(((old, new),), level)
        if before.settings.benchmark:
            return self._change_of_benchmark(before, after, level)
        if before.settings.task:
            return self._change_of_task(before, after, level)
        return f"{before.row}: nothing is known item by item"

    def _derived(self, cell: Cell, derived: DerivedFigure) -> float | str:
        """Return the figure derived from two other cells, or why there is none.

        A ratio to a figure that is not positive means nothing: two negative figures would look like
        a share.
        """
        sources = [self.paper.cell_at(place) for place in (derived.of, derived.to)]
        values = [
            self.number(item, derived.quantity)
            if item.role in self.measured_models
            else f"{item.row}: no model"
            for item in sources
        ]
        if derived.kind != "difference" and isinstance(values[1], float) and values[1] <= 0:
            return f"{cell.row}: it would be a share of {values[1]:.3g}, which is not positive"
        value = derive(derived.kind, *values, in_per_cent=quantity_of(cell) == "%")
        reasons = [item for item in values if isinstance(item, str)]
        return (" ".join(reasons) or f"{cell.row}: no number") if value is None else value

    def _outcome(self, cell: Cell) -> Outcome:
        measured = self.measured_models[cell.role]
        return measured.outcomes_of(measured.role_model.cell_for(cell), self.paper.convention)[1]

    def _change_of_benchmark(self, before: Cell, after: Cell, level: float) -> PairedChange | str:
        answers = []
        for cell in (before, after):
            measured = self.measured_models[cell.role]
            settings = measured.role_model.cell_for(cell).settings
            found = measured.benchmarks.answer(
                settings, measured.benchmarks.default_setup(settings)
            )
            if isinstance(found, str) or found.figure is None:
                return found if isinstance(found, str) else _missing_reason(found.outcome, cell)
            answers.append(found)
        old, new = answers
        change = paired_answers(old, new, level)
        if change is None or new.figure is None:
            return f"{before.row}: no item was asked before and after"
        unit, ends = unit_of(before), finite_limits(change.difference)
        return PairedChange(
            unit * change.before,
            unit * change.after,
            change.p.value,
            ends and Limits(unit * ends.low, unit * ends.high),
            change.items,
            "Student's t over the pairs that items combine" if new.figure.shared else "",
        )

    def _change_of_task(self, before: Cell, after: Cell, level: float) -> PairedChange | str:
        results = []
        for cell in (before, after):
            measured = self.measured_models[cell.role]
            settings = measured.role_model.cell_for(cell).settings
            if settings.task is None:
                return f"{cell.row}: no task"
            found = measured.tasks.default_result(settings, settings.task)
            if isinstance(found, str):
                return found
            results.append(found)
        figures = [result.figures[score_name(before.settings)] for result in results]
        change = crossed_difference(*figures)
        unit, ends = unit_of(before), change.interval(level)
        old, new = (unit * crossed_estimate(figure).estimate for figure in figures)
        return PairedChange(
            old,
            new,
            change.p,
            Limits(unit * ends.low, unit * ends.high) if isfinite(ends.low) else None,
            len(results[0].found.places),
            "Student's t over items and trainings",
        )


def pooled_effect_change(tests: PairedTests, level: float) -> PairedChange | str:
    """Return the change of the pooled effect of the same tests, paired word by word.

    A test has one weight in both effects, the mean of its weights before and after.
    """
    sides = [
        pool_effects([pair[side] for pair in tests], samples=WEIGHT_SAMPLES, interval=False)
        for side in (0, 1)
    ]
    weights = np.mean([side.weights for side in sides], axis=0)
    seed = tests[0][1].result.seed
    shares = shares_of_words(tests, weights)
    tested = pooled_change(tests, weights, seed=seed, level=level)
    if tested is None or shares is None:
        return "no word was found before and after"
    p, difference = tested
    before, after = (float(share.sum()) for share in shares[:2])
    return PairedChange(before, after, p.value, finite_limits(difference), len(shares[0]))


def finite_limits(interval: Interval | None) -> Limits | None:
    """Return the ends of an interval; None where there is none or an end is infinite."""
    if interval is None or not (isfinite(interval.low) and isfinite(interval.high)):
        return None
    return Limits(interval.low, interval.high)


def quantity_of(cell: Cell) -> str:
    """Return the quantity that counts as a cell's figure: the first it shows that is not p."""
    return next(
        (quantity for quantity in cell.settings.shows if quantity != "p"), cell.settings.shows[0]
    )


def unit_of(cell: Cell) -> float:
    """Return the factor from a share to the printed unit: 100 for per cent, else 1."""
    return 100.0 if quantity_of(cell) == "%" else 1.0


def _missing_reason(outcome: Outcome, cell: Cell) -> str:
    return outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no figure"


UnitOfClaim = Literal["words", "tests", "pairs", "items", "figures"]
"""What a claim's answer was counted over."""


@dataclass(frozen=True)
class ClaimMethod:
    """The test behind an answer in words, and over how many of what it was."""

    how: str
    n: int
    unit: UnitOfClaim


@dataclass(frozen=True)
class ClaimAnswer:
    """A claim, the models that answer it, a grade and the sentence that gives the reason.

    Without a model `models` is empty, the grade "not tried" and the sentence the reason. `figures`
    are the numbers behind the grade and `shown` is how a table shows them.
    """

    claim: Claim
    models: tuple[str, ...]
    grade: ClaimGrade
    sentence: str
    shown: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    p: float | None = None
    method: ClaimMethod | None = None
    is_the_papers: bool = False


def unanswered(claim: Claim, reason: str, models: tuple[str, ...] = ()) -> ClaimAnswer:
    """Return the answer "not tried", with the reason as its sentence."""
    return ClaimAnswer(claim, models, "not tried", reason)


def answered(
    claim: Claim,
    models: tuple[str, ...],
    decision: Decision,
    method: ClaimMethod,
    *,
    is_the_papers: bool,
) -> ClaimAnswer:
    """Return a decision as the answer of these models."""
    return ClaimAnswer(
        claim,
        models,
        decision.grade,
        decision.sentence,
        decision.shown,
        decision.figures,
        decision.p,
        method,
        is_the_papers,
    )


Rows = Sequence[tuple[Cell, ...]]
Names = Sequence[str]
DecisionOrReason = tuple[Decision, ClaimMethod] | str


def decide_claim(
    test: ClaimTest, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> DecisionOrReason:
    """Return the decision on a claim's test and its method, or the reason why there is none.

    `rows` are single cells, or pairs of them; `missing` names those that cannot be had at all.
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


def _answer_pooled(
    test: PooledEffect, inputs: ClaimInputs, rows: Rows, missing: Names
) -> DecisionOrReason:
    poolables = [inputs.poolable(cell) for (cell,) in rows]
    tests = [poolable for poolable in poolables if isinstance(poolable, Poolable)]
    left_out = [*missing, *(poolable for poolable in poolables if isinstance(poolable, str))]
    if not tests:
        return _join_missing(left_out)
    words = len({word.key for poolable in tests for word in poolable.result.words})
    if len(tests) == 1:
        (cell,) = next(
            row for row, poolable in zip(rows, poolables, strict=True) if poolable is tests[0]
        )
        # Its own d, as other claims and the table have it: pooled ones count each word once.
        result = inputs.result(cell, LEVEL)
        if isinstance(result, str):
            return _join_missing([result])
        decision = decide_leaning(result.effect, result.p.value, result.interval, test.sign)
        how = f"words regrouped in one test, two-sided, {result.p.method}"
        return _add_left_out(decision, left_out), ClaimMethod(how, words, "words")
    pooled = pool_effects(tests, samples=SAMPLES)
    decision = decide_leaning(
        pooled.effect, pooled.p.value, pooled.interval, test.sign, tests=len(tests)
    )
    how = (
        f"words regrouped in {len(tests)} tests at once, each word with one number a test, "
        f"two-sided, {pooled.p.method}"
    )
    return _add_left_out(decision, left_out), ClaimMethod(how, words, "words")


def _answer_each(
    test: EachEffect, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> DecisionOrReason:
    results = {name: inputs.result(cell) for name, (cell,) in zip(names, rows, strict=True)}
    tested = {name: result for name, result in results.items() if isinstance(result, Result)}
    absent = [*missing, *(name for name in results if name not in tested)]
    if not tested:
        return _join_missing([str(result) for result in results.values()])
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    level = bonferroni_level(len(tested))
    claimed_tests = []
    for name, result in tested.items():
        with_interval = (
            inputs.result(cells[name], level) if may_rule_out(result.effect, test.sign) else None
        )
        interval = (
            finite_limits(with_interval.interval) if isinstance(with_interval, Result) else None
        )
        claimed_tests.append(ClaimedTest(name, result.effect, result.p.value, interval))
    how = f"words regrouped in each test alone, two-sided, Holm over {len(tested)}"
    return decide_each(claimed_tests, test.sign, absent), ClaimMethod(how, len(tested), "tests")


def _answer_greater(
    test: GreaterFigure, inputs: ClaimInputs, rows: Rows, missing: Names
) -> DecisionOrReason:
    """Compare figures pair by pair; figures of the same test are averaged into one pair."""
    pairs: dict[object, list[tuple[float, float]]] = defaultdict(list)
    left_out = [*missing]
    for left_cell, right_cell in rows:
        left, right = inputs.number(left_cell), inputs.number(right_cell)
        if isinstance(left, str) or isinstance(right, str):
            left_out.append(left if isinstance(left, str) else str(right))
            continue
        by_size = test.by == "size"
        sizes = (abs(left), abs(right)) if by_size else (left, right)
        pairs[left_cell.test or claim_measurement_key(left_cell)].append(sizes)
    if not pairs:
        return _join_missing(left_out)
    lefts, rights = (
        [float(np.mean([pair[side] for pair in values])) for values in pairs.values()]
        for side in (0, 1)
    )
    decision = decide_greater(lefts, rights, test.by)
    how = "left and right swapped pair by pair, two-sided, exact; it speaks of tests like these"
    return _add_left_out(decision, left_out), ClaimMethod(how, len(pairs), "pairs")


def _answer_change(
    test: ChangedEffect, inputs: ClaimInputs, rows: Rows, missing: Names
) -> DecisionOrReason:
    left_out = [*missing]
    first, second = rows[0]
    sides, remark = inputs.side_labels(first, second), ""
    if first.test and not first.settings.against:
        pairs = []
        for before, after in rows:
            old, new = inputs.poolable(before), inputs.poolable(after)
            if isinstance(old, Poolable) and isinstance(new, Poolable):
                pairs.append((old, new))
            else:
                left_out.append(old if isinstance(old, str) else str(new))
        if not pairs:
            return _join_missing(left_out)
        found, margin = pooled_effect_change(tuple(pairs), LEVEL), SMALL_EFFECT
        remark = _format_ranges(pairs, sides) if len(pairs) > 1 else ""
        if len(rows) == 1 and not isinstance(found, str):
            remark = _format_opposite_sign(first, found.before)
        unit: UnitOfClaim = "words"
    else:
        found = inputs.change(first, second, LEVEL)
        margin, unit = MARGIN_OF_PROBABILITY * unit_of(first), "items"
    if isinstance(found, str):
        return _join_missing([found])
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
    decision = replace(decision, sentence=f"{decision.sentence}{remark}")
    swapped = "before and after" if sides == BEFORE_AND_AFTER else "the two figures"
    how = f"{found.how or f'{swapped} swapped, one of the {unit} at a time'}, two-sided"
    return _add_left_out(decision, left_out), ClaimMethod(how, found.n, unit)


def _format_ranges(pairs: Sequence[tuple[Poolable, Poolable]], sides: tuple[str, str]) -> str:
    """Give the range of the single effects: effects of both signs cancel when they are pooled."""
    ranges = [
        f"{format_signed(min(effects))} to {format_signed(max(effects))}"
        for effects in ([test.effect for test in side] for side in zip(*pairs, strict=True))
    ]
    return f" Single tests: {ranges[0]} {sides[0]}, {ranges[1]} {sides[1]}."


def _format_opposite_sign(cell: Cell, before: float) -> str:
    """Note that the effect before the change has another sign than the printed one."""
    printed = next((figure.value for figure in cell.figures if figure.quantity == "d"), None)
    if printed is None or printed * before >= 0:
        return ""
    return " The paper's own effect has the other sign to begin with."


def _answer_unchanged(
    test: UnchangedFigures, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> DecisionOrReason:
    level = bonferroni_level(len(rows))
    found = {
        name: inputs.change(before, after, level)
        for name, (before, after) in zip(names, rows, strict=True)
    }
    changes = {name: change for name, change in found.items() if not isinstance(change, str)}
    if not changes:
        return _join_missing([str(change) for change in found.values()])
    absent = [*missing, *(name for name in found if name not in changes)]
    figures = [
        FigureChange(name, change.before, change.after, change.difference)
        for name, change in changes.items()
    ]
    how = "the changes that the paired test of the same words or items allows, all together at 95 %"
    return decide_unchanged(figures, test.margin, absent), ClaimMethod(how, len(figures), "figures")


def _answer_threshold(
    test: ThresholdFigures, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> DecisionOrReason:
    level = bonferroni_level(len(rows))
    values = {name: inputs.number(cell) for name, (cell,) in zip(names, rows, strict=True)}
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    figures = [
        FigureEstimate(name, value, inputs.interval(cells[name], level))
        for name, value in values.items()
        if not isinstance(value, str)
    ]
    if not figures:
        return _join_missing([str(value) for value in values.values()])
    absent = [*missing, *(name for name, value in values.items() if isinstance(value, str))]
    decision = decide_threshold(
        figures, at_least=test.at_least, at_most=test.at_most, missing=absent
    )
    known = any(figure.interval for figure in figures)
    how = "the intervals of the figures, all together at 95 %" if known else "the numbers alone"
    return decision, ClaimMethod(how, len(figures), "figures")


def _join_missing(reasons: Sequence[str]) -> str:
    """Join the reasons why there are no figures, each once."""
    text = " ".join(f"{reason.removesuffix('.')}." for reason in dict.fromkeys(reasons))
    return text or "There are no figures."


def _add_left_out(decision: Decision, left_out: Names) -> Decision:
    """Add to the sentence what could not be measured."""
    if not left_out:
        return decision
    sentence = f"{decision.sentence.removesuffix('.')}; left out: {join_names(left_out)}."
    return replace(decision, sentence=sentence)


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
    sides = claim.cell_lists(paper)
    unavailable = {
        cell: reason for cells in sides for cell in cells if (reason := missing_reason(cell))
    }
    usable = [
        row for row in zip(*sides, strict=True) if not any(cell in unavailable for cell in row)
    ]
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
    missing = tuple(
        cell_label(row[0], sides[0])
        for row in zip(*sides, strict=True)
        if any(cell in unavailable for cell in row)
    )
    for index in range(max(numbers, default=1)):
        chosen = {
            name: measured_models[name][index % len(measured_models[name])]
            for name in claim.roles_needed
        }
        yield _answer_with_models(claim, ClaimInputs(paper, chosen), usable, missing)


def _answer_with_models(
    claim: Claim, inputs: ClaimInputs, rows: Sequence[tuple[Cell, ...]], missing: Sequence[str]
) -> ClaimAnswer:
    names = [cell_label(row[0], [one[0] for one in rows]) for row in rows]
    found = decide_claim(claim.test, inputs, rows, names, missing)
    if isinstance(found, str):
        return unanswered(claim, found, inputs.models)
    decision, method = found
    return answered(claim, inputs.models, decision, method, is_the_papers=inputs.is_the_papers)


def join_reasons(reasons: Sequence[str]) -> str:
    """Join reasons by spaces; one that ends in a command has no full stop and gets a semicolon."""
    *others, last = reasons or [""]
    return "".join(f"{reason}{' ' if reason.endswith('.') else '; '}" for reason in others) + last


def cell_label(cell: Cell, among: Sequence[Cell]) -> str:
    """Return what tells a cell from the others: its row, its column, or both where both vary."""
    rows, columns = (
        {getattr(other, field_name) for other in among} for field_name in ("row", "column")
    )
    if len(columns) == 1 or len(rows) == len(among):
        return cell.row
    return cell.column if len(rows) == 1 else f"{cell.row}, {cell.column}"
