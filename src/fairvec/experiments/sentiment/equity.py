"""Bias in the sentiment task: P(positive) of sentences that differ only in the group of a person.

Which pairs of persons an embedding can tell apart, the paired test over them, and the verdict.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from fairvec.core.errors import FairvecError, SettingError, UnanswerableError
from fairvec.embedding import Embedding, Match
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.comparison.compare import change_of, compare
from fairvec.experiments.comparison.paired import PAIR
from fairvec.experiments.pairs import (
    MEAN_DIFFERENCE,
    PairsTest,
    pair_scores,
    results_of_pairs,
)
from fairvec.experiments.provenance import record_fields
from fairvec.geometry import FloatArray
from fairvec.languages.equity import EquitySet, EquityTable, PersonPair, equity_table
from fairvec.messages.sentiment import (
    MEANING,
    POSITIVE,
    pair_problem,
    trainings_note,
)
from fairvec.results import Outcome, Skipped
from fairvec.results.identities import MetricIdentity, TestIdentity
from fairvec.results.records import Change, GroupCoverage
from fairvec.tasks.sentiment.classifiers import EncodedReviews
from fairvec.tasks.sentiment.equity import sentiment_difference
from fairvec.tasks.sentiment.predictions import SentimentClassifiers
from fairvec.tasks.sentiment.task import SentimentTask


def require_pairs(group: GroupCoverage, min_coverage: float) -> None:
    """Raise UnanswerableError, of the kind missing, if too few pairs can be used."""
    # In whole numbers: of ten pairs nine are 90 %, and no float says so.
    if group.found and group.found >= Fraction(str(min_coverage)) * group.wanted:
        return
    raise UnanswerableError(
        "missing",
        f"Of {group.wanted} {group.title} only {group.found} can be told apart by this model, "
        f"and {min_coverage:.0%} are needed",
        "use a model that knows these words or lower the smallest coverage",
    )


def find_pairs(
    equity_set: EquitySet, embedding: Embedding, language: str
) -> tuple[GroupCoverage, tuple[int, ...]]:
    """Return which pairs a model can tell apart; those that reach the same keys count once."""
    missing, entries, rules_by_pair, usable, merged = {}, {}, {}, [], []
    seen: set[tuple[frozenset[str], ...]] = set()
    for index, pair in enumerate(equity_set.pairs):
        sides = [_matches(pair.words(side), embedding, language) for side in (0, 1)]
        keys = [frozenset(match.key for match in side.values() if match) for side in sides]
        unknown = [word for side in sides for word, match in side.items() if match is None]
        if reason := pair_problem(unknown, sorted(keys[0] & keys[1])):
            missing[pair.label] = reason
            continue
        if (key_pair := tuple(keys)) in seen:
            merged.append(pair.label)
            continue
        seen.add(key_pair)
        usable.append(index)
        entries[pair.label] = " / ".join(
            " + ".join(match.key for match in side.values() if match) for side in sides
        )
        rules = dict.fromkeys(match.how for side in sides for match in side.values() if match)
        if inexact := [rule for rule in rules if rule != "exact"]:
            rules_by_pair[pair.label] = "+".join(inexact)
    group = GroupCoverage(
        role=PAIR,
        title=f"pairs of persons ({equity_set.a} and {equity_set.b})",
        wanted=len(equity_set.pairs),
        found=len(usable),
        missing=missing,
        entries=entries,
        matched={label: entries[label] for label in rules_by_pair},
        how=rules_by_pair,
        merged=tuple(merged),
    )
    return group, tuple(usable)


def _matches(words: Iterable[str], embedding: Embedding, language: str) -> dict[str, Match | None]:
    """Return what each word reaches; None where it is unknown or its vector is zero."""
    lookup = embedding.lookup(language)
    matches = {word: lookup.find([word]) for word in words}
    return {
        word: match if match and embedding.rows(match.keys).any() else None
        for word, match in matches.items()
    }


def fitted_persons(
    pairs: Sequence[PersonPair], embedding: Embedding, language: str
) -> tuple[str, ...]:
    """Return the words of these persons on which the embedding's debiasing was fitted."""
    fitted_keys = {key for step in embedding.history for key in step.details.get("fitted_on", ())}
    words = dict.fromkeys(word for pair in pairs for side in (0, 1) for word in pair.words(side))
    matches = _matches(words, embedding, language) if fitted_keys else {}
    return tuple(word for word, match in matches.items() if match and fitted_keys & {*match.keys})


Predict = Callable[[Sequence[str]], FloatArray]
"""P(positive) of each text by each training: texts in, an array (texts, trainings) out."""

METRIC = "sentiment-difference"


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
    metric = METRIC + f"-by-{by}" * bool(by)
    described = MetricIdentity(
        name=metric,
        needs=("pairs",),
        neutral=0.0,
        meaning=MEANING,
        positive=POSITIVE,
        convention=MEAN_DIFFERENCE,
        settings=dict(classifier),
    )
    rows = [
        _measure_set(predict, embedding, table, equity_set, described, statistics)
        for equity_set in table.sets
    ]
    measured = (row for row in rows if isinstance(row, PairsTest))
    results = iter(results_of_pairs([*measured], statistics))
    return [next(results) if isinstance(row, PairsTest) else row for row in rows]


def sentiment_changes(before: Iterable[Outcome], after: Iterable[Outcome]) -> tuple[Change, ...]:
    """Say what a change of the embedding did to each difference in sentiment.

    Both come from `sentiment_differences` with the same table and classifier; pairs are compared
    with themselves, and trainings with those of the same seed. Each side has classifiers of its
    own, trained anew: where there is luck in that, a change is proven over pairs and trainings at
    once, and one training proves none.
    """
    return tuple(change_of(pair) for pair in compare([*before], [*after]).pairs)


def _measure_set(
    predict: Predict,
    embedding: Embedding,
    table: EquityTable,
    equity_set: EquitySet,
    metric: MetricIdentity,
    statistics: Statistics,
) -> PairsTest | Skipped:
    """Measure one set: what was found, or the record of why it has no answer."""
    test = identity_of_set(equity_set, table)
    coverage, usable = find_pairs(equity_set, embedding, table.language)
    persons = [equity_set.pairs[place] for place in usable]
    fields = record_fields(embedding, test, metric, statistics) | {
        "coverage": (coverage,),
        "fitted_words": fitted_persons(persons, embedding, table.language),
        "convention": MEAN_DIFFERENCE,
    }
    sentences = [sentence for sentence in table.sentences(equity_set) if sentence.pair in usable]
    try:
        require_pairs(coverage, statistics.min_coverage)
        chances = np.asarray(
            predict([text for sentence in sentences for text in (sentence.a, sentence.b)])
        )
        difference = sentiment_difference(sentences, chances[::2], chances[1::2])
    except FairvecError as error:
        is_missing = isinstance(error, UnanswerableError)
        cause: Literal["missing", "undefined"] = "missing" if is_missing else "undefined"
        return Skipped(**fields, cause=cause, reason=str(error))
    return PairsTest(
        fields,
        pair_scores(
            [pair.label for pair in persons],
            difference.pairs,
            keys=[coverage.entries[pair.label] for pair in persons],
            glosses=[pair.gloss for pair in persons],
        ),
        difference.test(statistics.seed),
        trainings_note(
            difference.value,
            difference.agreeing_trainings,
            len(difference.trainings),
            deterministic=difference.is_deterministic,
        ),
        more={
            "parts": {f"{name} sentences": value for name, value in difference.by_feeling.items()},
            "trainings": ()
            if difference.is_deterministic
            else tuple(map(float, difference.trainings)),
        },
    )


def identity_of_set(equity_set: EquitySet, table: EquityTable) -> TestIdentity:
    """Name a set of sentences as a test."""
    return TestIdentity(
        suite=table.name,
        suite_version=table.version,
        id=f"{table.name}/{equity_set.id}",
        title=equity_set.title,
        category=equity_set.category,
        tags=("task",),
        language=table.language,
        source=table.source,
        positive_means=equity_set.positive_means,
        negative_means=equity_set.negative_means,
        sensitive=equity_set.sensitive_reason,
    )


class EquityResults(NamedTuple):
    """What classifiers make of sentences that differ in the group alone, and what changed."""

    differences: tuple[Outcome, ...]
    changes: tuple[Change, ...]

    @property
    def outcomes(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        return [*self.differences, *self.changes]


def run_equity(
    models: Sequence[tuple[EncodedReviews, int | None]],
    tasks: Sequence[SentimentTask],
    *,
    folder: Path | None = None,
    statistics: Statistics | None = None,
    progress: Progress | None = None,
) -> EquityResults:
    """Train each network on all reviews through each model, and ask it the sentences.

    Args:
        models: The same reviews as each model reads them, with the place of the model that it is
            compared with; None if with none. The sentences are in the language of the reviews.
        tasks: One a network; each pass is a training with its own seed, and folds play no part.
        folder: Where the answers of finished trainings are kept; without one nothing is.
        statistics: Level, smallest coverage and seed.
        progress: Called with (done, in all, what).
    """
    if not models:
        raise SettingError("Bias in the task is measured of at least one model; name one.")
    reviews = models[0][0].reviews
    table = equity_table(reviews.language)
    outcomes: list[list[Outcome]] = []
    for task in tasks:
        classifier = {
            "network": task.network.name,
            **asdict(task.network),
            "seeds": [*task.seeds],
            "reviews": f"{reviews.name} ({reviews.version})",
        }
        for encoded, _ in models:
            model = encoded.embedding
            if progress:
                progress(len(outcomes), len(tasks) * len(models), f"{model.name}: {table.name}")
            # A regression twice: that both are the same says that there is no luck in it.
            seeds = task.seeds if task.is_random(split=True) else task.seeds[:1] * 2
            classifiers = SentimentClassifiers(encoded, task.network, seeds, folder)
            outcomes.append(
                sentiment_differences(
                    classifiers.predict,
                    model,
                    table,
                    classifier=classifier,
                    by=task.network.name,
                    statistics=statistics,
                )
            )
    changes = [
        change
        for start in range(0, len(outcomes), len(models))
        for index, (_, against) in enumerate(models)
        if against is not None
        for change in sentiment_changes(outcomes[start + against], outcomes[start + index])
    ]
    return EquityResults(
        tuple(outcome for differences in outcomes for outcome in differences), tuple(changes)
    )
