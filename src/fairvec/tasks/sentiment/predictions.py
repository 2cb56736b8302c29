"""Cross-validated predictions of reviews, a cache of them, and classifiers of other texts.

make_folds            stratified folds that each pass draws anew; copies of a text share a fold
cached_predictions    predictions of finished trainings, kept by what decides them
cross_validate        P(positive) of every review, by a classifier that was not trained on it
cross_validate_all    the same of several embeddings, all trainings side by side
SentimentClassifiers  classifiers trained on all reviews, only if a prediction is not cached
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from os import cpu_count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import MissingExtraError, SettingError, UndefinedError
from fairvec.core.io.cache import digest_of, entry_path, key_text, read_entry, write_entry
from fairvec.core.numeric import IntArray
from fairvec.core.parsing import parse_json
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.geometry import FloatArray
from fairvec.tasks.sentiment.classifiers import (
    EncodedReviews,
    EncodedTexts,
    FittedClassifier,
    MeansNetwork,
    Network,
    encode_texts,
    fit_classifier,
    predict_with_prior,
)


@dataclass(frozen=True, eq=False)
class ReviewFold:
    """One training: its pass (`seed`) and fold, and the indices of training and test reviews."""

    seed: int
    number: int
    train: IntArray
    test: IntArray


def make_folds(reviews: ReviewSet, seed: int, count: int) -> Iterator[ReviewFold]:
    """Yield the folds of one pass: every review is predicted once, by what did not learn from it.

    Each class is shuffled by the seed and dealt out, so that folds have about equal shares of it.
    Reviews of the same text are in one fold: learnt from one, the other would be no test. A
    published split is one fold, whatever the seed.
    """
    indices = np.arange(len(reviews))
    if reviews.split:
        is_test = np.array([review.split == "test" for review in reviews.reviews])
        yield ReviewFold(seed, 0, indices[~is_test], indices[is_test])
        return
    fold_numbers = _assign_folds(reviews, seed, count)
    for fold in range(count):
        yield ReviewFold(seed, fold, indices[fold_numbers != fold], indices[fold_numbers == fold])


def test_indices(reviews: ReviewSet) -> IntArray:
    """Return the places of the reviews that a pass predicts: all, or those of the test part."""
    parts = enumerate(review.split for review in reviews.reviews)
    return np.array([index for index, part in parts if part != "train"], dtype=np.int64)


def check_folds(reviews: ReviewSet, count: int) -> None:
    """Refuse more folds than the smaller class has reviews, and fewer than two."""
    if reviews.split:
        return
    if count < 2:
        raise SettingError(f"{count} folds leave nothing to train on; choose 2 or more.")
    indices = dict.fromkeys(first_duplicates(reviews).tolist())
    positive = sum(reviews.reviews[index].positive for index in indices)
    fewest = min(positive, len(indices) - positive)
    if fewest < count:
        name = "positive" if positive == fewest else "negative"
        raise SettingError(
            f"{reviews.title} has {fewest} {name} review{'s' * (fewest != 1)} of different texts, "
            f"fewer than the {count} folds; "
            + ("choose fewer folds or " if fewest > 1 else "")
            + "use a larger set."
        )


def first_duplicates(reviews: ReviewSet) -> IntArray:
    """Return for each review the place of the first one with the same text, but for its spaces."""
    first: dict[str, int] = {}
    texts = (" ".join(review.text.split()) for review in reviews.reviews)
    return np.array([first.setdefault(text, index) for index, text in enumerate(texts)])


def _assign_folds(reviews: ReviewSet, seed: int, count: int) -> IntArray:
    check_folds(reviews, count)
    generator = np.random.default_rng(seed)
    positive = np.array([review.positive for review in reviews.reviews])
    first = first_duplicates(reviews)
    is_first = first == np.arange(len(reviews))
    fold_numbers = np.empty(len(reviews), dtype=np.int64)
    start = 0
    for label in (False, True):
        members = generator.permutation(np.flatnonzero(is_first & (positive == label)))
        # The second class goes on where the first one ended, so that folds are equally large.
        fold_numbers[members] = (start + np.arange(len(members))) % count
        start += len(members)
    return fold_numbers[first]


CACHE_VERSION = 2
"""Raised whenever training changes, so that older predictions are not reused."""


def cached_predictions(
    folder: Path | None, key: Mapping[str, Any], size: int, predict: Callable[[], FloatArray]
) -> FloatArray:
    """Return the predictions that are kept under a key, else predict and keep them.

    A file that is not as it was written is written anew; without a folder nothing is kept.
    """
    if folder is None:
        return predict()
    path = entry_path(folder, key_text(key))
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError):
        cached = np.array(parse_json(read_entry(path))["chances"], float)
        if cached.shape == (size,) and ((cached >= 0) & (cached <= 1)).all():
            return cached
    predicted = predict()
    content = {**key, "chances": predicted.tolist()}
    write_entry(path, json.dumps(content, ensure_ascii=False))
    return predicted


def cache_key(encoded: EncodedReviews, network: Network) -> dict[str, Any]:
    """Return what predictions depend on besides the seed, the fold and the texts."""
    reviews, embedding = encoded.reviews, encoded.embedding
    package = "scikit-learn" if isinstance(network, MeansNetwork) else "torch"
    try:
        package_version = version(package)
    except PackageNotFoundError as error:
        raise MissingExtraError("Training an LSTM", "encoders") from error
    return {
        "embedding": embedding.content_hash,
        "reviews": digest_of(reviews.reviews),
        "language": reviews.language,
        "network": [network.name, asdict(network)],
        "by": [package, package_version, "gpu" if package == "torch" and has_gpu() else "cpu"],
        "way": CACHE_VERSION,
    }


TrainingProgress = Callable[[int, int], None]
"""Called with (done, in all): epochs of an LSTM, trainings of a regression."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """P(positive) of each review by each pass, in the shape (reviews, passes).

    `indices` are the places of these reviews in the set, and `positive` their labels.
    """

    indices: IntArray
    positive: NDArray[np.bool_]
    probabilities: FloatArray

    @property
    def predicted_positive(self) -> NDArray[np.bool_]:
        """Whether a review is predicted positive: P(positive) is above one half."""
        above: NDArray[np.bool_] = self.probabilities > 0.5
        return above

    @property
    def correct(self) -> FloatArray:
        """1 where a review is called what it is, else 0."""
        is_correct: NDArray[np.bool_] = self.predicted_positive == self.positive[:, None]
        return is_correct.astype(np.float64)


def cross_validate(
    encoded: EncodedReviews,
    network: Network,
    seeds: Sequence[int],
    folds: int = 5,
    *,
    folder: Path | None = None,
    progress: TrainingProgress | None = None,
) -> Predictions:
    """Train the network on the folds of each pass and predict the reviews it did not see.

    A pass is one seed: folds are dealt anew, and the network starts anew. With a `folder` the
    answers of each training are kept there by a hash of all that decides them, whole or not at
    all, so that an interrupted run goes on and the same run again trains nothing.
    """
    (found,) = cross_validate_all(
        [encoded], network, seeds, folds, folder=folder, progress=progress
    )
    return found


def cross_validate_all(
    embeddings: Sequence[EncodedReviews],
    network: Network,
    seeds: Sequence[int],
    folds: int = 5,
    *,
    folder: Path | None = None,
    progress: TrainingProgress | None = None,
) -> list[Predictions]:
    """Do so with several embeddings, one training a core at a time; see cross_validate."""
    if not seeds or len(set(seeds)) < len(seeds):
        raise SettingError("Each pass needs a seed of its own; give at least one, none twice.")
    trainings: list[tuple[int, ReviewFold]] = []
    keys: list[dict[str, Any]] = []
    for place, encoded in enumerate(embeddings):
        reviews = encoded.reviews
        check_folds(reviews, folds)
        shared_key = cache_key(encoded, network) | {"folds": 1 if reviews.split else folds}
        for fold in (fold for seed in seeds for fold in make_folds(reviews, seed, folds)):
            trainings.append((place, fold))
            keys.append(shared_key | {"seed": fold.seed, "fold": fold.number})

    def predict(index: int, on_epoch: Callable[[], None]) -> FloatArray:
        place, fold = trainings[index]
        train = partial(_train_and_predict, embeddings[place], network, fold, on_epoch)
        return cached_predictions(folder, keys[index], len(fold.test), train)

    predicted = _run_trainings(predict, len(trainings), network, progress)
    found = [np.zeros((len(encoded.reviews), len(seeds))) for encoded in embeddings]
    for (place, fold), probabilities in zip(trainings, predicted, strict=True):
        found[place][fold.test, seeds.index(fold.seed)] = probabilities
    indices = [test_indices(encoded.reviews) for encoded in embeddings]
    return [
        Predictions(tested, encoded.positive[tested], probabilities[tested])
        for encoded, tested, probabilities in zip(embeddings, indices, found, strict=True)
    ]


POLL = 0.5
"""Seconds between two looks at how far the trainings are."""


def _run_trainings(
    predict: Callable[[int, Callable[[], None]], FloatArray],
    count: int,
    network: Network,
    progress: TrainingProgress | None,
) -> list[FloatArray]:
    """Return the predictions of each training; LSTMs are trained side by side, one a core.

    A regression is fitted in less time than a thread needs to start. Progress is called by the
    thread that waits, and what is not begun when it raises is not trained.
    """
    report = progress or (lambda done, total: None)
    if isinstance(network, MeansNetwork):
        found = []
        for index in range(count):
            report(index, count)
            found.append(predict(index, lambda: None))
        report(count, count)
        return found
    epochs = [0] * count

    def run(index: int) -> FloatArray:
        def on_epoch() -> None:
            epochs[index] += 1

        predicted = predict(index, on_epoch)
        epochs[index] = network.epochs  # also of one that was kept
        return predicted

    pool = ThreadPoolExecutor(cpu_count() or 1, "training")
    try:
        running = [pool.submit(run, index) for index in range(count)]
        done: set[Future[FloatArray]] = set()
        while len(done) < count:
            report(sum(epochs), count * network.epochs)
            done, _ = wait(running, POLL, FIRST_EXCEPTION)
            for future in done:
                future.result()
        report(sum(epochs), count * network.epochs)
        return [future.result() for future in running]
    finally:
        pool.shutdown(cancel_futures=True)


def _train_and_predict(
    encoded: EncodedReviews,
    network: Network,
    fold: ReviewFold,
    on_epoch: Callable[[], None] | None = None,
) -> FloatArray:
    texts, positive = encoded.texts.take(fold.train), encoded.positive[fold.train]
    if len(np.unique(positive[~texts.empty])) < 2:
        raise UndefinedError(
            f"{encoded.embedding.name} knows words of too few reviews to learn from both classes; "
            "use a model in the language of the reviews."
        )
    # Each training draws its own numbers; seeds that differ by one must not share them.
    (training_seed,) = np.random.SeedSequence([fold.seed, fold.number]).generate_state(1)
    classifier = fit_classifier(texts, positive, network, int(training_seed), on_epoch)
    return predict_with_prior(classifier, encoded.texts.take(fold.test), float(positive.mean()))


@dataclass(frozen=True, eq=False)
class SentimentClassifiers:
    """Classifiers of other texts, one a seed, each trained on all reviews when first needed.

    Those of a test part are among them. In a regression on means nothing is random, so that all
    seeds share one. With a `folder` predictions are kept there, and what is kept trains nothing.
    """

    encoded: EncodedReviews
    network: Network
    seeds: Sequence[int]
    folder: Path | None = None
    _fitted: dict[int, FittedClassifier] = field(default_factory=dict)

    def predict(self, texts: Sequence[str]) -> FloatArray:
        """Return P(positive) of each text by each seed, in the shape (texts, seeds).

        A text without a known token has the share of positives among the reviews.
        """
        if not self.seeds:
            raise SettingError("No seed is given; give at least one.")
        texts_hash = digest_of([*texts])
        shared_key = cache_key(self.encoded, self.network) | {"learnt": "all", "texts": texts_hash}
        encoded_texts = cache(partial(self._encode, texts))
        by_seed: dict[int, FloatArray] = {}
        for seed in dict.fromkeys(self.seeds):
            predict = partial(self._predict, seed, encoded_texts)
            key = shared_key | {"seed": seed}
            by_seed[seed] = cached_predictions(self.folder, key, len(texts), predict)
        return np.column_stack([by_seed[seed] for seed in self.seeds])

    def _encode(self, texts: Sequence[str]) -> EncodedTexts:
        return encode_texts(texts, self.encoded.embedding, self.encoded.reviews.language)

    def _predict(self, seed: int, texts: Callable[[], EncodedTexts]) -> FloatArray:
        share = float(self.encoded.positive.mean())
        return predict_with_prior(self._classifier(seed), texts(), share)

    def _classifier(self, seed: int) -> FittedClassifier:
        key = 0 if isinstance(self.network, MeansNetwork) else seed
        if key not in self._fitted:
            encoded = self.encoded
            if len(np.unique(encoded.positive[~encoded.texts.empty])) < 2:
                raise UndefinedError(
                    f"{encoded.embedding.name} knows words of too few reviews of "
                    f"{encoded.reviews.title} to learn from both classes; use a model in the "
                    "language of the reviews."
                )
            self._fitted[key] = fit_classifier(encoded.texts, encoded.positive, self.network, seed)
        return self._fitted[key]
