"""The sentiment task for several models, and two of them figure by figure."""

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

# Two embeddings on the same reviews, figure by figure: what a change of one did to the task.


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
    corrected = holm(np.array([found.p for *_, found in tested]))
    return [
        _change(before, after, part, found, evident=is_significant(surely, ALPHA))
        for (before, after, part, found), surely in zip(tested, corrected, strict=True)
    ]


def _change(
    before: LearnedTask, after: LearnedTask, part: str, found: CrossedEstimate, *, evident: bool
) -> Change:
    was, is_now = before.outcomes[part], after.outcomes[part]
    old, new = before.found, after.found
    moved = int((old.called != new.called).any(axis=1).sum())
    p = PairedP(value=found.p, low=found.p, high=found.p, method="two-way", changed=moved)
    difference = as_interval(found)
    decided = after.task.has_enough_passes(split=after.reviews.split)
    kind: ChangeKind = "unclear"
    if decided or not moved:
        kind = kind_of_step(found.estimate, p, difference, evident=evident)
    items = len(new.places)
    correct = [each.correct.mean(axis=1) / items for each in (old, new)]
    return Change(
        test=is_now.test,
        model=is_now.model,
        metric=is_now.metric,
        similarity="",
        described=is_now.described,
        coverage=(),
        fitted_words=is_now.fitted_words,
        smallest_coverage=is_now.smallest_coverage,
        seed=is_now.seed,
        versions=is_now.versions,
        before=was.model,
        value_before=was.value,
        value_after=is_now.value,
        interval_before=was.interval,
        interval_after=is_now.interval,
        p_before=None,
        p_after=None,
        alpha=ALPHA,
        kind=kind,
        paired=p,
        over_items=paired(*correct, seed=is_now.seed) if part == "accuracy" else None,
        difference=difference,
        items=items,
    )


OTHER_LENGTHS = 0.1
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
        figures = (one for each in self.learnt for one in each.outcomes.values())
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
    _refuse_two_of_a_name(models)
    check_folds(reviews, max(task.folds for task in tasks))
    for model in models:
        check_script(model, reviews)
    remarks = Remarks(on_remark)
    for sentence in _about(reviews, tasks):
        remarks.add(sentence)
    lines = [(each, 0 if at else None) for at, each in enumerate(models)]
    lines += [(_twin(each, by, concept), at) for at, each in enumerate(models) for by in methods]
    work = [(task, model) for task in tasks for model, _ in lines]
    learnt = [
        train_task(
            model, reviews, task, folder=folder, progress=_part_of(progress, at, len(work), model)
        )
        for at, (task, model) in enumerate(work)
    ]
    for each in learnt[: len(lines)]:
        remarks.add(_about_words(each))
    for place, (_, against) in enumerate(lines):
        if against is not None:
            remarks.add(_about_lengths(learnt[against], learnt[place], tasks))
    by_network = [learnt[start : start + len(lines)] for start in range(0, len(learnt), len(lines))]
    changes = [
        one
        for place, (_, against) in enumerate(lines)
        if against is not None
        for one in changes_between([(each[against], each[place]) for each in by_network])
    ]
    asked = None
    other = script_of_reviews(reviews)
    if equity and other != script_of_language(reviews.language, []):
        remarks.add(
            f"The reviews are written in {other} letters, and {reviews.language!r}, the model's "
            "language, is not: bias in the task was not measured."
        )
    elif equity and reviews.language in equity_languages():
        asked = equity_task(lines, reviews, tasks, folder=folder, progress=progress)
    elif equity:
        remarks.add(
            f"Bias in the task was not measured: there are no sentences in {reviews.language!r}."
        )
    return SentimentFound(reviews, tuple(learnt), tuple(changes), tuple(remarks.said), asked)


def _part_of(progress: Progress | None, at: int, of: int, model: Embedding) -> TrainingProgress:
    """Tell of the trainings of one network and model as of a part of all."""

    def told(done: int, every: int) -> None:
        if progress:
            progress(at * every + done, of * every, model.name)

    return told


def _twin(model: Embedding, method: Debiaser, concept: Concept | None) -> Embedding:
    if concept is None:
        raise SettingError("A method takes a concept out of a model; name both or neither.")
    transform = fit_checked(method, model, concept)
    return transform.transform(model).named(f"{model.name}, {transform.name}")


def _refuse_two_of_a_name(models: Sequence[Embedding]) -> None:
    names = [model.name for model in models]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise SettingError(
            f"Two models are named {short_repr(twice)}, so that their figures could not be told "
            "apart; rename one of the files."
        )


def _about(reviews: ReviewSet, tasks: Sequence[SentimentTask]) -> list[str]:
    positive = sum(review.positive for review in reviews.reviews)
    said = [
        f"{reviews.title}: {len(reviews):,} reviews, {positive:,} positive and "
        f"{len(reviews) - positive:,} negative."
    ]
    if reviews.dropped:
        counts = ", ".join(f"{count:,} {name}" for name, count in reviews.dropped)
        said.append(f"Dropped: {counts}.")
    said += _about_repeats(reviews)
    tested = [review.positive for review in reviews.reviews if review.split == "test"]
    if reviews.split:
        said.append(
            f"By the set's own split {len(reviews) - len(tested):,} reviews are trained on and "
            f"{len(tested):,} predicted, {sum(tested):,} of them positive."
        )
    own = tested or [review.positive for review in reviews.reviews]
    most = max(sum(own), len(own) - sum(own)) / len(own)
    said.append(f"Calling every review by the commoner class is right in {most:.1%}.")
    few = [task for task in tasks if not task.has_enough_passes(split=reviews.split)]
    if few:
        names = " and ".join(task.network.name for task in few)
        lacking = "not" if few[0].passes == 1 else "only roughly"
        said.append(
            f"With {few[0].passes} of at least {FEWEST_PASSES} passes of {names} the luck of "
            f"training is {lacking} in intervals and p, so that no change is called lost, gained "
            "or kept; ask for more with --seeds."
        )
    return said


def _about_repeats(reviews: ReviewSet) -> list[str]:
    """Say how many reviews repeat another one, and what that means."""
    first = first_duplicates(reviews)
    repeats = [place for place, other in enumerate(first) if place != other]
    if not repeats:
        return []
    if not reviews.split:
        return [f"Texts that repeat another: {len(repeats):,}; each is in the fold of the other."]
    learnt = {
        int(other)
        for other, review in zip(first, reviews.reviews, strict=True)
        if review.split == "train"
    }
    tested = (at for at, review in enumerate(reviews.reviews) if review.split == "test")
    seen = sum(int(first[at]) in learnt for at in tested)
    return [f"Of the reviews to test on {seen:,} are in the training part too."] if seen else []


def _about_lengths(before: LearnedTask, after: LearnedTask, tasks: Sequence[SentimentTask]) -> str:
    """Say so where a change of the lengths alone could change what an LSTM learns; else ""."""
    was, is_now = (
        float(np.sqrt((each.found.read.table**2).sum(axis=1).mean())) for each in (before, after)
    )
    if (
        not was
        or abs(is_now / was - 1) <= OTHER_LENGTHS
        or all(one.network.name == "means" for one in tasks)
    ):
        return ""
    return (
        f"The vectors of {after.embedding.name} are {is_now / was:.2f} times as long as those of "
        f"{before.embedding.name}, and an LSTM notices that whatever else was changed; the "
        "regression on means does not."
    )


def _about_words(one: LearnedTask) -> str:
    read = one.found.read
    empty = int(read.empty.sum())
    without = f"; {pluralize(empty, 'review has', 'reviews have')} no known token" if empty else ""
    return (
        f"{one.embedding.name} knows {read.known:,} of {read.tokens:,} tokens "
        f"({read.known / read.tokens:.1%}); the others are dropped{without}."
    )
