"""Cross-validated predictions of reviews, a cache of them, and classifiers of other texts.

make_folds            stratified folds that each pass draws anew; copies of a text share a fold
PredictionCache       predictions of finished trainings, one JSON file each, by a hash of the inputs
cross_validate        P(positive) of every review, by a classifier that was not trained on it
ClassifiersOnDemand   classifiers trained on all reviews, only if a prediction is not cached
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import MissingExtraError, SettingError, UndefinedError
from fairvec.core.io.atomic_files import write_text
from fairvec.core.numeric import IntArray
from fairvec.core.parsing import parse_json
from fairvec.core.text import escape_surrogates
from fairvec.embedding import Embedding
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.geometry import FloatArray
from fairvec.tasks.sentiment.classifiers import (
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
    learnt: IntArray
    predicted: IntArray


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


CACHE_VERSION = 1
"""Raised whenever training changes, so that older predictions are not reused."""


@dataclass(frozen=True)
class PredictionCache:
    """Cached predictions, one file each, named by a hash of their key; without a folder none.

    `shared_key` is the part that all share, and `key` what sets one apart: its seed, its fold.
    """

    folder: Path | None
    shared_key: Mapping[str, Any]

    def get(self, key: Mapping[str, Any], size: int) -> FloatArray | None:
        """Return cached predictions; None if there are none or the file cannot be used."""
        if not (self.folder and (path := self._path(self.folder, key)).is_file()):
            return None
        try:
            probabilities = np.array(parse_json(path.read_bytes())["chances"], float)
        except (ValueError, KeyError, TypeError):
            return None
        is_valid = (
            probabilities.shape == (size,) and ((probabilities >= 0) & (probabilities <= 1)).all()
        )
        return probabilities if is_valid else None

    def put(self, key: Mapping[str, Any], probabilities: FloatArray) -> None:
        """Store predictions by an atomic write."""
        if self.folder:
            content = {**self.shared_key, **key, "chances": probabilities.tolist()}
            write_text(self._path(self.folder, key), json.dumps(content, ensure_ascii=False))

    def _path(self, folder: Path, key: Mapping[str, Any]) -> Path:
        text = json.dumps(
            escape_surrogates({**self.shared_key, **key}), sort_keys=True, ensure_ascii=False
        )
        return folder / f"{sha256(text.encode()).hexdigest()}.json"


def cache_key(reviews: ReviewSet, embedding: Embedding, network: Network) -> dict[str, Any]:
    """Return what predictions depend on besides the seed, the fold and the texts."""
    content = repr([tuple(review) for review in reviews.reviews])
    package = "scikit-learn" if isinstance(network, MeansNetwork) else "torch"
    try:
        package_version = version(package)
    except PackageNotFoundError as error:
        raise MissingExtraError("Training an LSTM", "encoders") from error
    return {
        "embedding": embedding.content_hash,
        "reviews": sha256(content.encode("utf-8", "surrogatepass")).hexdigest(),
        "language": reviews.language,
        "network": [network.name, asdict(network)],
        "by": [package, package_version, "gpu" if package == "torch" and has_gpu() else "cpu"],
        "way": CACHE_VERSION,
    }


TrainingProgress = Callable[[int, int], None]
"""Called with (trainings done, trainings in all)."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """P(positive) of each review by each pass, in the shape (reviews, passes).

    `places` are the indices of these reviews in the set, and `positive` their labels.
    """

    places: IntArray
    positive: NDArray[np.bool_]
    chances: FloatArray
    read: EncodedTexts

    @property
    def called(self) -> NDArray[np.bool_]:
        """Whether a review is predicted positive: P(positive) is above one half."""
        above: NDArray[np.bool_] = self.chances > 0.5
        return above

    @property
    def correct(self) -> FloatArray:
        """1 where a review is called what it is, else 0."""
        is_correct: NDArray[np.bool_] = self.called == self.positive[:, None]
        return is_correct.astype(np.float64)


def cross_validate(
    reviews: ReviewSet,
    embedding: Embedding,
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
    if not seeds or len(set(seeds)) < len(seeds):
        raise SettingError("Each pass needs a seed of its own; give at least one, none twice.")
    check_folds(reviews, folds)
    encoded = encode_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    all_folds = [fold for seed in seeds for fold in make_folds(reviews, seed, folds)]
    probabilities = np.zeros((len(reviews), len(seeds)))
    fold_setting = {"folds": 1 if reviews.split else folds}
    cache = PredictionCache(folder, cache_key(reviews, embedding, network) | fold_setting)
    for done, fold in enumerate(all_folds):
        if progress:
            progress(done, len(all_folds))
        key = {"seed": fold.seed, "fold": fold.number}
        predicted = cache.get(key, len(fold.predicted))
        if predicted is None:
            predicted = _train_and_predict(encoded, positive, network, fold, embedding.name)
            cache.put(key, predicted)
        probabilities[fold.predicted, seeds.index(fold.seed)] = predicted
    if progress:
        progress(len(all_folds), len(all_folds))
    indices = test_indices(reviews)
    return Predictions(indices, positive[indices], probabilities[indices], encoded)


def _train_and_predict(
    encoded: EncodedTexts,
    positive: NDArray[np.bool_],
    network: Network,
    fold: ReviewFold,
    name: str,
) -> FloatArray:
    training_texts = encoded.take(fold.learnt)
    if len(np.unique(positive[fold.learnt][~training_texts.empty])) < 2:
        raise UndefinedError(
            f"{name} knows words of too few reviews to learn from both classes; use a model in "
            "the language of the reviews."
        )
    # Every training has luck of its own; seeds that differ by one must not share it.
    (training_seed,) = np.random.SeedSequence([fold.seed, fold.number]).generate_state(1)
    classifier = fit_classifier(training_texts, positive[fold.learnt], network, int(training_seed))
    share = float(positive[fold.learnt].mean())
    return predict_with_prior(classifier, encoded.take(fold.predicted), share)


@dataclass(frozen=True, eq=False)
class Classifiers:
    """One network a seed, all trained on the same reviews with the same embedding."""

    embedding: Embedding
    language: str
    network: Network
    seeds: tuple[int, ...]
    learnt: tuple[FittedClassifier, ...]
    share: float
    """Of the reviews that were learnt from so many are positive."""

    def predict(self, texts: Sequence[str]) -> FloatArray:
        """Return P(positive) of each text by each seed, in the shape (texts, seeds).

        A text without a known token has the share of positives among the reviews.
        """
        encoded = encode_texts(texts, self.embedding, self.language)
        columns = [
            predict_with_prior(classifier, encoded, self.share) for classifier in self.learnt
        ]
        return np.column_stack(columns) if texts else np.empty((0, len(self.seeds)))


def train_classifiers(
    reviews: ReviewSet, embedding: Embedding, network: Network, seeds: Sequence[int]
) -> Classifiers:
    """Train one network a seed on all reviews, those of a test part among them.

    In a regression on means nothing is random, so that all seeds share one.
    """
    if not seeds:
        raise SettingError("No seed is given; give at least one.")
    encoded = encode_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    if len(np.unique(positive[~encoded.empty])) < 2:
        raise UndefinedError(
            f"{embedding.name} knows words of too few reviews of {reviews.title} to learn from "
            "both classes; use a model in the language of the reviews."
        )
    is_deterministic = isinstance(network, MeansNetwork)
    classifiers = [
        fit_classifier(encoded, positive, network, seed)
        for seed in (seeds[:1] if is_deterministic else seeds)
    ]
    return Classifiers(
        embedding,
        reviews.language,
        network,
        tuple(seeds),
        tuple(classifiers * len(seeds) if is_deterministic else classifiers),
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
        cache = PredictionCache(self.folder, cache_key(self.reviews, self.embedding, self.network))
        texts_hash = sha256(repr([*texts]).encode("utf-8", "surrogatepass")).hexdigest()
        by_seed: dict[int, FloatArray] = {}
        for seed in dict.fromkeys(self.seeds):
            key = {"seed": seed, "learnt": "all", "texts": texts_hash}
            predicted = cache.get(key, len(texts))
            if predicted is None:
                predicted = self._classifiers_for(seed).predict(texts)[:, 0]
                cache.put(key, predicted)
            by_seed[seed] = predicted
        return np.column_stack([by_seed[seed] for seed in self.seeds])

    def _classifiers_for(self, seed: int) -> Classifiers:
        if seed not in self._trained:
            self._trained[seed] = train_classifiers(
                self.reviews, self.embedding, self.network, [seed]
            )
        return self._trained[seed]
