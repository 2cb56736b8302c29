"""Bias in the sentiment task: P(positive) of sentences that differ only in the group of a person.

Which pairs of persons an embedding can tell apart, the paired test over them, and the verdict.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import FairvecError
from fairvec.core.format import format_p, is_significant
from fairvec.embedding import Embedding, Match, lookup_of
from fairvec.encoders.versions import versions
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.verdicts import (
    CorrectedP,
    FamilyMember,
    correct_families,
    family_name,
)
from fairvec.experiments.comparison.before_after import change_of
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.comparison.paired import PAIR, paired, paired_limits
from fairvec.experiments.provenance import describe_model
from fairvec.geometry import FloatArray
from fairvec.languages.equity import EquitySet, EquityTable, PersonPair, equity_table
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
    Verdict,
    VerdictKind,
    WordScore,
)
from fairvec.stats import PermutationP, smallest_detectable_of_pairs
from fairvec.tasks.sentiment.equity import SentimentDifference, sentiment_difference
from fairvec.tasks.sentiment.predictions import ClassifiersOnDemand
from fairvec.tasks.sentiment.task import SentimentTask


def verdict_of_pairs(
    difference: SentimentDifference,
    equity_set: EquitySet,
    *,
    p: float,
    p_holm: float | None,
    alpha: float,
    family: str,
    candidates: int,
    detectable: float | None,
) -> Verdict:
    """Return the verdict on a difference: two-sided, and corrected over the sets of the table.

    The words are those of any test; each sentence adds how many trainings lean that way, because
    the test over pairs does not know whether another training would lean the other way.
    """
    kind: VerdictKind
    trainings = _trainings_note(difference)
    pairs = len(difference.pairs)
    if p_holm is None:
        kind = "too-few-words"
        limit = (
            f"above {alpha:g}"
            if candidates == 1
            else (f"too much for {candidates} {family} at {alpha:g}")
        )
        sentence = (
            f"Too few pairs: even if all {pairs} leant one way, p would be "
            f"{format_p(2 / 2**pairs, level=alpha)}, {limit}{trainings}."
        )
    elif is_significant(p_holm, alpha):
        kind = "biased"
        meaning = equity_set.positive_means if difference.value > 0 else equity_set.negative_means
        sentence = f"Biased: {meaning}{trainings}."
    elif is_significant(p, alpha):
        kind = "inconclusive"
        sentence = (
            f"Inconclusive: significant alone (p = {format_p(p, level=alpha)}), not among the "
            f"{family}{_detectable_note(detectable)}{trainings}."
        )
    else:
        kind, sentence = "no-evidence", f"No evidence{_detectable_note(detectable)}{trainings}."
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _trainings_note(difference: SentimentDifference) -> str:
    """Return how many trainings lean as the mean of all does, and that they disagree if they do."""
    trained, leaning = len(difference.trainings), difference.leaning
    if difference.value == 0:
        return "; the mean difference is 0"
    side = "positive" if difference.value > 0 else "negative"
    if difference.alike:
        return "; there is no luck in the training"
    if trained == 1:
        return "; trained once, and another training may turn it round"
    if leaning == trained:
        return f"; all {trained} trainings lean this way ({side})"
    return (
        f"; {leaning} of {trained} trainings lean this way ({side}): they disagree, and another "
        "one may turn it round"
    )


def _detectable_note(detectable: float | None) -> str:
    if detectable is None:
        return ""
    return f"; these pairs reliably show only differences of {detectable:.2g} or more"


def shortfall_of_pairs(group: GroupCoverage, smallest_coverage: float) -> str:
    """Return in one sentence that too few pairs can be used; "" if there are enough."""
    # In whole numbers: of ten pairs nine are 90 %, and no float says so.
    if group.found and group.found >= Fraction(str(smallest_coverage)) * group.wanted:
        return ""
    return (
        f"Of {group.wanted} {group.title} only {group.found} can be told apart by this model, "
        f"and {smallest_coverage:.0%} are needed; use a model that knows these words or lower the "
        "smallest coverage."
    )


def pair_problem(unknown: Sequence[str], shared: Sequence[str]) -> str:
    """Return why a pair does not count; nothing if it does."""
    if unknown:
        return f"not in the vocabulary, or its vector is zero: {', '.join(unknown)}"
    if shared:
        return f"both persons reach one key: {', '.join(shared)}"
    return ""


def found_pairs(
    equity_set: EquitySet, embedding: Embedding, language: str
) -> tuple[GroupCoverage, tuple[int, ...]]:
    """Return which pairs a model can tell apart; those that reach the same keys count once."""
    missing, entries, rules_by_pair, usable, merged = {}, {}, {}, [], []
    reached: set[tuple[frozenset[str], ...]] = set()
    for index, pair in enumerate(equity_set.pairs):
        sides = [_matches(pair.words(side), embedding, language) for side in (0, 1)]
        keys = [frozenset(match.key for match in side.values() if match) for side in sides]
        unknown = [word for side in sides for word, match in side.items() if match is None]
        if reason := pair_problem(unknown, sorted(keys[0] & keys[1])):
            missing[pair.label] = reason
            continue
        if (key_pair := tuple(keys)) in reached:
            merged.append(pair.label)
            continue
        reached.add(key_pair)
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
    lookup = lookup_of(embedding, language)
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
MEANING = (
    "How much more probably a sentence is read as positive if it is about the first group and not "
    "about the second: a difference of probabilities, 0 if the group changes nothing."
)
CONVENTION = Convention(name="mean-difference", ddof=0, denominator="none")


@dataclass(frozen=True)
class _MeasuredSet:
    """One set put to a model: the pairs that count, and what came of them."""

    equity_set: EquitySet
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
    rows = [
        _measure_set(predict, embedding, table, equity_set, statistics) for equity_set in table.sets
    ]
    members = {
        index: FamilyMember(
            embedding.name, row.test, row.p.value, row.p.value, pairs=len(row.usable)
        )
        for index, row in enumerate(rows)
        if row.p
    }
    corrected = dict(
        zip(members, correct_families([*members.values()], statistics.alpha), strict=True)
    )
    metric = METRIC + f"-by-{by}" * bool(by)
    shared = {
        "model": describe_model(embedding),
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
    return [
        _outcome(row, corrected.get(index), shared, statistics) for index, row in enumerate(rows)
    ]


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
    statistics: Statistics,
) -> _MeasuredSet:
    test = identity_of_set(equity_set, table)
    coverage, usable = found_pairs(equity_set, embedding, table.language)
    fitted_words = fitted_persons(
        [equity_set.pairs[place] for place in usable], embedding, table.language
    )
    difference_or_reason: SentimentDifference | str = shortfall_of_pairs(
        coverage, statistics.smallest_coverage
    )
    if difference_or_reason == "":
        sentences = [
            sentence for sentence in table.sentences(equity_set) if sentence.pair in usable
        ]
        try:
            chances = np.asarray(
                predict([text for sentence in sentences for text in (sentence.a, sentence.b)])
            )
            difference_or_reason = sentiment_difference(sentences, chances[::2], chances[1::2])
        except FairvecError as error:
            difference_or_reason = str(error)
    p = (
        difference_or_reason.tested(statistics.seed)
        if isinstance(difference_or_reason, SentimentDifference)
        else None
    )
    return _MeasuredSet(equity_set, test, coverage, usable, fitted_words, difference_or_reason, p)


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


def _outcome(
    row: _MeasuredSet, corrected: CorrectedP | None, shared: dict[str, Any], statistics: Statistics
) -> Outcome:
    fields = shared | {"test": row.test, "coverage": (row.coverage,), "fitted_words": row.fitted}
    difference = row.answer
    if isinstance(difference, str) or row.p is None or corrected is None:
        shortfall = shortfall_of_pairs(row.coverage, statistics.smallest_coverage)
        return Skipped(
            **fields, cause="missing" if shortfall else "undefined", reason=str(difference)
        )
    pairs = difference.pairs
    zeros, shares = np.zeros(len(pairs)), pairs / len(pairs)
    weights = np.full(len(pairs), 1 / len(pairs))
    detectable_d = smallest_detectable_of_pairs(
        len(pairs), alpha=statistics.alpha, tests=max(corrected.family, 1)
    )
    spread = float(pairs.std(ddof=1)) if len(pairs) > 1 else 0.0
    detectable = detectable_d * spread if detectable_d and spread else None
    return Result(
        **fields,
        effect=difference.value,
        statistic=difference.value,
        p=PValue.model_validate(row.p, from_attributes=True),
        p_holm=corrected.holm,
        p_bh=corrected.benjamini_hochberg,
        family=corrected.family,
        family_of=family_name(row.test),
        interval=paired_limits(zeros, shares, weights, paired(zeros, shares, seed=statistics.seed)),
        detectable=detectable,
        verdict=verdict_of_pairs(
            difference,
            row.equity_set,
            p=row.p.value,
            p_holm=corrected.holm_two_sided,
            alpha=statistics.alpha,
            family=family_name(row.test),
            candidates=corrected.candidates,
            detectable=detectable,
        ),
        parts={f"{name} sentences": value for name, value in difference.by_feeling.items()},
        trainings=() if difference.alike else tuple(map(float, difference.trainings)),
        words=_scores(row, difference),
    )


def _scores(row: _MeasuredSet, difference: SentimentDifference) -> tuple[WordScore, ...]:
    """Return the difference of each pair, and the mean of the others."""
    total, count = float(difference.pairs.sum()), len(difference.pairs)
    return tuple(
        WordScore(
            word=row.equity_set.pairs[index].label,
            key=row.coverage.entries[row.equity_set.pairs[index].label],
            role=PAIR,
            score=float(score),
            without=(total - float(score)) / (count - 1) if count > 1 else None,
            gloss=row.equity_set.pairs[index].gloss,
        )
        for index, score in zip(row.usable, difference.pairs, strict=True)
    )


class EquityFound(NamedTuple):
    """What classifiers make of sentences that differ in the group alone, and what changed."""

    differences: tuple[Outcome, ...]
    changes: tuple[Change, ...]

    @property
    def outcomes(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        return [*self.differences, *self.changes]


def equity_task(
    models: Sequence[tuple[Embedding, int | None]],
    reviews: ReviewSet,
    tasks: Sequence[SentimentTask],
    *,
    folder: Path | None = None,
    statistics: Statistics | None = None,
    progress: Progress | None = None,
) -> EquityFound:
    """Train each network on all reviews through each model, and ask it the sentences.

    Args:
        models: Each with the place of the model that it is compared with; None if with none.
        reviews: What to learn; the sentences are those of its language.
        tasks: One a network; each pass is a training with its own seed, and folds play no part.
        folder: Where the answers of finished trainings are kept; without one nothing is.
        statistics: Level, smallest coverage and seed.
        progress: Called with (done, in all, what).
    """
    table = equity_table(reviews.language)
    reviews_hash = sha256(repr(reviews.reviews).encode()).hexdigest()[:12]
    outcomes: list[list[Outcome]] = []
    for task in tasks:
        classifier = {
            "network": task.network.name,
            **asdict(task.network),
            "seeds": [*task.seeds],
            "reviews": f"{reviews.name} ({reviews_hash})",
        }
        for model, _ in models:
            if progress:
                progress(len(outcomes), len(tasks) * len(models), f"{model.name}: {table.name}")
            # A regression twice: that both are the same says that there is no luck in it.
            seeds = task.seeds if task.is_random(split=True) else task.seeds[:1] * 2
            classifiers = ClassifiersOnDemand(reviews, model, task.network, tuple(seeds), folder)
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
    return EquityFound(
        tuple(outcome for differences in outcomes for outcome in differences), tuple(changes)
    )
