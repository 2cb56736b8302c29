"""The sentiment task for several models and their debiased versions, compared by figure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.text import short_repr
from fairvec.embedding import Embedding
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.comparison.before_after import ALPHA
from fairvec.experiments.comparison.change_kinds import name_utility_change
from fairvec.experiments.comparison.compare import change_fields
from fairvec.experiments.comparison.paired import paired
from fairvec.experiments.remarks import Remarks
from fairvec.experiments.sentiment.equity import EquityResults, run_equity
from fairvec.experiments.sentiment.learning import (
    TaskResult,
    as_interval,
    check_vocabulary,
    run_task,
    script_of_reviews,
)
from fairvec.languages.equity import equity_languages
from fairvec.languages.language import script_of_language
from fairvec.lexicon import Concept
from fairvec.messages.sentiment import (
    few_passes_note,
    leaked_note,
    longer_vectors_note,
    no_sentences_note,
    other_script_note,
    repeats_note,
    reviews_notes,
    vocabulary_note,
)
from fairvec.mitigation import Debiaser, fit_checked
from fairvec.results import Outcome
from fairvec.results.records import Change
from fairvec.results.verdicts import ChangeKind
from fairvec.stats import holm
from fairvec.stats.crossed import CrossedEstimate, crossed_difference
from fairvec.tasks.sentiment.classifiers import EncodedReviews, encode_reviews
from fairvec.tasks.sentiment.predictions import (
    TrainingProgress,
    check_folds,
    first_duplicates,
)
from fairvec.tasks.sentiment.task import FEWEST_PASSES, SentimentTask


def compare_task_results(pairs: Sequence[tuple[TaskResult, TaskResult]]) -> list[Change]:
    """Say what became of every figure of one model that was changed into another.

    The pairs are of the same two models, one a network. Each figure has a test over reviews and
    trainings; lost or gained is what it says after Holm's correction over all figures here, kept
    is what it allows to change by a margin at the most; of the rest no change is shown. Fewer than
    five passes decide nothing where another could come out differently.
    """
    tested = [
        (before, after, part, crossed_difference(before.figures[part], after.figures[part]))
        for before, after in pairs
        for part in after.figures
    ]
    corrected = holm(np.array([estimate.p for *_, estimate in tested]))
    return [
        _change(before, after, part, estimate, evident=is_significant(p, ALPHA))
        for (before, after, part, estimate), p in zip(tested, corrected, strict=True)
    ]


def _change(
    before: TaskResult, after: TaskResult, part: str, estimate: CrossedEstimate, *, evident: bool
) -> Change:
    outcome_before, outcome_after = before.outcomes[part], after.outcomes[part]
    predictions_before, predictions_after = before.predictions, after.predictions
    changed_reviews = int(
        (predictions_before.predicted_positive != predictions_after.predicted_positive)
        .any(axis=1)
        .sum()
    )
    p = estimate.p_value(changed_reviews, "two-way")
    difference = as_interval(estimate)
    enough_passes = after.task.has_enough_passes(split=after.reviews.split)
    kind: ChangeKind = "not-shown"
    if enough_passes or not changed_reviews:
        kind = name_utility_change(estimate.estimate, p, difference, evident=evident)
    items = len(predictions_after.indices)
    correct = [
        predictions.correct.mean(axis=1) / items
        for predictions in (predictions_before, predictions_after)
    ]
    return Change(
        **change_fields(outcome_before, outcome_after),
        value_before=outcome_before.value,
        value_after=outcome_after.value,
        p_before=None,
        p_after=None,
        alpha=ALPHA,
        kind=kind,
        paired=p,
        over_items=paired(*correct, seed=outcome_after.seed) if part == "accuracy" else None,
        difference=difference,
        items=items,
    )


LENGTH_TOLERANCE = 0.1
"""Vectors that are longer or shorter by this share are another input to an LSTM."""


@dataclass(frozen=True, eq=False)
class SentimentResults:
    """What several models make of the same reviews, by one network or several."""

    reviews: ReviewSet
    results: tuple[TaskResult, ...]
    """One a network and model, networks apart, in the order asked."""
    changes: tuple[Change, ...]
    remarks: tuple[str, ...]
    """What a person should know before reading the figures, in sentences."""
    equity: EquityResults | None = None
    """What the networks make of sentences that differ in the group alone, if they were asked."""

    @property
    def outcomes(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        figures = (outcome for result in self.results for outcome in result.outcomes.values())
        return [*figures, *self.changes, *(self.equity.outcomes if self.equity else ())]


def run_sentiment(
    models: Sequence[Embedding],
    reviews: ReviewSet,
    tasks: Sequence[SentimentTask],
    *,
    concept: Concept | None = None,
    methods: Sequence[Debiaser] = (),
    equity: bool = True,
    folder: Path | None = None,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> SentimentResults:
    """Learn the task from each model, and compare.

    Args:
        models: Embeddings of different names; a later one is compared with the first.
        reviews: What to learn.
        tasks: One a network, all of the same passes and folds.
        concept: What `methods` take out of every model.
        methods: Each gives every model a debiased twin, which is compared with its original.
        equity: Whether the networks are also asked sentences that differ in the group alone, if
            there are some in the language of the reviews.
        folder: Where finished trainings are kept; without one nothing is.
        progress: Called with (done, in all, what).
        on_remark: Called with each remark as soon as it is known.
    """
    if not models or not tasks:
        raise SettingError("The task needs at least one model and one network; name them.")
    if bool(methods) != (concept is not None):
        raise SettingError("A method takes a concept out of a model; name both or neither.")
    _refuse_equal_names(models)
    check_folds(reviews, max(task.folds for task in tasks))
    encoded = [encode_reviews(reviews, model) for model in models]
    warnings = [check_vocabulary(entry) for entry in encoded]
    remarks = Remarks(on_remark)
    for sentence in (*_review_notes(reviews, tasks), *warnings):
        remarks.add(sentence)
    compared_models = [(entry, 0 if index else None) for index, entry in enumerate(encoded)]
    compared_models += [
        (encode_reviews(reviews, _debias(model, method, concept)), index)
        for index, model in enumerate(models)
        for method in methods
    ]
    work = [(task, entry) for task in tasks for entry, _ in compared_models]
    results = [
        run_task(
            entry,
            task,
            folder=folder,
            progress=_part_progress(progress, index, len(work), entry.embedding),
        )
        for index, (task, entry) in enumerate(work)
    ]
    for entry, _ in compared_models:
        remarks.add(_vocabulary_note(entry))
    for entry, reference in compared_models:
        if reference is not None:
            remarks.add(_length_note(compared_models[reference][0], entry, tasks))
    by_network = [
        results[start : start + len(compared_models)]
        for start in range(0, len(results), len(compared_models))
    ]
    changes = [
        change
        for index, (_, reference) in enumerate(compared_models)
        if reference is not None
        for change in compare_task_results(
            [(entry[reference], entry[index]) for entry in by_network]
        )
    ]
    equity_results = None
    review_script = script_of_reviews(reviews)
    if equity and review_script != script_of_language(reviews.language, []):
        remarks.add(other_script_note(review_script, reviews.language))
    elif equity and reviews.language in equity_languages():
        equity_results = run_equity(compared_models, tasks, folder=folder, progress=progress)
    elif equity:
        remarks.add(no_sentences_note(reviews.language))
    return SentimentResults(
        reviews, tuple(results), tuple(changes), tuple(remarks.texts), equity_results
    )


def _part_progress(
    progress: Progress | None, index: int, count: int, model: Embedding
) -> TrainingProgress:
    """Return the progress of one network and model as a part of that of all."""

    def report(done: int, total: int) -> None:
        if progress:
            progress(index * total + done, count * total, model.name)

    return report


def _debias(model: Embedding, method: Debiaser, concept: Concept | None) -> Embedding:
    if concept is None:
        raise SettingError("A method takes a concept out of a model; name both or neither.")
    transform = fit_checked(method, model, concept)
    return transform.transform(model).with_name(f"{model.name}, {transform.name}")


def _refuse_equal_names(models: Sequence[Embedding]) -> None:
    names = [model.name for model in models]
    if duplicate := next((name for name in names if names.count(name) > 1), ""):
        raise SettingError(
            f"Two models are named {short_repr(duplicate)}, so that their figures could not be "
            "told apart; rename one of the files."
        )


def _review_notes(reviews: ReviewSet, tasks: Sequence[SentimentTask]) -> list[str]:
    positive = sum(review.positive for review in reviews.reviews)
    tested = [review.positive for review in reviews.reviews if review.split == "test"]
    outcomes = tested or [review.positive for review in reviews.reviews]
    majority_share = max(sum(outcomes), len(outcomes) - sum(outcomes)) / len(outcomes)
    split = (len(reviews) - len(tested), len(tested), sum(tested)) if reviews.split else None
    notes = [
        *reviews_notes(
            reviews.title,
            positive,
            len(reviews) - positive,
            reviews.dropped,
            _repeat_notes(reviews),
            split,
            majority_share,
        )
    ]
    too_few_passes = [task for task in tasks if not task.has_enough_passes(split=reviews.split)]
    if too_few_passes:
        names = [task.network.name for task in too_few_passes]
        notes.append(few_passes_note(too_few_passes[0].passes, FEWEST_PASSES, names))
    return notes


def _repeat_notes(reviews: ReviewSet) -> list[str]:
    """Say how many reviews repeat another one, and what that means."""
    first_places = first_duplicates(reviews)
    repeats = [index for index, first_index in enumerate(first_places) if index != first_index]
    if not repeats:
        return []
    if not reviews.split:
        return [repeats_note(len(repeats))]
    trained = {
        int(first_index)
        for first_index, review in zip(first_places, reviews.reviews, strict=True)
        if review.split == "train"
    }
    test_indices = (index for index, review in enumerate(reviews.reviews) if review.split == "test")
    leaked = sum(int(first_places[index]) in trained for index in test_indices)
    return [leaked_note(leaked)] if leaked else []


def _length_note(
    before: EncodedReviews, after: EncodedReviews, tasks: Sequence[SentimentTask]
) -> str:
    """Say so where a change of the lengths alone could change what an LSTM learns; else ""."""
    length_before, length_after = (
        float(np.sqrt((entry.texts.table**2).sum(axis=1).mean())) for entry in (before, after)
    )
    if (
        not length_before
        or abs(length_after / length_before - 1) <= LENGTH_TOLERANCE
        or all(task.network.name == "means" for task in tasks)
    ):
        return ""
    return longer_vectors_note(
        before.embedding.name, after.embedding.name, length_after / length_before
    )


def _vocabulary_note(encoded: EncodedReviews) -> str:
    texts = encoded.texts
    empty = int(texts.empty.sum())
    return vocabulary_note(encoded.embedding.name, texts.known, texts.tokens, empty)
