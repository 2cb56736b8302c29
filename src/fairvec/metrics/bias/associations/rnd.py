"""Relative norm distance."""

from dataclasses import dataclass
from typing import ClassVar

from fairvec.geometry import NEGATIVE_DISTANCE, FloatArray, Geometry, Similarity
from fairvec.geometry.sizes import check_size
from fairvec.ground.settings import check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.centre import words_and_centres
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.targets import targets
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


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

    name: ClassVar[str] = "rnd"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "Positive: the words are nearer to B; negative: nearer to A; 0: to neither."
    )
    similarity: ClassVar[Similarity | None] = NEGATIVE_DISTANCE
    convention: ClassVar[Convention | None] = None

    unit_vectors: bool = True

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def traits(self) -> Traits:
        """What holds of it; what lengths do depends on the settings."""
        return Traits(
            sees="words to A",
            shown="below",
            positive="the words are nearer to B",
            positive_words="b",
            swapped_attributes="turned",
            lengths="ignored" if self.unit_vectors else "count",
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean difference of distances and that of each word."""
        words = targets(groups)
        points, centres = words_and_centres(
            words.vectors, groups, geometry, unit_vectors=self.unit_vectors
        )
        distances = check_size(geometry.distances(points, centres), "distances")
        samples = OneSample(distances, _mean_difference)
        shares = words.shares(distances[:, 0] - distances[:, 1])
        return Score(float(_mean_difference(distances)), shares, samples)


def _mean_difference(distances: FloatArray) -> FloatArray:
    mean: FloatArray = (distances[..., 0] - distances[..., 1]).mean(axis=-1)
    return mean
