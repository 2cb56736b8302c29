"""Bias by clustering: whether the words that lean to either side fall apart into two clusters."""

from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.errors import SettingError, UndefinedError
from fairvec.geometry import FloatArray, Geometry
from fairvec.lexicon import Groups
from fairvec.metrics.bias.along_direction import AlongDirection
from fairvec.metrics.bias.direction import Direction, bias_direction, unit
from fairvec.metrics.bias.vocabulary import NOTICEABLE, as_before, leanings_along, most_leaning
from fairvec.metrics.score import Score


@dataclass(frozen=True)
class BiasByClustering(AlongDirection):
    """Do the most A-leaning and the most B-leaning words fall apart into two clusters?

    accuracy = share of these words whose side two clusters guess right, by the better naming

    0.5: the clusters have nothing to do with A and B; 1: they are A's and B's words. The words are
    the `each` of the vocabulary with the largest and those with the smallest cos(w, g), without
    the words of A and B; the clusters are those of k-means on unit vectors, the best of 10 starts
    from the `seed`.
    Words that are chosen by their lean differ at least in that: on Google News ten random words
    for A and ten for B score .997 to 1. The figure is about a changed embedding, and even there
    should be held against random lists (.69 to .89 once their own direction is removed).
    To measure a debiased embedding give the one from before as `original`: vectors are then those
    of now, and the leanings those of before, as in the paper. In the ball words are seen from the
    origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is left out.
    """

    each: int = 500
    direction: Direction = "auto"
    original: Embedding | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.each < 1:
            raise SettingError(f"Each side needs one word or more, not {self.each}.")

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "bias-by-clustering"

    @property
    def needs(self) -> tuple[str, ...]:
        """Two attribute lists; the words are found in the vocabulary."""
        return ("a", "b")

    @property
    def neutral(self) -> float:
        """No better than a coin."""
        return 0.5

    @property
    def meaning(self) -> str:
        """What the values say."""
        return (
            "How well two clusters tell the words that lean to A from those that lean to B: "
            "0.5: not at all; 1: always; lists of random words can score as high."
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the accuracy; the words are the vocabulary's, so none has a share to show."""
        before = as_before(groups, self.original)
        direction = bias_direction(before, self.direction)
        extremes = most_leaning(leanings_along(direction, before.embedding), groups, self.each)
        keys = groups.embedding.keys
        points = unit(groups.embedding.rows([keys[row] for row in np.concatenate(extremes)]))
        if np.ptp(points, axis=0).max() <= NOTICEABLE:
            raise UndefinedError(
                "All the words that lean to A or B have the same direction, so there is nothing to "
                "divide into clusters; use an embedding whose words differ."
            )
        clusters = _two_clusters(points, self.seed)
        right = float((clusters == np.repeat([0, 1], self.each)).mean())
        return Score(max(right, 1 - right), ())


def _two_clusters(points: FloatArray, seed: int) -> FloatArray:
    # scikit-learn takes a second to import and few audits need it.
    from sklearn.cluster import KMeans

    clusters: FloatArray = KMeans(n_clusters=2, n_init=10, random_state=seed).fit_predict(points)
    return clusters
