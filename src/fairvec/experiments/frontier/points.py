"""The two numbers of a point: how much bias a change leaves, and how much information it keeps.

bias left          mean |d| over the bias tests of the concept; an effect that was reversed or
                   introduced counts at least as much as it did before
information kept   mean over the families of min(1, after / before), each above its chance
"""

from collections.abc import Iterator, Sequence
from statistics import fmean

from fairvec.benchmarks import benchmark_kind
from fairvec.core.errors import UndefinedError
from fairvec.experiments.comparison.before_after import NEIGHBOURS, ModelMeasurements
from fairvec.experiments.comparison.compare import compare
from fairvec.metrics.utility.movement import displacement
from fairvec.results import (
    Family,
    Figure,
    Outcome,
    Result,
    Skipped,
    TestedEffect,
)

MEANINGFUL_KINDS = ("meaningful-encoding", "baseline")
"""Kinds of tests whose effects a model should have."""


def effects_of(before: ModelMeasurements, after: ModelMeasurements) -> tuple[TestedEffect, ...]:
    """Return every bias test that has an effect before, and what became of it."""
    return tuple(
        TestedEffect(
            test=pair.before.test.id,
            category=pair.before.test.category,
            before=pair.before.effect,
            after=pair.after.effect if isinstance(pair.after, Result) else None,
            kind=pair.change,  # asked of these tests alone, because it takes the paired test
        )
        for pair in compare(before.audited, after.audited).pairs
        if isinstance(pair.before, Result) and pair.before.test.kind == "bias"
    )


def of_category(effects: Sequence[TestedEffect], category: str) -> list[TestedEffect]:
    """Return the effects of a social category, or all where it has none."""
    return [effect for effect in effects if effect.category == category] or list(effects)


def bias_before(effects: Sequence[TestedEffect]) -> float:
    """Return the mean |d| before the change."""
    return fmean(abs(effect.before) for effect in effects)


def bias_left(effects: Sequence[TestedEffect]) -> float:
    """Return the mean |d| after the change; what was turned round is not less than it was."""
    return fmean(effect.left for effect in effects)


def figures_of(
    before: ModelMeasurements, after: ModelMeasurements, *, moved: bool = True
) -> tuple[Figure, ...]:
    """Return what a model should know before and after, each figure that both have.

    meaning: meaningful encodings and baselines (d in the direction it had); neighbours: nearest ten
    kept; of a benchmark what its kind declares: similarity, analogy, definitions (in SemBias).
    Neighbours are asked of a model that was `moved` only: two trainings on one text already
    disagree about them, so that of another model they would say nothing of what it lost.
    """
    neighbours = _neighbour_figures(before, after) if moved else ()
    return (*_meaning_figures(before, after), *_utility_figures(before, after), *neighbours)


def shares_kept(figures: Sequence[Figure]) -> dict[Family, float]:
    """Return the share kept of each family, at most 1; a family that had none is absent.

    Only what is above chance is information: an accuracy of .5 in two equal classes is none.
    """
    shares: dict[Family, float] = {}
    for family in dict.fromkeys(figure.family for figure in figures):
        family_figures = [figure for figure in figures if figure.family == family]
        total_before = sum(figure.before - figure.chance for figure in family_figures)
        total_after = sum(figure.after - figure.chance for figure in family_figures)
        if total_before > 0:
            shares[family] = min(1.0, max(0.0, total_after / total_before))
    return shares


def mean_displacement(before: ModelMeasurements, after: ModelMeasurements) -> float | None:
    """Return how far a word moved on average, if that can be said."""
    try:
        return displacement(before.embedding, after.embedding).mean
    except UndefinedError:
        return None


def other_words(before: ModelMeasurements, after: ModelMeasurements) -> tuple[str, ...]:
    """Return the tests that found other words in another model: there the words may differ."""
    pairs = compare(before.audited, after.audited).pairs
    return tuple(pair.before.test.id for pair in pairs if not pair.same_words)


def _meaning_figures(before: ModelMeasurements, after: ModelMeasurements) -> Iterator[Figure]:
    for pair in compare(before.audited, after.audited).pairs:
        if not isinstance(pair.before, Result) or pair.before.test.kind not in MEANINGFUL_KINDS:
            continue
        effect_before, effect_after = pair.before.effect, _effect(pair.after)
        if effect_after is not None:
            yield Figure(
                family="meaning",
                test=pair.before.test.id,
                before=abs(effect_before),
                after=effect_after if effect_before > 0 else -effect_after,
            )


def _utility_figures(before: ModelMeasurements, after: ModelMeasurements) -> Iterator[Figure]:
    """Give one figure a benchmark: that of the part which its kind counts.

    Of one that is asked in several ways the first counts, which every space has.
    """
    earlier = {answer.what: answer.figure for answer in before.answers}
    first_metric: dict[str, str] = {}
    for answer in after.answers:
        test, new, old = answer.outcome.test, answer.figure, earlier.get(answer.what)
        asked_by = first_metric.setdefault(test.suite, answer.outcome.metric)
        kind = benchmark_kind(test.kind)
        if new and old and new.part == kind.counted and answer.outcome.metric == asked_by:
            yield Figure(
                family=kind.family,
                test=test.id,
                before=old.value,
                after=new.value,
                chance=old.chance,
            )


def _neighbour_figures(before: ModelMeasurements, after: ModelMeasurements) -> Iterator[Figure]:
    count = NEIGHBOURS[0]
    try:
        (lost,) = before.neighbourhoods.churn(after.embedding, count)
    except UndefinedError:
        return
    yield Figure(family="neighbours", test=f"movement/churn-{count}", before=1, after=1 - lost.mean)


def _effect(outcome: Outcome) -> float | None:
    if isinstance(outcome, Result):
        return outcome.effect
    return 0.0 if isinstance(outcome, Skipped) and outcome.cause == "no-spread" else None
