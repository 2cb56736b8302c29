"""Answers to a paper's claims: which models take part, and what their figures say."""

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
    EachLeans,
    GreaterFigures,
    KeptFigures,
    LeansTogether,
    ThresholdOfText,
    claim_measurement_key,
)
from fairvec.papers.decide import (
    BEFORE_AND_AFTER,
    LEVEL,
    SMALL_EFFECT,
    AskedTest,
    ClaimGrade,
    Decision,
    FigureAgainst,
    FigureKept,
    bonferroni_level,
    decide_change,
    decide_each,
    decide_greater,
    decide_kept,
    decide_leaning,
    decide_threshold,
    may_rule_out,
    named,
    quoted,
)
from fairvec.papers.measure import MeasuredModel, cell_numbers
from fairvec.papers.schema import Cell, Derived, Paper, derive
from fairvec.papers.usefulness import score_name
from fairvec.results import Interval, Outcome, Result, Skipped
from fairvec.stats import Limits
from fairvec.stats import bootstrap_interval as bootstrap
from fairvec.stats.crossed import crossed_difference, crossed_estimate, dyadic_mean

# The models that answer a claim, and their figures under fairvec's default convention.


FOR_WEIGHTS = 100
"""Regroupings drawn where only the weights of tests are wanted, which need none."""

FEWEST, MOST, NUMBERS_DRAWN = 2_000, 20_000, 2**24
"""Resamples of a benchmark's items: more of a short one than of a long one."""


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
    parts: dict[str, MeasuredModel]

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, each once."""
        return tuple(dict.fromkeys(part.player.model.name for part in self.parts.values()))

    @property
    def is_the_papers(self) -> bool:
        """Whether the paper measured these very models, as far as can be told."""
        return all(part.player.is_the_papers for part in self.parts.values())

    def poolable(self, cell: Cell) -> Poolable | str:
        """Return the words of a test with their scores, or why there are none to pool."""
        outcome = self._outcome(cell)
        found = as_poolable(outcome)
        if isinstance(found, Poolable):
            return found
        return outcome.reason if isinstance(outcome, Skipped) else f"{cell.row} ({found})"

    def result(self, cell: Cell, level: float | None = None) -> Result | str:
        """Return the result of a test, with an interval if a level is named, or why not."""
        part = self.parts[cell.role]
        found = (
            part.with_interval(part.player.measuring(cell), level) if level else self._outcome(cell)
        )
        if isinstance(found, Result):
            return found
        return found.reason if isinstance(found, Skipped) else f"{cell.row}: no test"

    def number(self, cell: Cell, quantity: str = "") -> float | str:
        """Return the figure of a cell in the unit that is printed, or why there is none."""
        if cell.settings.derived:
            return self._derived(cell, cell.settings.derived)
        part = self.parts[cell.role]
        found = cell_numbers(part, part.player.measuring(cell), self.paper.convention)
        value = found.default.get(quantity or quantity_of(cell))
        if isinstance(value, float | int):
            return float(value)
        return " ".join(found.notes) or f"{cell.row}: no number"

    def interval(self, cell: Cell, level: float) -> Limits | None:
        """Return the interval of a cell's figure in the unit that is printed; None if unknown."""
        part = self.parts[cell.role]
        wanted, unit = part.player.measuring(cell).settings, unit_of(cell)
        if wanted.benchmark:
            answer = part.benchmarks.answer(wanted, part.benchmarks.default_way(wanted))
            if isinstance(answer, str) or answer.figure is None:
                return None
            sample, shared = answer.figure.samples, answer.figure.shared
            if shared:
                over_pairs = dyadic_mean(sample.rows[:, 0], shared)
                ends = over_pairs.interval(level)
                return Limits(unit * ends.low, unit * ends.high) if over_pairs.variance else None
            enough = min(MOST, max(FEWEST, NUMBERS_DRAWN // sample.rows.size))
            drawn = bootstrap([sample.rows], sample.effect, level=level, resamples=enough)
            # Where all items are alike resampling them shows nothing, least of all certainty.
            known = drawn is not None and drawn.low < drawn.high
            return Limits(unit * drawn.low, unit * drawn.high) if drawn and known else None
        if wanted.task:
            learnt = part.tasks.learnt(wanted, wanted.task)
            if isinstance(learnt, str):
                return None
            found = crossed_estimate(learnt.figures[score_name(wanted)])
            ends = found.interval(level)
            return Limits(unit * ends.low, unit * ends.high) if found.variance else None
        if cell.test and not wanted.against and not wanted.reads:
            result = self.result(cell, level)
            return ends_of(result.interval) if isinstance(result, Result) else None
        return None

    def sides(self, before: Cell, after: Cell) -> tuple[str, str]:
        """Return whose figures two cells are: two models', two changes', or before and after."""
        models = [self.parts[cell.role].player.model.name for cell in (before, after)]
        if models[0] != models[1]:
            return f"in {models[0]}", f"in {models[1]}"
        if before.settings.debias and before.column != after.column:
            return f"with {quoted(before.column)}", f"with {quoted(after.column)}"
        return BEFORE_AND_AFTER

    def change(self, before: Cell, after: Cell, level: float) -> PairedChange | str:
        """Return the change of one figure, paired item by item, or why there is none."""
        if before.test and not before.settings.against:
            was, is_now = self.poolable(before), self.poolable(after)
            if isinstance(was, str) or isinstance(is_now, str):
                return was if isinstance(was, str) else str(is_now)
            return changed_effect(((was, is_now),), level)
        if before.settings.benchmark:
            return self._change_of_benchmark(before, after, level)
        if before.settings.task:
            return self._change_of_task(before, after, level)
        return f"{before.row}: nothing is known item by item"

    def _derived(self, cell: Cell, made: Derived) -> float | str:
        """Return the figure that is made of those of two other cells.

        A share of what is not positive says nothing: both negative, it would look like one.
        """
        sources = [self.paper.cell_at(place) for place in (made.of, made.to)]
        found = [
            self.number(one, made.quantity) if one.role in self.parts else f"{one.row}: no model"
            for one in sources
        ]
        if made.kind != "difference" and isinstance(found[1], float) and found[1] <= 0:
            return f"{cell.row}: it would be a share of {found[1]:.3g}, which is not positive"
        value = derive(made.kind, *found, in_per_cent=quantity_of(cell) == "%")
        absent = [one for one in found if isinstance(one, str)]
        return (" ".join(absent) or f"{cell.row}: no number") if value is None else value

    def _outcome(self, cell: Cell) -> Outcome:
        part = self.parts[cell.role]
        return part.outcomes_of(part.player.measuring(cell), self.paper.convention)[1]

    def _change_of_benchmark(self, before: Cell, after: Cell, level: float) -> PairedChange | str:
        answers = []
        for cell in (before, after):
            part = self.parts[cell.role]
            wanted = part.player.measuring(cell).settings
            found = part.benchmarks.answer(wanted, part.benchmarks.default_way(wanted))
            if isinstance(found, str) or found.figure is None:
                return found if isinstance(found, str) else _why(found.outcome, cell)
            answers.append(found)
        was, is_now = answers
        tested = paired_answers(was, is_now, level)
        if tested is None or is_now.figure is None:
            return f"{before.row}: no item was asked before and after"
        unit, ends = unit_of(before), ends_of(tested.difference)
        return PairedChange(
            unit * tested.before,
            unit * tested.after,
            tested.p.value,
            ends and Limits(unit * ends.low, unit * ends.high),
            tested.items,
            "Student's t over the pairs that items combine" if is_now.figure.shared else "",
        )

    def _change_of_task(self, before: Cell, after: Cell, level: float) -> PairedChange | str:
        learnt = []
        for cell in (before, after):
            part = self.parts[cell.role]
            wanted = part.player.measuring(cell).settings
            if wanted.task is None:
                return f"{cell.row}: no task"
            found = part.tasks.learnt(wanted, wanted.task)
            if isinstance(found, str):
                return found
            learnt.append(found)
        figures = [one.figures[score_name(before.settings)] for one in learnt]
        change = crossed_difference(*figures)
        unit, ends = unit_of(before), change.interval(level)
        was, is_now = (unit * crossed_estimate(figure).estimate for figure in figures)
        return PairedChange(
            was,
            is_now,
            change.p,
            Limits(unit * ends.low, unit * ends.high) if isfinite(ends.low) else None,
            len(learnt[0].found.places),
            "Student's t over items and trainings",
        )


def changed_effect(tests: PairedTests, level: float) -> PairedChange | str:
    """Return the change of the pooled effect of the same tests, paired word by word.

    A test has one weight in both effects, the mean of its weights before and after.
    """
    sides = [
        pool_effects([pair[side] for pair in tests], samples=FOR_WEIGHTS, interval=False)
        for side in (0, 1)
    ]
    weights = np.mean([side.weights for side in sides], axis=0)
    seed = tests[0][1].result.seed
    shares = shares_of_words(tests, weights)
    tested = pooled_change(tests, weights, seed=seed, level=level)
    if tested is None or shares is None:
        return "no word was found before and after"
    p, difference = tested
    before, after = (float(some.sum()) for some in shares[:2])
    return PairedChange(before, after, p.value, ends_of(difference), len(shares[0]))


def ends_of(interval: Interval | None) -> Limits | None:
    """Return the ends of an interval; None where any figure is allowed."""
    if interval is None or not (isfinite(interval.low) and isfinite(interval.high)):
        return None
    return Limits(interval.low, interval.high)


def quantity_of(cell: Cell) -> str:
    """Return the quantity that is a cell's figure: what it shows beside p."""
    return next((one for one in cell.settings.shows if one != "p"), cell.settings.shows[0])


def unit_of(cell: Cell) -> float:
    """Return by how much a share is multiplied to be printed."""
    return 100.0 if quantity_of(cell) == "%" else 1.0


def _why(outcome: Outcome, cell: Cell) -> str:
    return outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no figure"


# The answer to a claim on one model, or on one model for each of its roles.


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
    """A claim, the models that were asked, a grade and the sentence that says why.

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


def not_tried(claim: Claim, reason: str, models: tuple[str, ...] = ()) -> ClaimAnswer:
    """Return the answer that there is none, and why."""
    return ClaimAnswer(claim, models, "not tried", reason)


def as_answer(
    claim: Claim,
    models: tuple[str, ...],
    decision: Decision,
    method: ClaimMethod,
    *,
    is_the_papers: bool,
) -> ClaimAnswer:
    """Return what a test decided as the answer of these models."""
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


# One test of a claim, put to the figures of its models.


Rows = Sequence[tuple[Cell, ...]]
Names = Sequence[str]
Asked = tuple[Decision, ClaimMethod] | str


def decide_claim(
    test: ClaimTest, cast: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Asked:
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


def _leaning(test: LeansTogether, cast: ClaimInputs, rows: Rows, missing: Names) -> Asked:
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
    together = pool_effects(tests, samples=SAMPLES)
    decision = decide_leaning(
        together.effect, together.p.value, together.interval, test.sign, tests=len(tests)
    )
    how = (
        f"words regrouped in {len(tests)} tests at once, each word with one number a test, "
        f"two-sided, {together.p.method}"
    )
    return _without(decision, left_out), ClaimMethod(how, words, "words")


def _each(test: EachLeans, cast: ClaimInputs, rows: Rows, names: Names, missing: Names) -> Asked:
    results = {name: cast.result(cell) for name, (cell,) in zip(names, rows, strict=True)}
    tested = {name: one for name, one in results.items() if isinstance(one, Result)}
    absent = [*missing, *(name for name in results if name not in tested)]
    if not tested:
        return _nothing([str(one) for one in results.values()])
    cells = {name: cell for name, (cell,) in zip(names, rows, strict=True)}
    level = bonferroni_level(len(tested))
    asked_tests = []
    for name, result in tested.items():
        seen = cast.result(cells[name], level) if may_rule_out(result.effect, test.sign) else None
        interval = ends_of(seen.interval) if isinstance(seen, Result) else None
        asked_tests.append(AskedTest(name, result.effect, result.p.value, interval))
    how = f"words regrouped in each test alone, two-sided, Holm over {len(tested)}"
    return decide_each(asked_tests, test.sign, absent), ClaimMethod(how, len(tested), "tests")


def _greater(test: GreaterFigures, cast: ClaimInputs, rows: Rows, missing: Names) -> Asked:
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
        pairs[one.test or claim_measurement_key(one)].append(sizes)
    if not pairs:
        return _nothing(left_out)
    lefts, rights = (
        [float(np.mean([pair[side] for pair in some])) for some in pairs.values()]
        for side in (0, 1)
    )
    decision = decide_greater(lefts, rights, test.by)
    how = "left and right swapped pair by pair, two-sided, exact; it speaks of tests like these"
    return _without(decision, left_out), ClaimMethod(how, len(pairs), "pairs")


def _changed(test: ChangedEffect, cast: ClaimInputs, rows: Rows, missing: Names) -> Asked:
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
        found, margin = changed_effect(tuple(pairs), LEVEL), SMALL_EFFECT
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
        f"{format_signed(min(some))} to {format_signed(max(some))}"
        for some in ([one.effect for one in side] for side in zip(*pairs, strict=True))
    ]
    return f" Single tests: {ranges[0]} {sides[0]}, {ranges[1]} {sides[1]}."


def _turned(cell: Cell, before: float) -> str:
    """Say where there is another tie to be changed than the one that the paper found."""
    printed = next((one.value for one in cell.figures if one.quantity == "d"), None)
    if printed is None or printed * before >= 0:
        return ""
    return " The paper's own effect has the other sign to begin with."


def _kept(test: KeptFigures, cast: ClaimInputs, rows: Rows, names: Names, missing: Names) -> Asked:
    level = bonferroni_level(len(rows))
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
    test: ThresholdOfText, cast: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Asked:
    level = bonferroni_level(len(rows))
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


Hindrance = Callable[[Cell], str]
"""Says why a cell has no figure on any model at hand; empty if nothing stands in the way."""


def answer_claim(
    claim: Claim, paper: Paper, parts: Mapping[str, Sequence[MeasuredModel]], hindrance: Hindrance
) -> Iterator[ClaimAnswer]:
    """Yield the answer of each model of a claim's role, or of each set of models of its roles.

    Where nothing can be tried there is one answer, which says why. Models of several roles go
    together in their order; one model alone in its role goes with each of the others'.
    """
    sides = claim.sides(paper)
    hindered = {cell: why for cells in sides for cell in cells if (why := hindrance(cell))}
    usable = [row for row in zip(*sides, strict=True) if not any(cell in hindered for cell in row)]
    reasons = list(dict.fromkeys(hindered.values()))
    absent = any(not parts.get(name) for name in claim.asked)
    if absent or not usable:
        yield not_tried(claim, join_reasons(reasons) or "No model is at hand.")
        return
    numbers = {len(parts[name]) for name in claim.asked} - {1}
    if len(numbers) > 1:
        counted = ", ".join(f"{name} has {len(parts[name])}" for name in claim.asked)
        yield not_tried(claim, f"Its roles have different numbers of models ({counted}).")
        return
    missing = tuple(
        cell_label(row[0], sides[0])
        for row in zip(*sides, strict=True)
        if any(cell in hindered for cell in row)
    )
    for place in range(max(numbers, default=1)):
        chosen = {name: parts[name][place % len(parts[name])] for name in claim.asked}
        yield _answer(claim, ClaimInputs(paper, chosen), usable, missing)


def _answer(
    claim: Claim, cast: ClaimInputs, rows: Sequence[tuple[Cell, ...]], missing: Sequence[str]
) -> ClaimAnswer:
    names = [cell_label(row[0], [one[0] for one in rows]) for row in rows]
    found = decide_claim(claim.test, cast, rows, names, missing)
    if isinstance(found, str):
        return not_tried(claim, found, cast.models)
    decision, method = found
    return as_answer(claim, cast.models, decision, method, is_the_papers=cast.is_the_papers)


def join_reasons(reasons: Sequence[str]) -> str:
    """Return the reasons in a row; behind a command there is no full stop, but a semicolon."""
    *others, last = reasons or [""]
    return "".join(f"{one}{' ' if one.endswith('.') else '; '}" for one in others) + last


def cell_label(cell: Cell, among: Sequence[Cell]) -> str:
    """Return the name of a cell among others: its row, its column, or both where both vary."""
    rows, columns = ({getattr(one, what) for one in among} for what in ("row", "column"))
    if len(columns) == 1 or len(rows) == len(among):
        return cell.row
    return cell.column if len(rows) == 1 else f"{cell.row}, {cell.column}"
