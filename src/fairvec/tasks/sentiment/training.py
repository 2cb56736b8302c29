"""One training: a network learnt from some reviews, whichever network it is."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray
from fairvec.ground.errors import MissingExtraError
from fairvec.tasks.sentiment.means import train_means
from fairvec.tasks.sentiment.networks import MeansNetwork, Network
from fairvec.tasks.sentiment.reading import TextsRead


class Trained(Protocol):
    """What was learnt."""

    def predict(self, texts: TextsRead, /) -> FloatArray:
        """Return P(positive) of each text."""
        ...


def trained(texts: TextsRead, positive: NDArray[np.bool_], network: Network, seed: int) -> Trained:
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


def predicted(learnt: Trained, texts: TextsRead, share: float) -> FloatArray:
    """Return P(positive) of each text; of one without a known token the share of positives.

    That share is of the reviews trained on, so that such a text is taken for the commoner class.
    """
    chances = np.full(len(texts.texts), share)
    usable = np.flatnonzero(~texts.empty)
    if len(usable):
        chances[usable] = learnt.predict(texts.some(usable))
    return chances
