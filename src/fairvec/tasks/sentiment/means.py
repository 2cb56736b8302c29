"""Logistic regression on mean vectors: the classifier without luck."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray
from fairvec.tasks.sentiment.networks import MeansNetwork
from fairvec.tasks.sentiment.reading import TextsRead

MOST_STEPS = 2_000


@dataclass(frozen=True, eq=False)
class TrainedMeans:
    """A fitted regression: P(positive) = sigmoid((mean - centre) / scale . weights + offset)."""

    centre: FloatArray
    scale: float
    weights: FloatArray
    offset: float

    def predict(self, texts: TextsRead) -> FloatArray:
        """Return P(positive) of each text."""
        told = (texts.means() - self.centre) / self.scale @ self.weights + self.offset
        chances: FloatArray = 1 / (1 + np.exp(-np.clip(told, -500, 500)))
        return chances


def train_means(
    texts: TextsRead, positive: NDArray[np.bool_], settings: MeansNetwork
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
