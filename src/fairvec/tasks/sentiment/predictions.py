"""What a network says of every review that it was not trained on, pass by pass."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.benchmarks import ReviewSet
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.stats.arrays import IntArray
from fairvec.tasks.sentiment.folds import ReviewFold, check_folds, folds_of, predicted_places
from fairvec.tasks.sentiment.kept_answers import KeptAnswers, decides
from fairvec.tasks.sentiment.networks import Network
from fairvec.tasks.sentiment.reading import TextsRead, read_texts
from fairvec.tasks.sentiment.training import predicted, trained

Told = Callable[[int, int], None]
"""Called with (trainings done, trainings in all)."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """P(positive) of each review by each pass, in the shape (reviews, passes).

    `places` says which reviews of the set they are, and `positive` what people say of them.
    """

    places: IntArray
    positive: NDArray[np.bool_]
    chances: FloatArray
    read: TextsRead

    @property
    def called(self) -> NDArray[np.bool_]:
        """Whether a review is called positive: P(positive) is above one half."""
        called: NDArray[np.bool_] = self.chances > 0.5
        return called

    @property
    def correct(self) -> FloatArray:
        """1 where a review is called what it is, else 0."""
        right: NDArray[np.bool_] = self.called == self.positive[:, None]
        return right.astype(np.float64)


def predictions(
    reviews: ReviewSet,
    embedding: Embedding,
    network: Network,
    seeds: Sequence[int],
    folds: int = 5,
    *,
    folder: Path | None = None,
    progress: Told | None = None,
) -> Predictions:
    """Train the network on the folds of each pass and predict the reviews it did not see.

    A pass is one seed: folds are dealt anew, and the network starts anew. With a `folder` the
    answers of each training are kept there by a hash of all that decides them, whole or not at
    all, so that an interrupted run goes on and the same run again trains nothing.
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise SettingError("Each pass needs a seed of its own; give at least one, none twice.")
    check_folds(reviews, folds)
    read = read_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    work = [fold for seed in seeds for fold in folds_of(reviews, seed, folds)]
    chances = np.zeros((len(reviews), len(seeds)))
    dealt = {"folds": 1 if reviews.split else folds}
    kept = KeptAnswers(folder, decides(reviews, embedding, network) | dealt)
    for done, fold in enumerate(work):
        if progress:
            progress(done, len(work))
        about = {"seed": fold.seed, "fold": fold.number}
        answer = kept.get(about, len(fold.predicted))
        if answer is None:
            answer = _answer(read, positive, network, fold, embedding.name)
            kept.put(about, answer)
        chances[fold.predicted, seeds.index(fold.seed)] = answer
    if progress:
        progress(len(work), len(work))
    places = predicted_places(reviews)
    return Predictions(places, positive[places], chances[places], read)


def _answer(
    read: TextsRead, positive: NDArray[np.bool_], network: Network, fold: ReviewFold, name: str
) -> FloatArray:
    own = read.some(fold.learnt)
    if len(np.unique(positive[fold.learnt][~own.empty])) < 2:
        raise UndefinedError(
            f"{name} knows words of too few reviews to learn from both classes; use a model in "
            "the language of the reviews."
        )
    # Every training has luck of its own; seeds that differ by one must not share it.
    (luck,) = np.random.SeedSequence([fold.seed, fold.number]).generate_state(1)
    learnt = trained(own, positive[fold.learnt], network, int(luck))
    share = float(positive[fold.learnt].mean())
    return predicted(learnt, read.some(fold.predicted), share)
