"""The classifiers of reviews: their settings, their training, their input."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import MissingExtraError, UnknownNameError
from fairvec.core.numeric import IntArray
from fairvec.core.settings import Dimensions, Epochs, Positive, PositiveInt, Range, check_settings
from fairvec.embedding import Embedding, lookup_of
from fairvec.geometry import FloatArray
from fairvec.languages.text import token_pattern

Rate = Annotated[float, Range(0, 0.95)]


@dataclass(frozen=True)
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

    units: Dimensions = 64
    dense: Dimensions = 64
    dropout: Rate = 0.2
    rate: Positive = 1e-3
    epochs: Epochs = 25
    batch: PositiveInt = 64
    length: PositiveInt | None = None

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True)
class MeansNetwork:
    """Logistic regression on the mean of the word vectors of a review.

    P(positive) = sigmoid(w . x + b), x the mean vector less that of the training reviews, over the
    root of their mean variance: turning or scaling all vectors changes nothing. `penalty` is the
    weight of |w|^2 / 2 against the sum of the losses (1 / C of scikit-learn). Nothing in it is
    random; order and the luck of training play no part.
    """

    name: ClassVar[str] = "means"

    penalty: Positive = 1.0

    def __post_init__(self) -> None:
        check_settings(self)


Network = LstmNetwork | MeansNetwork

NETWORKS: tuple[type[Network], ...] = (LstmNetwork, MeansNetwork)


def network_named(name: str) -> Network:
    """Return the network of this name with its usual settings."""
    for kind in NETWORKS:
        if kind.name == name:
            return kind()
    raise UnknownNameError("network", name, (kind.name for kind in NETWORKS))


# Reviews as an embedding sees them: the rows of the words that it knows, in their order.


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

    def some(self, places: Sequence[int] | NDArray[Any]) -> "EncodedTexts":
        """Return some of the texts, with the same table and counts."""
        return EncodedTexts(
            self.table, tuple(self.texts[place] for place in places), self.tokens, self.unknown
        )


def encode_texts(texts: Sequence[str], embedding: Embedding, language: str = "") -> EncodedTexts:
    """Look up every token of the texts by the rules of the language; unknown ones are dropped."""
    lookup = lookup_of(embedding, language)
    places: dict[str, int] = {}
    reached: dict[str, int | None] = {}
    rows, tokens = [], 0
    unknown: Counter[str] = Counter()
    for text in texts:
        found = token_pattern().findall(text)
        tokens += len(found)
        for token in found:
            if token not in reached:
                match = lookup.find([token])
                reached[token] = places.setdefault(match.key, len(places)) if match else None
            if reached[token] is None:
                unknown[token] += 1
        known = (reached[token] for token in found)
        rows.append(np.array([place for place in known if place is not None], dtype=np.int64))
    vectors = embedding.geometry.log0(embedding.rows([*places])) if places else None
    shape = (0, embedding.dimensions)
    table = np.zeros(shape, np.float32) if vectors is None else vectors.astype(np.float32)
    return EncodedTexts(table, tuple(rows), tokens, unknown)


# Logistic regression on mean vectors: the classifier without luck.


MOST_STEPS = 2_000


@dataclass(frozen=True, eq=False)
class TrainedMeans:
    """A fitted regression: P(positive) = sigmoid((mean - centre) / scale . weights + offset)."""

    centre: FloatArray
    scale: float
    weights: FloatArray
    offset: float

    def predict(self, texts: EncodedTexts) -> FloatArray:
        """Return P(positive) of each text."""
        told = (texts.means() - self.centre) / self.scale @ self.weights + self.offset
        chances: FloatArray = 1 / (1 + np.exp(-np.clip(told, -500, 500)))
        return chances


def train_means(
    texts: EncodedTexts, positive: NDArray[np.bool_], settings: MeansNetwork
) -> TrainedMeans:
    """Fit the regression to reviews that each have a known token."""
    from sklearn.linear_model import LogisticRegression  # here: it takes a second to import

    means = texts.means()
    centre = means.mean(axis=0)
    spread = float(np.sqrt(means.var(axis=0).mean()))
    scale = spread if spread > 0 else 1.0  # vectors that are all alike tell nothing apart
    fitted = LogisticRegression(C=1 / settings.penalty, max_iter=MOST_STEPS)
    fitted.fit((means - centre) / scale, positive)
    return TrainedMeans(centre, scale, fitted.coef_[0].astype(float), float(fitted.intercept_[0]))


# One training: a network learnt from some reviews, whichever network it is.


class Trained(Protocol):
    """What was learnt."""

    def predict(self, texts: EncodedTexts, /) -> FloatArray:
        """Return P(positive) of each text."""
        ...


def fit_classifier(
    texts: EncodedTexts, positive: NDArray[np.bool_], network: Network, seed: int
) -> Trained:
    """Train a network on reviews; those without a known token are left out."""
    usable = np.flatnonzero(~texts.empty)
    texts, positive = texts.some(usable), positive[usable]
    if isinstance(network, MeansNetwork):
        return train_means(texts, positive, network)
    try:
        from fairvec.tasks.sentiment.lstm import train_lstm
    except ImportError as error:
        raise MissingExtraError("Training an LSTM", "encoders") from error
    return train_lstm(texts, positive, network, seed)


def predict_with_prior(learnt: Trained, texts: EncodedTexts, share: float) -> FloatArray:
    """Return P(positive) of each text; of one without a known token the share of positives.

    That share is of the reviews trained on, so that such a text is taken for the commoner class.
    """
    chances = np.full(len(texts.texts), share)
    usable = np.flatnonzero(~texts.empty)
    if len(usable):
        chances[usable] = learnt.predict(texts.some(usable))
    return chances
