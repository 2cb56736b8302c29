"""Bias in the task itself, as records: one Result a model and set of person pairs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation.changes.compare import compare
from fairvec.evaluation.changes.judge import change_of
from fairvec.evaluation.changes.paired_words import PAIR, allowed, paired
from fairvec.evaluation.equity_pairs import fitted_persons, found_pairs
from fairvec.evaluation.equity_words import shortfall_of_pairs, verdict_of_pairs
from fairvec.evaluation.runs.describe import identity_of_model, versions
from fairvec.evaluation.runs.families import Corrected, Tested, corrected, in_words
from fairvec.evaluation.runs.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.ground.errors import FairvecError
from fairvec.lexicon.equity import EquitySet, EquityTable
from fairvec.results import (
    Change,
    Convention,
    GroupCoverage,
    MetricIdentity,
    Outcome,
    PValue,
    Result,
    Skipped,
    TestIdentity,
    WordScore,
)
from fairvec.stats import PermutationP, smallest_detectable_of_pairs
from fairvec.tasks.sentiment.equity import SentimentDifference, sentiment_difference

Predict = Callable[[Sequence[str]], FloatArray]
"""P(positive) of each text by each training: texts in, an array (texts, trainings) out."""

METRIC = "sentiment-difference"
MEANING = (
    "How much more probably a sentence is read as positive if it is about the first group and not "
    "about the second: a difference of probabilities, 0 if the group changes nothing."
)
CONVENTION = Convention(name="mean-difference", ddof=0, denominator="none")


@dataclass(frozen=True)
class _Asked:
    """One set put to a model: the pairs that count, and what came of them."""

    of: EquitySet
    test: TestIdentity
    coverage: GroupCoverage
    usable: tuple[int, ...]
    fitted: tuple[str, ...]
    answer: "SentimentDifference | str"
    p: PermutationP | None


def sentiment_differences(
    predict: Predict,
    embedding: Embedding,
    table: EquityTable,
    *,
    classifier: Mapping[str, Any],
    by: str = "",
    statistics: Statistics | None = None,
) -> list[Outcome]:
    """Ask classifiers that read through an embedding every set of sentences of a language.

    `predict` gives P(positive) of texts by each training; `classifier` is every setting of it that
    changes a figure (network, seeds, reviews), which stands in the record: only what was asked
    alike is compared later. Trainings that all give one answer have no luck in them: show a
    regression as two. `by` names the network in the metric where several are asked. A pair
    counts if the embedding has a vector for every word that marks either person, and not the same
    one for both. p-values are corrected over the sets of the table. A set of which too few pairs
    count, or to which the classifier has no answer, is Skipped with the reason.
    """
    statistics = statistics or Statistics()
    rows = [_asked(predict, embedding, table, each, statistics) for each in table.sets]
    tested = {
        place: Tested(embedding.name, row.test, row.p.value, row.p.value, pairs=len(row.usable))
        for place, row in enumerate(rows)
        if row.p
    }
    surely = dict(zip(tested, corrected([*tested.values()], statistics.alpha), strict=True))
    metric = METRIC + f"-by-{by}" * bool(by)
    shared = {
        "model": identity_of_model(embedding),
        "metric": metric,
        "described": MetricIdentity(
            name=metric,
            needs=("pairs",),
            neutral=0.0,
            meaning=MEANING,
            positive="sentences about the first group are read as more positive",
            convention=CONVENTION,
            settings=dict(classifier),
        ),
        "similarity": "",
        "convention": CONVENTION,
        "smallest_coverage": statistics.smallest_coverage,
        "seed": statistics.seed,
        "versions": versions(embedding),
    }
    return [_outcome(row, surely.get(place), shared, statistics) for place, row in enumerate(rows)]


def sentiment_changes(before: Iterable[Outcome], after: Iterable[Outcome]) -> tuple[Change, ...]:
    """Say what a change of the embedding did to each difference in sentiment.

    Both come from `sentiment_differences` with the same table and classifier; pairs are compared
    with themselves, and trainings with those of the same seed. Each side has classifiers of its
    own, trained anew: where there is luck in that, a change is proven over pairs and trainings at
    once, and one training proves none.
    """
    return tuple(change_of(pair) for pair in compare([*before], [*after]).pairs)


def _asked(
    predict: Predict,
    embedding: Embedding,
    table: EquityTable,
    of: EquitySet,
    statistics: Statistics,
) -> _Asked:
    test = identity_of_set(of, table)
    coverage, usable = found_pairs(of, embedding, table.language)
    fitted = fitted_persons([of.pairs[place] for place in usable], embedding, table.language)
    answer: SentimentDifference | str = shortfall_of_pairs(coverage, statistics.smallest_coverage)
    if answer == "":
        sentences = [each for each in table.sentences(of) if each.pair in usable]
        try:
            chances = np.asarray(predict([text for each in sentences for text in (each.a, each.b)]))
            answer = sentiment_difference(sentences, chances[::2], chances[1::2])
        except FairvecError as error:
            answer = str(error)
    p = answer.tested(statistics.seed) if isinstance(answer, SentimentDifference) else None
    return _Asked(of, test, coverage, usable, fitted, answer, p)


def identity_of_set(of: EquitySet, table: EquityTable) -> TestIdentity:
    """Name a set of sentences as a test."""
    return TestIdentity(
        suite=table.name,
        suite_version=table.version,
        id=f"{table.name}/{of.id}",
        title=of.title,
        category=of.category,
        tags=("task",),
        language=table.language,
        source=table.source,
        positive_means=of.positive_means,
        negative_means=of.negative_means,
        sensitive=of.sensitive_reason,
    )


def _outcome(
    row: _Asked, surely: Corrected | None, shared: dict[str, Any], statistics: Statistics
) -> Outcome:
    about = shared | {"test": row.test, "coverage": (row.coverage,), "fitted_words": row.fitted}
    difference = row.answer
    if isinstance(difference, str) or row.p is None or surely is None:
        few = shortfall_of_pairs(row.coverage, statistics.smallest_coverage)
        return Skipped(**about, cause="missing" if few else "undefined", reason=str(difference))
    pairs = difference.pairs
    zeros, shares = np.zeros(len(pairs)), pairs / len(pairs)
    weights = np.full(len(pairs), 1 / len(pairs))
    unit = smallest_detectable_of_pairs(
        len(pairs), alpha=statistics.alpha, tests=max(surely.family, 1)
    )
    spread = float(pairs.std(ddof=1)) if len(pairs) > 1 else 0.0
    detectable = unit * spread if unit and spread else None
    return Result(
        **about,
        effect=difference.value,
        statistic=difference.value,
        p=PValue.model_validate(row.p, from_attributes=True),
        p_holm=surely.holm,
        p_bh=surely.benjamini_hochberg,
        family=surely.family,
        family_of=in_words(row.test),
        interval=allowed(zeros, shares, weights, paired(zeros, shares, seed=statistics.seed)),
        detectable=detectable,
        verdict=verdict_of_pairs(
            difference,
            row.of,
            p=row.p.value,
            p_holm=surely.holm_two_sided,
            alpha=statistics.alpha,
            family=in_words(row.test),
            asked=surely.asked,
            detectable=detectable,
        ),
        parts={f"{name} sentences": one for name, one in difference.by_feeling.items()},
        trainings=() if difference.alike else tuple(map(float, difference.trainings)),
        words=_scores(row, difference),
    )


def _scores(row: _Asked, difference: SentimentDifference) -> tuple[WordScore, ...]:
    """Return the difference of each pair, and the mean of the others."""
    total, count = float(difference.pairs.sum()), len(difference.pairs)
    return tuple(
        WordScore(
            word=row.of.pairs[place].label,
            key=row.coverage.entries[row.of.pairs[place].label],
            role=PAIR,
            score=float(score),
            without=(total - float(score)) / (count - 1) if count > 1 else None,
            gloss=row.of.pairs[place].gloss,
        )
        for place, score in zip(row.usable, difference.pairs, strict=True)
    )
