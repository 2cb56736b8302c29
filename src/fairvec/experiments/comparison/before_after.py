"""A change judged: bias, usefulness, and how far words moved."""

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

# One model measured: its tests and its usefulness, to be compared with any change of it.


NEIGHBOURS = (10, 100)
LARGE = 10_000
"""Only of a vocabulary of so many words are the larger neighbourhoods looked at."""


@dataclass(frozen=True, eq=False)
class ModelMeasurements:
    """All that was measured of one embedding or encoder, nothing of it twice."""

    source: Representation
    audited: tuple[Outcome, ...]
    answers: tuple[UtilityAnswer, ...]
    statistics: Statistics

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The tests and the figures of usefulness, as results.jsonl holds them."""
        return (*self.audited, *(answer.outcome for answer in self.answers))

    @property
    def embedding(self) -> Embedding:
        """The embedding that was measured."""
        if isinstance(self.source, Embedding):
            return self.source
        raise UndefinedError(f"{self.source.name} is an encoder and has no vocabulary.")

    @cached_property
    def neighbourhoods(self) -> Neighbourhoods:
        """The nearest words of a sample of words, found when they are first asked for."""
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
    """Measure one embedding or encoder with the suites (as `audit` does) and ask it benchmarks.

    Without `benchmarks` those are asked that are at hand for the model's languages. Analogies are
    asked among `restrict` of the most frequent words only, or else among the first 500,000.
    `original` is the model of which this one is a change, if it is one. `tasks` are learnt from an
    embedding, and their accuracy is one more answer. An encoder is asked which words it finds
    alike, each read alone, and nothing else.
    """
    sets = select_benchmarks(model, benchmarks)  # a name that is unknown costs no time
    audited = audit(
        model,
        suites=suites,
        metrics=metrics,
        progress=progress,
        categories=False,  # few who measure ask for them; `compare_measured` does
        seed=seed,
        **statistics,
    )
    known = {field.name for field in fields(Statistics)}
    said = {"seed": seed} | {name: one for name, one in statistics.items() if name in known}
    settings, asking = (replace(each, **said) for each in (Statistics(), USUAL))
    if isinstance(model, Embedding):
        before = original if isinstance(original, Embedding) else None
        some = restrict or (AMONG if len(model) > AMONG else None)
        found = answers(model, sets, asking, restrict=some, original=before, progress=progress)
        found += [train_task(model, each.reviews, each.task).answer for each in tasks]
    else:
        found = answers_of_encoder(model, sets, asking, progress=progress)
    return ModelMeasurements(model, tuple(audited), tuple(found), settings)


def neighbours_of(embedding: Embedding) -> tuple[int, ...]:
    """Return how many neighbours of a word are looked at in a vocabulary of this size."""
    return NEIGHBOURS if len(embedding) >= LARGE else NEIGHBOURS[:1]


# What a change did to the vectors themselves, as outcomes: movement and lost neighbours.


MEDIAN, CHURN = "median-displacement", "neighbourhood-churn"

Tried = PerWord | str
"""One number per word, or the reason why there is none."""


def movement(before: ModelMeasurements, after: ModelMeasurements) -> Iterator[Outcome]:
    """Describe how far words moved and how many neighbours they lost; of an encoder nothing."""
    if not (isinstance(before.source, Embedding) and isinstance(after.source, Embedding)):
        return
    was, is_now = before.embedding, after.embedding
    shared = {
        "model": describe_model(is_now),
        "coverage": (),
        "seed": after.statistics.seed,
        "versions": versions(),
    }
    unit, far = (
        ("in hyperbolic distance", "the larger, the farther words moved.")
        if was.geometry.curvature
        else ("by the turn of its direction", "1: a turn by 60 degrees; 2: to the opposite side.")
    )
    (moved,) = _tried(lambda: (displacement(was, is_now),), 1)
    for name, title in (
        ("displacement", "a word moved on average"),
        (MEDIAN, "the middle one did"),
    ):
        test = _test(name, f"How far {title}, {unit}")
        about = {**shared, "test": test, "metric": name, "similarity": ""}
        yield _described(moved, about, f"0: no word moved; {far}")
    counts = neighbours_of(was)
    among = f", among the {AMONG:,} most frequent" if len(was) > AMONG else ""
    losses = _tried(lambda: before.neighbourhoods.churn(is_now, *counts), len(counts))
    for count, lost in zip(counts, losses, strict=True):
        test = _test(f"churn-{count}", f"Share of the {count} nearest words lost{among}")
        similarity = default_similarity(was.geometry).name
        about = {**shared, "test": test, "metric": CHURN, "similarity": similarity}
        yield _described(lost, about, "0: every word has the neighbours it had; 1: none of them.")


def _tried(measure: Callable[[], tuple[PerWord, ...]], count: int) -> tuple[Tried, ...]:
    try:
        return measure()
    except UndefinedError as error:
        return (str(error),) * count


def _described(answer: Tried, about: dict[str, Any], meaning: str) -> Outcome:
    if isinstance(answer, str):
        return Skipped(**about, cause="undefined", reason=answer)
    median, sampled = about["metric"] == MEDIAN, about["metric"] == CHURN
    sample = answer.samples
    spread = (
        bootstrap_interval([sample.rows], sample.effect, seed=about["seed"]) if sampled else None
    )
    return Description(
        **about,
        value=float(np.median(answer.values)) if median else answer.mean,
        neutral=0.0,
        meaning=meaning,
        interval=Interval.model_validate(spread, from_attributes=True) if spread else None,
        words=() if median else _most(answer),
    )


def _most(numbers: PerWord) -> tuple[WordScore, ...]:
    largest = numbers.largest().items()
    return tuple(WordScore(word=key, key=key, role="words", score=far) for key, far in largest)


def _test(name: str, title: str) -> TestIdentity:
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
MARGIN_OF_USE = 0.05
"""A figure is kept where every change that the paired test allows is no larger than this."""


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
    """Measure a model before and after a change, and say of each figure what became of it.

    Bias tests and those of meaningful encoding are compared as `compare` does, and what moved is
    described: how far words did, and how many neighbours they lost. A figure of usefulness is lost
    or gained where the paired test over its items says so, corrected over all figures, kept where
    that test allows no change past a margin, and else unclear; without `benchmarks` those are asked
    that `utility` would choose for the model before the change. `settings` are those of
    `measure_model`: suites, metrics, seed and so on.
    """
    sets = select_benchmarks(before, benchmarks)
    if before.name == after.name:
        after = after.named(f"{after.name}, after")
    was, is_now = (
        measure_model(each, benchmarks=sets, original=before, progress=progress, **settings)
        for each in (before, after)
    )
    return compare_measured(was, is_now)


def compare_measured(before: ModelMeasurements, after: ModelMeasurements) -> ChangeReport:
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
    return ChangeReport(outcomes, tuple(changes))


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
        over_items=paired_over_words(before, after),
        difference=pair.difference,
        items=_words(before, after),
    )


def changes_of_use(
    pairs: Sequence[tuple[UtilityAnswer, UtilityAnswer]], alpha: float
) -> list[Change]:
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
            kind=_kind(found, evident=is_significant(surely, alpha)),
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


def paired_answers(
    before: UtilityAnswer, after: UtilityAnswer, level: float = LEVEL
) -> PairedFigure | None:
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
    return PairedFigure(p, paired_limits(*shares, weights, p, level), len(items), *figures)


def _over_combinations(
    before: FloatArray, after: FloatArray, names: Sequence[tuple[str, str]], level: float
) -> tuple[PairedP, Interval]:
    """Test a change over the things that items combine: pairs, in SemBias and analogies."""
    found = dyadic_mean(len(before) * (after - before), names)
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


def _rows(of: UtilityScore, items: Sequence[int]) -> FloatArray:
    places = {item: place for place, item in enumerate(of.items)}
    return of.samples.rows[[places[item] for item in items]]


def _shares_of_mean(rows: FloatArray) -> FloatArray:
    return rows[:, 0] / len(rows)


_SHARES: dict[Shares, Callable[[FloatArray], FloatArray]] = {
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


def _words(before: Outcome, after: Outcome) -> int:
    """Return how many words both outcomes have a number for."""
    listed = [
        {(word.role, word.word) for word in one.words}
        for one in (before, after)
        if isinstance(one, Result | Description)
    ]
    return len(set.intersection(*listed)) if len(listed) == 2 else 0
