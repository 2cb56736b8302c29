"""Classifiers trained on all reviews, to be asked about other texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.tasks.sentiment.networks import MeansNetwork, Network
from fairvec.tasks.sentiment.reading import read_texts
from fairvec.tasks.sentiment.training import Trained, predicted, trained


@dataclass(frozen=True, eq=False)
class Classifiers:
    """One network a seed, all trained on the same reviews with the same embedding."""

    embedding: Embedding
    language: str
    network: Network
    seeds: tuple[int, ...]
    learnt: tuple[Trained, ...]
    share: float
    """Of the reviews that were learnt from so many are positive."""

    def predict(self, texts: Sequence[str]) -> FloatArray:
        """Return P(positive) of each text by each seed, in the shape (texts, seeds).

        A text without a known token has the share of positives among the reviews.
        """
        read = read_texts(texts, self.embedding, self.language)
        columns = [predicted(each, read, self.share) for each in self.learnt]
        return np.column_stack(columns) if texts else np.empty((0, len(self.seeds)))


def train_classifiers(
    reviews: ReviewSet, embedding: Embedding, network: Network, seeds: Sequence[int]
) -> Classifiers:
    """Train one network a seed on all reviews, those of a test part among them.

    In a regression on means nothing is random, so that all seeds share one.
    """
    if not seeds:
        raise SettingError("No seed is given; give at least one.")
    read = read_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    if len(np.unique(positive[~read.empty])) < 2:
        raise UndefinedError(
            f"{embedding.name} knows words of too few reviews of {reviews.title} to learn from "
            "both classes; use a model in the language of the reviews."
        )
    fixed = isinstance(network, MeansNetwork)
    learnt = [trained(read, positive, network, seed) for seed in (seeds[:1] if fixed else seeds)]
    return Classifiers(
        embedding,
        reviews.language,
        network,
        tuple(seeds),
        tuple(learnt * len(seeds) if fixed else learnt),
        float(positive.mean()),
    )
