"""Which reviews are trained on and which predicted: folds that each pass draws anew."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import IntArray


@dataclass(frozen=True, eq=False)
class ReviewFold:
    """One training: the pass and its fold, and the places of the reviews learnt and predicted."""

    seed: int
    number: int
    learnt: IntArray
    predicted: IntArray


def folds_of(reviews: ReviewSet, seed: int, count: int) -> Iterator[ReviewFold]:
    """Give the folds of one pass: every review is predicted once, by what did not learn from it.

    Each class is shuffled by the seed and dealt out, so that folds have about equal shares of it.
    Reviews of the same text are in one fold: learnt from one, the other would be no test. A
    published split is one fold, whatever the seed.
    """
    places = np.arange(len(reviews))
    if reviews.split:
        tested = np.array([review.split == "test" for review in reviews.reviews])
        yield ReviewFold(seed, 0, places[~tested], places[tested])
        return
    number = _dealt(reviews, seed, count)
    for fold in range(count):
        yield ReviewFold(seed, fold, places[number != fold], places[number == fold])


def predicted_places(reviews: ReviewSet) -> IntArray:
    """Return the places of the reviews that a pass predicts: all, or those of the test part."""
    parts = enumerate(review.split for review in reviews.reviews)
    return np.array([place for place, part in parts if part != "train"], dtype=np.int64)


def check_folds(reviews: ReviewSet, count: int) -> None:
    """Refuse more folds than the smaller class has reviews, and fewer than two."""
    if reviews.split:
        return
    if count < 2:
        raise SettingError(f"{count} folds leave nothing to train on; choose 2 or more.")
    places = dict.fromkeys(first_places(reviews).tolist())
    positive = sum(reviews.reviews[place].positive for place in places)
    fewest = min(positive, len(places) - positive)
    if fewest < count:
        name = "positive" if positive == fewest else "negative"
        raise SettingError(
            f"{reviews.title} has {fewest} {name} review{'s' * (fewest != 1)} of different texts, "
            f"fewer than the {count} folds; "
            + ("choose fewer folds or " if fewest > 1 else "")
            + "use a larger set."
        )


def first_places(reviews: ReviewSet) -> IntArray:
    """Return for each review the place of the first one with the same text, but for its spaces."""
    first: dict[str, int] = {}
    texts = (" ".join(review.text.split()) for review in reviews.reviews)
    return np.array([first.setdefault(text, place) for place, text in enumerate(texts)])


def _dealt(reviews: ReviewSet, seed: int, count: int) -> IntArray:
    check_folds(reviews, count)
    generator = np.random.default_rng(seed)
    positive = np.array([review.positive for review in reviews.reviews])
    first = first_places(reviews)
    alone = first == np.arange(len(reviews))
    number = np.empty(len(reviews), dtype=np.int64)
    start = 0
    for side in (False, True):
        own = generator.permutation(np.flatnonzero(alone & (positive == side)))
        # The second class goes on where the first one ended, so that folds are equally large.
        number[own] = (start + np.arange(len(own))) % count
        start += len(own)
    return number[first]
