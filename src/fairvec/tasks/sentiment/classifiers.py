"""Classifiers trained on all reviews, to be asked about other texts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.tasks.sentiment.kept_answers import KeptAnswers, decides
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


@dataclass(frozen=True, eq=False)
class ClassifiersOnDemand:
    """The same classifiers, trained when they are first asked what no file has kept."""

    reviews: ReviewSet
    embedding: Embedding
    network: Network
    seeds: tuple[int, ...]
    folder: Path | None = None
    _trained: dict[int, Classifiers] = field(default_factory=dict)

    def predict(self, texts: Sequence[str]) -> FloatArray:
        """Return P(positive) of each text by each seed, in the shape (texts, seeds)."""
        kept = KeptAnswers(self.folder, decides(self.reviews, self.embedding, self.network))
        asked = sha256(repr([*texts]).encode("utf-8", "surrogatepass")).hexdigest()
        found: dict[int, FloatArray] = {}
        for seed in dict.fromkeys(self.seeds):
            about = {"seed": seed, "learnt": "all", "texts": asked}
            answer = kept.get(about, len(texts))
            if answer is None:
                answer = self._of(seed).predict(texts)[:, 0]
                kept.put(about, answer)
            found[seed] = answer
        return np.column_stack([found[seed] for seed in self.seeds])

    def _of(self, seed: int) -> Classifiers:
        if seed not in self._trained:
            self._trained[seed] = train_classifiers(
                self.reviews, self.embedding, self.network, [seed]
            )
        return self._trained[seed]
