"""A change judged: what it did to bias, to what a model should know, and to its words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from fairvec.benchmarks import BenchmarkSet, benchmark_kind
from fairvec.benchmarks.kinds import Shares
from fairvec.encoders import Representation
from fairvec.evaluation.categories.answering import category_answers
from fairvec.evaluation.changes.compare import Comparison, compare
from fairvec.evaluation.changes.kinds_of_change import common_level
from fairvec.evaluation.changes.measure import Measured, measure
from fairvec.evaluation.changes.movement import movement
from fairvec.evaluation.changes.paired_words import LEVEL, allowed, over_words_alone, paired
from fairvec.evaluation.changes.usefulness import Answer, chosen_sets
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.run import Progress
from fairvec.geometry import FloatArray
from fairvec.ground.level import significant
from fairvec.metrics.utility import Usefulness
from fairvec.results import (
    Change,
    ChangeKind,
    Description,
    Interval,
    Outcome,
    PairedP,
    Result,
)
from fairvec.stats import holm, shares_of_spearman
from fairvec.stats.pairing.crossed import combined_mean

ALPHA = Statistics().alpha
MARGIN_OF_USE = 0.05
"""A figure is kept where every change that the paired test allows is no larger than this."""


@dataclass(frozen=True)
class Judgement:
    """All that was measured before and after a change, and what changed."""

    outcomes: tuple[Outcome, ...]
    changes: tuple[Change, ...]

    @property
    def all(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        return [*self.outcomes, *self.changes]


def judge(
    before: Representation,
    after: Representation,
    *,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Judgement:
    """Measure a model before and after a change, and say of each figure what became of it.

    Bias tests and those of meaningful encoding are compared as `compare` does, and what moved is
    described: how far words did, and how many neighbours they lost. A figure of usefulness is lost
    or gained where the paired test over its items says so, corrected over all figures, kept where
    that test allows no change past a margin, and else unclear; without `benchmarks` those are asked
    that `usefulness` would choose for the model before the change. `settings` are those of
    `measure`: suites, metrics, seed and so on.
    """
    sets = chosen_sets(before, benchmarks)
    if before.name == after.name:
        after = after.named(f"{after.name}, after")
    was, is_now = (
        measure(each, benchmarks=sets, original=before, progress=progress, **settings)
        for each in (before, after)
    )
    return judged(was, is_now)


def judged(before: Measured, after: Measured) -> Judgement:
    """Say of each figure what became of it, from what was measured of two models."""
    changes = [change_of(pair) for pair in compare(before.audited, after.audited).pairs]
    was = {answer.what: answer for answer in before.answers}
    pairs = [(was[one.what], one) for one in after.answers if one.what in was]
    changes += changes_of_use(pairs, after.statistics.alpha)
    answers = (
        category_answers(
            one.audited,
            samples=one.statistics.samples,
            interval=one.statistics.interval != "none",
        )
        for one in (before, after)
    )
    outcomes = (*before.outcomes, *after.outcomes, *movement(before, after), *chain(*answers))
    return Judgement(outcomes, tuple(changes))


def change_of(pair: Comparison) -> Change:
    """Return the record of one test before and after."""
    before, after = pair.before, pair.after
    return Change(
        **_shared(before, after),
        value_before=_value(before),
        value_after=_value(after),
        p_before=pair.p_before,
        p_after=pair.p_after,
        alpha=common_level(before, after),
        kind=pair.change,
        paired=pair.paired,
        over_items=over_words_alone(before, after),
        difference=pair.difference,
        items=_words(before, after),
    )


def changes_of_use(pairs: Sequence[tuple[Answer, Answer]], alpha: float) -> list[Change]:
    """Compare the figures of usefulness that both embeddings have for some of the same items.

    Lost or gained is what the paired test says after Holm's correction over all these figures; kept
    is what it allows to change by a margin at the most; the rest is unclear.
    """
    tested = [(*pair, found) for pair in pairs if (found := paired_answers(*pair))]
    corrected = holm(np.array([found.p.value for _, _, found in tested]))
    return [
        Change(
            **_shared(before.outcome, after.outcome),
            value_before=before.figure.value if before.figure else None,
            value_after=after.figure.value if after.figure else None,
            p_before=None,
            p_after=None,
            alpha=alpha,
            kind=_kind(found, evident=significant(surely, alpha)),
            paired=found.p,
            difference=found.difference,
            items=found.items,
        )
        for (before, after, found), surely in zip(tested, corrected, strict=True)
    ]


class PairedFigure(NamedTuple):
    """The paired test of a figure, what it allows the change to be, and over how many items.

    `before` and `after` are the figure over those items alone, which both models were asked.
    """

    p: PairedP
    difference: Interval | None
    items: int
    before: float
    after: float


def paired_answers(before: Answer, after: Answer, level: float = LEVEL) -> PairedFigure | None:
    """Return the paired test of a figure over the items that both have; None if there are none."""
    old, new = before.figure, after.figure
    items = sorted(set(old.items) & set(new.items)) if old and new else []
    if not (old and new and items):
        return None
    shares_of = _SHARES[benchmark_kind(after.outcome.test.kind).shares]
    shares = shares_of(_rows(old, items)), shares_of(_rows(new, items))
    figures = [float(some.sum()) for some in shares]
    if new.shared:
        places = {item: place for place, item in enumerate(new.items)}
        names = [new.shared[places[item]] for item in items]
        return PairedFigure(*_over_combinations(*shares, names, level), len(items), *figures)
    p = paired(*shares, seed=after.outcome.seed)
    weights = np.full(len(items), 1 / len(items))
    return PairedFigure(p, allowed(*shares, weights, p, level), len(items), *figures)


def _over_combinations(
    before: FloatArray, after: FloatArray, names: Sequence[tuple[str, str]], level: float
) -> tuple[PairedP, Interval]:
    """Test a change over the things that items combine: pairs, in SemBias and analogies."""
    found = combined_mean(len(before) * (after - before), names)
    changed = int((before != after).sum())
    p = PairedP(value=found.p, low=found.p, high=found.p, method="crossed", changed=changed)
    ends = found.interval(level)
    how = "Student's t over what items combine"
    # Where so few things allow any change: those of a share that there are.
    low, high = (end if isfinite(end) else float(np.sign(end)) for end in (ends.low, ends.high))
    return p, Interval(low=low, high=high, level=level, method=how)


def _kind(found: PairedFigure, *, evident: bool) -> ChangeKind:
    """Return whether a figure was lost, gained, kept within the margin, or neither is known."""
    step = found.after - found.before
    return kind_of_step(step, found.p, found.difference, evident=evident)


def kind_of_step(
    step: float, p: PairedP, difference: Interval | None, *, evident: bool
) -> ChangeKind:
    """Return what became of a figure that moved by `step`, given what the test allows it to be."""
    if evident and step:
        return "gained" if step > 0 else "lost"
    ends = difference
    near = ends is not None and max(abs(ends.low), abs(ends.high)) <= MARGIN_OF_USE
    return "kept" if near or p.changed == 0 else "unclear"


def _shared(before: Outcome, after: Outcome) -> dict[str, Any]:
    """Return what the record of a change takes over from the outcomes before and after it."""
    what = ("test", "model", "metric", "described", "similarity", "fitted_words")
    how = ("smallest_coverage", "seed", "versions")
    return {
        **{name: getattr(after, name) for name in (*what, *how)},
        "coverage": (),
        "before": before.model,
        "interval_before": _interval(before),
        "interval_after": _interval(after),
    }


def _rows(of: Usefulness, items: Sequence[int]) -> FloatArray:
    places = {item: place for place, item in enumerate(of.items)}
    return of.samples.rows[[places[item] for item in items]]


def _shares_of_mean(rows: FloatArray) -> FloatArray:
    return rows[:, 0] / len(rows)


_SHARES: dict[Shares, Callable[[FloatArray], FloatArray]] = {
    "mean": _shares_of_mean,
    "rank-correlation": shares_of_spearman,
}
"""The share of each item in a figure, by the rule that its kind of benchmark declares."""


def _value(outcome: Outcome) -> float | None:
    match outcome:
        case Result():
            return outcome.effect
        case Description():
            return outcome.value
    return None


def _interval(outcome: Outcome) -> Interval | None:
    return outcome.interval if isinstance(outcome, Result | Description) else None


def _words(before: Outcome, after: Outcome) -> int:
    """Return how many words both outcomes have a number for."""
    listed = [
        {(word.role, word.word) for word in one.words}
        for one in (before, after)
        if isinstance(one, Result | Description)
    ]
    return len(set.intersection(*listed)) if len(listed) == 2 else 0
