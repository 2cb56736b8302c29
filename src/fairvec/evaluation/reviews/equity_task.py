"""Bias in the task for several models and their debiased twins: what shell and Python call."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fairvec.benchmarks import ReviewSet
from fairvec.embedding import Embedding
from fairvec.evaluation.equity import sentiment_changes, sentiment_differences
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.run import Progress
from fairvec.lexicon.equity import equity_table
from fairvec.results import Change, Outcome
from fairvec.tasks.sentiment.classifiers import ClassifiersOnDemand
from fairvec.tasks.sentiment.task import SentimentTask


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
    read = sha256(repr(reviews.reviews).encode()).hexdigest()[:12]
    found: list[list[Outcome]] = []
    for task in tasks:
        classifier = {
            "network": task.network.name,
            **asdict(task.network),
            "seeds": [*task.seeds],
            "reviews": f"{reviews.name} ({read})",
        }
        for model, _ in models:
            if progress:
                progress(len(found), len(tasks) * len(models), f"{model.name}: {table.name}")
            # A regression twice: that both are the same says that there is no luck in it.
            seeds = task.seeds if task.by_luck(split=True) else task.seeds[:1] * 2
            asked = ClassifiersOnDemand(reviews, model, task.network, tuple(seeds), folder)
            found.append(
                sentiment_differences(
                    asked.predict,
                    model,
                    table,
                    classifier=classifier,
                    by=task.network.name,
                    statistics=statistics,
                )
            )
    changes = [
        change
        for start in range(0, len(found), len(models))
        for place, (_, against) in enumerate(models)
        if against is not None
        for change in sentiment_changes(found[start + against], found[start + place])
    ]
    return EquityFound(tuple(one for each in found for one in each), tuple(changes))
