"""A model before and after a change: bias, utility, and how far words moved.

`measure_model` measures one model, `compare_measured` names what became of each figure, and
`evaluate_change` does both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from fairvec.benchmarks import BenchmarkSet, benchmark_kind
from fairvec.benchmarks.parsers import Shares
from fairvec.core.errors import UndefinedError
from fairvec.core.format import is_significant
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.encoders.versions import versions
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import AskedMetrics, Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.comparison.change_kinds import common_level
from fairvec.experiments.comparison.compare import Comparison, compare
from fairvec.experiments.comparison.paired import LEVEL, paired, paired_limits, paired_over_words
from fairvec.experiments.provenance import describe_model
from fairvec.experiments.sentiment.learning import ReviewTask, train_task
from fairvec.experiments.utility import (
    USUAL,
    UtilityAnswer,
    answers,
    answers_of_encoder,
    select_benchmarks,
)
from fairvec.geometry import FloatArray, default_similarity
from fairvec.lexicon import Selectors
from fairvec.metrics.utility import UtilityScore
from fairvec.metrics.utility.movement import (
    AMONG,
    Neighbourhoods,
    PerWord,
    displacement,
    neighbourhoods,
)
from fairvec.results import (
    Change,
    ChangeKind,
    Description,
    Interval,
    Outcome,
    PairedP,
    Result,
    Skipped,
    TestIdentity,
    WordScore,
)
from fairvec.stats import bootstrap_interval, holm, spearman_contributions
from fairvec.stats.crossed import dyadic_mean

NEIGHBOURS = (10, 100)
LARGE_VOCABULARY = 10_000
"""The larger neighbourhoods are measured in vocabularies of at least this size."""


@dataclass(frozen=True, eq=False)
class ModelMeasurements:
    """All that was measured of one embedding or encoder, for comparison with any change of it."""

    source: Representation
    audited: tuple[Outcome, ...]
    answers: tuple[UtilityAnswer, ...]
    statistics: Statistics

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The tests and the figures of utility, as results.jsonl holds them."""
        return (*self.audited, *(answer.outcome for answer in self.answers))

    @property
    def embedding(self) -> Embedding:
        """The embedding that was measured."""
        if isinstance(self.source, Embedding):
            return self.source
        raise UndefinedError(f"{self.source.name} is an encoder and has no vocabulary.")

    @cached_property
    def neighbourhoods(self) -> Neighbourhoods:
        """The nearest words of a sample of words, computed on first use."""
        counts = neighbours_of(self.embedding)
        return neighbourhoods(self.embedding, max(counts), seed=self.statistics.seed)


def measure_model(
    model: Representation,
    *,
    suites: Selectors | None = None,
    metrics: AskedMetrics | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    restrict: int | None = None,
    original: Representation | None = None,
    tasks: Sequence[ReviewTask] = (),
    seed: int = 0,
    progress: Progress | None = None,
    **statistics: Any,
) -> ModelMeasurements:
    """Measure one embedding or encoder with the suites (as `audit` does) and with benchmarks.

    Without `benchmarks` those of the model's languages are used that are on this machine. Analogies
    are solved among the `restrict` most frequent words, or else among the first 500,000. `original`
    is the model of which this one is a change, if it is one. `tasks` are learnt from an embedding,
    and their accuracy is one more answer. Of an encoder only the similarity of words, each read
    alone, is measured.
    """
    sets = select_benchmarks(model, benchmarks)  # before the audit, so that a wrong name costs none
    audited = audit(
        model,
        suites=suites,
        metrics=metrics,
        progress=progress,
        categories=False,  # `compare_measured` pools them, and a frontier needs none
        seed=seed,
        **statistics,
    )
    known = {field.name for field in fields(Statistics)}
    settings_given = {"seed": seed} | {
        name: value for name, value in statistics.items() if name in known
    }
    settings, benchmark_settings = (
        replace(base, **settings_given) for base in (Statistics(), USUAL)
    )
    if isinstance(model, Embedding):
        before = original if isinstance(original, Embedding) else None
        analogy_words = restrict or (AMONG if len(model) > AMONG else None)
        measured = answers(
            model,
            sets,
            benchmark_settings,
            restrict=analogy_words,
            original=before,
            progress=progress,
        )
        measured += [train_task(model, base.reviews, base.task).answer for base in tasks]
    else:
        measured = answers_of_encoder(model, sets, benchmark_settings, progress=progress)
    return ModelMeasurements(model, tuple(audited), tuple(measured), settings)


def neighbours_of(embedding: Embedding) -> tuple[int, ...]:
    """Return the neighbourhood sizes that are measured in a vocabulary of this size."""
    return NEIGHBOURS if len(embedding) >= LARGE_VOCABULARY else NEIGHBOURS[:1]


MEDIAN, CHURN = "median-displacement", "neighbourhood-churn"

MovementFigure = PerWord | str
"""One number per word, or the reason why there is none."""


def movement(before: ModelMeasurements, after: ModelMeasurements) -> Iterator[Outcome]:
    """Describe how far words moved and how many neighbours they lost; nothing for an encoder."""
    if not (isinstance(before.source, Embedding) and isinstance(after.source, Embedding)):
        return
    old, new = before.embedding, after.embedding
    shared = {
        "model": describe_model(new),
        "coverage": (),
        "seed": after.statistics.seed,
        "versions": versions(),
    }
    unit, scale_note = (
        ("in hyperbolic distance", "the larger, the farther words moved.")
        if old.geometry.curvature
        else ("by the turn of its direction", "1: a turn by 60 degrees; 2: to the opposite side.")
    )
    (displacements,) = _or_reason(lambda: (displacement(old, new),), 1)
    for name, title in (
        ("displacement", "a word moved on average"),
        (MEDIAN, "the middle one did"),
    ):
        test = _movement_test(name, f"How far {title}, {unit}")
        fields = {**shared, "test": test, "metric": name, "similarity": ""}
        yield _describe(displacements, fields, f"0: no word moved; {scale_note}")
    counts = neighbours_of(old)
    among = f", among the {AMONG:,} most frequent" if len(old) > AMONG else ""
    losses = _or_reason(lambda: before.neighbourhoods.churn(new, *counts), len(counts))
    for count, lost in zip(counts, losses, strict=True):
        test = _movement_test(f"churn-{count}", f"Share of the {count} nearest words lost{among}")
        similarity = default_similarity(old.geometry).name
        fields = {**shared, "test": test, "metric": CHURN, "similarity": similarity}
        yield _describe(lost, fields, "0: every word has the neighbours it had; 1: none of them.")


def _or_reason(
    measure: Callable[[], tuple[PerWord, ...]], count: int
) -> tuple[MovementFigure, ...]:
    try:
        return measure()
    except UndefinedError as error:
        return (str(error),) * count


def _describe(figure: MovementFigure, fields: dict[str, Any], meaning: str) -> Outcome:
    if isinstance(figure, str):
        return Skipped(**fields, cause="undefined", reason=figure)
    median, sampled = fields["metric"] == MEDIAN, fields["metric"] == CHURN
    sample = figure.samples
    bootstrap = (
        bootstrap_interval([sample.rows], sample.effect, seed=fields["seed"]) if sampled else None
    )
    return Description(
        **fields,
        value=float(np.median(figure.values)) if median else figure.mean,
        neutral=0.0,
        meaning=meaning,
        interval=Interval.model_validate(bootstrap, from_attributes=True) if bootstrap else None,
        words=() if median else _most_moved(figure),
    )


def _most_moved(per_word: PerWord) -> tuple[WordScore, ...]:
    largest = per_word.largest().items()
    return tuple(WordScore(word=key, key=key, role="words", score=value) for key, value in largest)


def _movement_test(name: str, title: str) -> TestIdentity:
    return TestIdentity(
        suite="movement",
        suite_version="1",
        id=f"movement/{name}",
        title=title,
        category="movement",
        kind="movement",
        language="mul",
        source="fairvec: what a change did to the vectors themselves",
        positive_means="words moved, or lost neighbours",
        negative_means="never",
    )


ALPHA = Statistics().alpha
UTILITY_MARGIN = 0.05
"""A figure is kept where the interval of its change lies within plus or minus this."""


@dataclass(frozen=True)
class ChangeReport:
    """All that was measured before and after a change, and what changed."""

    outcomes: tuple[Outcome, ...]
    changes: tuple[Change, ...]

    @property
    def all(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        return [*self.outcomes, *self.changes]


def evaluate_change(
    before: Representation,
    after: Representation,
    *,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> ChangeReport:
    """Measure a model before and after a change, and name what became of each figure.

    Bias tests and those of meaningful encoding are compared as `compare` does, and movement is
    described: how far words moved, and how many neighbours they lost. A figure of utility is lost
    or gained where the paired test over its items is significant, corrected over all figures, kept
    where the interval of its change lies within a margin, and else unclear. Without `benchmarks`
    those are used that `utility` would choose for the model before the change. `settings` are those
    of `measure_model`: suites, metrics, seed and so on.
    """
    sets = select_benchmarks(before, benchmarks)
    if before.name == after.name:
        after = after.named(f"{after.name}, after")
    measured_before, measured_after = (
        measure_model(model, benchmarks=sets, original=before, progress=progress, **settings)
        for model in (before, after)
    )
    return compare_measured(measured_before, measured_after)


def compare_measured(before: ModelMeasurements, after: ModelMeasurements) -> ChangeReport:
    """Name what became of each figure, from what was measured of two models."""
    changes = [change_of(pair) for pair in compare(before.audited, after.audited).pairs]
    answers_before = {answer.what: answer for answer in before.answers}
    pairs = [
        (answers_before[measurements.what], measurements)
        for measurements in after.answers
        if measurements.what in answers_before
    ]
    changes += changes_of_use(pairs, after.statistics.alpha)
    answers = (
        category_answers(
            measurements.audited,
            samples=measurements.statistics.samples,
            interval=measurements.statistics.interval != "none",
        )
        for measurements in (before, after)
    )
    outcomes = (*before.outcomes, *after.outcomes, *movement(before, after), *chain(*answers))
    return ChangeReport(outcomes, tuple(changes))


def change_of(pair: Comparison) -> Change:
    """Return the record of one test before and after."""
    before, after = pair.before, pair.after
    return Change(
        **_copied_fields(before, after),
        value_before=_value(before),
        value_after=_value(after),
        p_before=pair.p_before,
        p_after=pair.p_after,
        alpha=common_level(before, after),
        kind=pair.change,
        paired=pair.paired,
        over_items=paired_over_words(before, after),
        difference=pair.difference,
        items=_shared_word_count(before, after),
    )


def changes_of_use(
    pairs: Sequence[tuple[UtilityAnswer, UtilityAnswer]], alpha: float
) -> list[Change]:
    """Compare the figures of utility of two models over the items that both have.

    p of the paired tests is corrected (Holm) over all these figures; `kind_of_step` names each.
    """
    compared = [
        (*pair, paired_figure) for pair in pairs if (paired_figure := paired_answers(*pair))
    ]
    corrected = holm(np.array([paired_figure.p.value for _, _, paired_figure in compared]))
    return [
        Change(
            **_copied_fields(before.outcome, after.outcome),
            value_before=before.figure.value if before.figure else None,
            value_after=after.figure.value if after.figure else None,
            p_before=None,
            p_after=None,
            alpha=alpha,
            kind=_utility_change_kind(paired_figure, evident=is_significant(p, alpha)),
            paired=paired_figure.p,
            difference=paired_figure.difference,
            items=paired_figure.items,
        )
        for (before, after, paired_figure), p in zip(compared, corrected, strict=True)
    ]


class PairedFigure(NamedTuple):
    """The paired test of a figure, the interval of its change, and the number of items.

    `before` and `after` are the figure over the items that both models have.
    """

    p: PairedP
    difference: Interval | None
    items: int
    before: float
    after: float


def paired_answers(
    before: UtilityAnswer, after: UtilityAnswer, level: float = LEVEL
) -> PairedFigure | None:
    """Return the paired test of a figure over the items that both have; None if there are none."""
    old, new = before.figure, after.figure
    items = sorted(set(old.items) & set(new.items)) if old and new else []
    if not (old and new and items):
        return None
    shares_of = _ITEM_SHARES[benchmark_kind(after.outcome.test.kind).shares]
    shares = shares_of(_rows(old, items)), shares_of(_rows(new, items))
    figures = [float(shares_of_run.sum()) for shares_of_run in shares]
    if new.shared:
        places = {item: place for place, item in enumerate(new.items)}
        names = [new.shared[places[item]] for item in items]
        return PairedFigure(*_over_combinations(*shares, names, level), len(items), *figures)
    p = paired(*shares, seed=after.outcome.seed)
    weights = np.full(len(items), 1 / len(items))
    return PairedFigure(p, paired_limits(*shares, weights, p, level), len(items), *figures)


def _over_combinations(
    before: FloatArray, after: FloatArray, names: Sequence[tuple[str, str]], level: float
) -> tuple[PairedP, Interval]:
    """Test a change where items combine the same things: pairs, in SemBias and analogies."""
    estimate = dyadic_mean(len(before) * (after - before), names)
    changed = int((before != after).sum())
    p = PairedP(
        value=estimate.p, low=estimate.p, high=estimate.p, method="crossed", changed=changed
    )
    ends = estimate.interval(level)
    method = "Student's t over what items combine"
    # An infinite end becomes the largest change that a share can have.
    low, high = (end if isfinite(end) else float(np.sign(end)) for end in (ends.low, ends.high))
    return p, Interval(low=low, high=high, level=level, method=method)


def _utility_change_kind(figure: PairedFigure, *, evident: bool) -> ChangeKind:
    """Return whether a figure was lost, gained, kept within the margin, or is unclear."""
    step = figure.after - figure.before
    return kind_of_step(step, figure.p, figure.difference, evident=evident)


def kind_of_step(
    step: float, p: PairedP, difference: Interval | None, *, evident: bool
) -> ChangeKind:
    """Return the label of a change of utility by `step`.

    significant change                            gained or lost
    interval within the margin, or no item moved  kept
    otherwise                                     unclear
    """
    if evident and step:
        return "gained" if step > 0 else "lost"
    ends = difference
    within_margin = ends is not None and max(abs(ends.low), abs(ends.high)) <= UTILITY_MARGIN
    return "kept" if within_margin or p.changed == 0 else "unclear"


def _copied_fields(before: Outcome, after: Outcome) -> dict[str, Any]:
    """Return the fields that the record of a change copies from the outcomes before and after."""
    identity_fields = ("test", "model", "metric", "described", "similarity", "fitted_words")
    setting_fields = ("smallest_coverage", "seed", "versions")
    return {
        **{name: getattr(after, name) for name in (*identity_fields, *setting_fields)},
        "coverage": (),
        "before": before.model,
        "interval_before": _interval(before),
        "interval_after": _interval(after),
    }


def _rows(figure: UtilityScore, items: Sequence[int]) -> FloatArray:
    places = {item: place for place, item in enumerate(figure.items)}
    return figure.samples.rows[[places[item] for item in items]]


def _shares_of_mean(rows: FloatArray) -> FloatArray:
    return rows[:, 0] / len(rows)


_ITEM_SHARES: dict[Shares, Callable[[FloatArray], FloatArray]] = {
    "mean": _shares_of_mean,
    "rank-correlation": spearman_contributions,
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


def _shared_word_count(before: Outcome, after: Outcome) -> int:
    """Return how many words both outcomes have a number for."""
    word_sets = [
        {(word.role, word.word) for word in outcome.words}
        for outcome in (before, after)
        if isinstance(outcome, Result | Description)
    ]
    return len(set.intersection(*word_sets)) if len(word_sets) == 2 else 0
