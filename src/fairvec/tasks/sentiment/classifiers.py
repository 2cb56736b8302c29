"""Classifiers of reviews on word vectors: settings, encoding of texts, fitting and prediction.

LstmNetwork      an LSTM over the word vectors in their order (trained in tasks.sentiment.lstm)
MeansNetwork     logistic regression on the mean of the word vectors
EncodedTexts     the rows of the known words of each text
EncodedReviews   reviews as one embedding reads them, for all networks and trainings
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import MissingExtraError, UnknownNameError
from fairvec.core.numeric import IntArray
from fairvec.core.settings import Dimensions, Epochs, Positive, PositiveInt, settings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.languages.text import token_pattern

LstmEpochs = Annotated[Epochs, Field(description="Of the LSTM: passes over the reviews.")]
ReviewLength = Annotated[
    PositiveInt, Field(description="Of the LSTM: words of a review that are read, the last ones.")
]


@settings
class LstmNetwork:
    """A recurrent network that reads the word vectors of a review in their order.

    frozen vectors -> LSTM of 64 units -> 64 units, ReLU -> 1 unit, sigmoid; binary cross-entropy,
    Adam at 0.001, 25 epochs of batches of 64. A review longer than `length` words keeps its last
    ones; shorter ones are padded behind, and what is padded is masked: the state after the last
    word is what counts. Without `length` nothing is cut. `dropout` zeroes coordinates of the word
    vectors while training, the same ones all through a review (Keras' `dropout`); the state has
    none. Weights start as Keras starts them.

    Bharti (2021), section 3.4, who pads to 801 words, and says neither how much is dropped nor
    which end of a long review is cut.
    """

    name: ClassVar[str] = "lstm"

    units: Annotated[Dimensions, Field(description="Units of the LSTM.")] = 64
    dense: Annotated[Dimensions, Field(description="Units of the layer after it.")] = 64
    dropout: Annotated[
        float,
        Field(ge=0, le=0.95, description="Share of coordinates that training leaves out."),
    ] = 0.2
    rate: Annotated[Positive, Field(description="Pace of learning.")] = 1e-3
    epochs: LstmEpochs = 25
    batch: Annotated[PositiveInt, Field(description="Reviews of a batch.")] = 64
    length: ReviewLength | None = None


@settings
class MeansNetwork:
    """Logistic regression on the mean of the word vectors of a review.

    P(positive) = sigmoid(w . x + b), x the mean vector less that of the training reviews, over the
    root of their mean variance: turning or scaling all vectors changes nothing. `penalty` is the
    weight of |w|^2 / 2 against the sum of the losses (1 / C of scikit-learn). Nothing in it is
    random; order and the luck of training play no part.
    """

    name: ClassVar[str] = "means"

    penalty: Annotated[
        Positive, Field(description="What large weights cost: the factor of w^2 / 2.")
    ] = 1.0


Network = LstmNetwork | MeansNetwork

NETWORKS: tuple[type[Network], ...] = (LstmNetwork, MeansNetwork)


def find_network(name: str) -> Network:
    """Return the network of this name with its usual settings."""
    for kind in NETWORKS:
        if kind.name == name:
            return kind()
    raise UnknownNameError("network", name, (kind.name for kind in NETWORKS))


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """Texts as rows of one table of vectors; `unknown` counts the tokens that were dropped.

    In the ball the vectors are those of the tangent space at the origin (log0), as the flat methods
    of debiasing have them; flat space is its own.
    """

    table: NDArray[np.float32]
    texts: tuple[IntArray, ...]
    tokens: int
    unknown: Counter[str]

    @property
    def known(self) -> int:
        """How many tokens have a vector."""
        return self.tokens - self.unknown.total()

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Which texts have no known token."""
        return np.array([not len(text) for text in self.texts], dtype=bool)

    def means(self) -> FloatArray:
        """Return the mean vector of each text; zeros of one without a known token."""
        rows = np.zeros((len(self.texts), self.table.shape[1]))
        for row, text in zip(rows, self.texts, strict=True):
            if len(text):
                row[:] = self.table[text].mean(axis=0, dtype=np.float64)
        return rows

    def take(self, indices: Sequence[int] | NDArray[Any]) -> "EncodedTexts":
        """Return some of the texts, with the same table and counts."""
        return EncodedTexts(
            self.table, tuple(self.texts[index] for index in indices), self.tokens, self.unknown
        )


def encode_texts(texts: Sequence[str], embedding: Embedding, language: str = "") -> EncodedTexts:
    """Look up every token of the texts by the rules of the language; unknown ones are dropped."""
    lookup = embedding.lookup(language)
    row_of_key: dict[str, int] = {}
    row_of_token: dict[str, int | None] = {}
    rows, tokens = [], 0
    unknown: Counter[str] = Counter()
    for text in texts:
        found = token_pattern().findall(text)
        tokens += len(found)
        for token in found:
            if token not in row_of_token:
                match = lookup.find([token])
                row_of_token[token] = (
                    row_of_key.setdefault(match.key, len(row_of_key)) if match else None
                )
            if row_of_token[token] is None:
                unknown[token] += 1
        known = (row_of_token[token] for token in found)
        rows.append(np.array([place for place in known if place is not None], dtype=np.int64))
    vectors = embedding.geometry.log0(embedding.rows([*row_of_key])) if row_of_key else None
    shape = (0, embedding.dimensions)
    table = np.zeros(shape, np.float32) if vectors is None else vectors.astype(np.float32)
    return EncodedTexts(table, tuple(rows), tokens, unknown)


@dataclass(frozen=True, eq=False)
class EncodedReviews:
    """Reviews as one embedding reads them: encoded once for all networks, folds and passes."""

    reviews: ReviewSet
    embedding: Embedding
    texts: EncodedTexts
    positive: NDArray[np.bool_]


def encode_reviews(reviews: ReviewSet, embedding: Embedding) -> EncodedReviews:
    """Look up every token of the reviews in an embedding."""
    texts = encode_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    positive = np.array([review.positive for review in reviews.reviews], dtype=bool)
    return EncodedReviews(reviews, embedding, texts, positive)


MOST_ITERATIONS = 2_000


@dataclass(frozen=True, eq=False)
class FittedMeans:
    """A fitted regression: P(positive) = sigmoid((mean - centre) / scale . weights + offset)."""

    centre: FloatArray
    scale: float
    weights: FloatArray
    offset: float

    def predict(self, texts: EncodedTexts) -> FloatArray:
        """Return P(positive) of each text."""
        logits = (texts.means() - self.centre) / self.scale @ self.weights + self.offset
        probabilities: FloatArray = 1 / (1 + np.exp(-np.clip(logits, -500, 500)))
        return probabilities


def train_means(
    texts: EncodedTexts, positive: NDArray[np.bool_], settings: MeansNetwork
) -> FittedMeans:
    """Fit the regression to reviews that each have a known token."""
    from sklearn.linear_model import LogisticRegression  # here: it takes a second to import

    means = texts.means()
    centre = means.mean(axis=0)
    spread = float(np.sqrt(means.var(axis=0).mean()))
    scale = spread if spread > 0 else 1.0  # vectors that are all alike tell nothing apart
    fitted = LogisticRegression(C=1 / settings.penalty, max_iter=MOST_ITERATIONS)
    fitted.fit((means - centre) / scale, positive)
    return FittedMeans(centre, scale, fitted.coef_[0].astype(float), float(fitted.intercept_[0]))


class FittedClassifier(Protocol):
    """A classifier fitted to reviews."""

    def predict(self, texts: EncodedTexts, /) -> FloatArray:
        """Return P(positive) of each text."""
        ...


def fit_classifier(
    texts: EncodedTexts,
    positive: NDArray[np.bool_],
    network: Network,
    seed: int,
    on_epoch: Callable[[], None] | None = None,
) -> FittedClassifier:
    """Train a network on reviews; those without a known token are left out."""
    usable = np.flatnonzero(~texts.empty)
    texts, positive = texts.take(usable), positive[usable]
    if isinstance(network, MeansNetwork):
        return train_means(texts, positive, network)
    try:
        from fairvec.tasks.sentiment.lstm import train_lstm
    except ImportError as error:
        raise MissingExtraError("Training an LSTM", "encoders") from error
    return train_lstm(texts, positive, network, seed, on_epoch)


def predict_with_prior(
    classifier: FittedClassifier, texts: EncodedTexts, share: float
) -> FloatArray:
    """Return P(positive) of each text; of one without a known token the share of positives.

    That share is of the reviews trained on, so that such a text is taken for the commoner class.
    """
    probabilities = np.full(len(texts.texts), share)
    usable = np.flatnonzero(~texts.empty)
    if len(usable):
        probabilities[usable] = classifier.predict(texts.take(usable))
    return probabilities
