"""A model before and after a change: bias, utility, and how far words moved.

`measure_model` measures one model, `ChangeReport` names what became of each figure, and
`evaluate_change` does both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from fairvec.benchmarks import BenchmarkSet, benchmark_kind
from fairvec.benchmarks.base import Shares
from fairvec.core.errors import UndefinedError
from fairvec.core.format import is_significant
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.encoders.encoder import versions
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import DEFAULT_STATISTICS, MetricChoice, Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.comparison.change_kinds import name_utility_change
from fairvec.experiments.comparison.compare import RunComparison, change_fields, change_of, compare
from fairvec.experiments.comparison.paired import LEVEL, paired
from fairvec.experiments.provenance import among_words, describe_model
from fairvec.experiments.sentiment.learning import ReviewTask, run_task
from fairvec.experiments.utility import (
    USUAL,
    UtilityAnswer,
    answers,
    select_benchmarks,
)
from fairvec.geometry import FloatArray, default_similarity
from fairvec.lexicon import Selectors
from fairvec.messages.changes import CHURN_MEANING, churn_title, movement_meaning, movement_title
from fairvec.metrics.utility import UtilityScore
from fairvec.metrics.utility.movement import (
    AMONG,
    Neighbourhoods,
    PerWord,
    displacement,
    neighbourhoods,
)
from fairvec.results import Interval, Outcome, PairedP, Skipped
from fairvec.results.identities import TestIdentity
from fairvec.results.records import CategoryAnswer, Change, Description, WordScore
from fairvec.stats import bootstrap_interval, holm, paired_interval, spearman_contributions
from fairvec.stats.crossed import dyadic_mean
from fairvec.stats.proportions import combines_enough
from fairvec.tasks.sentiment.classifiers import encode_reviews

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
    metrics: MetricChoice | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    restrict: int | None = None,
    original: Representation | None = None,
    tasks: Sequence[ReviewTask] = (),
    statistics: Statistics = DEFAULT_STATISTICS,
    progress: Progress | None = None,
) -> ModelMeasurements:
    """Measure one embedding or encoder with the suites (as `audit` does) and with benchmarks.

    Without `benchmarks` those of the model's languages are used that are on this machine. Analogies
    are solved among the `restrict` most frequent words, or else among the first 500,000. `original`
    is the model of which this one is a change, if it is one. `tasks` are learnt from an embedding,
    and their accuracy is one more answer. An encoder reads each word or sentence of a benchmark
    alone. What a benchmark says of a bias is one more test of bias.
    """
    sets = select_benchmarks(model, benchmarks)  # before the audit, so that a wrong name costs none
    audited = audit(
        model,
        suites=suites,
        metrics=metrics,
        statistics=statistics,
        progress=progress,
        categories=False,  # a report pools them, if asked, and a frontier needs none
    )
    benchmark_settings = replace(statistics, min_coverage=USUAL.min_coverage)
    is_large = isinstance(model, Embedding) and len(model) > AMONG
    measured = answers(
        model,
        sets,
        benchmark_settings,
        restrict=restrict or (AMONG if is_large else None),
        original=original,
        progress=progress,
    )
    if isinstance(model, Embedding):
        measured += [
            run_task(encode_reviews(base.reviews, model), base.task).answer for base in tasks
        ]
    biases = (answer.outcome for answer in measured if answer.outcome.test.use is None)
    figures = (answer for answer in measured if answer.outcome.test.use)
    return ModelMeasurements(model, (*audited, *biases), tuple(figures), statistics)


def neighbours_of(embedding: Embedding) -> tuple[int, ...]:
    """Return the neighbourhood sizes that are measured in a vocabulary of this size."""
    return NEIGHBOURS if len(embedding) >= LARGE_VOCABULARY else NEIGHBOURS[:1]


MEDIAN, CHURN = "median-displacement", "neighbourhood-churn"


def movement(before: ModelMeasurements, after: ModelMeasurements) -> Iterator[Outcome]:
    """Describe how far words moved and how many neighbours they lost; nothing for an encoder."""
    if not (isinstance(before.source, Embedding) and isinstance(after.source, Embedding)):
        return
    old, new = before.embedding, after.embedding
    shared = {
        "model": describe_model(new),
        "similarity": "",
        "coverage": (),
        "seed": after.statistics.seed,
        "versions": versions(),
    }
    curved = bool(old.geometry.curvature)
    titles = {
        name: movement_title(which, curved=curved)
        for name, which in (("displacement", "displacement"), (MEDIAN, "median"))
    }
    yield from _describe_all(
        lambda: (displacement(old, new),) * len(titles),
        [
            {**shared, "test": _movement_test(name, title), "metric": name}
            for name, title in titles.items()
        ],
        movement_meaning(curved=curved),
    )
    counts = neighbours_of(old)
    among = AMONG if len(old) > AMONG else None
    shared |= {"metric": CHURN, "similarity": default_similarity(old.geometry).name}
    churn_titles = {count: churn_title(count, among) for count in counts}
    yield from _describe_all(
        lambda: before.neighbourhoods.churn(new, *counts),
        [
            {**shared, "test": among_words(_movement_test(f"churn-{count}", title), old)}
            for count, title in churn_titles.items()
        ],
        CHURN_MEANING,
    )


def _describe_all(
    measure: Callable[[], tuple[PerWord, ...]], records: Sequence[dict[str, Any]], meaning: str
) -> Iterator[Outcome]:
    """Yield a record of each figure, whose other fields are given; all are skipped if none is."""
    try:
        figures = measure()
    except UndefinedError as error:
        for fields in records:
            yield Skipped(**fields, cause="undefined", reason=str(error))
        return
    for fields, figure in zip(records, figures, strict=True):
        yield _describe(figure, fields, meaning)


def _describe(figure: PerWord, fields: dict[str, Any], meaning: str) -> Description:
    median, sampled = fields["metric"] == MEDIAN, fields["metric"] == CHURN
    sample = figure.samples
    interval = (
        bootstrap_interval([sample.rows], sample.effect, seed=fields["seed"]) if sampled else None
    )
    return Description(
        **fields,
        value=float(np.median(figure.values)) if median else figure.mean,
        neutral=0.0,
        meaning=meaning,
        interval=interval,
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


ALPHA = DEFAULT_STATISTICS.alpha


@dataclass(frozen=True, eq=False)
class ChangeReport:
    """What changed between two models: compared once, and each pooled once, on first use.

    There is an answer for each category before and after unless `pooled` is False.
    """

    before: ModelMeasurements
    after: ModelMeasurements
    pooled: bool = True

    @cached_property
    def answers(self) -> tuple[tuple[CategoryAnswer | Skipped, ...], ...]:
        """The answers for the categories before, and those after."""
        return tuple(
            tuple(
                category_answers(
                    measurements.audited,
                    samples=measurements.statistics.samples,
                    interval=measurements.statistics.interval != "none",
                )
                if self.pooled
                else ()
            )
            for measurements in (self.before, self.after)
        )

    @cached_property
    def comparison(self) -> RunComparison:
        """The tests and categories of the two models, paired."""
        before, after = self.answers
        return compare([*self.before.audited, *before], [*self.after.audited, *after])

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What became of each test, each figure of utility, and each category."""
        answers_before = {answer.what: answer for answer in self.before.answers}
        pairs = [
            (answers_before[answer.what], answer)
            for answer in self.after.answers
            if answer.what in answers_before
        ]
        return (
            *map(change_of, self.comparison.pairs),
            *changes_of_use(pairs, self.after.statistics.alpha),
            *map(change_of, self.comparison.categories if self.pooled else ()),
        )

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What was measured of both models, how far words moved, and the categories' answers."""
        measured = (*self.before.outcomes, *self.after.outcomes)
        return (*measured, *movement(self.before, self.after), *chain(*self.answers))

    @property
    def all(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        return [*self.outcomes, *self.changes]


def evaluate_change(
    before: Representation,
    after: Representation,
    *,
    suites: Selectors | None = None,
    metrics: MetricChoice | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    statistics: Statistics = DEFAULT_STATISTICS,
    categories: bool = True,
    progress: Progress | None = None,
) -> ChangeReport:
    """Measure a model before and after a change, and name what became of each figure.

    Bias tests and those of meaningful encoding are compared as `compare` does, and movement is
    described: how far words moved, and how many neighbours they lost. A figure of utility is lost
    or gained where the paired test over its items is significant, corrected over all figures, kept
    where the interval of its change lies within a margin, and else not-shown. Without `benchmarks`
    those are used that `utility` would choose for the model before the change. There is an answer
    for each category before and after unless `categories` is False. `suites`, `metrics` and
    `statistics` are those of `audit`.
    """
    sets = select_benchmarks(before, benchmarks)
    if before.name == after.name:
        after = after.with_name(f"{after.name}, after")
    measured_before, measured_after = (
        measure_model(
            model,
            suites=suites,
            metrics=metrics,
            benchmarks=sets,
            original=before,
            statistics=statistics,
            progress=progress,
        )
        for model in (before, after)
    )
    return ChangeReport(measured_before, measured_after, categories)


def changes_of_use(
    pairs: Sequence[tuple[UtilityAnswer, UtilityAnswer]], alpha: float
) -> list[Change]:
    """Compare the figures of utility of two models over the items that both have.

    p of the paired tests is corrected (Holm) over all figures; `name_utility_change` names each.
    """
    compared = [
        (*pair, paired_figure) for pair in pairs if (paired_figure := paired_answers(*pair))
    ]
    tested = [figure.p.value for _, _, figure in compared if figure.p]
    corrected = iter(holm(np.array(tested)))
    return [
        Change(
            **change_fields(before.outcome, after.outcome),
            value_before=before.figure.value if before.figure else None,
            value_after=after.figure.value if after.figure else None,
            p_before=None,
            p_after=None,
            alpha=alpha,
            kind=name_utility_change(
                paired_figure.after - paired_figure.before,
                paired_figure.p,
                paired_figure.difference,
                evident=paired_figure.p is not None and is_significant(next(corrected), alpha),
            ),
            paired=paired_figure.p,
            difference=paired_figure.difference,
            items=paired_figure.items,
        )
        for before, after, paired_figure in compared
    ]


class PairedFigure(NamedTuple):
    """The paired test of a figure, the interval of its change, and the number of items.

    `before` and `after` are the figure over the items that both models have. Where items changed
    that combine fewer than three pairs of a kind there is no test, and p is None.
    """

    p: PairedP | None
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
        tested, difference = _over_combinations(*shares, names, level)
        return PairedFigure(tested, difference, len(items), figures[0], figures[1])
    p = paired(*shares, seed=after.outcome.seed)
    weights = np.full(len(items), 1 / len(items))
    interval = paired_interval(*shares, weights, p=p.value, level=level)
    return PairedFigure(p, interval, len(items), *figures)


def _over_combinations(
    before: FloatArray, after: FloatArray, names: Sequence[tuple[str, str]], level: float
) -> tuple[PairedP | None, Interval | None]:
    """Test a change where items combine the same things: pairs, in SemBias and analogies."""
    if not combines_enough(names) and (before != after).any():
        return None, None
    estimate = dyadic_mean(len(before) * (after - before), names)
    changed = int((before != after).sum())
    interval = estimate.interval("what items combine", level, within=(-1, 1))
    return estimate.p_value(changed, "crossed"), interval


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
