"""Relative norm distance."""

from dataclasses import dataclass

import numpy as np

from fairvec.geometry import NEGATIVE_DISTANCE, FloatArray, Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics.bias.centre import centre
from fairvec.metrics.bias.direction import unit
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.targets import targets


@dataclass(frozen=True)
class Rnd:
    """Are the words nearer to the middle of A or of B?

    RND = mean over words w of |w - mean of A| - |w - mean of B|

    The sign is that of the paper: it compares distances, so positive says nearer to B, negative
    nearer to A, 0 as near to one as to the other. The paper sums over the words; the mean can be
    compared between lists. In flat space vectors are cut to unit length first, as in the paper,
    unless `unit_vectors` is off; the means are not. In the ball, where length is part of a point,
    nothing is cut, distances are the ball's own and the mean is the gyromidpoint.

    Garg, Schiebinger, Jurafsky & Zou (2018), PNAS 115, E3635-E3644.
    """

    unit_vectors: bool = True

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "rnd"

    @property
    def needs(self) -> tuple[str, ...]:
        """Words and two attribute lists."""
        return ("words", "a", "b")

    @property
    def neutral(self) -> float:
        """As near to A as to B."""
        return 0.0

    @property
    def meaning(self) -> str:
        """What the values say."""
        return "Positive: the words are nearer to B; negative: nearer to A; 0: to neither."

    @property
    def similarity(self) -> Similarity:
        """Points are compared by their distance."""
        return NEGATIVE_DISTANCE

    @property
    def convention(self) -> None:
        """No effect size."""

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean difference of distances and that of each word."""
        words = targets(groups)
        place = unit if self.unit_vectors and geometry.curvature == 0 else np.asarray
        means = np.stack(
            [centre(place(groups[role].vectors), c=geometry.curvature) for role in ("a", "b")]
        )
        distances = geometry.distances(place(words.vectors), means)
        samples = OneSample(distances, _mean_difference)
        shares = words.shares(distances[:, 0] - distances[:, 1])
        return Score(float(_mean_difference(distances)), shares, samples)


def _mean_difference(distances: FloatArray) -> FloatArray:
    mean: FloatArray = (distances[..., 0] - distances[..., 1]).mean(axis=-1)
    return mean
