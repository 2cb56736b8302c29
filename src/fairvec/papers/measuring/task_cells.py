"""A task in a paper's tables: learnt the paper's way, and ours."""

from collections.abc import Iterator

from fairvec.benchmarks import ReviewColumns, ReviewSet, reviews_of
from fairvec.catalogue.cache import cache_folder
from fairvec.embedding import Embedding
from fairvec.evaluation.reviews.learning import Learnt, learn, refuse_other_texts
from fairvec.ground.errors import FairvecError
from fairvec.papers.measuring.debiased import Columns
from fairvec.papers.measuring.debiasing import Debiasing, FitKind
from fairvec.papers.printed.schema import PaperTask, Settings
from fairvec.results import Description, Outcome
from fairvec.tasks.sentiment.networks import LstmNetwork, MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask

OURS = SentimentTask(MeansNetwork())
"""Five passes of a regression on means: what the vectors are worth, without the luck of a net."""


class TaskCells:
    """What the columns of a model learn from reviews; everything is learnt once, and kept."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._known: dict[tuple[str, SentimentTask, Debiasing | None, FitKind], Learnt | str] = {}

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All figures so far."""
        learnt = (one for one in self._known.values() if isinstance(one, Learnt))
        return tuple(figure for each in learnt for figure in each.outcomes.values())

    def papers_way(self, wanted: Settings, task: PaperTask) -> Description | str:
        """Return the figure as the paper has it: its network, its labels, its split, one training.

        Or say in words why there is none.
        """
        network = SentimentTask(LstmNetwork(length=task.length), passes=1)
        reviews = reviews_of(task.reviews, "", columns=ReviewColumns(split=task.split))
        how = wanted.debias
        fit: FitKind = "as-published" if how and how.as_published else "default"
        return self._figure(wanted, self._learnt(reviews, network, how, fit))

    def our_way(self, wanted: Settings, task: PaperTask) -> Description | str:
        """Return the figure with true labels: five passes of five folds of a plain regression."""
        return self._figure(wanted, self.learnt(wanted, task))

    def learnt(self, wanted: Settings, task: PaperTask) -> Learnt | str:
        """Return all that was learnt our way, item by item, or why nothing was."""
        return self._learnt(reviews_of(task.corrected, ""), OURS, wanted.debias, "default")

    def notes(self, wanted: Settings, task: PaperTask) -> Iterator[str]:
        """Say what the two figures are."""
        yield (
            f"The paper's way: one LSTM on {task.reviews}, the last {task.length} words of a "
            "review, its own split; one training, whose luck alone moves accuracy by some points."
        )
        ours = self.our_way(wanted, task)
        if isinstance(ours, Description) and ours.interval:
            yield (
                f"The default: a regression on means, {task.corrected}, five passes of five folds; "
                f"{ours.interval.low:.2f} to {ours.interval.high:.2f}."
            )

    def _figure(self, wanted: Settings, learnt: Learnt | str) -> Description | str:
        if isinstance(learnt, str):
            return learnt
        return learnt.outcomes[part_of_task(wanted)]

    def _learnt(
        self, reviews: ReviewSet, task: SentimentTask, how: Debiasing | None, fit: FitKind
    ) -> Learnt | str:
        key = reviews.name, task, how, fit
        if key not in self._known:
            column = self._columns.whole(how, fit)
            self._known[key] = column.refusal or _tried(column.vectors, reviews, task)
        return self._known[key]


def part_of_task(wanted: Settings) -> str:
    """Return the figure of a task that a cell shows: of one class, or of both."""
    of_both = wanted.part == "accuracy" or not wanted.of_class
    part = wanted.part if of_both else f"{wanted.part}, {wanted.of_class}"
    return part or "accuracy"


def _tried(model: Embedding, reviews: ReviewSet, task: SentimentTask) -> Learnt | str:
    try:
        refuse_other_texts(model, reviews)
        return learn(model, reviews, task, folder=cache_folder() / "trainings")
    except FairvecError as error:
        return str(error)
