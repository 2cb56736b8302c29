"""The classifiers that a task may be learnt by: what each is, with every setting."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fairvec.ground.errors import UnknownNameError
from fairvec.ground.settings import Count, Dimensions, Epochs, Positive, Range, check_settings

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
    batch: Count = 64
    length: Count | None = None

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
