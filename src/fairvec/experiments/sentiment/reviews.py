"""The sentiment task for several models and their debiased versions, compared by figure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant, pluralize
from fairvec.core.text import short_repr
from fairvec.embedding import Embedding
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.comparison.before_after import ALPHA, kind_of_step
from fairvec.experiments.comparison.paired import paired
from fairvec.experiments.remarks import Remarks
from fairvec.experiments.sentiment.equity import EquityFound, equity_task
from fairvec.experiments.sentiment.learning import (
    LearnedTask,
    as_interval,
    check_script,
    script_of_reviews,
    train_task,
)
from fairvec.languages.equity import equity_languages
from fairvec.languages.language import script_of_language
from fairvec.lexicon import Concept
from fairvec.mitigation import Debiaser, fit_checked
from fairvec.results import Change, ChangeKind, Outcome, PairedP
from fairvec.stats import holm
from fairvec.stats.crossed import CrossedEstimate, crossed_difference
from fairvec.tasks.sentiment.predictions import TrainingProgress, check_folds, first_duplicates
from fairvec.tasks.sentiment.task import FEWEST_PASSES, SentimentTask


def changes_between(pairs: Sequence[tuple[LearnedTask, LearnedTask]]) -> list[Change]:
    """Say what became of every figure of one model that was changed into another.

    The pairs are of the same two models, one a network. Each figure has a test over reviews and
    trainings; lost or gained is what it says after Holm's correction over all figures here, kept
    is what it allows to change by a margin at the most, and the rest is unclear. Fewer than five
    passes decide nothing where another could come out differently.
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
    before: LearnedTask, after: LearnedTask, part: str, estimate: CrossedEstimate, *, evident: bool
) -> Change:
    outcome_before, outcome_after = before.outcomes[part], after.outcomes[part]
    predictions_before, predictions_after = before.found, after.found
    changed_reviews = int((predictions_before.called != predictions_after.called).any(axis=1).sum())
    p = PairedP(
        value=estimate.p, low=estimate.p, high=estimate.p, method="two-way", changed=changed_reviews
    )
    difference = as_interval(estimate)
    enough_passes = after.task.has_enough_passes(split=after.reviews.split)
    kind: ChangeKind = "unclear"
    if enough_passes or not changed_reviews:
        kind = kind_of_step(estimate.estimate, p, difference, evident=evident)
    items = len(predictions_after.places)
    correct = [
        predictions.correct.mean(axis=1) / items
        for predictions in (predictions_before, predictions_after)
    ]
    return Change(
        test=outcome_after.test,
        model=outcome_after.model,
        metric=outcome_after.metric,
        similarity="",
        described=outcome_after.described,
        coverage=(),
        fitted_words=outcome_after.fitted_words,
        smallest_coverage=outcome_after.smallest_coverage,
        seed=outcome_after.seed,
        versions=outcome_after.versions,
        before=outcome_before.model,
        value_before=outcome_before.value,
        value_after=outcome_after.value,
        interval_before=outcome_before.interval,
        interval_after=outcome_after.interval,
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
class SentimentFound:
    """What several models make of the same reviews, by one network or several."""

    reviews: ReviewSet
    learnt: tuple[LearnedTask, ...]
    """One a network and model, networks apart, in the order asked."""
    changes: tuple[Change, ...]
    remarks: tuple[str, ...]
    """What a person should know before reading the figures, in sentences."""
    equity: EquityFound | None = None
    """What the networks make of sentences that differ in the group alone, if they were asked."""

    @property
    def outcomes(self) -> list[Outcome]:
        """Everything, as results.jsonl holds it."""
        figures = (outcome for learned in self.learnt for outcome in learned.outcomes.values())
        return [*figures, *self.changes, *(self.equity.outcomes if self.equity else ())]


def sentiment_task(
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
) -> SentimentFound:
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
    for model in models:
        check_script(model, reviews)
    remarks = Remarks(on_remark)
    for sentence in _review_notes(reviews, tasks):
        remarks.add(sentence)
    compared_models = [(entry, 0 if index else None) for index, entry in enumerate(models)]
    compared_models += [
        (_debias(entry, method, concept), index)
        for index, entry in enumerate(models)
        for method in methods
    ]
    work = [(task, model) for task in tasks for model, _ in compared_models]
    learnt = [
        train_task(
            model,
            reviews,
            task,
            folder=folder,
            progress=_part_progress(progress, index, len(work), model),
        )
        for index, (task, model) in enumerate(work)
    ]
    for entry in learnt[: len(compared_models)]:
        remarks.add(_vocabulary_note(entry))
    for index, (_, reference) in enumerate(compared_models):
        if reference is not None:
            remarks.add(_length_note(learnt[reference], learnt[index], tasks))
    by_network = [
        learnt[start : start + len(compared_models)]
        for start in range(0, len(learnt), len(compared_models))
    ]
    changes = [
        change
        for index, (_, reference) in enumerate(compared_models)
        if reference is not None
        for change in changes_between([(entry[reference], entry[index]) for entry in by_network])
    ]
    equity_found = None
    review_script = script_of_reviews(reviews)
    if equity and review_script != script_of_language(reviews.language, []):
        remarks.add(
            f"The reviews are written in {review_script} letters, and {reviews.language!r}, the "
            "model's language, is not: bias in the task was not measured."
        )
    elif equity and reviews.language in equity_languages():
        equity_found = equity_task(
            compared_models, reviews, tasks, folder=folder, progress=progress
        )
    elif equity:
        remarks.add(
            f"Bias in the task was not measured: there are no sentences in {reviews.language!r}."
        )
    return SentimentFound(
        reviews, tuple(learnt), tuple(changes), tuple(remarks.texts), equity_found
    )


def _part_progress(
    progress: Progress | None, index: int, count: int, model: Embedding
) -> TrainingProgress:
    """Tell of the trainings of one network and model as of a part of all."""

    def report(done: int, total: int) -> None:
        if progress:
            progress(index * total + done, count * total, model.name)

    return report


def _debias(model: Embedding, method: Debiaser, concept: Concept | None) -> Embedding:
    if concept is None:
        raise SettingError("A method takes a concept out of a model; name both or neither.")
    transform = fit_checked(method, model, concept)
    return transform.transform(model).named(f"{model.name}, {transform.name}")


def _refuse_equal_names(models: Sequence[Embedding]) -> None:
    names = [model.name for model in models]
    if duplicate := next((name for name in names if names.count(name) > 1), ""):
        raise SettingError(
            f"Two models are named {short_repr(duplicate)}, so that their figures could not be "
            "told apart; rename one of the files."
        )


def _review_notes(reviews: ReviewSet, tasks: Sequence[SentimentTask]) -> list[str]:
    positive = sum(review.positive for review in reviews.reviews)
    notes = [
        f"{reviews.title}: {len(reviews):,} reviews, {positive:,} positive and "
        f"{len(reviews) - positive:,} negative."
    ]
    if reviews.dropped:
        counts = ", ".join(f"{count:,} {name}" for name, count in reviews.dropped)
        notes.append(f"Dropped: {counts}.")
    notes += _repeat_notes(reviews)
    tested = [review.positive for review in reviews.reviews if review.split == "test"]
    if reviews.split:
        notes.append(
            f"By the set's own split {len(reviews) - len(tested):,} reviews are trained on and "
            f"{len(tested):,} predicted, {sum(tested):,} of them positive."
        )
    outcomes = tested or [review.positive for review in reviews.reviews]
    majority_share = max(sum(outcomes), len(outcomes) - sum(outcomes)) / len(outcomes)
    notes.append(f"Calling every review by the commoner class is right in {majority_share:.1%}.")
    too_few_passes = [task for task in tasks if not task.has_enough_passes(split=reviews.split)]
    if too_few_passes:
        names = " and ".join(task.network.name for task in too_few_passes)
        how_included = "not" if too_few_passes[0].passes == 1 else "only roughly"
        notes.append(
            f"With {too_few_passes[0].passes} of at least {FEWEST_PASSES} passes of {names} the "
            f"luck of training is {how_included} in intervals and p, so that no change is called "
            "lost, gained or kept; ask for more with --seeds."
        )
    return notes


def _repeat_notes(reviews: ReviewSet) -> list[str]:
    """Say how many reviews repeat another one, and what that means."""
    first_places = first_duplicates(reviews)
    repeats = [index for index, first_index in enumerate(first_places) if index != first_index]
    if not repeats:
        return []
    if not reviews.split:
        return [f"Texts that repeat another: {len(repeats):,}; each is in the fold of the other."]
    trained = {
        int(first_index)
        for first_index, review in zip(first_places, reviews.reviews, strict=True)
        if review.split == "train"
    }
    test_indices = (index for index, review in enumerate(reviews.reviews) if review.split == "test")
    leaked = sum(int(first_places[index]) in trained for index in test_indices)
    return [f"Of the reviews to test on {leaked:,} are in the training part too."] if leaked else []


def _length_note(before: LearnedTask, after: LearnedTask, tasks: Sequence[SentimentTask]) -> str:
    """Say so where a change of the lengths alone could change what an LSTM learns; else ""."""
    length_before, length_after = (
        float(np.sqrt((learned.found.read.table**2).sum(axis=1).mean()))
        for learned in (before, after)
    )
    if (
        not length_before
        or abs(length_after / length_before - 1) <= LENGTH_TOLERANCE
        or all(task.network.name == "means" for task in tasks)
    ):
        return ""
    return (
        f"The vectors of {after.embedding.name} are {length_after / length_before:.2f} times as "
        f"long as those of {before.embedding.name}, and an LSTM notices that whatever else was "
        "changed; the regression on means does not."
    )


def _vocabulary_note(learned: LearnedTask) -> str:
    encoded = learned.found.read
    empty = int(encoded.empty.sum())
    empty_note = (
        (f"; {pluralize(empty, 'review has', 'reviews have')} no known token") if empty else ""
    )
    return (
        f"{learned.embedding.name} knows {encoded.known:,} of {encoded.tokens:,} tokens "
        f"({encoded.known / encoded.tokens:.1%}); the others are dropped{empty_note}."
    )
