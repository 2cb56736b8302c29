"""The sentiment task: network, passes and folds, and the classification scores."""

from dataclasses import asdict, field
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from fairvec.core.settings import Seed, settings
from fairvec.stats.crossed import CrossedRatio
from fairvec.tasks.sentiment.classifiers import MeansNetwork, Network
from fairvec.tasks.sentiment.predictions import Predictions

SEEDS_APART = 10_000
"""Distance between the seeds of two tasks, so that their passes never share one."""

FEWEST_PASSES = 5
"""With fewer passes the variance is so uncertain that p is too often small under the null."""

Passes = Annotated[
    int,
    Field(
        ge=1,
        le=SEEDS_APART,
        description="Passes: trainings from other folds and other weights.",
    ),
]
Folds = Annotated[
    int, Field(ge=2, description="Parts of the reviews, each predicted from the others.")
]


@settings(called="sentiment")
class SentimentTask:
    """A network that learns whether a review is for or against, in several passes.

    A pass is one seed of folds, weights and order. More passes of the same seed go on where fewer
    ended.
    """

    network: Annotated[Network, Field(description="What learns.")] = field(
        default_factory=MeansNetwork
    )
    passes: Passes = 5
    folds: Folds = 5
    seed: Annotated[Seed, Field(description="Seed of everything random.")] = 0

    @property
    def name(self) -> str:
        """The name that outcomes give it, as in sentiment-lstm."""
        return f"sentiment-{self.network.name}"

    @property
    def meaning(self) -> str:
        """What large and small values say."""
        how = (
            "a logistic regression on the mean of the word vectors"
            if isinstance(self.network, MeansNetwork)
            else "an LSTM on the frozen word vectors"
        )
        return (
            f"1: {how} calls every review what people call it; accuracy is the share it calls so, "
            "precision that among those it calls of a class, recall that among those that are of "
            "the class, f1 their harmonic mean. No review is predicted by a network that learnt "
            "from it, and the figure is the mean over the passes."
        )

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each pass."""
        return tuple(self.seed * SEEDS_APART + number for number in range(self.passes))

    def settings(self, *, split: bool) -> dict[str, Any]:
        """Return every setting that changes a figure; a published split has no folds."""
        return {
            "network": self.network.name,
            **asdict(self.network),
            "passes": self.passes,
            "folds": None if split else self.folds,
            "vectors": "frozen; in the ball those of the tangent space at the origin (log0)",
            "unknown tokens": "dropped",
            "reviews without a known token": "predicted as the commoner class",
            "called positive": "P > 0.5",
        }

    def is_random(self, *, split: bool) -> bool:
        """Whether another pass could give other figures."""
        return not (split and isinstance(self.network, MeansNetwork))

    def has_enough_passes(self, *, split: bool) -> bool:
        """Whether the passes are enough to call a change lost, gained or kept."""
        return self.passes >= FEWEST_PASSES or not self.is_random(split=split)


def classification_scores(predictions: Predictions) -> dict[str, CrossedRatio]:
    """Return the figures by name: accuracy; precision, recall and f1 of each class.

    accuracy    called what they are / all
    precision   rightly called so / called so
    recall      rightly called so / being so
    f1          2 rightly called so / (called so + being so)
    """
    called = predictions.predicted_positive
    labels = np.broadcast_to(predictions.positive[:, None], called.shape)
    figures = {"accuracy": CrossedRatio(predictions.correct, np.ones_like(predictions.correct))}
    for name, side in (("negative", False), ("positive", True)):
        called_so, is_so = (called == side).astype(np.float64), (labels == side).astype(np.float64)
        figures[f"precision, {name}"] = CrossedRatio(called_so * is_so, called_so)
        figures[f"recall, {name}"] = CrossedRatio(called_so * is_so, is_so)
        figures[f"f1, {name}"] = CrossedRatio(2 * called_so * is_so, called_so + is_so)
    return figures
