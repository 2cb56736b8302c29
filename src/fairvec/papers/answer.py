"""Answer a paper's claims by the figures of the models that play its roles.

ClaimInputs    one measured model for each role, and its figures under the default convention
decide_claim   the test of a claim, put to those figures (the rules are in papers.decide)
answer_claim   an answer for every model, or set of models, of the claim's roles
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

import numpy as np

from fairvec.core.errors import UnanswerableError
from fairvec.core.format import format_signed
from fairvec.experiments.audit.categories import (
    SAMPLES,
    Poolable,
    as_poolable,
    pool_effects,
)
from fairvec.experiments.comparison.before_after import paired_answers
from fairvec.experiments.comparison.change_kinds import OF_PROBABILITY
from fairvec.experiments.comparison.paired import (
    PairedTests,
    effects_over_shared_words,
    pooled_change,
)
from fairvec.experiments.utility import UtilityAnswer
from fairvec.messages.categories import NOT_POOLED
from fairvec.messages.papers import BEFORE_AND_AFTER, join_names, quote
from fairvec.papers.claims import (
    ChangedEffect,
    Claim,
    ClaimTest,
    EachEffect,
    GreaterFigure,
    PooledEffect,
    ThresholdFigures,
    UnchangedFigures,
    cell_label,
    claim_measurement_key,
)
from fairvec.papers.decide import (
    LEVEL,
    SMALL_EFFECT,
    ClaimMethod,
    Decision,
    Estimate,
    PairedChange,
    bonferroni_level,
    decide_change,
    decide_each,
    decide_greater,
    decide_leaning,
    decide_threshold,
    decide_unchanged,
    may_rule_out,
)
from fairvec.papers.measure import MeasuredModel, cell_numbers
from fairvec.papers.paper_rules import decide_as_paper
from fairvec.papers.schema import (
    BenchmarkMeasure,
    Cell,
    CellRef,
    ConceptMeasure,
    DerivedFigure,
    Measure,
    Paper,
    TaskMeasure,
    TestMeasure,
    UnavailableError,
    derive,
)
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.reproduction import ClaimUnit
from fairvec.stats import Interval
from fairvec.stats import bootstrap_interval as bootstrap
from fairvec.stats.crossed import crossed_difference, crossed_estimate, dyadic_mean
from fairvec.stats.values import is_sampling_floor

WEIGHT_SAMPLES = 100
"""Regroupings drawn where only the weights of tests are needed, which do not depend on them."""

FEWEST_RESAMPLES, MOST_RESAMPLES, NUMBERS_PER_INTERVAL = 2_000, 20_000, 2**24
"""Bootstrap resamples of a benchmark's items: as many as this many numbers allow, within limits."""


Key = TypeVar("Key")
Item = TypeVar("Item")
Answer = TypeVar("Answer")


def collect(
    ask: Callable[[Item], Answer], items: Mapping[Key, Item]
) -> tuple[dict[Key, Answer], dict[Key, str]]:
    """Ask for each item; return what there is by key, and the reasons for what there is not."""
    found, reasons = {}, {}
    for key, item in items.items():
        try:
            found[key] = ask(item)
        except UnavailableError as error:
            reasons[key] = str(error)
    return found, reasons


@dataclass(frozen=True, eq=False)
class ClaimInputs:
    """The figures of one model in each role of a claim, by the default convention or the paper's.

    What cannot be had raises UnavailableError.
    """

    paper: Paper
    measured_models: dict[str, MeasuredModel]
    convention: Literal["default", "paper"] = "default"

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
        """Whether the paper measured these very models, as far as anything published shows."""
        return all(measured.role_model.is_the_papers for measured in self.measured_models.values())

    def measured(self, cell: Cell) -> tuple[MeasuredModel, Measure]:
        """Return the model in a cell's role, and what the cell measures on it."""
        measured = self.measured_models[cell.role]
        return measured, measured.role_model.cell_for(cell).measure

    def poolable(self, cell: Cell) -> Poolable:
        """Return the words of a test with their scores."""
        outcome = self._outcome(cell)
        if isinstance(outcome, Skipped):
            raise UnavailableError(outcome.reason)
        try:
            return as_poolable(outcome)
        except UnanswerableError as error:
            raise UnavailableError(f"{cell.row} ({NOT_POOLED[error.kind]})") from None

    def result(self, cell: Cell, level: float | None = None) -> Result:
        """Return the result of a test, with an interval if a level is named."""
        outcome = self._outcome(cell, level)
        if isinstance(outcome, Result):
            return outcome
        raise UnavailableError(
            outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no test"
        )

    def number(self, cell: Cell, quantity: str = "") -> float:
        """Return the figure of a cell in the unit that is printed."""
        if isinstance(cell.measure, DerivedFigure):
            return self._derived(cell, cell.measure)
        measured = self.measured_models[cell.role]
        own_cell = measured.role_model.cell_for(cell)
        numbers = cell_numbers(measured, own_cell, self.paper.convention)
        values = numbers.papers if self.convention == "paper" else numbers.default
        value = values.get(quantity or quantity_of(cell))
        if isinstance(value, float | int):
            return float(value)
        raise UnavailableError(" ".join(numbers.notes) or f"{cell.row}: no number")

    def estimate(self, cell: Cell, name: str) -> Estimate:
        """Return the figure of a cell, with its p where the paper prints one."""
        p = self.result(cell).p.value if "p" in cell.settings.shows else None
        return Estimate(name, self.number(cell), p=p)

    def interval(self, cell: Cell, level: float) -> Interval | None:
        """Return the interval of a cell's figure in the unit that is printed; None if unknown."""
        measured, measure = self.measured(cell)
        unit = unit_of(cell)
        try:
            match measure:
                case BenchmarkMeasure():
                    setup = measured.benchmarks.default_setup(measure)
                    answer = measured.benchmarks.answer(measure, setup)
                    ends = _interval_of_benchmark(answer, level)
                case TaskMeasure(score=score):
                    trained = measured.tasks.default_result(measure)
                    estimate = crossed_estimate(trained.figures[score])
                    known = estimate.interval("items and trainings", level, within=(0, 1))
                    ends = known if estimate.variance else None
                case TestMeasure():
                    return self.result(cell, level).interval
                case ConceptMeasure():
                    known = measured.concept_figure(measure).interval
                    ends = known if known and level <= known.level else None
                case _:
                    return None
        except UnavailableError:
            return None
        return ends and ends.scaled(unit)

    def side_labels(self, before: Cell, after: Cell) -> tuple[str, str]:
        """Return what to call two figures: by their models, their columns, or before and after."""
        models = [self.measured_models[cell.role].role_model.model.name for cell in (before, after)]
        if models[0] != models[1]:
            return f"in {models[0]}", f"in {models[1]}"
        if before.settings.debias and before.column != after.column:
            return f"with {quote(before.column)}", f"with {quote(after.column)}"
        return BEFORE_AND_AFTER

    def change(self, before: Cell, after: Cell, level: float) -> PairedChange:
        """Return the change of one figure, paired item by item."""
        match before.measure:
            case TestMeasure():
                pair = self.poolable(before), self.poolable(after)
                return pooled_effect_change((pair,), level)
            case BenchmarkMeasure():
                return self._change_of_benchmark(before, after, level)
            case TaskMeasure():
                return self._change_of_task(before, after, level)
        raise UnavailableError(f"{before.row}: nothing is known item by item")

    def _derived(self, cell: Cell, derived: DerivedFigure) -> float:
        """Return the figure derived from two other cells.

        A ratio to a figure that is not positive means nothing: two negative figures would look like
        a share.
        """

        def source(place: CellRef) -> float:
            source_cell = self.paper.cell_at(place)
            if source_cell.role not in self.measured_models:
                raise UnavailableError(f"{source_cell.row}: no model")
            return self.number(source_cell, derived.quantity)

        values, reasons = collect(source, {"x": derived.of, "y": derived.to})
        if derived.kind != "difference" and (share_of := values.get("y", 1.0)) <= 0:
            raise UnavailableError(
                f"{cell.row}: it would be a share of {share_of:.3g}, which is not positive"
            )
        if reasons:
            raise UnavailableError(" ".join(reasons.values()))
        in_per_cent = quantity_of(cell) == "%"
        value = derive(derived.kind, values["x"], values["y"], in_per_cent=in_per_cent)
        if value is None:
            raise UnavailableError(f"{cell.row}: no number")
        return value

    def _outcome(self, cell: Cell, level: float | None = None) -> Outcome:
        measured, measure = self.measured(cell)
        if not isinstance(measure, TestMeasure):
            raise UnavailableError(f"{cell.row}: no test")
        if level:
            return measured.outcome_with_interval(measure, level)
        papers, default = measured.outcomes_of(measure, self.paper.convention)
        return papers if self.convention == "paper" else default

    def _change_of_benchmark(self, before: Cell, after: Cell, level: float) -> PairedChange:
        old, new = (self._benchmark_answer(cell) for cell in (before, after))
        change = paired_answers(old, new, level)
        if change is None or new.figure is None:
            raise UnavailableError(f"{before.row}: no item was asked before and after")
        if change.p is None:
            raise UnavailableError(
                f"{before.row}: its items combine fewer than three pairs of a kind"
            )
        unit = unit_of(before)
        return PairedChange(
            unit * change.before,
            unit * change.after,
            change.p.value,
            change.difference and change.difference.scaled(unit),
            change.items,
            "Student's t over the pairs that items combine" if new.figure.shared else "",
            is_sampling_floor(change.p),
        )

    def _benchmark_answer(self, cell: Cell) -> UtilityAnswer:
        measured, measure = self.measured(cell)
        if not isinstance(measure, BenchmarkMeasure):
            raise UnavailableError(f"{cell.row}: no benchmark")
        answer = measured.benchmarks.answer(measure, measured.benchmarks.default_setup(measure))
        if answer.figure is None:
            outcome = answer.outcome
            raise UnavailableError(
                outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no figure"
            )
        return answer

    def _change_of_task(self, before: Cell, after: Cell, level: float) -> PairedChange:
        results = []
        for cell in (before, after):
            measured, measure = self.measured(cell)
            if not isinstance(measure, TaskMeasure):
                raise UnavailableError(f"{cell.row}: no task")
            results.append((measured.tasks.default_result(measure), measure.score))
        score = results[0][1]
        figures = [result.figures[score] for result, _ in results]
        change = crossed_difference(*figures)
        unit, ends = unit_of(before), change.interval("items and trainings", level)
        old, new = (unit * crossed_estimate(figure).estimate for figure in figures)
        return PairedChange(
            old,
            new,
            change.p,
            ends and ends.clipped(-1.0, 1.0).scaled(unit),
            len(results[0][0].predictions.indices),
            "Student's t over items and trainings",
        )


def _interval_of_benchmark(answer: UtilityAnswer, level: float) -> Interval | None:
    if answer.figure is None:
        return None
    sample, shared = answer.figure.samples, answer.figure.shared
    if shared:
        mean_of_pairs = dyadic_mean(sample.rows[:, 0], shared)
        ends = mean_of_pairs.interval("what items combine", level, within=(0, 1))
        return ends if mean_of_pairs.variance else None
    resamples = min(MOST_RESAMPLES, max(FEWEST_RESAMPLES, NUMBERS_PER_INTERVAL // sample.rows.size))
    resampled = bootstrap([sample.rows], sample.effect, level=level, resamples=resamples)
    # Where all items are alike resampling them shows nothing, least of all certainty.
    return resampled if resampled is not None and resampled.low < resampled.high else None


def pooled_effect_change(tests: PairedTests, level: float) -> PairedChange:
    """Return the change of the pooled effect of the same tests, and the test of it over words."""
    sides = [
        pool_effects([pair[side] for pair in tests], samples=WEIGHT_SAMPLES, interval=False)
        for side in (0, 1)
    ]
    weights = np.array(sides[0].weights), np.array(sides[1].weights)
    effects = effects_over_shared_words(tests, weights)
    seed = tests[0][1].result.seed
    tested = pooled_change(tests, weights, samples=SAMPLES, seed=seed, level=level)
    if tested is None or effects is None:
        raise UnavailableError("no word was found before and after")
    p, difference = tested
    words = {
        word.key
        for before, after in tests
        for word in after.result.words
        if (word.role, word.word) in {(old.role, old.word) for old in before.result.words}
    }
    return PairedChange(
        *effects,
        p.value,
        difference,
        len(words),
        "each word's change permuted between the lists",
        is_sampling_floor(p),
    )


def quantity_of(cell: Cell) -> str:
    """Return the quantity that counts as a cell's figure: the first it shows that is not p."""
    return next(
        (quantity for quantity in cell.settings.shows if quantity != "p"), cell.settings.shows[0]
    )


def unit_of(cell: Cell) -> float:
    """Return the factor from a share to the printed unit: 100 for per cent, else 1."""
    return 100.0 if quantity_of(cell) == "%" else 1.0


@dataclass(frozen=True)
class ClaimAnswer:
    """A claim, the models that answer it, and what is decided on their figures.

    `decision` is by our rule and the default convention, `by_paper` by the paper's own. Without a
    model `models` is empty, the grade "not tried" and the sentence the reason.
    """

    claim: Claim
    models: tuple[str, ...]
    decision: Decision
    by_paper: Decision
    is_the_papers: bool = False


def unanswered(claim: Claim, reason: str, models: tuple[str, ...] = ()) -> ClaimAnswer:
    """Return the answer "not tried", with the reason as its sentence."""
    decision = Decision("not tried", reason)
    return ClaimAnswer(claim, models, decision, decision)


Rows = Sequence[tuple[Cell, ...]]
Names = Sequence[str]


def decide_claim(
    test: ClaimTest, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    """Return the decision on a claim's test; raise UnavailableError where there is none.

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
    """Compare figures pair by pair; figures of the same test are averaged into one pair."""

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


def _answer_change(
    test: ChangedEffect, inputs: ClaimInputs, rows: Rows, missing: Names
) -> Decision:
    left_out = [*missing]
    first, second = rows[0]
    sides, remark = inputs.side_labels(first, second), ""
    if isinstance(first.measure, TestMeasure):

        def pair(cells: tuple[Cell, ...]) -> tuple[Poolable, Poolable]:
            before, after = map(inputs.poolable, cells)
            return before, after

        found, reasons = collect(pair, {row: row for row in rows})
        left_out += reasons.values()
        if not found:
            raise UnavailableError(_join_missing(left_out))
        pairs = [*found.values()]
        change, margin = pooled_effect_change(tuple(pairs), LEVEL), SMALL_EFFECT
        remark = _format_ranges(pairs, sides) if len(pairs) > 1 else ""
        if len(rows) == 1:
            remark = _format_opposite_sign(first, change.before)
        unit: ClaimUnit = "words"
    else:
        change = inputs.change(first, second, LEVEL)
        margin, unit = OF_PROBABILITY.margin * unit_of(first), "items"
    decision = decide_change(
        change, claimed=test.kind, margin=margin, is_share=unit == "items", sides=sides
    )
    decision = replace(decision, sentence=f"{decision.sentence}{remark}")
    swapped = "before and after" if sides == BEFORE_AND_AFTER else "the two figures"
    how = f"{change.how or f'{swapped} swapped, one of the {unit} at a time'}, two-sided"
    return _complete(decision, ClaimMethod(how, change.n, unit), left_out)


def _format_ranges(pairs: Sequence[tuple[Poolable, Poolable]], sides: tuple[str, str]) -> str:
    """Give the range of the single effects: effects of both signs cancel when they are pooled."""
    ranges = [
        f"{format_signed(min(effects))} to {format_signed(max(effects))}"
        for effects in ([test.result.effect for test in side] for side in zip(*pairs, strict=True))
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
) -> Decision:
    level = bonferroni_level(len(rows))
    found, reasons = collect(
        lambda row: inputs.change(row[0], row[1], level), dict(zip(names, rows, strict=True))
    )
    if not found:
        raise UnavailableError(_join_missing([*reasons.values()]))
    changes = [replace(change, name=name) for name, change in found.items()]
    how = "the changes that the paired test of the same words or items allows, all together at 95 %"
    decision = decide_unchanged(changes, test.margin, [*missing, *reasons])
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
    decision, by_paper = (
        _decide_or_explain(partial(decide, claim.test, inputs, rows, names, missing))
        for decide in (decide_claim, decide_claim_as_paper)
    )
    if claim.our_lists:
        decision, by_paper = map(_without_failure, (decision, by_paper))
    return ClaimAnswer(claim, inputs.models, decision, by_paper, inputs.is_the_papers)


OUR_LISTS = "That speaks against it with our lists, and the paper's are published nowhere."


def _without_failure(decision: Decision) -> Decision:
    """Return a decision that rests on lists of ours: what fails with them is undecided."""
    if decision.grade != "fails":
        return decision
    return replace(decision, grade="undecided", sentence=f"{decision.sentence} {OUR_LISTS}")


def _decide_or_explain(decide: Callable[[], Decision]) -> Decision:
    try:
        return decide()
    except UnavailableError as error:
        return Decision("not tried", _join_missing([str(error)]))


def decide_claim_as_paper(
    test: ClaimTest, inputs: ClaimInputs, rows: Rows, names: Names, missing: Names
) -> Decision:
    """Return what the paper's own rule says of the figures by its own convention."""
    inputs = replace(inputs, convention="paper")
    convention = inputs.paper.convention
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
    return decide_as_paper(test, [*found.values()], convention.alpha, left_out)


def join_reasons(reasons: Sequence[str]) -> str:
    """Join reasons by spaces; one that ends in a command has no full stop and gets a semicolon."""
    *others, last = reasons or [""]
    return "".join(f"{reason}{' ' if reason.endswith('.') else '; '}" for reason in others) + last
