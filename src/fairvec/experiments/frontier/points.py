"""The two numbers of a point: how much bias a change leaves, and how much information it keeps.

bias left          mean |d| over the bias tests of the concept; an effect that was reversed or
                   introduced counts at least as much as it did before
information kept   mean over the families of min(1, after / before), each above its chance
"""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from fairvec.benchmarks import benchmark_kind
from fairvec.core.errors import UndefinedError
from fairvec.core.format import is_significant
from fairvec.embedding import Embedding
from fairvec.experiments.comparison.before_after import NEIGHBOURS, ChangeReport
from fairvec.experiments.provenance import describe_model
from fairvec.lexicon import Concept
from fairvec.messages.frontiers import other_words_note
from fairvec.metrics.utility import Analogies
from fairvec.metrics.utility.movement import displacement
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.frontier import Family, FrontierPoint, InformationFigure, PointEffect


def point_of(report: ChangeReport, concept: Concept, **described: Any) -> FrontierPoint:
    """Return a change of a model as a point; `described` are the fields that say which change.

    Another model that stands beside (`other`) has no figures of how far words moved: in a space of
    its own no word has moved.
    """
    before, moved = report.before.embedding, described.get("other") is None
    effects, figures = effects_of(report), figures_of(report, moved=moved)
    shares = shares_kept(figures)
    if not effects or not shares:
        missing = "information kept" if effects else "bias left"
        raise UndefinedError(
            f"No test or benchmark at hand measures {missing} in "
            f"{(before if moved else report.after.embedding).name}; name others, fetch some "
            "('fairvec benchmarks list') or use a model that knows their words."
        )
    concept_effects = of_category(effects, concept.about)
    return FrontierPoint(
        model=describe_model(before),
        concept=concept.name,
        held_out=not any(outcome.fitted_words for outcome in report.after.audited),
        bias_left=bias_left(concept_effects),
        bias_before=bias_before(concept_effects),
        information_kept=fmean(shares.values()),
        kept=shares,
        effects=effects,
        figures=figures,
        displacement=mean_displacement(report) if moved else None,
        **described,
    )


def point_of_other_model(report: ChangeReport, concept: Concept, label: str) -> FrontierPoint:
    """Return another model as a point; one that answers fewer bias tests has none."""
    other = report.after.embedding
    point = point_of(
        report, concept, method=label, settings={}, strength=1.0, other=describe_model(other)
    )
    answered = {effect.test for effect in point.effects}
    tests = (one.test for one in report.before.audited if isinstance(one, Result))
    missing = [test.id for test in tests if test.kind == "bias" and test.id not in answered]
    if missing:
        raise UndefinedError(
            f"{other.name} was not asked {', '.join(missing)}, so that its bias left is "
            "that of other tests; name suites that both models have words of."
        )
    pairs = report.comparison.pairs
    other_words = [pair.before.test.id for pair in pairs if not pair.same_words]
    return point.model_copy(update={"note": other_words_note(other_words)})


MEANINGFUL_KINDS = ("meaningful-encoding", "baseline")
"""Kinds of tests whose effects a model should have."""


def effects_of(report: ChangeReport) -> tuple[PointEffect, ...]:
    """Return every bias test that has an effect before, with its change."""
    return tuple(
        PointEffect(
            test=pair.before.test.id,
            category=pair.before.test.category,
            before=pair.before.effect,
            after=pair.after.effect if isinstance(pair.after, Result) else None,
            significant=pair.p_before is not None
            and is_significant(pair.p_before, pair.before.verdict.alpha),
            kind=pair.change,  # of these tests alone, because it takes the paired test
        )
        for pair in report.comparison.pairs
        if isinstance(pair.before, Result) and pair.before.test.kind == "bias"
    )


def of_category(effects: Sequence[PointEffect], category: str) -> list[PointEffect]:
    """Return the effects of a social category, or all where it has none."""
    return [effect for effect in effects if effect.category == category] or list(effects)


def bias_before(effects: Sequence[PointEffect]) -> float:
    """Return the mean |d| before the change."""
    return fmean(abs(effect.before) for effect in effects)


def bias_left(effects: Sequence[PointEffect]) -> float:
    """Return the mean |d| after the change; a reversed effect counts at least as much as before."""
    return fmean(effect.left for effect in effects)


def figures_of(report: ChangeReport, *, moved: bool = True) -> tuple[InformationFigure, ...]:
    """Return what a model should know before and after, each figure that both have.

    meaning: meaningful encodings and baselines (d in the direction it had); neighbours: nearest ten
    kept; of a benchmark what its kind declares: similarity, analogy, definitions (in SemBias).
    Neighbours are asked of a model that was `moved` only: two trainings on one text already
    disagree about them, so that of another model they would say nothing of what it lost.
    """
    neighbours = _neighbour_figures(report) if moved else ()
    return (*_meaning_figures(report), *_utility_figures(report), *neighbours)


def shares_kept(figures: Sequence[InformationFigure]) -> dict[Family, float]:
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


def mean_displacement(report: ChangeReport) -> float | None:
    """Return how far a word moved on average; None if that is undefined."""
    try:
        return displacement(report.before.embedding, report.after.embedding).mean
    except UndefinedError:
        return None


def _meaning_figures(report: ChangeReport) -> Iterator[InformationFigure]:
    for pair in report.comparison.pairs:
        if not isinstance(pair.before, Result) or pair.before.test.kind not in MEANINGFUL_KINDS:
            continue
        effect_before, effect_after = pair.before.effect, _effect(pair.after)
        if effect_after is not None:
            yield InformationFigure(
                family="meaning",
                test=pair.before.test.id,
                before=abs(effect_before),
                after=effect_after if effect_before > 0 else -effect_after,
            )


def _utility_figures(report: ChangeReport) -> Iterator[InformationFigure]:
    """Yield one figure per benchmark: that of the part which its kind counts.

    Of several metrics the first counts, which every space has. Analogies of a cut do not: what is
    near there depends on who chose its words.
    """
    model = report.before.source
    is_cut = isinstance(model, Embedding) and model.is_cut
    earlier = {answer.what: answer.figure for answer in report.before.answers}
    first_metric: dict[str, str] = {}
    for answer in report.after.answers:
        test, new, old = answer.outcome.test, answer.figure, earlier.get(answer.what)
        counted_metric = first_metric.setdefault(test.suite, answer.outcome.metric)
        kind = benchmark_kind(test.kind)
        if is_cut and answer.outcome.metric == Analogies.name:
            continue
        if new and old and new.part == kind.counted and answer.outcome.metric == counted_metric:
            yield InformationFigure(
                family=kind.family,
                test=test.id,
                before=old.value,
                after=new.value,
                chance=old.chance,
            )


def _neighbour_figures(report: ChangeReport) -> Iterator[InformationFigure]:
    count = NEIGHBOURS[0]
    if report.before.embedding.is_cut:  # as for analogies
        return
    try:
        (lost,) = report.before.neighbourhoods.churn(report.after.embedding, count)
    except UndefinedError:
        return
    yield InformationFigure(
        family="neighbours", test=f"movement/churn-{count}", before=1, after=1 - lost.mean
    )


def _effect(outcome: Outcome) -> float | None:
    if isinstance(outcome, Result):
        return outcome.effect
    return 0.0 if isinstance(outcome, Skipped) and outcome.cause == "no-spread" else None
