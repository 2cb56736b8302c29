"""The models that answer a claim, and their figures under fairvec's default convention."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from fairvec.evaluation.categories.poolable import Poolable, poolable
from fairvec.evaluation.categories.pooling import pooled
from fairvec.evaluation.changes.judge import paired_answers
from fairvec.evaluation.changes.pooled_words import PairedTests, pooled_change, shares_of_words
from fairvec.papers.claims.deciding.change import BEFORE_AND_AFTER
from fairvec.papers.claims.deciding.decision import quoted
from fairvec.papers.measuring.measure import MeasuredCell
from fairvec.papers.measuring.task_cells import part_of_task
from fairvec.papers.printed.derived_number import derived_number
from fairvec.papers.printed.numbers import numbers
from fairvec.papers.printed.paper import Cell, Paper
from fairvec.papers.printed.schema import Derived
from fairvec.results import Interval, Outcome, Result, Skipped
from fairvec.stats import Ends
from fairvec.stats import interval as bootstrap
from fairvec.stats.pairing.crossed import combined_mean, crossed_difference, crossed_estimate

FOR_WEIGHTS = 100
"""Regroupings drawn where only the weights of tests are wanted, which need none."""

FEWEST, MOST, NUMBERS_DRAWN = 2_000, 20_000, 2**24
"""Resamples of a benchmark's items: more of a short one than of a long one."""


@dataclass(frozen=True)
class ChangedFigure:
    """A figure before and after a change, the paired test of it and what that allows.

    All are over the `n` words or items that both models have. `how` is empty where the test swaps
    the two figures, word by word or item by item, and else says what it is.
    """

    before: float
    after: float
    p: float | None
    difference: Ends | None
    n: int
    how: str = ""


@dataclass(frozen=True, eq=False)
class ClaimCast:
    """One model in each role of a claim."""

    paper: Paper
    parts: dict[str, MeasuredCell]

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
        found = poolable(outcome)
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
        found = numbers(part, part.player.measuring(cell), self.paper.convention)
        value = found.default.get(quantity or quantity_of(cell))
        if isinstance(value, float | int):
            return float(value)
        return " ".join(found.notes) or f"{cell.row}: no number"

    def interval(self, cell: Cell, level: float) -> Ends | None:
        """Return the interval of a cell's figure in the unit that is printed; None if unknown."""
        part = self.parts[cell.role]
        wanted, unit = part.player.measuring(cell).settings, unit_of(cell)
        if wanted.benchmark:
            answer = part.benchmarks.answer(wanted, part.benchmarks.default_way(wanted))
            if isinstance(answer, str) or answer.figure is None:
                return None
            sample, shared = answer.figure.samples, answer.figure.shared
            if shared:
                over_pairs = combined_mean(sample.rows[:, 0], shared)
                ends = over_pairs.interval(level)
                return Ends(unit * ends.low, unit * ends.high) if over_pairs.variance else None
            enough = min(MOST, max(FEWEST, NUMBERS_DRAWN // sample.rows.size))
            drawn = bootstrap([sample.rows], sample.effect, level=level, resamples=enough)
            # Where all items are alike resampling them shows nothing, least of all certainty.
            known = drawn is not None and drawn.low < drawn.high
            return Ends(unit * drawn.low, unit * drawn.high) if drawn and known else None
        if wanted.task:
            learnt = part.tasks.learnt(wanted, wanted.task)
            if isinstance(learnt, str):
                return None
            found = crossed_estimate(learnt.figures[part_of_task(wanted)])
            ends = found.interval(level)
            return Ends(unit * ends.low, unit * ends.high) if found.variance else None
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

    def change(self, before: Cell, after: Cell, level: float) -> ChangedFigure | str:
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
        value = derived_number(made.kind, *found, in_per_cent=quantity_of(cell) == "%")
        absent = [one for one in found if isinstance(one, str)]
        return (" ".join(absent) or f"{cell.row}: no number") if value is None else value

    def _outcome(self, cell: Cell) -> Outcome:
        part = self.parts[cell.role]
        return part.outcomes_of(part.player.measuring(cell), self.paper.convention)[1]

    def _change_of_benchmark(self, before: Cell, after: Cell, level: float) -> ChangedFigure | str:
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
        return ChangedFigure(
            unit * tested.before,
            unit * tested.after,
            tested.p.value,
            ends and Ends(unit * ends.low, unit * ends.high),
            tested.items,
            "Student's t over the pairs that items combine" if is_now.figure.shared else "",
        )

    def _change_of_task(self, before: Cell, after: Cell, level: float) -> ChangedFigure | str:
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
        figures = [one.figures[part_of_task(before.settings)] for one in learnt]
        change = crossed_difference(*figures)
        unit, ends = unit_of(before), change.interval(level)
        was, is_now = (unit * crossed_estimate(figure).estimate for figure in figures)
        return ChangedFigure(
            was,
            is_now,
            change.p,
            Ends(unit * ends.low, unit * ends.high) if isfinite(ends.low) else None,
            len(learnt[0].found.places),
            "Student's t over items and trainings",
        )


def changed_effect(tests: PairedTests, level: float) -> ChangedFigure | str:
    """Return the change of the pooled effect of the same tests, paired word by word.

    A test has one weight in both effects, the mean of its weights before and after.
    """
    sides = [
        pooled([pair[side] for pair in tests], samples=FOR_WEIGHTS, interval=False)
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
    return ChangedFigure(before, after, p.value, ends_of(difference), len(shares[0]))


def ends_of(interval: Interval | None) -> Ends | None:
    """Return the ends of an interval; None where any figure is allowed."""
    if interval is None or not (isfinite(interval.low) and isfinite(interval.high)):
        return None
    return Ends(interval.low, interval.high)


def quantity_of(cell: Cell) -> str:
    """Return the quantity that is a cell's figure: what it shows beside p."""
    return next((one for one in cell.settings.shows if one != "p"), cell.settings.shows[0])


def unit_of(cell: Cell) -> float:
    """Return by how much a share is multiplied to be printed."""
    return 100.0 if quantity_of(cell) == "%" else 1.0


def _why(outcome: Outcome, cell: Cell) -> str:
    return outcome.reason if isinstance(outcome, Skipped) else f"{cell.row}: no figure"
