"""Cross-validated predictions of reviews, and the cache of trainings."""

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
    MeansNetwork,
    Network,
    Trained,
    encode_texts,
    fit_classifier,
    predict_with_prior,
)

# Which reviews are trained on and which predicted: folds that each pass draws anew.


@dataclass(frozen=True, eq=False)
class ReviewFold:
    """One training: the pass and its fold, and the places of the reviews learnt and predicted."""

    seed: int
    number: int
    learnt: IntArray
    predicted: IntArray


def make_folds(reviews: ReviewSet, seed: int, count: int) -> Iterator[ReviewFold]:
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


def test_indices(reviews: ReviewSet) -> IntArray:
    """Return the places of the reviews that a pass predicts: all, or those of the test part."""
    parts = enumerate(review.split for review in reviews.reviews)
    return np.array([place for place, part in parts if part != "train"], dtype=np.int64)


def check_folds(reviews: ReviewSet, count: int) -> None:
    """Refuse more folds than the smaller class has reviews, and fewer than two."""
    if reviews.split:
        return
    if count < 2:
        raise SettingError(f"{count} folds leave nothing to train on; choose 2 or more.")
    places = dict.fromkeys(first_duplicates(reviews).tolist())
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


def first_duplicates(reviews: ReviewSet) -> IntArray:
    """Return for each review the place of the first one with the same text, but for its spaces."""
    first: dict[str, int] = {}
    texts = (" ".join(review.text.split()) for review in reviews.reviews)
    return np.array([first.setdefault(text, place) for place, text in enumerate(texts)])


def _dealt(reviews: ReviewSet, seed: int, count: int) -> IntArray:
    check_folds(reviews, count)
    generator = np.random.default_rng(seed)
    positive = np.array([review.positive for review in reviews.reviews])
    first = first_duplicates(reviews)
    alone = first == np.arange(len(reviews))
    number = np.empty(len(reviews), dtype=np.int64)
    start = 0
    for side in (False, True):
        own = generator.permutation(np.flatnonzero(alone & (positive == side)))
        # The second class goes on where the first one ended, so that folds are equally large.
        number[own] = (start + np.arange(len(own))) % count
        start += len(own)
    return number[first]


# The answers of trainings that are finished, kept so that no training is done twice.


CACHE_VERSION = 1
"""Counted up whenever networks are trained in another way, so that old answers are not taken."""


@dataclass(frozen=True)
class PredictionCache:
    """What trainings said, a file each by a hash of all that decides it; without a folder none.

    `decides` is what all of them share, and `about` what sets one apart: its seed, its fold.
    """

    folder: Path | None
    decides: Mapping[str, Any]

    def get(self, about: Mapping[str, Any], size: int) -> FloatArray | None:
        """Return an answer that is kept; one that cannot be read is as good as none."""
        if not (self.folder and (path := self._path(self.folder, about)).is_file()):
            return None
        try:
            answer = np.array(parse_json(path.read_bytes())["chances"], float)
        except (ValueError, KeyError, TypeError):
            return None
        right = answer.shape == (size,) and ((answer >= 0) & (answer <= 1)).all()
        return answer if right else None

    def put(self, about: Mapping[str, Any], answer: FloatArray) -> None:
        """Keep an answer, whole or not at all."""
        if self.folder:
            written = {**self.decides, **about, "chances": answer.tolist()}
            write_text(self._path(self.folder, about), json.dumps(written, ensure_ascii=False))

    def _path(self, folder: Path, about: Mapping[str, Any]) -> Path:
        text = json.dumps(
            escape_surrogates({**self.decides, **about}), sort_keys=True, ensure_ascii=False
        )
        return folder / f"{sha256(text.encode()).hexdigest()}.json"


def cache_key(reviews: ReviewSet, embedding: Embedding, network: Network) -> dict[str, Any]:
    """Return all that decides an answer but what was learnt and asked in one training."""
    content = repr([tuple(review) for review in reviews.reviews])
    by = "scikit-learn" if isinstance(network, MeansNetwork) else "torch"
    try:
        made_by = version(by)
    except PackageNotFoundError as error:
        raise MissingExtraError("Training an LSTM", "encoders") from error
    return {
        "embedding": embedding.content_hash,
        "reviews": sha256(content.encode("utf-8", "surrogatepass")).hexdigest(),
        "language": reviews.language,
        "network": [network.name, asdict(network)],
        "by": [by, made_by, "gpu" if by == "torch" and has_gpu() else "cpu"],
        "way": CACHE_VERSION,
    }


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
    read: EncodedTexts

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


def cross_validate(
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
    read = encode_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    work = [fold for seed in seeds for fold in make_folds(reviews, seed, folds)]
    chances = np.zeros((len(reviews), len(seeds)))
    dealt = {"folds": 1 if reviews.split else folds}
    kept = PredictionCache(folder, cache_key(reviews, embedding, network) | dealt)
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
    places = test_indices(reviews)
    return Predictions(places, positive[places], chances[places], read)


def _answer(
    read: EncodedTexts, positive: NDArray[np.bool_], network: Network, fold: ReviewFold, name: str
) -> FloatArray:
    own = read.some(fold.learnt)
    if len(np.unique(positive[fold.learnt][~own.empty])) < 2:
        raise UndefinedError(
            f"{name} knows words of too few reviews to learn from both classes; use a model in "
            "the language of the reviews."
        )
    # Every training has luck of its own; seeds that differ by one must not share it.
    (luck,) = np.random.SeedSequence([fold.seed, fold.number]).generate_state(1)
    learnt = fit_classifier(own, positive[fold.learnt], network, int(luck))
    share = float(positive[fold.learnt].mean())
    return predict_with_prior(learnt, read.some(fold.predicted), share)


# Classifiers trained on all reviews, to be asked about other texts.


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
        read = encode_texts(texts, self.embedding, self.language)
        columns = [predict_with_prior(each, read, self.share) for each in self.learnt]
        return np.column_stack(columns) if texts else np.empty((0, len(self.seeds)))


def train_classifiers(
    reviews: ReviewSet, embedding: Embedding, network: Network, seeds: Sequence[int]
) -> Classifiers:
    """Train one network a seed on all reviews, those of a test part among them.

    In a regression on means nothing is random, so that all seeds share one.
    """
    if not seeds:
        raise SettingError("No seed is given; give at least one.")
    read = encode_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    if len(np.unique(positive[~read.empty])) < 2:
        raise UndefinedError(
            f"{embedding.name} knows words of too few reviews of {reviews.title} to learn from "
            "both classes; use a model in the language of the reviews."
        )
    fixed = isinstance(network, MeansNetwork)
    learnt = [
        fit_classifier(read, positive, network, seed) for seed in (seeds[:1] if fixed else seeds)
    ]
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
        kept = PredictionCache(self.folder, cache_key(self.reviews, self.embedding, self.network))
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
